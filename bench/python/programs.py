# SPDX-License-Identifier: BSD-3-Clause
"""The command-line tools as a benchmark calls them, with the time and the memory that they take."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "build/bench/models"


def arguments(description):
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin", help="the tools")
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--json", type=pathlib.Path, help="add the figures to the list in this file")
    return options.parse_args()


def run(*command):
    """Seconds and peak memory (bytes) of a program that must succeed."""
    start = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))} failed with {process.returncode}")
    return time.perf_counter() - start, usage.ru_maxrss * 1024


def model(name, make):
    """A model that is made once and kept."""
    MODELS.mkdir(parents=True, exist_ok=True)
    path = MODELS / f"{name}.onnx"
    if not path.exists():
        part = path.with_suffix(".part")
        make(part)
        part.rename(path)
    return path


class Programs:
    """The tools of a build, with a folder for what they make that is gone at the end."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.backend = self.folder.parent / "lib/libQnnHtp.so"
        self.work = ROOT / "build/bench/work"

    def __enter__(self):
        self.work.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.work, ignore_errors=True)

    def binary(self, path):
        return self.work / f"{path.stem}.bin"

    def convert(self, path):
        return run(self.folder / "qairt-converter", "--input_network", path, "--output_path", self.work / f"{path.stem}.dlc")

    def compile(self, path):
        return run(self.folder / "qnn-context-binary-generator", "--dlc_path", self.work / f"{path.stem}.dlc", "--backend",
                   self.backend, "--output_dir", self.work, "--binary_file", path.stem)

    def net_run(self, path, inputs, inferences):
        return run(self.folder / "qnn-net-run", "--retrieve_context", self.binary(path), "--backend", self.backend, "--input_list",
                   inputs, "--output_dir", self.work / "outputs", "--num_inferences", inferences)

    def throughput(self, config, results):
        return run(self.folder / "qnn-throughput-net-run", "--config", config, "--output", results)
