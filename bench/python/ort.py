# SPDX-License-Identifier: BSD-3-Clause
"""ONNX Runtime as the benchmarks have it: npm's onnxruntime-node, installed into build/npm when npm is there."""

import json
import pathlib
import shutil
import subprocess
import tempfile

from programs import ROOT

NPM = ROOT / "build/npm"
PACKAGE = NPM / "node_modules/onnxruntime-node"
SKIPPED = "ONNX Runtime as the peer (npm's onnxruntime-node is not installed and cannot be)"

# The least and the largest value of every tensor of a model, over some inputs.
RANGES = """
const ort = require('onnxruntime-node');
const fs = require('fs');
(async () => {
  const [model, inputs, ...shape] = process.argv.slice(1);
  const session = await ort.InferenceSession.create(model, {graphOptimizationLevel: 'basic'});
  const dims = shape.map(Number), count = dims.reduce((a, b) => a * b);
  const values = new Float32Array(fs.readFileSync(inputs).buffer);
  const ranges = {};
  const see = (name, data) => {
    let [low, high] = ranges[name] || [Infinity, -Infinity];
    for (const value of data) { if (value < low) low = value; if (value > high) high = value; }
    ranges[name] = [low, high];
  };
  for (let at = 0; at < values.length; at += count) {
    const x = values.subarray(at, at + count);
    see('x', x);
    const outputs = await session.run({x: new ort.Tensor('float32', x, dims)});
    for (const name of Object.keys(outputs)) see(name, outputs[name].data);
  }
  console.log(JSON.stringify(ranges));
})();
"""


def installed():
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    if not PACKAGE.exists():
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(NPM),
                        "onnxruntime-node"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return PACKAGE.exists()


def library():
    """Its C library for this machine; nothing where the package has none."""
    found = sorted(PACKAGE.glob("bin/*/linux/x64/libonnxruntime.so.1"))
    return found[-1] if found else None


def version():
    return json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))["version"]


def ranges(path, inputs):
    """Of the model in a file, by an array of inputs whose first dimension counts them."""
    with tempfile.TemporaryDirectory() as folder:
        values = pathlib.Path(folder) / "inputs.raw"
        inputs.astype("float32").tofile(values)
        shape = [1, *inputs.shape[1:]]
        done = subprocess.run(["node", "-e", RANGES, str(path), str(values), *map(str, shape)], cwd=NPM, check=True, text=True,
                              stdout=subprocess.PIPE)
    return {name: tuple(both) for name, both in json.loads(done.stdout).items()}
