# SPDX-License-Identifier: BSD-3-Clause
"""The type stubs are those that the option tables give."""

import ast
import builtins
import inspect
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


def test_stubs_import_what_they_name():
    for name in STUBS:
        tree = ast.parse((pathlib.Path(qairt.__file__).parent / name).read_text())
        known = set(dir(builtins))
        for node in ast.walk(tree):
            known |= {each.asname or each.name for each in node.names} if isinstance(node, ast.ImportFrom) else set()
            known |= {node.name} if isinstance(node, ast.ClassDef) else set()
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        assert used <= known, name


def test_signatures_of_the_packages_stub():
    text = (pathlib.Path(qairt.__file__).parent / "__init__.pyi").read_text()
    stated = {node.name: node.args for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    for name in ("check", "compile", "convert", "load", "read_input_list"):
        real = inspect.signature(getattr(qairt, name)).parameters.values()
        arguments = stated[name]
        for kinds, listed in (((inspect.Parameter.POSITIONAL_OR_KEYWORD,), arguments.args),
                              ((inspect.Parameter.KEYWORD_ONLY,), arguments.kwonlyargs)):
            assert [each.arg for each in listed] == [each.name for each in real if each.kind in kinds], name


def test_classes_of_the_packages_stub_tell_every_property():
    text = (pathlib.Path(qairt.__file__).parent / "__init__.pyi").read_text()
    stated = {node.name: {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
              for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
    for cls in (qairt.Model, qairt.CompiledModel):
        public = {name for name in vars(cls) if not name.startswith("_")}
        assert public <= stated[cls.__name__], cls
