# SPDX-License-Identifier: BSD-3-Clause
"""Profiling: what it adds to executes, how fast a log is read, and in how much memory.

    /usr/bin/python3 bench/python/bench_profile.py --bin build/release/bin [--rounds N] [--megabytes N] [--json FILE]

Reading is set beside `gzip -dc` on the same log, and memory beside a tenth of the log (500 MB for 5 GB). What a level adds is the
time of --synchronous executes with and without it.
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


class Bench:
    def __init__(self, programs, rounds):
        self.programs, self.rounds = programs, rounds
        self.model = model("mobilenet_v2", onnx_models.mobilenet_v2)
        programs.convert(self.model)
        programs.compile(self.model)
        np.random.default_rng(1).standard_normal((1, 3, 224, 224), dtype=np.float32).tofile(programs.work / "x.raw")
        self.inputs = programs.work / "inputs.txt"
        self.inputs.write_text(f"{programs.work / 'x.raw'}\n", encoding="utf-8")

    def seconds(self, *profiling):
        """Of INFERENCES executes: a run of one more is taken off by one of a single execute."""
        def once(count):
            return run(self.programs.folder / "qnn-net-run", "--retrieve_context", self.programs.binary(self.model), "--backend",
                       self.programs.backend, "--input_list", self.inputs, "--output_dir", self.programs.work / "outputs",
                       "--num_inferences", count, "--keep_num_outputs", 1, "--synchronous", *profiling)[0]
        return once(INFERENCES + 1) - once(1)

    def overhead(self, level, allowed):
        ours, peer = [], []
        for _ in range(self.rounds):
            ours.append(self.seconds("--profiling_level", level))
            peer.append(self.seconds())
        return figure(f"MobileNet-V2, {INFERENCES} inferences with the level {level}", "s", ours, "without a profile", peer,
                      f"allowed is 1/{1 + allowed}")

    def reading(self, megabytes):
        self.seconds("--profiling_level", "detailed")
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


def main():
    given = arguments(__doc__, [("--megabytes", {"type": int, "default": 512, "help": "length of the log that is read"})])
    with Programs(given.bin) as programs:
        bench = Bench(programs, given.rounds)
        report([bench.overhead("basic", 0.01), bench.overhead("detailed", 0.05), *bench.reading(given.megabytes)], given.json)


if __name__ == "__main__":
    main()
