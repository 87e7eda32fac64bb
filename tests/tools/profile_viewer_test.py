#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Long logs in little memory, and a run that is killed: what the text cases of qnn-profile-viewer cannot show.

  profile_viewer_test.py --bin DIR
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from long_log import write_long_log

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus"
MIB = 1 << 20
# 500 MB for 5 GB is a tenth; a short log has what a program takes by itself.
SHORT, LONG = 32 * MIB, 512 * MIB


def tool(name):
    return str(BIN / name)


class ProfileViewerTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="openqnn-viewer-"))
        shutil.copy(CORPUS / "dlc/conv.dlc", self.folder)
        (self.folder / "a.raw").write_bytes(struct.pack("<72f", *(0.002 * i for i in range(72))))
        (self.folder / "list.txt").write_text("x:=a.raw\n", encoding="utf-8")

    def tearDown(self):
        shutil.rmtree(self.folder)

    def net_run(self, *more, output="out"):
        return [tool("qnn-net-run"), "--backend", "libQnnHtp.so", "--dlc_path", "conv.dlc", "--input_list", "list.txt",
                "--output_dir", output, "--profiling_level", "detailed", *more]

    def call(self, *command):
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def peak_memory(self, *command):
        """Bytes; the command must succeed."""
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, command)
        return usage.ru_maxrss * 1024

    # feature: D4 (tool)
    def test_memory_does_not_grow_with_the_log(self):
        self.call(*self.net_run("--num_inferences", "20", "--keep_num_outputs", "1"))
        logs = {size: self.folder / f"{size}.log" for size in (SHORT, LONG)}
        for size, path in logs.items():
            write_long_log(self.folder / "out/qnn-profiling-data_0.log", path, size)
        for output in ([], ["--output", "x.csv"]):
            short, long = (self.peak_memory(tool("qnn-profile-viewer"), "--input_log", str(logs[size]), *output)
                           for size in (SHORT, LONG))
            self.assertLess(long, LONG / 10, output)
            self.assertLess(long - short, 16 * MIB, output)

    def ops_of_trace(self, *logs):
        """The cycles of each slice on the main thread."""
        self.call(tool("qnn-profile-viewer"), "--reader", "libQnnChrometraceProfilingReader.so", "--input_log", ",".join(logs),
                  "--output", "trace.json", "--quiet")
        events = json.loads((self.folder / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
        return {event["name"]: event["dur"] for event in events if event["ph"] == "X" and event["tid"] == 1}

    # feature: D4 (tool)
    def test_a_chrometrace_is_of_the_average(self):
        """Two parts take different cycles for the same graph: the trace of both logs is their mean."""
        logs = {}
        for part in ("SM8350", "SM8650"):
            environment = os.environ | {"OPENQNN_TARGET": f"host:{part}"}
            subprocess.run(self.net_run(output=part), cwd=self.folder, check=True, stdout=subprocess.DEVNULL,
                           env=environment)
            logs[part] = f"{part}/qnn-profiling-data_0.log"
        first, second = (self.ops_of_trace(log) for log in logs.values())
        self.assertNotEqual(first, second)
        both = self.ops_of_trace(*logs.values())
        self.assertEqual(both, {op: (first[op] + second[op]) // 2 for op in first})

    # feature: D3 (tool)
    def test_a_killed_run_leaves_a_log_that_can_be_read(self):
        process = subprocess.Popen(self.net_run("--duration", "60", "--keep_num_outputs", "1"), cwd=self.folder,
                                   stdout=subprocess.DEVNULL)
        log = self.folder / "out/qnn-profiling-data_0.log"
        deadline = time.monotonic() + 60
        while (not log.exists() or log.stat().st_size < 20000) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        shown = subprocess.run([tool("qnn-profile-viewer"), "--input_log", str(log)], cwd=self.folder, check=True, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertIn("Execute Stats (Average):", shown.stdout)
        self.assertIn("Conv_1_Conv2d:OpId_5 (cycles):", shown.stdout)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", type=pathlib.Path, required=True)
    BIN = options.parse_args().bin.resolve()
    unittest.main(argv=sys.argv[:1])
