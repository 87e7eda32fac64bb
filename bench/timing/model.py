# SPDX-License-Identifier: BSD-3-Clause
"""The equations: how long the work of work.py takes on a part, and the coefficients that they have.

Coefficients of the first table are shared by all parts; those of the second belong to one part. docs/timing_study.md says where
they come from and how far they can be trusted.
"""

import dataclasses
import typing

import numpy as np

from . import work
from .measurements import PRECISIONS

POOL_SHARE = 0.2  # of an element-wise vector's price, for a vector that a pooling window reads; our estimate, not fitted


@dataclasses.dataclass(frozen=True)
class Coefficient:
    """Positive, and fitted as a logarithm: `spread` is the prior's standard deviation there."""
    prior: float
    spread: float
    low: float
    high: float
    unit: str


def held(value, unit=""):
    """A coefficient that no fit moves."""
    return Coefficient(value, 1e-4, value, value, unit)


# Priors that were set after fitted values had been seen: what they predict for a family that is held out is too good.
TUNED = {
    "passes16": Coefficient(2.0, 0.1, 1.6, 2.5, "passes of 8-bit products for 16-bit activations"),
    "stride": Coefficient(0.3, 0.7, 0.02, 1, "share of the positions between strides that is computed and thrown away"),
    "ragged8": Coefficient(5, 0.4, 1, 8, "rows of a tile of 8 that an unaligned 8-bit matrix product occupies"),
    "ragged16": Coefficient(2, 0.4, 1, 8, "the same for 16-bit activations"),
    "elementwise": Coefficient(5, 0.6, 0.5, 20, "thread-cycles per vector read or written by element-wise ops"),
    "activation": Coefficient(10, 0.7, 1, 60, "thread-cycles per vector of a nonlinear function"),
    "depthwise_tap": Coefficient(2, 0.6, 0.3, 8, "thread-cycles per vector and tap of depthwise convolutions"),
    "softmax": Coefficient(20, 0.5, 3, 150, "thread-cycles per vector"),
    "norm": Coefficient(60, 0.5, 10, 200, "thread-cycles per vector"),
    "layout": Coefficient(6, 0.6, 0.5, 30, "thread-cycles per vector read or written by ops that only rearrange"),
    "concat": Coefficient(3, 0.6, 0.3, 20, "thread-cycles per vector read or written"),
    "pack": Coefficient(50, 0.5, 5, 250, "thread-cycles per vector of a second operand that is packed as weights"),
    "matrix": Coefficient(1500, 0.7, 100, 20000, "cycles per matrix of a batched product"),
    "batch_norm": Coefficient(24, 0.6, 3, 80, "thread-cycles per 16-bit vector of a quantized batch normalisation"),
    "quotient": Coefficient(50, 0.6, 5, 200, "thread-cycles per vector of quotients"),
    "vector8": Coefficient(0.6, 0.4, 0.2, 3, "8-bit vector arithmetic against 16-bit, per vector"),
    "vector8_old": Coefficient(0.8, 0.4, 0.2, 3, "the same on v68 and v69"),
    "half_old": Coefficient(1.7, 0.4, 0.8, 4, "fp16 vector arithmetic of v68 and v69 against later"),
    "op": Coefficient(1100, 0.6, 200, 8000, "cycles per op"),
    "spill": Coefficient(0.25, 0.5, 0.03, 1, "share of what exceeds VTCM that goes to DDR and back"),
}

# Priors of a first draft, of public micro-benchmarks and of the middle between bounds; all are wide.
NEUTRAL_VALUES = {
    "passes16": 2, "stride": 0.3, "ragged8": 2.8, "ragged16": 2.8, "elementwise": 8, "activation": 12, "depthwise_tap": 1.5,
    "softmax": 40, "norm": 20, "layout": 4, "concat": 3, "pack": 80, "matrix": 1000, "batch_norm": 15, "quotient": 20,
    "vector8": 1, "vector8_old": 1, "half_old": 1.5, "op": 1500, "spill": 0.5,
}
NEUTRAL = {name: dataclasses.replace(coefficient, prior=NEUTRAL_VALUES[name],
                                     spread=max(coefficient.spread, 0.15 if name == "passes16" else 0.6))
           for name, coefficient in TUNED.items()}

CHIP = {
    "macs8": Coefficient(15e6, 1.0, 5e5, 1e8, "8-bit multiply-accumulates per us"),
    "macs16": Coefficient(4e6, 1.0, 1e5, 5e7, "fp16 multiply-accumulates per us"),
    "vector": Coefficient(6000, 0.7, 500, 40000, "HVX thread-cycles per us, all threads together"),
    "ddr": Coefficient(45e3, 0.6, 3e3, 9e4, "bytes per us"),
    "call": Coefficient(150, 0.7, 10, 1000, "us per inference"),
}
# For a part that is many times slower than the rest of its architecture.
SLOW_CHIP = {**CHIP, "macs8": dataclasses.replace(CHIP["macs8"], prior=1e6, low=1e5, high=1e7),
             "vector": dataclasses.replace(CHIP["vector"], prior=1500, low=100, high=10000)}


class Workload:
    """The work of several networks, each in a precision, as one long table of ops, so that numpy computes all at once."""

    def __init__(self, works, precisions):
        lengths = [len(one.columns["macs"]) for one in works]
        self.columns = {name: np.concatenate([one.columns[name] for one in works]) for name in work.COLUMNS}
        self.starts = np.cumsum([0, *lengths])[:-1]
        self.end_bytes = np.array([one.end_bytes for one in works])
        self.end_vectors = np.array([one.end_vectors for one in works])
        kinds = np.repeat([PRECISIONS.index(precision) for precision in precisions], lengths)
        self.is_float, self.is_w8a8, self.is_w8a16 = (kinds == kind for kind in range(3))

    def sums(self, per_op):
        """Of every network."""
        return np.add.reduceat(per_op, self.starts)


class Parts(typing.NamedTuple):
    """Microseconds of every op."""
    matrix: np.ndarray
    vector: np.ndarray
    serial: np.ndarray
    weights: np.ndarray
    spill: np.ndarray


def matrix_time(load, shared, rates):
    columns = load.columns
    rate = np.select([load.is_float, load.is_w8a8], [rates["macs16"], rates["macs8"]], rates["macs8"] / shared["passes16"])
    rows = np.select([load.is_w8a8, load.is_w8a16], [shared["ragged8"], shared["ragged16"]], 1.0)
    macs = columns["macs"] + columns["group_padding"] + shared["stride"] * columns["skipped_macs"]
    return np.where(columns["ragged"] > 0, rows, 1.0) * macs / rate


def vector_cycles(load, shared, chip):
    """Thread-cycles. Arithmetic is cheaper on 8 bits, and dearer in fp16 on old parts; moving costs the same for any vector."""
    columns = load.columns
    eight = shared["vector8_old" if chip.old else "vector8"]
    arithmetic = np.select([load.is_float, load.is_w8a8], [shared["half_old"] if chip.old else 1.0, eight], 1.0)
    integer = np.where(load.is_w8a8, eight, 1.0)
    return (arithmetic * (shared["elementwise"] * (columns["elementwise"] + POOL_SHARE * columns["pooled"])
                          + shared["activation"] * columns["activation"]
                          + shared["depthwise_tap"] * columns["depthwise_taps"]
                          + shared["quotient"] * columns["quotients"] / integer)
            + integer * shared["softmax"] * columns["softmax"]
            + shared["norm"] * columns["norm"]
            + shared["layout"] * columns["moved"]
            + shared["concat"] * columns["joined"]
            + shared["pack"] * columns["packed"]
            + shared["batch_norm"] * columns["batch_norm"])


def parts(load, shared, rates, chip):
    columns = load.columns
    serial_cycles = shared["op"] * columns["ops"] + shared["matrix"] * columns["matrices"]
    spilled_bytes = shared["spill"] * np.maximum(columns["activation_bytes"] - chip.vtcm_bytes, 0.0)
    return Parts(matrix=matrix_time(load, shared, rates),
                 vector=vector_cycles(load, shared, chip) / rates["vector"],
                 serial=serial_cycles * chip.threads / rates["vector"],
                 weights=columns["weight_bytes"] / rates["ddr"],
                 spill=spilled_bytes / rates["ddr"])


def predict(load, shared, rates, chip):
    """Microseconds of every network: matrix and vector work one after the other, weights fetched beside them."""
    of_ops = parts(load, shared, rates, chip)
    ops = np.maximum(of_ops.matrix + of_ops.vector, of_ops.weights) + of_ops.spill + of_ops.serial
    ends = load.end_bytes / rates["ddr"] + shared["layout"] * load.end_vectors / rates["vector"]
    return rates["call"] + load.sums(ops) + ends


@dataclasses.dataclass(frozen=True)
class Model:
    """Coefficients that are to be fitted, and the equations that take them."""
    shared: dict
    chip: dict = dataclasses.field(default_factory=lambda: CHIP)
    predict: typing.Callable = predict


PRIORS = {"neutral": NEUTRAL, "tuned": TUNED}
