# SPDX-License-Identifier: BSD-3-Clause
"""Profiling: what it adds to executes, how fast a log is read, and in how much memory.

    /usr/bin/python3 bench/python/bench_profile.py --bin build/release/bin [--rounds N] [--megabytes N] [--json FILE]

Reading is set beside `gzip -dc` on the same log, and memory beside a tenth of the log (500 MB for 5 GB). What a level adds to an
execute is the difference of --synchronous executes with and without it, on a chain of as many ops as MobileNet-V2 has, which
computes next to nothing: on MobileNet-V2 itself the difference is lost in the noise. It is set beside the part of a MobileNet-V2
execute that it may take.
"""

import subprocess
import sys

import numpy as np
import onnx_models
from figures import figure, report
from programs import ROOT, Programs, arguments, model, run

sys.path.insert(0, str(ROOT / "tests/tools"))
from long_log import write_long_log  # noqa: E402: the tests' maker of logs

INFERENCES = 40
CALLS = 3000  # of the chain


class Bench:
    def __init__(self, programs, rounds):
        self.programs, self.rounds = programs, rounds
        self.network = model("mobilenet_v2", onnx_models.mobilenet_v2)
        self.chain = model("op_chain", onnx_models.op_chain)
        self.inputs = {}
        for path, shape in ((self.network, (1, 3, 224, 224)), (self.chain, (1, 8))):
            programs.convert(path)
            programs.compile(path)
            raw = programs.work / f"{path.stem}.raw"
            np.random.default_rng(1).standard_normal(shape, dtype=np.float32).tofile(raw)
            self.inputs[path] = programs.work / f"{path.stem}.txt"
            self.inputs[path].write_text(f"{raw}\n", encoding="utf-8")

    def microseconds(self, path, count, *profiling):
        """Of one execute: a run of so many and one more is taken off by one of a single execute."""
        def once(inferences):
            return run(self.programs.folder / "qnn-net-run", "--retrieve_context", self.programs.binary(path), "--backend",
                       self.programs.backend, "--input_list", self.inputs[path], "--output_dir", self.programs.work / "outputs",
                       "--num_inferences", inferences, "--keep_num_outputs", 1, "--synchronous", *profiling)[0]
        return (once(count + 1) - once(1)) / count * 1e6

    def overhead(self, level, allowed):
        ours, peer = [], []
        for _ in range(self.rounds):
            with_profile = self.microseconds(self.chain, CALLS, "--profiling_level", level)
            ours.append(with_profile - self.microseconds(self.chain, CALLS))
            peer.append(allowed * self.microseconds(self.network, INFERENCES))
        return figure(f"what the level {level} adds to an execute of 66 ops", "us", ours,
                      f"{allowed:.0%} of a MobileNet-V2 execute", peer, "wanted is 1")

    def reading(self, megabytes):
        self.microseconds(self.network, INFERENCES, "--profiling_level", "detailed")
        log, packed = self.programs.work / "long.log", self.programs.work / "long.log.gz"
        size = write_long_log(self.programs.work / "outputs/qnn-profiling-data_0.log", log, megabytes << 20)
        with open(packed, "wb") as out:
            subprocess.run(["gzip", "-1c", str(log)], check=True, stdout=out)
        ours, peer, memory = [], [], []
        for _ in range(self.rounds):
            spent, peak = run(self.programs.folder / "qnn-profile-viewer", "--input_log", log)
            ours.append(spent)
            memory.append(peak / 1e6)
            peer.append(run("gzip", "-dc", packed)[0])
        rate = size / 1e6 / sorted(ours)[len(ours) // 2]
        peer_rate = size / 1e6 / sorted(peer)[len(peer) // 2]
        return [figure(f"qnn-profile-viewer, text of {megabytes} MiB", "s", ours, "gzip -dc", peer,
                       f"{rate:.0f} MB/s beside {peer_rate:.0f} MB/s; wanted is 0.3"),
                figure(f"memory for that log of {megabytes} MiB", "MB", memory, "a tenth of the log",
                       [size / 1e7] * len(memory), "500 MB for 5 GB")]

    def packing(self):
        """How small a gzipped op trace is."""
        tools, work = self.programs.folder, self.programs.work
        tracing = ("--profiling_level", "detailed", "--profiling_option", "optrace")
        # The schematic is written where the generator is started.
        run("env", "-C", work, tools / "qnn-context-binary-generator", "--dlc_path", self.programs.dlc(self.network), "--backend",
            self.programs.backend, "--output_dir", work, "--binary_file", "traced", *tracing)
        run(tools / "qnn-net-run", "--retrieve_context", work / "traced.bin", "--backend", self.programs.backend, "--input_list",
            self.inputs[self.network], "--output_dir", work / "traced", *tracing)
        for name in ("trace.json", "trace.json.gz"):
            run(tools / "qnn-profile-viewer", "--input_log", work / "traced/qnn-profiling-data_0.log", "--schematic",
                next(work.glob("*_schematic.bin")), "--output", work / name)
        plain, packed = ((work / name).stat().st_size / 1e3 for name in ("trace.json", "trace.json.gz"))
        return figure("gzipped op trace of MobileNet-V2", "kB", [packed], "a twentieth of the trace", [plain / 20],
                      f"{packed / plain:.3f} of the trace; near 0.05 is wanted")


def main():
    given = arguments(__doc__, [("--megabytes", {"type": int, "default": 512, "help": "length of the log that is read"})])
    with Programs(given.bin) as programs:
        bench = Bench(programs, given.rounds)
        report([bench.overhead("basic", 0.01), bench.overhead("detailed", 0.05), *bench.reading(given.megabytes),
                bench.packing()], given.json)


if __name__ == "__main__":
    main()
