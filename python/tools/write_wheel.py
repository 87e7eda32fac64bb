#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Packs a folder into a wheel of the Python that runs this: write_wheel.py TREE VERSION LICENSE DIST (python/wheel.cmake)."""

import base64
import hashlib
import os
import pathlib
import sys
import sysconfig
import zipfile

NAME = "openqnn"
METADATA = """\
Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: An open, host-native implementation of the QNN HTP backend: convert, check, compile, run and simulate
License: BSD-3-Clause
Requires-Python: =={python}.*
Provides-Extra: models
Requires-Dist: numpy; extra == 'models'
"""
WHEEL = """\
Wheel-Version: 1.0
Generator: {name} {version}
Root-Is-Purelib: false
Tag: {tag}
"""


def files_of(tree):
    """(name in the wheel, bytes) of each file. Wheels know no links: a library stands under the name that programs ask for."""
    every = sorted(path for path in tree.rglob("*") if path.is_file())
    behind_links = {path.resolve() for path in every if path.is_symlink()}
    return [(path.relative_to(tree).as_posix(), path.read_bytes()) for path in every
            if path.is_symlink() or path.resolve() not in behind_links]


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def main():
    tree, version, license_file, dist = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    python = sysconfig.get_python_version()
    cpython = "cp" + python.replace(".", "")
    tag = f"{cpython}-{cpython}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    info = f"{NAME}-{version}.dist-info"

    files = files_of(tree)
    files += [(f"{info}/METADATA", METADATA.format(name=NAME, version=version, python=python).encode()),
              (f"{info}/WHEEL", WHEEL.format(name=NAME, version=version, tag=tag).encode()),
              (f"{info}/LICENSE", license_file.read_bytes())]
    record = f"{info}/RECORD"
    files.append((record, ("".join(record_line(*file) for file in files) + f"{record},,\n").encode()))

    dist.mkdir(exist_ok=True)
    made = dist / f"{NAME}-{version}-{tag}.whl"
    unfinished = made.with_suffix(".part")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            # One date for all, so that one tree gives one wheel.
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    os.replace(unfinished, made)
    print(made)


if __name__ == "__main__":
    main()
