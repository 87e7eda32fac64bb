#!/usr/bin/env python3
"""A signal stops a preparation that takes long: soon, with the signal's exit status, a sentence, and no file half made.

  stop_test.py --bin DIR
"""

import argparse
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

PATIENCE = 60  # seconds, for machines that do much else
LAYERS, SIDE = 400, 512  # at O3 seconds of search
STAGE = "Starting stage: Graph Sequencing for Target"


def write_model(path, kind):
    """A .dlc (docs/dlc.md): poolings in a row, which need no weights and are never merged."""
    names = ["x", *(f"t{i}" for i in range(1, LAYERS)), "y"]
    encoding = {} if kind == "f32" else {"quantization": {"kind": "tensor", "encodings": [[0.01, 0]]}}
    tensors = [{"name": name, "role": {"x": "input", "y": "output"}.get(name, "native"), "type": kind, "shape": [1, SIDE, SIDE, 32], **encoding}
               for name in names]
    params = [{"name": name, "type": "u32", "shape": shape, "values": values}
              for name, shape, values in (("filter_size", [2], [3, 3]), ("stride", [2], [1, 1]), ("pad_amount", [2, 2], [1, 1, 1, 1]))]
    nodes = [{"name": f"pool{i}", "type": "PoolMax2d", "inputs": [names[i]], "outputs": [names[i + 1]], "params": params} for i in range(LAYERS)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("openqnn-dlc.json", json.dumps({"format": "openqnn-dlc", "version": 1}))
        archive.writestr("graph.json", json.dumps([{"name": "deep", "tensors": tensors, "nodes": nodes}]))
        archive.writestr("weights.bin", b"")


def write_options(folder):
    """O3, which searches; through the extension library, as a user says it."""
    (folder / "htp.json").write_text(json.dumps({"graphs": [{"graph_names": ["deep"], "O": 3.0}], "devices": [{"soc_model": 57}]}), "utf-8")
    outer = {"backend_extensions": {"shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": "htp.json"}}
    (folder / "outer.json").write_text(json.dumps(outer), "utf-8")


def stop(command, folder, number, sign):
    """Runs a command on a terminal of its own, sends the signal when it has shown `sign`, and answers all that it wrote."""
    terminal, other_end = pty.openpty()
    run = subprocess.Popen(command, cwd=folder, stdout=other_end, stderr=other_end)
    os.close(other_end)
    seen = b""
    sent = False
    end = time.monotonic() + PATIENCE
    while True:
        assert time.monotonic() < end, seen[-2000:]
        try:
            more = os.read(terminal, 4096)
        except OSError:  # nobody writes there any more
            break
        if not more:
            break
        seen += more
        if not sent and sign.encode() in seen:
            run.send_signal(number)
            sent = True
    os.close(terminal)
    assert sent, seen[-2000:]
    assert run.wait(timeout=PATIENCE) == 128 + number, (run.returncode, seen[-2000:])
    text = seen.decode(errors="replace")
    assert f"{signal.Signals(number).name} has stopped it before its end" in text, text[-2000:]
    return text


def files_in(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file()) if folder.exists() else []


def generator_stops(programs, folder, number):
    command = [programs / "qnn-context-binary-generator", "--backend", "libQnnHtp.so", "--dlc_path", "fixed.dlc", "--binary_file", "deep",
               "--output_dir", f"made{number}", "--config_file", "outer.json", "--log_level", "verbose"]
    told = stop(command, folder, number, STAGE)
    assert "prepared graph" not in told, told[-2000:]
    assert not files_in(folder / f"made{number}"), files_in(folder / f"made{number}")


def run_stops(programs, folder):
    command = [programs / "openqnn", "run", "float.dlc", "--precision", "fp16", "--samples", "1", "--config", "outer.json", "--output_dir", "run",
               "--verbose"]
    told = stop(command, folder, signal.SIGTERM, STAGE)
    assert "Files left" not in told, told[-2000:]
    assert not files_in(folder / "run"), files_in(folder / "run")


def simulate_stops(programs, folder):
    command = [programs / "openqnn", "simulate", "fixed.dlc", "--soc", "SM8650", "--sweep", "O=3", "--trace", "trace.json"]
    stop(command, folder, signal.SIGINT, "Parallelization Optimization: ")  # a stage, in the line of progress
    assert not (folder / "trace.json").exists()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    programs = parser.parse_args().bin.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_model(folder / "fixed.dlc", "ufx8")
        write_model(folder / "float.dlc", "f32")
        write_options(folder)
        for number in (signal.SIGINT, signal.SIGTERM):
            generator_stops(programs, folder, number)
        run_stops(programs, folder)
        simulate_stops(programs, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
