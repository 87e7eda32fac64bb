#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes networks of the literature, with random weights, as ONNX models.

    bench/models/build.py NAME OUT.onnx
    bench/models/build.py --all FOLDER
    bench/models/build.py --list             # names, parameters and multiplications
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from models import catalogue, count  # noqa: E402

import onnx  # noqa: E402


def write(name, path):
    model, _ = catalogue.make(name)
    onnx.save(model, str(path))


def show(name):
    model, parameters = catalogue.make(name)
    entry = catalogue.MODELS[name]
    macs = count.multiplications(model) / 1e9
    print(f"{name:22} {parameters:11,d} parameters (literature {entry.parameters:7.3f} M)"
          f"  {macs:8.3f} G multiplications (literature {entry.macs:7.3f})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", choices=sorted(catalogue.MODELS))
    parser.add_argument("out", nargs="?", type=pathlib.Path)
    parser.add_argument("--all", type=pathlib.Path, metavar="FOLDER", help="write every model into a folder")
    parser.add_argument("--list", action="store_true", help="count every model's parameters and multiplications")
    arguments = parser.parse_args()
    if arguments.list:
        for name in catalogue.MODELS:
            show(name)
    elif arguments.all:
        arguments.all.mkdir(parents=True, exist_ok=True)
        for name in catalogue.MODELS:
            write(name, arguments.all / f"{name}.onnx")
    elif arguments.name and arguments.out:
        write(arguments.name, arguments.out)
    else:
        parser.error("name a model and a file, or a folder with --all")


if __name__ == "__main__":
    main()
