# SPDX-License-Identifier: BSD-3-Clause
"""The command-line tools as a benchmark calls them, with the time and the memory that they take."""

import argparse
import json
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "build/bench/models"
NETWORKS = ROOT / "bench/models"


def arguments(description, more=()):
    """`more` are options beside those that all benchmarks of programs have: a name and what argparse is told."""
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin", help="the tools")
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--json", type=pathlib.Path, help="add the figures to the list in this file")
    for name, how in more:
        options.add_argument(name, **how)
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


def make_apart(make, path):
    """In a process of its own: programs that are started later would inherit the memory that it took in their figures."""
    process = multiprocessing.get_context("fork").Process(target=make, args=(path,))
    process.start()
    process.join()
    if process.exitcode != 0:
        sys.exit(f"error: {path} could not be made")


def model(name, make):
    """A model that `make` writes, once: it is kept until the code that makes models changes."""
    MODELS.mkdir(parents=True, exist_ok=True)
    path = MODELS / f"{name}.onnx"
    makers = (*(pathlib.Path(__file__).with_name(maker) for maker in ("onnx_models.py", "qdq.py")), *NETWORKS.glob("*.py"))
    newest = max(maker.stat().st_mtime for maker in makers)
    if not path.exists() or path.stat().st_mtime < newest:
        part = path.with_suffix(".part")
        make_apart(make, part)
        part.rename(path)
    return path


class Programs:
    """The tools of a build, with a folder for what they make that is gone at the end."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.backend = self.folder.parent / "lib/libQnnHtp.so"
        self.work = None

    def __enter__(self):
        MODELS.mkdir(parents=True, exist_ok=True)
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="work-", dir=MODELS.parent))
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.work, ignore_errors=True)

    def dlc(self, path):
        return self.work / f"{path.stem}.dlc"

    def binary(self, path):
        return self.work / f"{path.stem}.bin"

    def convert(self, path):
        return run(self.folder / "qairt-converter", "--input_network", path, "--output_path", self.dlc(path))

    def quantize(self, path):
        """By the encodings that the model has; inputs and outputs stay float. The product is where the float one was."""
        dlc, quantized = self.dlc(path), self.work / f"{path.stem}.quantized"
        spent = run(self.folder / "qairt-quantizer", "--input_dlc", dlc, "--output_dlc", quantized, "--enable_float_fallback",
                    "--use_per_channel_quantization", "--use_per_row_quantization", "--bias_bitwidth", "32",
                    "--preserve_io_datatype")
        quantized.rename(dlc)
        return spent

    def float_tensors(self, path):
        """How many tensors between the input and the output of a model of ours are float."""
        with zipfile.ZipFile(self.dlc(path)) as archive:
            graph = json.loads(archive.read("graph.json"))[0]
        return sum(tensor["role"] == "native" and tensor["type"] in ("f32", "f16") for tensor in graph["tensors"])

    def compile(self, path):
        return run(self.folder / "qnn-context-binary-generator", "--dlc_path", self.dlc(path), "--backend",
                   self.backend, "--output_dir", self.work, "--binary_file", path.stem)

    def net_run(self, path, inputs, inferences):
        return run(self.folder / "qnn-net-run", "--retrieve_context", self.binary(path), "--backend", self.backend, "--input_list",
                   inputs, "--output_dir", self.work / "outputs", "--num_inferences", inferences)

    def throughput(self, config, results):
        return run(self.folder / "qnn-throughput-net-run", "--config", config, "--output", results)
