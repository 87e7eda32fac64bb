# SPDX-License-Identifier: BSD-3-Clause
"""The networks of bench/models against what their papers and published weights count."""

import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("onnx.helper", reason="python3-onnx is not installed")
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import onnx  # noqa: E402
from models import catalogue, count, swin  # noqa: E402
from models.net import Net  # noqa: E402


@pytest.mark.parametrize("name, parameters, macs", [
    ("quicksrnetsmall", 33_264, 542_638_080),
    ("sesr_m5", 342_928, 5_616_173_056),
    ("dncnn", 555_137, 36_314_284_032),
    ("squeezenet1_1", 1_235_496, 349_151_936),
    ("shufflenet_v2", 2_278_604, 144_907_992),
])
def test_small_models_have_their_published_size(name, parameters, macs):
    model, counted = catalogue.make(name)
    assert counted == parameters
    assert count.multiplications(model) == macs


@pytest.mark.parametrize("name", ["mobilenet_v2", "segformer_base", "yolov8_det", "densenet121"])
def test_counts_of_the_catalogue_are_those_of_the_graph(name):
    model, counted = catalogue.make(name)
    assert counted / 1e6 == pytest.approx(catalogue.MODELS[name].parameters, rel=0.005)
    assert count.multiplications(model) / 1e9 == pytest.approx(catalogue.MODELS[name].macs, rel=0.01)


@pytest.mark.parametrize("name", ["quicksrnetsmall", "squeezenet1_1", "yolov8_det", "segformer_base"])
def test_outputs_have_the_shapes_that_the_catalogue_says(name):
    model, _ = catalogue.make(name)
    said = {value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim] for value in model.graph.output}
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    shapes = count.shapes_of(model)
    assert {name: shapes[name] for name in said} == said


def test_shifted_windows_hide_tokens_from_the_other_end():
    net = Net("mask")
    swin.shift_mask(net, 14)
    mask = onnx.numpy_helper.to_array(net.weights[0])
    assert mask.shape == (4, 1, 49, 49)
    hidden = (mask != 0).sum(axis=(1, 2, 3))
    # Of 49 tokens: none apart; 28 and 21 apart; the same turned; parts of 16, 12, 12 and 9.
    assert hidden.tolist() == [0, 2 * 28 * 21, 2 * 28 * 21, 49 * 49 - 16**2 - 2 * 12**2 - 9**2]


def test_the_tool_writes_a_model_that_converts(tool, tmp_path):
    path = tmp_path / "quicksrnetsmall.onnx"
    subprocess.run([sys.executable, ROOT / "bench/models/build.py", "quicksrnetsmall", path], check=True, timeout=120)
    converter = tool.with_name("qairt-converter")
    subprocess.run([converter, "--input_network", path, "--output_path", tmp_path / "model.dlc"], check=True, timeout=120)
    shown = subprocess.run([tool, "inspect", tmp_path / "model.dlc", "--nodes"], check=True, text=True, stdout=subprocess.PIPE,
                           timeout=120).stdout
    assert shown.count("Conv2d") >= 4
    assert "DepthToSpace" in shown


@pytest.mark.parametrize("program", ["bench/models/build.py", "bench/python/bench_exec.py", "examples/showcase/make_showcase.py"])
def test_without_the_onnx_package_one_line_names_it(program, tmp_path):
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx/__init__.py").touch()  # as empty as what libonnx-testdata leaves
    done = subprocess.run([sys.executable, ROOT / program, "resnet18", tmp_path / "out.onnx"], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(tmp_path)}, timeout=120)
    assert done.returncode == 1
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert "python3-onnx" in done.stderr
