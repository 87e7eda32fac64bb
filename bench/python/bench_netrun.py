# SPDX-License-Identifier: BSD-3-Clause
"""What qnn-net-run adds to the executes: reading inputs, writing outputs, converting both.

    /usr/bin/python3 bench/python/bench_netrun.py --bin build/release/bin [--rounds N] [--json FILE]

The peer is the time of 100 executes alone, as qnn-throughput-net-run measures it around QnnGraph_execute. The time of starting
and loading is taken off ours by a second run with one inference.
"""

import json

import numpy as np
import onnx_models
from figures import figure, report
from programs import Programs, arguments, model

INFERENCES = 100


def throughput_config(programs, path):
    config = programs.work / "throughput.json"
    config.write_text(json.dumps({
        "backends": [{"backendName": "htp", "backendPath": str(programs.backend)}],
        "models": [{"modelName": "model", "modelPath": str(programs.binary(path)), "loadFromCachedBinary": True}],
        "contexts": [{"contextName": "context"}],
        "testCase": {"iteration": 1, "threads": [{"threadName": "only", "backend": "htp", "context": "context", "model": "model",
                                                  "loop": INFERENCES, "loopUnit": "count"}]}}), encoding="utf-8")
    return config


def overhead(programs, rounds, name, shape, note):
    path = model(name, getattr(onnx_models, name))
    programs.convert(path)
    programs.compile(path)
    np.random.default_rng(1).standard_normal(shape, dtype=np.float32).tofile(programs.work / "x.raw")
    inputs = programs.work / "inputs.txt"
    inputs.write_text(f"x:={programs.work / 'x.raw'}\n", encoding="utf-8")
    config, results = throughput_config(programs, path), programs.work / "results.json"
    ours, peer = [], []
    for _ in range(rounds):
        ours.append(programs.net_run(path, inputs, INFERENCES + 1)[0] - programs.net_run(path, inputs, 1)[0])
        programs.throughput(config, results)
        peer.append(json.loads(results.read_text(encoding="utf-8"))["threads"][0]["graphExecute"]["totalUs"] / 1e6)
    return figure(f"qnn-net-run, 100 inferences of {name}", "s", ours, "the executes alone", peer, f"{note}; allowed is 1/1.05")


def main():
    given = arguments(__doc__)
    with Programs(given.bin) as programs:
        report([overhead(programs, given.rounds, "small_convolutions", (1, 8, 48, 48), "0.3 ms each, inputs and outputs of 74 KB"),
                overhead(programs, given.rounds, "mobilenet_v2", (1, 3, 224, 224), "inputs of 602 KB")], given.json)


if __name__ == "__main__":
    main()
