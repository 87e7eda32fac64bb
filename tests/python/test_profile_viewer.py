# SPDX-License-Identifier: BSD-3-Clause
"""`qnn-profile-viewer` on the op trace of a run."""

import json
import pathlib
import subprocess

import numpy
import pytest

MODEL = pathlib.Path(__file__).resolve().parents[1] / "corpus/dlc/conv.dlc"
NODES = ["Conv_1", "Conv_1_Conv2d", "MaxPool_3", "y"]


@pytest.fixture(scope="module")
def viewer(tool, tmp_path_factory):
    """Runs the program on one profile log: a function of its options that gives the texts of what it wrote, by ending."""
    folder = tmp_path_factory.mktemp("run")
    numpy.full(72, 0.1, "float32").tofile(folder / "x.raw")
    (folder / "list.txt").write_text(f"x:={folder / 'x.raw'}\n", encoding="utf-8")
    (folder / "features.json").write_text('{"features": {"qhas_json": true}}', encoding="utf-8")
    subprocess.run([tool.with_name("qnn-net-run"), "--backend", "libQnnHtp.so", "--dlc_path", MODEL, "--input_list", folder / "list.txt",
                    "--profiling_level", "detailed", "--profiling_option", "optrace", "--output_dir", folder, "--quiet"], check=True,
                   cwd=folder, timeout=120)

    def written(*options):
        subprocess.run([tool.with_name("qnn-profile-viewer"), "--config", "features.json", "--input_log", "qnn-profiling-data.log",
                        "--output", "trace.json", *options, "--quiet"], check=True, cwd=folder, timeout=120)
        return {end: (folder / f"trace{end}").read_text(encoding="utf-8")
                for end in (".json", "_htp.json", "_qnn_htp_analysis_summary.json", "_qnn_htp_analysis_summary.html")}

    return written


# feature: D5 (tool)
@pytest.mark.parametrize("start, end, kept", [
    ("MaxPool_3", "MaxPool_3", ["MaxPool_3"]),
    ("Conv_1", "Relu_2", ["Conv_1", "Conv_1_Conv2d"]),  # as the file of the model calls its nodes
])
def test_a_zoom_leaves_the_other_ops_out_of_every_file(viewer, start, end, kept):
    whole = viewer()
    assert list(json.loads(whole["_htp.json"])["graph"]["nodes"]) == NODES
    part = viewer("--zoom_start", start, "--zoom_end", end)
    assert list(json.loads(part["_htp.json"])["graph"]["nodes"]) == kept
    for name in ("Conv_1_Conv2d", "MaxPool_3"):
        for ending, text in part.items():
            assert name in whole[ending]
            assert (name in text) == (name in kept), (name, ending)
