# SPDX-License-Identifier: BSD-3-Clause
"""The coefficients of the simulator: units, priors and bounds.

Those of the first table are shared by all parts; those of the second belong to one part.
"""

import dataclasses


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


# Priors of a first draft, of public micro-benchmarks and of the middle between bounds; all are wide. They were chosen before the
# coefficients were fitted to the simulator, but not before a first look at the residuals of simpler equations.
PRIORS = {
    "passes16": Coefficient(2, 0.15, 1.6, 2.5, "passes of 8-bit products for 16-bit activations"),
    "stride": Coefficient(0.3, 0.7, 0.02, 1, "share of the positions between strides that is computed and thrown away"),
    "ragged8": Coefficient(2.8, 0.6, 1, 8, "rows of a tile of 8 that an unaligned 8-bit matrix product occupies"),
    "ragged16": Coefficient(2.8, 0.6, 1, 8, "the same for 16-bit activations"),
    "elementwise": Coefficient(8, 0.6, 0.5, 20, "thread-cycles per vector read or written by element-wise ops"),
    "activation": Coefficient(12, 0.7, 1, 60, "thread-cycles per vector of a nonlinear function"),
    "depthwise_tap": Coefficient(1.5, 0.6, 0.3, 8, "thread-cycles per vector and tap of depthwise convolutions"),
    "softmax": Coefficient(40, 0.6, 3, 150, "thread-cycles per vector"),
    "norm": Coefficient(20, 0.6, 10, 200, "thread-cycles per vector"),
    "layout": Coefficient(4, 0.6, 0.5, 30, "thread-cycles per vector read or written by ops that only rearrange"),
    "concat": Coefficient(3, 0.6, 0.3, 20, "thread-cycles per vector read or written"),
    "pack": Coefficient(80, 0.6, 5, 250, "thread-cycles per vector of a second operand that is packed as weights"),
    "matrix": Coefficient(1000, 0.7, 100, 20000, "cycles per matrix of a batched product"),
    "batch_norm": Coefficient(15, 0.6, 3, 80, "thread-cycles per 16-bit vector of a quantized batch normalisation"),
    "quotient": Coefficient(20, 0.6, 5, 200, "thread-cycles per vector of quotients"),
    "vector8": Coefficient(1, 0.6, 0.2, 3, "8-bit vector arithmetic against 16-bit, per vector"),
    "vector8_old": Coefficient(1, 0.6, 0.2, 3, "the same on v68 and v69"),
    "half_old": Coefficient(1.5, 0.6, 0.8, 4, "fp16 vector arithmetic of v68 and v69 against later"),
    "op": Coefficient(1500, 0.6, 200, 8000, "cycles per op"),
}

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


@dataclasses.dataclass(frozen=True)
class Model:
    """Coefficients that are to be fitted."""
    shared: dict
    chip: dict = dataclasses.field(default_factory=lambda: CHIP)
