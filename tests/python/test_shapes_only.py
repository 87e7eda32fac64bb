# SPDX-License-Identifier: BSD-3-Clause
"""Models whose weights are not read: `openqnn simulate --shapes_only`, qairt.simulate(shapes_only=True)."""

import pathlib
import resource
import subprocess
import sys

import numpy
import onnx_writer
import pytest
import qairt

pytest.importorskip("onnx.helper", reason="python3-onnx is not installed")
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench" / "python"))
import onnx_models  # noqa: E402


@pytest.fixture(scope="module")
def convolutions(tmp_path_factory):
    random = numpy.random.default_rng(0)
    constants = {"w0": (random.standard_normal((64, 64, 3, 3)) / 24).astype("float32"),
                 "w1": (random.standard_normal((4096, 10)) / 64).astype("float32")}
    nodes = [("Conv", ["x", "w0"], ["c"]), ("Relu", ["c"], ["r"]), ("Flatten", ["r"], ["f"]), ("MatMul", ["f", "w1"], ["y"])]
    path = tmp_path_factory.mktemp("models") / "convolutions.onnx"
    return onnx_writer.write(path, nodes, [("x", "float32", (1, 64, 10, 10))], [("y", "float32", (1, 10))], constants)


@pytest.mark.parametrize("precision", ["float", "w8a8", "w8a16"])
def test_weights_change_nothing_but_the_time_it_takes_to_read_them(convolutions, precision):
    read, = qairt.simulate(convolutions, soc="SM8650", precision=precision)
    unread, = qairt.simulate(convolutions, soc="SM8650", precision=precision, shapes_only=True)
    assert "not read" in unread["notes"][0]
    unread["notes"] = unread["notes"][1:]
    # Places of constants differ, and with them at most a few pages.
    assert unread.pop("binary_bytes") == pytest.approx(read.pop("binary_bytes"), abs=3 * 4096)
    assert unread.pop("peak_memory_bytes") == pytest.approx(read.pop("peak_memory_bytes"), abs=3 * 4096)
    assert unread == read


def test_a_file_of_weights_need_not_be_there(tool, tmp_path):
    path = tmp_path / "stack.onnx"
    weights = onnx_models.transformer_stack(path, layers=4, width=1280, heads=10)
    with pytest.raises(FileNotFoundError, match="weights.bin"):
        qairt.simulate(str(path), soc="SM8650")
    result, = qairt.simulate(str(path), soc="SM8650", shapes_only=True)
    assert result["ddr_bytes"] > weights  # a byte each, and activations
    assert result["binary_bytes"] > weights


def test_two_billion_weights_take_seconds_and_little_memory(tool, tmp_path):
    path = tmp_path / "stack.onnx"
    assert onnx_models.transformer_stack(path, layers=24, width=2560) > 1.8e9
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([tool, "simulate", str(path), "--soc", "SM8650", "--shapes_only"], check=True, timeout=300,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 20
    assert after.ru_maxrss * 1024 < 2e9


def test_only_models_have_weights_to_leave_out(tool, convolutions, tmp_path):
    binary = tmp_path / "model.bin"
    qairt.compile(qairt.convert(convolutions)).save(binary)
    done = subprocess.run([tool, "simulate", binary, "--shapes_only"], check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "this is for models" in done.stderr


@pytest.mark.parametrize("given", [{"shapes_only": True}, {"clients": 2}, {"explain": True}])
def test_what_is_for_models_is_refused_of_a_binary(given, tmp_path):
    with pytest.raises(ValueError, match=f"{next(iter(given))} is for models"):
        qairt.simulate(tmp_path / "model.bin", **given)


def test_a_dlc_has_its_weights(convolutions, tmp_path):
    qairt.convert(convolutions).save(tmp_path / "model.dlc")
    with pytest.raises(ValueError, match="this is for ONNX models"):
        qairt.simulate(tmp_path / "model.dlc", shapes_only=True)


def test_half_a_client_is_none(convolutions):
    with pytest.raises(ValueError, match="no priority '2.5'"):
        qairt.simulate(convolutions, clients=2.5)
