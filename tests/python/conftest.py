# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the Python package share: the tool, and a context binary that its demo made."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


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
