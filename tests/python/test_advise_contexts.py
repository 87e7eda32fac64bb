# SPDX-License-Identifier: BSD-3-Clause
"""Advice on what a context needs and shares: `qairt.advise` on large models, and on binaries with two graphs."""

import json
import subprocess

import numpy
import onnx_writer
import pytest
import qairt

PART = {"devices": [{"soc_model": 57}]}
SHARING = PART | {"context": {"weight_sharing_enabled": True}}
SIDE = 2600  # lines and columns of 32 floats: two tensors of 0.8 GiB, and no weights


def messages(rule, *arguments, **options):
    """What a rule says."""
    return [finding["message"] for finding in qairt.advise(*arguments, **options) if finding["id"] == rule]


def relu(path, side):
    shape = (1, 32, side, side)
    return onnx_writer.write(path, [("Relu", ["x"], ["y"])], [("x", "float32", shape)], [("y", "float32", shape)], {})


def product(path, seed):
    weights = numpy.random.default_rng(seed).standard_normal((256, 256)).astype("float32")
    return onnx_writer.write(path, [("MatMul", ["x", "w"], ["y"])], [("x", "float32", (8, 256))], [("y", "float32", (8, 256))],
                             {"w": weights})


def convolution(path, side):
    weights = numpy.full((32, 32, 1, 1), 0.1, "float32")
    shape = (1, 32, side, side)
    return onnx_writer.write(path, [("Conv", ["x", "w"], ["y"])], [("x", "float32", shape)], [("y", "float32", shape)],
                             {"w": weights})


def binary_of(tool, folder, config, *models):
    """One context binary of several models, each a graph by the file's name, prepared as an outer file says."""
    files = [model.with_suffix(".dlc") for model in models]
    for model, made in zip(models, files):
        subprocess.run([tool.with_name("qairt-converter"), "-i", model, "-o", made, "--quiet"], check=True, timeout=120)
    subprocess.run([tool.with_name("qnn-context-binary-generator"), "--backend", "libQnnHtp.so", "--dlc_path", ",".join(map(str, files)),
                    "--config_file", config, "--output_dir", folder, "--binary_file", "both", "--quiet"], check=True, timeout=120)
    return folder / "both.bin"


@pytest.fixture(name="configured")
def configuration(tmp_path):
    """Writes an outer file and the HTP file that it names: the path of the outer one."""
    def write(htp, contexts):
        (tmp_path / "htp.json").write_text(json.dumps(htp), encoding="utf-8")
        outer = {"backend_extensions": {"shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": "htp.json"},
                 "context_configs": contexts}
        (tmp_path / "outer.json").write_text(json.dumps(outer), encoding="utf-8")
        return tmp_path / "outer.json"

    return write


# feature: G1 (Python)
def test_a_context_of_more_than_three_gigabytes(tmp_path):
    said, = messages("ADV-CONTEXT-SIZE", relu(tmp_path / "model.onnx", 7200), soc="SM8550")
    assert said == "the context needs 3.09 GB of the 3.75 GB that a session has"
    assert messages("ADV-CONTEXT-SIZE", relu(tmp_path / "model.onnx", 7000), soc="SM8550") == []


# feature: G1 (Python)
def test_operations_that_are_cut_very_small(tmp_path):
    config = tmp_path / "htp.json"
    model = convolution(tmp_path / "model.onnx", 2048)
    for option, found in ({"vtcm_size": 65536}, True), ({"vtcm_mb": 8}, False):
        config.write_text(json.dumps({"graphs": [{"graph_names": ["model"], "O": 1} | option], "devices": [{"soc_model": 87}]}),
                          encoding="utf-8")
        said = messages("ADV-OPCOUNT", model, config=config)
        assert len(said) == found
        assert not said or "1 nodes became " in said[0] and " KB at 40 bytes each" in said[0]


# feature: G1 (Python)
def test_a_retention_list_that_cannot_fit(tool, tmp_path, configured):
    binary = binary_of(tool, tmp_path, configured(PART, {}), *(relu(tmp_path / f"{name}.onnx", SIDE) for name in ("first", "second")))
    for names, found in (["first", "second"], ["the 2 graphs of graph_retention_order need 4.83 GB, and a session has 3.75 GB: the first 1 fit"]), \
                        (["second"], []):
        config = configured(PART, {"is_persistent_binary": True, "memory_limit_hint": 4000, "graph_retention_order": names})
        assert messages("ADV-RETENTION", binary, config=config) == found


# feature: G1 (Python)
@pytest.mark.parametrize("seeds, unlike", [((1, 2), True), ((1, 1), False)])
def test_sharing_weights_across_unlike_graphs(tool, tmp_path, configured, seeds, unlike):
    models = [product(tmp_path / f"{name}.onnx", seed) for name, seed in zip("ab", seeds)]
    config = configured(SHARING, {})
    binary = binary_of(tool, tmp_path, config, *models)
    assert len(messages("ADV-SHARING-UNLIKE", binary, config=config)) == unlike
    assert messages("ADV-SHARING-UNLIKE", binary, config=configured(PART, {})) == []


# feature: G1 (Python)
def test_sharing_weights_where_one_graph_is_used(tool, tmp_path, configured):
    binary = binary_of(tool, tmp_path, configured(SHARING, {}), product(tmp_path / "a.onnx", 1), product(tmp_path / "b.onnx", 1))
    said, = messages("ADV-SHARING-ONE", binary, config=configured(SHARING, {"enable_graphs": ["b"]}))
    assert said == "weight sharing is on for 2 graphs, and enable_graphs names 'b' alone"
    assert messages("ADV-SHARING-ONE", binary, config=configured(SHARING, {"enable_graphs": ["a", "b"]})) == []


# feature: G1 (Python)
def test_a_budget_for_reading_what_is_not_mapped(tmp_path, configured):
    model = product(tmp_path / "model.onnx", 1)
    config = configured(PART | {"context": {"file_read_memory_budget_in_mb": 25}}, {})
    said, = messages("ADV-MMAP", model, config=config)
    assert said.startswith("file_read_memory_budget_in_mb 25 acts on binaries that are mapped")
    assert messages("ADV-MMAP", model, config=config, use_mmap=True) == []
