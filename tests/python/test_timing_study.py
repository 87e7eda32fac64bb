# SPDX-License-Identifier: BSD-3-Clause
"""The study of bench/timing: what it counts, what its fit finds, and the measurements that it stands on."""

import collections
import dataclasses
import pathlib
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from timing import fit, graphs, measurements, model, report, work  # noqa: E402
from timing.work import Graph, Op, Operand  # noqa: E402

# ---- Measurements ----


def test_the_file_of_latencies_has_all_rows():
    rows = measurements.read()
    assert len(rows) == 686
    assert len({(row.model, row.precision, row.chip.name) for row in rows}) == 686
    assert sum(row.stable for row in rows) == 635
    assert sum(row.stable and row.chip.name != measurements.APART for row in rows) == 608
    assert collections.Counter(row.precision for row in rows) == {"float": 275, "w8a8": 291, "w8a16": 120}
    of_arch = collections.Counter(row.chip.arch for row in rows)
    assert of_arch == {"v68": 75, "v69": 51, "v73": 280, "v75": 112, "v79": 56, "v81": 112}
    assert len(measurements.chips_of(rows)) == 14
    assert all(row.microseconds > 0 for row in rows)


def test_every_network_is_of_one_family_and_can_be_built():
    pytest.importorskip("onnx")
    from models import catalogue
    of_families = [name for family in measurements.FAMILIES for name in family]
    assert len(of_families) == len(set(of_families))
    assert set(of_families) == {row.model for row in measurements.read()} == set(catalogue.MODELS)


# ---- Work ----


def op_of(kind, inputs, output, weights=(), dilation=1):
    operands = [Operand(shape, False) for shape in inputs] + [Operand(shape, True) for shape in weights]
    return Op(kind, tuple(operands), (output,), dilation)


def counted(op, precision):
    return work.count_op(op, work.Layout(precision))


def test_an_op_without_a_rule_is_counted_and_priced():
    shape = (1, 8, 8, 32)
    known, strange = op_of("Relu", [shape], shape), op_of("Mystery", [shape], shape)
    found = work.count(Graph((known, strange, strange), ()), "w8a8")
    assert found.unknown == {"Mystery": 2}
    assert found.columns["elementwise"].tolist() == [32, 32, 32]  # 2 x 2048 bytes in vectors of 128
    assert found.columns["ops"].tolist() == [1, 1, 1]


def test_a_convolution_fills_tiles():
    thin = op_of("Conv2d", [(1, 14, 14, 3)], (1, 7, 7, 40), [(3, 3, 3, 40)])
    assert counted(thin, "w8a8")["macs"] == 8 * 8 * 64 * 32   # 27 deep, taps packed
    assert counted(thin, "float")["macs"] == 8 * 8 * 64 * 32
    assert counted(thin, "w8a8")["skipped_macs"] == 3 * 8 * 8 * 64 * 32
    assert counted(thin, "w8a8")["tap_padding"] == 8 * 8 * 64 * (9 * 32 - 32)
    wide = op_of("Conv2d", [(1, 9, 9, 64)], (1, 9, 9, 64), [(3, 3, 64, 64)])
    assert counted(wide, "w8a8")["macs"] == 16 * 16 * 64 * 576
    assert counted(wide, "float")["macs"] == 16 * 12 * 64 * 576  # 16-bit tiles are half as wide
    assert counted(wide, "float")["weight_bytes"] == 2 * 9 * 64 * 64


def test_groups_fill_tiles_of_their_own():
    grouped = counted(op_of("Conv2d", [(1, 8, 8, 96)], (1, 8, 8, 96), [(3, 3, 48, 96)]), "w8a8")
    assert grouped["macs"] + grouped["group_padding"] == 8 * 8 * (2 * 64) * (9 * 64)
    assert grouped["moved"] > 0


def test_dilation_wastes_tiles():
    plain, dilated = (counted(op_of("Conv2d", [(1, 8, 8, 32)], (1, 8, 8, 32), [(3, 3, 32, 32)], step), "w8a8") for step in (1, 2))
    assert dilated["macs"] == 4 * plain["macs"]


@pytest.mark.parametrize("rows, ragged", [(197, 1), (384, 0), (1, 0)])
def test_rows_that_do_not_fill_lines_are_marked(rows, ragged):
    product = counted(op_of("MatMul", [(1, rows, 64)], (1, rows, 32), [(64, 32)]), "w8a8")
    assert product["ragged"] == ragged
    assert product["matrices"] == 0


def test_a_product_of_two_activations_packs_the_second():
    product = counted(op_of("MatMul", [(1, 16, 64, 64), (1, 16, 64, 32)], (1, 16, 64, 32)), "w8a8")
    assert product["matrices"] == 16
    assert product["packed"] == 16 * 64 * 32 / 128


def graph_of(tensors, nodes):
    return {"tensors": [{"name": name, "shape": shape, "role": role} for name, shape, role in tensors],
            "nodes": [{"type": kind, "inputs": inputs, "outputs": outputs} for kind, inputs, outputs in nodes]}


def test_reading_drops_what_the_device_does_not_run():
    image, planes = [1, 64, 64, 3], [1, 3, 64, 64]
    graph = graph_of([("x", planes, "input"), ("t", image, "inner"), ("w", [3, 3, 3, 3], "constant"), ("c", image, "inner"),
                      ("r", image, "inner"), ("s", image, "inner"), ("y", image, "output")],
                     [("Transpose", ["x"], ["t"]), ("Conv2d", ["t", "w"], ["c"]), ("Relu", ["c"], ["r"]),
                      ("Sigmoid", ["r"], ["s"]), ("ElementWiseAdd", ["s", "r"], ["y"])])
    read = work.read_graph(graph)
    assert [op.kind for op in read.ops] == ["Conv2d", "Sigmoid", "ElementWiseAdd"]
    assert read.ends == ((1, 64, 64, 3), (1, 64, 64, 3))
    graph["nodes"][4]["inputs"] = ["s", "c"]  # now what Relu reads has a second reader, and it cannot be folded
    assert [op.kind for op in work.read_graph(graph).ops] == ["Conv2d", "Relu", "Sigmoid", "ElementWiseAdd"]


def test_a_converted_network_has_rules_for_all_its_ops(tool, tmp_path):
    pytest.importorskip("onnx")
    graph = graphs.load("quicksrnetsmall", tmp_path, tool.parent)
    assert {node["dilation"] for node in graph["nodes"]} == {1}
    found = work.count(work.read_graph(graph), "w8a8")
    assert not found.unknown
    assert found.columns["macs"].sum() > 542_638_080  # the multiplications of the network, and padding
    kept = tmp_path / "quicksrnetsmall.graph.json"
    before = kept.stat().st_mtime_ns
    assert graphs.load("quicksrnetsmall", tmp_path, tool.parent) == graph
    assert kept.stat().st_mtime_ns == before


# ---- The fit ----

CHIPS = [measurements.Chip("old", "v68"), measurements.Chip("new", "v73")]
NAMES = [f"network{index}" for index in range(40)]
# Away from the priors, so that a fit which does not move is found out.
TRUE_SHARED = {name: about.prior * (1.4 if index % 2 else 0.75) for index, (name, about) in enumerate(model.NEUTRAL.items())}
TRUE_SHARED.update(passes16=2.2)
TRUE_RATES = {"old": {"macs8": 8e6, "macs16": 2e6, "vector": 4500, "ddr": 30e3, "call": 300},
              "new": {"macs8": 20e6, "macs16": 6e6, "vector": 6500, "ddr": 60e3, "call": 100}}
# The amount of each kind of work in an op, such that all of them are some tens of microseconds.
AMOUNTS = {"macs": 2e8, "skipped_macs": 4e8, "matrices": 60, "packed": 2e3, "elementwise": 2e4, "depthwise_taps": 6e4,
           "activation": 1e4, "quotients": 6e3, "softmax": 4e3, "norm": 6e3, "batch_norm": 8e3, "moved": 4e4, "joined": 5e4,
           "weight_bytes": 3e6, "activation_bytes": 16e6, "ops": 100}


def synthetic_work(name, precision):
    """Each op is of one kind, as in networks; which kinds a network has, and how much, is random but the same on every call."""
    source = np.random.default_rng([NAMES.index(name), measurements.PRECISIONS.index(precision)])
    kinds = list(AMOUNTS) * 2
    columns = {column: np.zeros(len(kinds)) for column in work.COLUMNS}
    for place, kind in enumerate(kinds):
        columns[kind][place] = AMOUNTS[kind] * source.lognormal(0, 1) * (source.random() < 0.5)
        columns["ragged"][place] = float(kind == "macs" and place >= len(AMOUNTS))
    return work.NetworkWork(columns, 1e5, 1e3, collections.Counter())


def synthetic_rows(shared=TRUE_SHARED, work_of=synthetic_work):
    rows = []
    for name in NAMES:
        for precision in measurements.PRECISIONS:
            load = model.Workload([work_of(name, precision)], [precision])
            for chip in CHIPS:
                time = model.predict(load, shared, TRUE_RATES[chip.name], chip)[0]
                rows.append(measurements.Row(name, precision, chip, time, True))
    return rows


def test_the_fit_finds_the_coefficients_that_made_the_rows():
    rows = synthetic_rows()
    fitted = fit.fit(model.Model(model.NEUTRAL), rows, synthetic_work)
    assert abs(fit.errors_of(fitted, rows, synthetic_work)).max() < 0.03
    for name, about in model.NEUTRAL.items():
        assert about.low <= fitted.shared[name] <= about.high
    # Cycles and the rate of cycles have one factor in common that only priors decide, so what is compared is time.
    of_cycles = {name for name, about in model.NEUTRAL.items() if "cycles" in about.unit}
    for chip in CHIPS:
        rates, true_rates = fitted.rates(chip), TRUE_RATES[chip.name]
        for name, value in fitted.shared.items():
            faster = rates["vector"] / true_rates["vector"] if name in of_cycles else 1.0
            assert value / faster == pytest.approx(TRUE_SHARED[name], rel=0.12), name
        for name in ("macs8", "macs16", "ddr", "call"):
            assert rates[name] == pytest.approx(true_rates[name], rel=0.12), name


def rows_with_norms_in_one_network(price):
    """How rows would look if only the first network had normalisations, for which the true price is not the prior's."""
    def work_of(name, precision):
        found = synthetic_work(name, precision)
        return dataclasses.replace(found, columns={**found.columns, "norm": found.columns["norm"] * (name == NAMES[0])})
    return synthetic_rows({**TRUE_SHARED, "norm": price}, work_of), work_of


def test_a_family_is_predicted_by_a_fit_that_has_not_seen_it():
    rows, work_of = rows_with_norms_in_one_network(150)
    families = [NAMES[:1], NAMES[1:20], NAMES[20:]]
    validated = fit.leave_one_family_out(model.Model(model.NEUTRAL), rows, work_of, families)
    assert validated.fitted.shared["norm"] > 80
    assert validated.folds[0].shared["norm"] == pytest.approx(model.NEUTRAL["norm"].prior, rel=0.01)
    of_first = np.array([row.model == NAMES[0] for row in rows])
    assert np.median(validated.held_out_errors[of_first]) < -0.2
    assert abs(validated.errors[of_first]).max() < 0.1
    assert abs(validated.held_out_errors[~of_first]).max() < 0.1


def test_a_network_of_no_family_is_an_error():
    with pytest.raises(ValueError, match=NAMES[-1]):
        fit.leave_one_family_out(model.Model(model.NEUTRAL), synthetic_rows(), synthetic_work, [NAMES[:-1]])


def test_a_bound_holds_against_the_rows():
    narrow = dataclasses.replace(model.NEUTRAL["quotient"], low=TRUE_SHARED["quotient"] * 0.3, high=TRUE_SHARED["quotient"] * 0.6)
    narrow = dataclasses.replace(narrow, prior=narrow.low * 1.1)
    fitted = fit.fit(model.Model({**model.NEUTRAL, "quotient": narrow}), synthetic_rows(), synthetic_work)
    assert fitted.shared["quotient"] == pytest.approx(narrow.high)


def test_a_held_coefficient_stays():
    shared = {**model.NEUTRAL, "norm": model.held(33.0)}
    fitted = fit.fit(model.Model(shared), synthetic_rows(), synthetic_work, steps=5)
    assert fitted.shared["norm"] == pytest.approx(33.0)


# ---- The report ----


def test_accuracy_of_known_errors():
    chip = CHIPS[0]
    rows = [measurements.Row("a", "float", chip, time, True) for time in (100.0, 200.0, 400.0)]
    found = report.accuracy(rows, np.log([1.1, 0.8, 1.0]))
    assert (found.median, found.mape, found.bias, found.spearman) == pytest.approx((0.1, 0.1, -0.1 / 3, 1.0))
    assert report.ranks([5, 1, 5, 7]).tolist() == [1.5, 0, 1.5, 3]
    assert report.spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)


def test_unstable_rows_are_kept_out_of_the_groups():
    rows = [measurements.Row("a", "float", CHIPS[0], 100.0, True), measurements.Row("a", "float", CHIPS[0], 100.0, False)]
    assert report.grouped(rows, np.log([1.1, 9.0]), lambda row: row.model)["a"].mape == pytest.approx(0.1)
