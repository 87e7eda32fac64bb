#!/usr/bin/env python3
"""What a user sees of qnn-net-run while it runs: lines at once, progress on a terminal, and an end by a signal that loses nothing.

  interrupt_test.py --bin DIR
"""

import argparse
import os
import pathlib
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import time

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus"
PATIENCE = 60  # seconds, for machines that do much else


def command(program, *more):
    return [str(program), "--backend", "libQnnHtp.so", "--dlc_path", str(CORPUS / "dlc" / "conv.dlc"), "--input_list", "list.txt",
            "--duration", "600", "--keep_num_outputs", "1", *more]


def wait_for(path):
    end = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < end, f"{path} does not come"
        time.sleep(0.01)


def ends_with_what_there_is(program, folder, number, expected):
    """The first line comes through a pipe at once; the signal ends the run with metadata and its own exit status."""
    out = folder / f"out{number}"
    run = subprocess.Popen(command(program, "--output_dir", out.name), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout.readline().startswith("qnn-net-run pid:")
    wait_for(out / "Result_0" / "y.raw")
    run.send_signal(number)
    told, warned = run.communicate(timeout=PATIENCE)
    assert run.returncode == expected, run.returncode
    assert "graph 'conv': " in told and "1 result in" in told, told
    assert "Finished" not in told, told
    assert "ended by a signal" in warned, warned
    assert "inferences_completed: " in (out / "execution_metadata.yaml").read_text(encoding="utf-8")


def shows_progress(program, folder):
    """On a terminal, and only there."""
    terminal, other_end = pty.openpty()
    run = subprocess.Popen(command(program, "--output_dir", "seen"), cwd=folder, stdout=subprocess.DEVNULL, stderr=other_end)
    os.close(other_end)
    seen = b""
    end = time.monotonic() + PATIENCE
    while b"execute 'conv': 0" not in seen:
        assert time.monotonic() < end, seen
        seen += os.read(terminal, 4096)
    wait_for(folder / "seen" / "Result_0" / "y.raw")
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=PATIENCE) == 128 + signal.SIGINT
    os.close(terminal)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    program = parser.parse_args().bin.resolve() / "qnn-net-run"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "a.raw").write_bytes(struct.pack("<72f", *(i * 0.002 for i in range(72))))
        (folder / "list.txt").write_text("a.raw\n", encoding="utf-8")
        for number in (signal.SIGINT, signal.SIGTERM):
            ends_with_what_there_is(program, folder, number, 128 + number)
        shows_progress(program, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
