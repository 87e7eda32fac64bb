# SPDX-License-Identifier: BSD-3-Clause
"""Files of every kind through qairt.check."""

import json

import pytest
import qairt
from qairt import ValidationError
from qairt.api.compiler.config import CompileConfig


def codes(findings):
    return [finding.code for finding in findings]


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where the tools would run

    def write_file(name, content):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write_file


# feature: A6 (Python)
def test_a_tool_file_is_followed_to_the_file_it_names(write):
    write("htp.json", {"devices": [{"dsp_archh": "v75"}]})
    extensions = {"shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": "htp.json"}
    tool = write("tool.json", {"backend_extensions": extensions, "context_configs": {"graphs_retention_order": ["a"]}})
    found = qairt.check(tool)
    assert {("misspelt-in-documents", "tool.json"), ("unknown-key", "htp.json")} <= {
        (finding.code, finding.file.rsplit("/", 1)[-1]) for finding in found}


# feature: A7 (Python)
def test_an_lpai_file(write):
    example = """{"lpai_backend": {"target_env": "adsp", "enable_hw_ver": "v6"},
"lpai_graph": {"execute": {"fps": 1, "ftrt_ratio": 10, "client_type": "real_time", "affinity": "soft",}}}"""
    assert qairt.check(write("lpai.json", example)) == []
    assert codes(qairt.check(write("lpai.json", example), strict=True)) == ["trailing-comma"]
    assert codes(qairt.check(write("lpai.json", example.replace("v6", "v9")))) == ["unknown-choice"]
    mask = example.replace('"soft",', '"soft", "core_selection": 3')
    assert codes(qairt.check(write("lpai.json", mask))) == ["lpai-core-mask"]


# feature: A8 (Python)
def test_data_format_and_optrace_files(write):
    tensor = {"tensor_name": "weights", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"}
    assert qairt.check(write("format.json", {"graphs": [{"graph_name": "g", "tensors": [tensor]}]})) == []
    wrong = dict(tensor, dataFormat="HMX")
    assert codes(qairt.check(write("format.json", {"graphs": [{"graph_name": ["g"], "tensors": [wrong]}]}))) == [
        "unknown-choice"]
    assert qairt.check(write("optrace.json", {"features": {"htp_json": True, "qhas_json": False}})) == []
    assert codes(qairt.check(write("optrace.json", {"features": {"htp_jsn": True}}))) == ["unknown-key"]


# feature: A11 (Python)
def test_what_a_tool_ignores_is_said(write):
    path = write("htp.json", {"devices": [{"soc_model": 57, "cores": [{"perf_profile": "burst"}]}]})
    assert qairt.check(path) == []
    tool = write("tool.json", {"backend_extensions": {"config_file_path": "htp.json"}})
    assert "ignored-by-tool" in codes(qairt.check(tool, tool="qnn-context-binary-generator"))
    assert "ignored-by-tool" not in codes(qairt.check(tool, tool="qnn-net-run"))


# feature: A8 (Python)
def test_op_packages_are_read_from_the_tools_string():
    config = CompileConfig(backend="HTP", op_packages="libA.so:ProviderA:CPU,libB.so:ProviderB")
    assert [(p.path, p.provider, p.target) for p in config.op_packages] == [
        ("libA.so", "ProviderA", "CPU"), ("libB.so", "ProviderB", None)]
    with pytest.raises(ValidationError):
        CompileConfig(backend="HTP", op_packages="libA.so")


# feature: A8 (Python)
def test_an_input_list(write):
    listed = qairt.read_input_list(write("list.txt", "%out\nids:=0.raw mask:=1.raw\nids:=2.raw mask:=3.raw\n"))
    assert listed.output_tensors == ["out"]
    assert listed.inferences == [[("ids", "0.raw"), ("mask", "1.raw")], [("ids", "2.raw"), ("mask", "3.raw")]]
    with pytest.raises(ValueError, match="list.txt"):
        qairt.read_input_list(write("list.txt", "x:=a y\n"))
    with pytest.raises(FileNotFoundError):
        qairt.read_input_list("missing.txt")
