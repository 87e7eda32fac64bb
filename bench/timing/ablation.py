# SPDX-License-Identifier: BSD-3-Clause
"""What each part of the model is worth: it is left out, everything is fitted again, and the errors are compared."""

import dataclasses

import numpy as np

from . import report
from .fit import leave_one_family_out
from .model import held, predict
from .work import Graph, count

NOTHING = 1e-6  # a coefficient that is a logarithm cannot be zero

# Shared coefficients that are held at a value.
FIXED = {
    "no ragged rows": {"ragged8": 1, "ragged16": 1},
    "a division is as any element-wise op": {"quotient": NOTHING},
    "8-bit vectors cost as 16-bit ones": {"vector8": 1, "vector8_old": 1},
    "fp16 vectors are as fast on v68 and v69": {"half_old": 1},
    "no cost per matrix of a batch": {"matrix": NOTHING},
    "no packing of second operands": {"pack": NOTHING},
    "no cost per op": {"op": NOTHING},
    "no spill": {"spill": NOTHING},
    "strides cost nothing": {"stride": NOTHING},
    "concat is free": {"concat": NOTHING},
    "layout is free": {"layout": NOTHING},
}
# Coefficients of chips that are the same for all.
SAME = {
    "DDR has 50 GB/s everywhere": {"ddr": 5e4},
    "a call takes 120 us everywhere": {"call": 120},
}


def quarter_rate(load, shared, rates, chip):
    return predict(load, shared, {**rates, "macs16": rates["macs8"] / 4}, chip)


def with_columns(work, **changed):
    return dataclasses.replace(work, columns={**work.columns, **changed})


def single_pass(work, precision):
    """A quantized batch normalisation as one element-wise op; its vectors were counted with 16 bits."""
    columns = work.columns
    vectors = columns["batch_norm"] * (0.5 if precision == "w8a8" else 1.0)
    return with_columns(work, elementwise=columns["elementwise"] + vectors, batch_norm=0 * vectors,
                        ops=np.minimum(columns["ops"], 1.0))


def padded_taps(work, _):
    return with_columns(work, macs=work.columns["macs"] + work.columns["tap_padding"])


def free_ends(work, _):
    return dataclasses.replace(work, end_vectors=0.0)


WORK = {
    "a quantized batch normalisation is one element-wise op": single_pass,
    "depth is padded to 32 for each tap": padded_taps,
    "no conversion at the graph's ends": free_ends,
}


def multiplied(graph):
    """With products in place of quotients, as a network whose weights expect values from -1 to 1 may normalise."""
    return Graph(tuple(dataclasses.replace(op, kind="ElementWiseMultiply") if op.kind == "ElementWiseDivide" else op
                       for op in graph.ops), graph.ends)



def counted(graphs, change=lambda work, precision: work, padded=True):
    """`work_of` for a fit: counts on demand, once."""
    known = {}

    def work_of(name, precision):
        if (name, precision) not in known:
            known[name, precision] = change(count(graphs[name], precision, padded), precision)
        return known[name, precision]
    return work_of


def all_held(coefficients, values):
    return {**coefficients, **{name: held(value) for name, value in values.items()}}


def variants(model, graphs):
    """(name, model, work_of) of everything that is tried."""
    plain = counted(graphs)
    yield "the whole model", model, plain
    for name, values in FIXED.items():
        yield name, dataclasses.replace(model, shared=all_held(model.shared, values)), plain
    for name, values in SAME.items():
        yield name, dataclasses.replace(model, chip=all_held(model.chip, values)), plain
    yield "the fp16 rate is a quarter of the 8-bit rate", dataclasses.replace(model, predict=quarter_rate), plain
    for name, change in WORK.items():
        yield name, model, counted(graphs, change)
    yield "vector work on tensors without padding", model, counted(graphs, padded=False)
    changed = {name: multiplied(graphs[name]) for name in ("googlenet", "inception_v3") if name in graphs}
    yield "other graphs: googlenet and inception_v3 multiply to normalise", model, counted({**graphs, **changed})


def line(name, validated):
    inside, outside = (report.accuracy(*report.pick(validated.rows, errors, lambda row: row.stable))
                       for errors in (validated.errors, validated.held_out_errors))
    chips = report.grouped(validated.rows, validated.held_out_errors, lambda row: row.chip.name).values()
    return (name, *map(report.percent, (inside.median, inside.mape, outside.median, outside.mape)),
            f"{min(chip.spearman for chip in chips):.3f}", report.percent(max(abs(chip.bias) for chip in chips)))


HEADER = ("left out", "median", "MAPE", "median, held out", "MAPE, held out", "least Spearman of a chip",
          "largest bias of a chip")


def run(model, rows, graphs, show):
    """Lines of a table; `show` is told each as soon as it is there."""
    lines = []
    for name, variant, work_of in variants(model, graphs):
        lines.append(line(name, leave_one_family_out(variant, rows, work_of)))
        show(lines[-1])
    return report.table(HEADER, lines)
