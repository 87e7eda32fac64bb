#!/usr/bin/env python3
"""Programs that get no memory say so in a line and exit with 1: they neither crash nor leave anything behind.

  memory_test.py --bin DIR
"""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

LIMIT = 1 << 30  # bytes of addresses for a program
CONSTANTS, ELEMENTS = 16, 1 << 26  # a model of a kilobyte, whose constants have four times as many bytes


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def node(kind, inputs, output):
    return field(1, b"".join(field(1, name) for name in inputs) + field(2, output) + field(4, kind))


def value_info(name):
    dims = b"".join(field(1, field(1, extent)) for extent in (1, ELEMENTS))
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, dims)))


def write_model(path):
    """An ONNX model: x + zeros + zeros ..., each as large as the first."""
    shape = field(1, 2) + field(2, 7) + field(8, "shape") + field(7, varint(1) + varint(ELEMENTS))
    graph = b""
    for i in range(CONSTANTS):
        graph += node("ConstantOfShape", ["shape"], f"c{i}")
        graph += node("Add", [f"a{i - 1}" if i else "x", f"c{i}"], f"a{i}")
    graph += field(2, "g") + field(5, shape) + field(11, value_info("x")) + field(12, value_info(f"a{CONSTANTS - 1}"))
    path.write_bytes(field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13)))


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    programs = parser.parse_args().bin
    commands = [["openqnn", "simulate", "large.onnx", "--soc", "SM8650", "--precision", "float"],
                ["qairt-converter", "--input_network", "large.onnx", "--output_path", "large.dlc"]]
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_model(folder / "large.onnx")
        for program, *arguments in commands:
            done = subprocess.run([programs / program, *arguments], cwd=folder, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, preexec_fn=limited, check=False,
                                  env={**os.environ, "OPENQNN_THREADS": "1"})  # each has a stack
            if done.returncode != 1 or f"{program}: error: there is not enough memory" not in done.stderr:
                wrong.append(f"{program}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        left = sorted(path.name for path in folder.iterdir())
        if left != ["large.onnx"]:
            wrong.append(f"left behind: {left}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
