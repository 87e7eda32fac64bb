#!/usr/bin/env python3
"""Runs every command of docs/tutorial.md, in order, in one new folder.

  tutorial_test.py --bin DIR --source DIR --models DIR

The first block gets the model from npm; here it is taken from DIR, where scripts/test keeps it, and got only when it is
not there. Exits with 77 where neither works.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PAGE = "docs/tutorial.md"
MODEL = "cls.onnx"
SKIPPED = 77


def blocks(page):
    return re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def run(script, folder, environment):
    """Runs a block as a user's shell would, but stops at the first command that fails."""
    return subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def get_model(block, folder, models, environment):
    kept = models / MODEL
    if not kept.exists():
        if shutil.which("npm") is None:
            return "npm is not installed"
        done = run(block, folder, environment)
        if done.returncode != 0:
            return f"npm has no model for us: {done.stdout.strip()[-200:]}"
        models.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / MODEL, models / f"{MODEL}.part")
        os.replace(models / f"{MODEL}.part", kept)
    shutil.copy(kept, folder / MODEL)
    return None


def check(condition, what):
    if not condition:
        sys.exit(f"the tutorial promises more than it keeps: {what}")


def check_promises(folder, outputs):
    """What the page says about the results."""
    layers = json.loads((folder / "layers.json").read_text(encoding="utf-8"))
    final = layers["layers"][-1]
    check(layers["first_below_threshold"]["fp16"] is None, "half precision loses nothing")
    check(final["w8a16"]["sqnr_db"] > final["w8a8"]["sqnr_db"] + 5, "sixteen bits win much of it back")
    for precision in ("fp16", "w8a8", "w8a16"):
        check(final[precision]["same_decisions"] == final[precision]["decisions"] == 16, f"{precision} decides as float does")
    shipped = json.loads((folder / "shipped.json").read_text(encoding="utf-8"))["layers"][-1]["cls_w8a8.dlc"]
    check(shipped["same_decisions"] == shipped["decisions"] == 16, "the file decides as float does")
    check(len(list((folder / "run").glob("Result_*/softmax_0_tmp_0.raw"))) == 16, "one result for each line")
    check(outputs["decisions"].count("line ") == 16, "a decision for each line")
    binary = json.loads((folder / "cls.json").read_text(encoding="utf-8"))["info"]
    check(binary["socModel"] == 57, "the configuration file names the part")
    graph = binary["graphs"][0]["info"]
    check(graph["graphName"] == "cls", "the configuration file names the graph")


def check_commands(folder, commands, environment):
    """The commands that `openqnn run` prints do the same as it did."""
    done = run(commands, folder, environment)
    check(done.returncode == 0, f"the vendor's commands work:\n{commands}\n{done.stdout}")
    for ours in sorted((folder / "all").glob("Result_*/*.raw")):
        theirs = folder / "output" / ours.relative_to(folder / "all")
        check(theirs.read_bytes() == ours.read_bytes(), f"the vendor's commands give the same {theirs.name} as `openqnn run`")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--bin", "--source", "--models"):
        parser.add_argument(name, type=lambda text: pathlib.Path(text).resolve(), required=True)
    args = parser.parse_args()
    environment = {**os.environ, "PATH": f"{args.bin}{os.pathsep}{os.environ['PATH']}",
                   "LD_LIBRARY_PATH": str(args.bin.parent / "lib")}
    first, *rest = blocks(args.source / PAGE)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        missing = get_model(first, folder, args.models, environment)
        if missing:
            print(f"skipped: {missing}")
            return SKIPPED
        outputs = {}
        for block in rest:
            done = run(block, folder, environment)
            if done.returncode != 0:
                sys.exit(f"failed with {done.returncode}:\n{block}\n{done.stdout}")
            if "decisions.py" in block:
                outputs["decisions"] = done.stdout
            if "openqnn run" in block:
                outputs["commands"] = done.stdout.split("with the vendor's tools\n")[1].split("\n\n")[0]
        check_promises(folder, outputs)
        check_commands(folder, outputs["commands"], environment)
    return 0


if __name__ == "__main__":
    sys.exit(main())
