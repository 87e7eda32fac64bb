# SPDX-License-Identifier: BSD-3-Clause
"""The type stubs are those that the option tables give."""

import ast
import os
import pathlib
import subprocess
import sys

import qairt

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUBS = ["api/common/backends/htp/config.pyi", "api/compiler/config.pyi", "api/configs/common.pyi"]


def test_stubs_are_current():
    package = str(pathlib.Path(qairt.__file__).parents[1])
    done = subprocess.run([sys.executable, ROOT / "python/tools/make_stubs.py", "--check"], capture_output=True,
                          text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": package, "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_are_python():
    for name in STUBS:
        text = (pathlib.Path(qairt.__file__).parent / name).read_text()
        classes = {node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
        assert classes and max(map(len, text.splitlines())) <= 120
