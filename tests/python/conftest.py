# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the Python package share: the tool, a context binary that its demo made, and a small model."""

import os
import pathlib
import subprocess

import numpy
import onnx_writer
import pytest
import qairt
from arrays import random

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pytest_configure(config):
    # Most tests compile for no part in particular; test_model_notes.py looks at what is said of that.
    config.addinivalue_line("filterwarnings", "ignore:.*no SoC is named:qairt.ModelWarning")


@pytest.fixture(scope="session")
def tool():
    path = pathlib.Path(os.environ.get("OPENQNN_BIN", ROOT / "build/release/bin/openqnn"))
    if not path.is_file():
        pytest.fail(f"there is no {path}; build the release preset, or set OPENQNN_BIN")
    return path


@pytest.fixture(scope="session")
def demo_folder(tool, tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    subprocess.run([tool, "demo", "--out", folder], check=True, stdout=subprocess.DEVNULL, timeout=240)
    return folder


@pytest.fixture
def demo(demo_folder, tmp_path):
    """A copy that a test may damage."""
    path = tmp_path / "demo.bin"
    path.write_bytes((demo_folder / "demo.bin").read_bytes())
    return path


# ---- A model: y = relu(x @ weights + bias), from its file on ----


@pytest.fixture(scope="session")
def dense_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "dense.onnx"
    onnx_writer.write_dense(path)
    return path


@pytest.fixture(scope="session")
def expected(dense_path):
    """What the model computes, in double precision."""
    weights, bias = onnx_writer.write_dense(dense_path.with_name("again.onnx"))
    return lambda x: numpy.maximum(x.astype("float64") @ weights.astype("float64") + bias, 0)


@pytest.fixture(scope="session")
def model(dense_path):
    return qairt.convert(dense_path)


@pytest.fixture(scope="session")
def compiled(model):
    return qairt.compile(model)


@pytest.fixture(scope="session")
def samples():
    return [random((4, 32), seed) for seed in range(8)]


@pytest.fixture(scope="session")
def quantized(model, samples):
    return qairt.compile(model, precision="w8a8", calibration_data=samples)
