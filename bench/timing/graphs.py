# SPDX-License-Identifier: BSD-3-Clause
"""The graphs that our converter makes of the networks in bench/models, made once and kept as JSON.

A graph is what `openqnn inspect --json --tensors --nodes` prints of the DLC; each node has its `dilation` beside, which shapes do
not tell.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NETWORKS = ROOT / "bench/models"


def run(*command):
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))} failed with {done.returncode}")
    return done.stdout


def tool(folder, name):
    path = folder / name
    if not path.is_file():
        sys.exit(f"error: there is no {path}\n  fix: scripts/build release, or name the folder of the tools by --bin")
    return path


def dilations(dlc):
    """Of every node, 1 where it has none."""
    with zipfile.ZipFile(dlc) as archive:
        nodes = json.loads(archive.read("graph.json"))[0]["nodes"]
    found = [[value for param in node.get("params", ()) if param["name"] == "dilation" for value in param["values"]]
             for node in nodes]
    return [max([1, *values]) for values in found]


def convert(name, programs):
    """The network is written, converted and shown in a folder of its own that is gone afterwards: weights take gigabytes."""
    with tempfile.TemporaryDirectory(prefix="network-") as folder:
        onnx, dlc = pathlib.Path(folder) / f"{name}.onnx", pathlib.Path(folder) / f"{name}.dlc"
        run(sys.executable, NETWORKS / "build.py", name, onnx)
        run(tool(programs, "qairt-converter"), "--input_network", onnx, "--output_path", dlc)
        shown = json.loads(run(tool(programs, "openqnn"), "inspect", dlc, "--json", "--tensors", "--nodes"))
        graph = shown["graphs"][0]
        for node, dilation in zip(graph["nodes"], dilations(dlc), strict=True):
            node["dilation"] = dilation
    return graph


def load(name, kept, programs):
    """From the folder `kept`, where it is newer than the networks' code and the converter; else made anew."""
    path = kept / f"{name}.graph.json"
    makers = [*NETWORKS.glob("*.py"), tool(programs, "qairt-converter")]
    if not path.exists() or path.stat().st_mtime < max(maker.stat().st_mtime for maker in makers):
        print(f"  building and converting {name}", file=sys.stderr, flush=True)
        kept.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(convert(name, programs)) + "\n", encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))
