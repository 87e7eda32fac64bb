# SPDX-License-Identifier: BSD-3-Clause
"""Converts and compiles models by the command-line tools: time against ONNX Runtime, memory against the model's size.

    /usr/bin/python3 bench/python/bench_convert.py --bin build/release/bin [--rounds N] [--json FILE]

The peer is the time that ONNX Runtime (npm's onnxruntime-node, one thread, all optimisations) takes to load the same model.
It is installed into build/npm when npm is there; without it the figures of time are left out, and a line says so.
Models are made once, in build/bench/models.
"""

import subprocess

import onnx_models
import ort
from figures import figure, report
from programs import Programs, arguments, model

LOAD = """
const ort = require('onnxruntime-node');
(async () => {
  const start = process.hrtime.bigint();
  await ort.InferenceSession.create(process.argv[1], {graphOptimizationLevel: 'all', intraOpNumThreads: 1});
  console.log(Number(process.hrtime.bigint() - start) / 1e9);
})();
"""


def onnxruntime_seconds(path):
    done = subprocess.run(["node", "-e", LOAD, str(path)], cwd=ort.NPM, check=True, text=True, stdout=subprocess.PIPE)
    return float(done.stdout)


def resnet_figures(programs, rounds):
    path = model("resnet50", onnx_models.resnet50)
    size = path.stat().st_size
    with_peer = ort.installed()
    seconds, memory, peer = [], [], []
    for _ in range(rounds):
        converted, compiled = programs.convert(path), programs.compile(path)
        seconds.append(converted[0] + compiled[0])
        memory.append(max(converted[1], compiled[1]))
        if with_peer:
            peer.append(onnxruntime_seconds(path))
    figures = [figure("ResNet-50 convert + compile: peak memory", "bytes", memory, "3x the model's size", [3 * size] * rounds,
                      f"{size} bytes, the larger of both programs")]
    if with_peer:
        figures.insert(0, figure("ResNet-50 convert + compile", "s", seconds, "ONNX Runtime, load and optimise", peer,
                                 f"{rounds} rounds, two processes against the call alone; allowed is 1/3"))
    else:
        print(f"  skipped: {ort.SKIPPED}")
    return figures


def large_figure(programs):
    path = model("wide_layers", onnx_models.wide_layers)
    allowed = (64 << 20) + (1 << 30)
    return figure("1.5 GiB model, convert: peak memory", "bytes", [programs.convert(path)[1]], "largest tensor + 1 GiB",
                  [allowed], f"{path.stat().st_size} bytes")


def main():
    given = arguments(__doc__)
    with Programs(given.bin) as programs:
        report(resnet_figures(programs, given.rounds) + [large_figure(programs)], given.json)


if __name__ == "__main__":
    main()
