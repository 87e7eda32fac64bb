# SPDX-License-Identifier: BSD-3-Clause
"""The showcase models: what their changes bring on the modelled device, and that they are what they are said to be."""

import importlib.machinery
import importlib.util
import pathlib
import sys

import numpy
import pytest
import qairt

pytest.importorskip("onnx.helper", reason="python3-onnx is not installed")
ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples/showcase"
sys.path.insert(0, str(FOLDER))

import make_showcase  # noqa: E402
import onnx  # noqa: E402


def load_page_script():
    loader = importlib.machinery.SourceFileLoader("showcase_page", str(ROOT / "scripts/showcase_page"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


showcase_page = load_page_script()


@pytest.fixture(scope="module")
def reports(tool):
    return {model: showcase_page.simulated(str(tool), model) for model in showcase_page.MODELS}


# feature: D7 (report)
@pytest.mark.parametrize("before, after", [change[1:] for change in showcase_page.CHANGES])
def test_a_change_lowers_time_and_cycles(reports, before, after):
    assert reports[after].time < reports[before].time
    assert reports[after].cycles < reports[before].cycles


# feature: D7 (report)
def test_the_division_is_the_largest_op(reports):
    assert reports["div"].top(1) == [showcase_page.BOTTLENECKS["div"]]


# feature: D7 (report)
@pytest.mark.parametrize("before, after", [change[1:] for change in showcase_page.CHANGES if change[1] != "sub"])
def test_more_runs_side_by_side_after_a_change(reports, before, after):
    assert reports[after].overlap() > reports[before].overlap()


@pytest.mark.parametrize("model", showcase_page.MODELS)
def test_the_ops_have_the_printed_names(reports, model):
    printed = showcase_page.Report((ROOT / f"tests/profile/linting/{model}.txt").read_text())
    assert sorted(op.name for op in reports[model].rows) == sorted(op.name for op in printed.rows)


def test_the_models_are_what_the_script_writes(tmp_path):
    make_showcase.main(tmp_path)
    for model in showcase_page.MODELS:
        assert onnx.load(tmp_path / f"{model}.onnx") == onnx.load(FOLDER / f"{model}.onnx"), model


def test_the_convolution_subtracts():
    image = numpy.random.RandomState(1).normal(0, 1, (1, make_showcase.SIZE, make_showcase.SIZE, 3)).astype("float32")
    before, after = (next(iter(qairt.convert(FOLDER / f"{model}.onnx")({"input": image}).values()))
                     for model in ("sub", "sub_as_conv"))
    numpy.testing.assert_allclose(after, before, atol=2e-2 * float(numpy.abs(before).max()))


def test_bars_tell_what_is_beyond_them():
    assert showcase_page.self_test() == 0
