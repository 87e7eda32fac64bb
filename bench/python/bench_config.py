# SPDX-License-Identifier: BSD-3-Clause
"""Loads and saves a backend extensions file with many graphs: qairt's classes against the same in pydantic 1.10.

    PYTHONPATH=build/release/python /usr/bin/python3 bench/python/bench_config.py [--graphs N...] [--rounds N]

The peer needs Debian's python3-pydantic. Rounds alternate; the ratio is that of the medians.
"""

import argparse
import gc
import json
import pathlib
import tempfile
import time

import pydantic_peer
from figures import figure, report

from qairt.api.compiler.config import CompileConfig


def make_file(path, graphs):
    entries = [{"graph_names": [f"graph_{i}"], "O": 3, "vtcm_mb": 8, "hvx_threads": 4, "dlbc": 0,
                "fold_relu_activation_into_conv_off": True} for i in range(graphs)]
    file = {"context": [{"weight_sharing_enabled": False}], "graphs": entries,
            "devices": [{"device_id": 0, "soc_model": 43, "dsp_arch": "v73",
                         "cores": [{"core_id": 0, "perf_profile": "burst"}]}],
            "memory": {"mem_type": "shared_buffer"}, "groupContext": {"share_resources": False}}
    path.write_text(json.dumps(file, indent=4))


def timed(cls, path, repeats):
    """Seconds of one load and save, and the text. Repeated where one is too short for a clock and a warm cache."""
    gc.collect()
    start = time.perf_counter()
    for _ in range(repeats):
        text = cls.from_backend_extensions("HTP", path).to_backend_extension_json()
    return (time.perf_counter() - start) / repeats, text


def load_and_save(graphs, rounds, folder):
    path = folder / "extensions.json"
    make_file(path, graphs)
    ours, peer = [], []
    repeats = max(1, 100 // graphs)
    for _ in range(rounds):
        seconds, text = timed(CompileConfig, path, repeats)
        ours.append(seconds * 1e9)
        seconds, expected = timed(pydantic_peer.CompileConfig, path, repeats)
        peer.append(seconds * 1e9)
        assert text == path.read_text(), "the file should come back unchanged"
        assert json.loads(text) == json.loads(expected), "the two disagree"  # the peer sorts its keys
    return figure(f"Python classes: load + save, {graphs} graphs", "ns", ours, "the same classes in pydantic 1.10", peer,
                  f"{rounds} rounds")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--graphs", type=int, nargs="+", default=[1, 1000, 20_000])
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--json", type=pathlib.Path, help="add the figures to the list in this file")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = [load_and_save(graphs, given.rounds, pathlib.Path(folder)) for graphs in given.graphs]
    report(figures, given.json)


if __name__ == "__main__":
    main()
