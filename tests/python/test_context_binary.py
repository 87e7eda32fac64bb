# SPDX-License-Identifier: BSD-3-Clause
import gc
import json
import subprocess

import pytest
import qairt


def test_version_is_the_tools(tool):
    said = subprocess.run([tool, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert said == f"openqnn {qairt.__version__}\n"


# feature: C1 (Python)
def test_graphs_inputs_and_outputs(demo):
    binary = qairt.ContextBinary(demo)
    assert [graph.name for graph in binary.graphs] == ["demo_ufixed8", "demo_float"]  # as they were made
    by_name = {graph.name: graph for graph in binary.graphs}
    graph = by_name["demo_ufixed8"]
    assert (graph.soc, graph.soc_model, graph.arch) == ("SM8650", 57, 75)
    (image,) = graph.inputs
    assert (image.name, image.type, image.shape, image.bytes) == ("image", "ufx8", (1, 64, 64, 3), 64 * 64 * 3)
    ((scale, offset),) = image.encodings
    assert 0 < scale < 1 and offset <= 0
    (probabilities,) = graph.outputs
    assert probabilities.shape == (1, 1, 1, 10)
    assert probabilities.encodings == [(1 / 256, 0)]
    (image,) = by_name["demo_float"].inputs
    assert (image.type, image.bytes, image.encodings) == ("f32", 4 * 64 * 64 * 3, [])


def test_ops_name_the_nodes_they_stand_for(demo):
    for graph in qairt.ContextBinary(demo).graphs:
        nodes = [node for op in graph.ops for node in op.nodes]
        assert sorted(nodes) == sorted(["stem", "stem_relu", "pool", "block", "residual", "block_relu", "global_pool",
                                        "head", "softmax"])
        assert {op.type for op in graph.ops} >= {"Conv2d", "PoolMax2d", "ElementWiseAdd", "MatMul", "Softmax"}


def test_sections_lie_in_the_file_in_order(demo):
    binary = qairt.ContextBinary(demo)
    assert binary.bytes == demo.stat().st_size
    end = 0
    for section in binary.sections:
        assert section.offset >= end
        end = section.offset + section.bytes
    assert end <= binary.bytes


def test_the_tool_says_the_same(demo, tool):
    said = json.loads(subprocess.run([tool, "inspect", "--json", demo], check=True, stdout=subprocess.PIPE).stdout)
    binary = qairt.ContextBinary(demo)
    assert said["producer"] == binary.producer == qairt.__version__
    assert (said["format"]["major"], said["format"]["minor"]) == binary.format
    assert [(s["name"], s["offset"], s["bytes"]) for s in said["sections"]] == [
        (s.name, s.offset, s.bytes) for s in binary.sections]
    for told, graph in zip(said["graphs"], binary.graphs, strict=True):
        assert told["name"] == graph.name
        assert told["tasks"] == graph.tasks
        assert told["constant_bytes"] == graph.constant_bytes


def test_elements_outlive_the_binary(demo):
    def take():
        binary = qairt.ContextBinary(demo)
        return binary.graphs[0].inputs[0], binary.sections[0]

    tensor, section = take()
    gc.collect()
    assert tensor.name == "image"
    assert section.name


# feature: C1 (Python)
def test_validate_finds_damaged_data(demo):
    binary = qairt.ContextBinary(demo)
    binary.validate()
    (data,) = [section for section in binary.sections if section.name == "data"]
    damaged = bytearray(demo.read_bytes())
    damaged[data.offset + data.bytes // 2] ^= 1
    demo.write_bytes(damaged)
    with pytest.raises(ValueError, match="checksum"):
        qairt.ContextBinary(demo).validate()


# feature: C1 (Python)
@pytest.mark.parametrize("size", [0, 1, 7, 63, 64, 100, 1000, 4095])
def test_a_truncated_file_is_refused(demo, size):
    demo.write_bytes(demo.read_bytes()[:size])
    with pytest.raises(ValueError, match="demo.bin"):
        qairt.ContextBinary(demo)


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.bin"):
        qairt.ContextBinary(tmp_path / "nowhere.bin")


def test_a_folder(tmp_path):
    with pytest.raises(IsADirectoryError):
        qairt.ContextBinary(tmp_path)


def test_another_file(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_text("not a context binary, but long enough to look at " * 10)
    with pytest.raises(ValueError, match="context binary"):
        qairt.ContextBinary(path)


def test_wrong_arguments():
    with pytest.raises(TypeError):
        qairt.ContextBinary()
    with pytest.raises(TypeError):
        qairt.ContextBinary(17)
