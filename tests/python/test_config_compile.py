# SPDX-License-Identifier: BSD-3-Clause
"""CompileConfig: its fields, backend extensions, modes."""

import copy
import json
import pathlib
import pickle

import pytest
from config_samples import GUIDE_FILE
from qairt.api.common.backends.aic.config import AicCompilerConfig
from qairt.api.common.backends.htp.config import (HtpContextConfig, HtpDeviceConfig, HtpGraphConfig, HtpMemoryConfig,
                                                  ValidationError)
from qairt.api.common.backends.htp_mcp.config import HtpMcpGraphConfig
from qairt.api.compiler.config import CompileConfig, CompilerConfig, CompilerModes, CompilerModeSetters
from qairt.api.configs.common import BackendType
from qti.aisw.tools.core.modules.api.definitions.common import OpPackageIdentifier
from qti.aisw.tools.core.utilities.devices.api.device_definitions import SocDetails


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "htp_extensions.json"
    path.write_text(GUIDE_FILE)
    return path


# feature: A4 (Python)
def test_backends():
    assert CompileConfig(backend="HTP").backend is CompileConfig(backend=BackendType.HTP).backend is BackendType.HTP
    with pytest.raises(ValidationError, match="no backend 'NPU'"):
        CompileConfig(backend="NPU")
    with pytest.raises(ValidationError, match="Field required"):
        CompileConfig()
    assert CompilerConfig is CompileConfig


# feature: A4 (Python)
def test_every_problem_is_listed():
    with pytest.raises(ValidationError) as caught:
        CompileConfig(backend="NPU", soc_details="chip:SM8750", log_level="loud", graph_custom_configs=[{"O": 9}],
                      dbg=1)
    assert [error["loc"] for error in caught.value.errors()] == [
        ("backend",), ("soc_details",), ("log_level",), ("graph_custom_configs", 0, "optimization_type"),
        ("graph_custom_configs", 0, "name"), ("dbg",)]


# feature: A4 (Python)
def test_from_backend_extensions(file):
    config = CompileConfig.from_backend_extensions("HTP", file, log_level="debug", soc_details="chipset:SM8550",
                                                   debug=True)
    assert (config.log_level, config.soc_details, config.debug) == ("debug", "chipset:SM8550", True)
    assert len(config.graph_custom_configs) == 3 and config.group_context_config.share_resources
    assert isinstance(config.memory_custom_config, HtpMemoryConfig)
    with pytest.raises(ValueError, match="HTP"):
        CompileConfig.from_backend_extensions("CPU", file)
    with pytest.raises(FileNotFoundError):
        CompileConfig.from_backend_extensions("HTP", file.parent / "none.json")
    with pytest.raises(IsADirectoryError):
        CompileConfig.from_backend_extensions("HTP", str(file.parent))
    with pytest.raises(ValidationError, match="Extra inputs"):
        CompileConfig.from_backend_extensions("HTP", file, loglevel="debug")


# feature: A4 (Python)
def test_populate(file):
    config = CompileConfig(backend="HTP", log_level="info", graph_custom_configs=[HtpGraphConfig(name="old")])
    assert config.populate_from_backend_extensions(file) is config
    assert [graph.name for graph in config.graph_custom_configs] == ["graphA", "graphB", "graphC"]
    assert config.log_level == "info"
    with pytest.raises(ValueError, match="HTP"):
        CompileConfig(backend="AIC").populate_from_backend_extensions(file)


# feature: A4 (Python)
def test_nothing_is_half_applied(file):
    config = CompileConfig.from_backend_extensions("HTP", file)
    before = config.to_backend_extension_json()
    file.write_text('{"context": [{"extended_udma": true}], "graphs": [{"O": 7}]}')
    with pytest.raises(ValidationError):
        config.populate_from_backend_extensions(file)
    file.write_text('{"context": [')
    with pytest.raises(ValueError, match=":1:1[34]: "):
        config.populate_from_backend_extensions(file)
    assert config.to_backend_extension_json() == before


# feature: A4 (Python)
def test_passthrough(file):
    raw = {"graphs": [{"O": "whatever"}], "x": 1}
    file.write_text(json.dumps(raw))
    config = CompileConfig.from_backend_extensions("HTP", file, passthrough=True)
    assert config.graph_custom_configs is None
    assert config.model_dump(context={"backend_extensions": True}) == raw
    assert config.to_backend_extension_json(indent=2) == json.dumps(raw, indent=2)
    config.model_dump(context={"backend_extensions": True})["x"] = 2
    assert config.model_dump(context={"backend_extensions": True}) == raw
    file.write_text(GUIDE_FILE)
    assert config.populate_from_backend_extensions(file).graph_custom_configs[0].name == "graphA"


@pytest.mark.parametrize("indent", [4, 0, 1, 8, 100, None, "\t"])
# feature: A4 (Python)
def test_json_is_that_of_json_dumps(file, indent):
    config = CompileConfig.from_backend_extensions("HTP", file)
    expected = json.dumps(config.model_dump(context={"backend_extensions": True}), indent=indent)
    assert config.to_backend_extension_json(indent=indent) == expected
    assert config.serialize({"backend_extensions": True}) == json.loads(expected)
    assert config.serialize(None) == config.model_dump()
    assert CompileConfig(backend="HTP").to_backend_extension_json() == "{}"


# feature: A4 (Python)
def test_soc_details():
    config = CompileConfig(backend="HTP", soc_details="chipset:SM8750;dsp_arch:v79;soc_model:69|chipset:SM8550")
    assert config.soc_details.startswith("chipset:SM8750")
    for bad in ("SM8750", "chipset:", "chip:SM8750", "soc_model:x", "dsp_arch:79", "cores:0", 8750):
        with pytest.raises(ValidationError):
            config.soc_details = bad
    config.soc_details = SocDetails(chipset="SM8550", cores=2)
    assert config.soc_details.chipset == "SM8550"
    assert CompileConfig(backend="HTP", soc_details={"chipset": "SM8550"}).soc_details == SocDetails(chipset="SM8550")


# feature: A4 (Python)
def test_cores_of_soc_details(file):
    config = CompileConfig(backend="HTP", soc_details="chipset:SM8750;cores:2",
                           graph_custom_configs=[HtpGraphConfig(name="a"), HtpGraphConfig(name="b", num_cores=1)])
    for dumped in (config.model_dump()["graph_custom_configs"],
                   config.model_dump(context={"backend_extensions": True})["graphs"]):
        assert [graph["num_cores"] for graph in dumped] == [2, 1]
    assert [graph.num_cores for graph in config.graph_custom_configs] == [None, 1]  # the caller's stay as they are
    config.graph_custom_configs.append(HtpGraphConfig(name="c"))
    assert json.loads(config.to_backend_extension_json())["graphs"][2]["num_cores"] == 2
    ignored = CompileConfig(backend="HTP", soc_details="cores:2", device_custom_configs=[HtpDeviceConfig()],
                            graph_custom_configs=[HtpGraphConfig(name="a")])
    assert ignored.graph_custom_configs[0].num_cores is None
    file.write_text('{"graphs": [{"graph_names": ["a", "b"]}]}')
    config.populate_from_backend_extensions(file)
    assert json.loads(config.to_backend_extension_json()) == {"graphs": [{"graph_names": ["a", "b"], "num_cores": 2}]}


# feature: A4 (Python)
def test_outputs_exclude_each_other():
    with pytest.raises(ValidationError, match="exclude each other"):
        CompileConfig(backend="HTP", enable_intermediate_outputs=True, set_output_tensors=["t"])
    config = CompileConfig(backend="HTP", enable_intermediate_outputs=True)
    with pytest.raises(ValidationError, match="exclude each other"):
        config.set_output_tensors = ["t"]
    assert config.set_output_tensors is None and "set_output_tensors" not in config.model_fields_set
    config.enable_intermediate_outputs = False
    config.set_output_tensors = "g0:t0,t1;g1:t0"
    assert config.set_output_tensors == ["g0:t0,t1", "g1:t0"]
    with pytest.raises(ValidationError, match="exclude each other"):
        config.enable_intermediate_outputs = True
    assert config.enable_intermediate_outputs is False
    config.set_output_tensors = "t0, t1"
    assert config.set_output_tensors == ["t0", "t1"]


# feature: A4 (Python)
@pytest.mark.parametrize("given, kept", [
    ("myqpc.bin", "myqpc_backend.bin"), ("myqpc", "myqpc_backend.bin"), ("my_backend.bin", "my_backend.bin"),
    ("/a/b/my_backend", "/a/b/my_backend.bin"), (pathlib.Path("a/b.v2"), "a/b.v2_backend.bin")])
def test_backend_binary_path(given, kept):
    config = CompileConfig(backend="HTP", backend_binary_path=given)
    assert config.backend_binary_path == kept
    config.backend_binary_path = config.backend_binary_path
    assert config.backend_binary_path == kept


# feature: A4 (Python)
def test_other_fields():
    config = CompileConfig(backend="AIC", compiler_custom_configs={"num_cores": 4},
                           data_format_config=pathlib.Path("f.json"), op_packages=[{"name": "p"}],
                           io_tensor_mem_type="memhandle", log_level="WARNING")
    assert config.compiler_custom_configs == AicCompilerConfig(num_cores=4)
    assert config.op_packages == [OpPackageIdentifier(name="p")] and config.data_format_config == "f.json"
    assert CompileConfig.model_validate(config.model_dump()) == config
    for name, value in {"io_tensor_mem_type": "heap", "log_level": "loud", "op_packages": ["p"], "debug": "maybe",
                        "compiler_custom_configs": 3, "backend_binary_path": "", "memory_custom_config": [],
                        "graph_custom_configs": HtpGraphConfig(name="g")}.items():
        with pytest.raises(ValidationError):
            setattr(config, name, value)
    config.io_tensor_mem_type = config.log_level = None
    assert config.io_tensor_mem_type is None


# feature: A2 (Python)
def test_the_mcp_backend_is_kept():
    config = CompileConfig(backend="HTP_MCP", graph_custom_configs=[{"anything": 1}])
    assert config.graph_custom_configs == [HtpMcpGraphConfig(anything=1)]
    assert CompileConfig.model_validate(config.model_dump()) == config
    assert config.model_dump(context={"backend_extensions": True}) == {"graphs": [{"anything": 1}]}


# feature: A4 (Python)
def test_weight_sharing():
    config = CompileConfig(backend="HTP", soc_details="chipset:SM8550")
    config.set_mode("weight_sharing", graph_names=["a", "b"], hvx_threads=4, vtcm_size_in_mb=8, fp16=True)
    assert json.loads(config.to_backend_extension_json()) == {
        "graphs": [{"graph_names": [name], "hvx_threads": 4, "vtcm_mb": 8, "fp16_relaxed_precision": 1}
                   for name in "ab"],
        "devices": [{"soc_model": 43, "dsp_arch": "v73", "cores": [{"perf_profile": "burst"}]}],
        "context": [{"weight_sharing_enabled": True}]}
    assert not config.ensure_graphs
    config.set_mode(CompilerModes.WEIGHT_SHARING, soc_model=57, dsp_arch="v75")
    assert config.ensure_graphs and config.device_custom_configs[0].soc_model == 57
    assert len(config.graph_custom_configs) == 2 and CompilerModes.list_options() == ["weight_sharing"]


# feature: A4 (Python)
def test_weight_sharing_keeps_what_is_set():
    config = CompileConfig(backend="HTP", soc_details="chipset:SM8550",
                           graph_custom_configs=[HtpGraphConfig(name="a", optimization_type=3)],
                           context_custom_configs=[HtpContextConfig(lora_weight_sharing=True)])
    CompilerModeSetters.set_weight_sharing(config, graph_names=["a", "b"], vtcm_size_in_mb=2)
    graphs = config.graph_custom_configs
    assert [(g.name, g.optimization_type, g.vtcm_size_in_mb) for g in graphs] == [("a", 3, 2), ("b", 2, 2)]
    assert config.context_custom_configs[0].model_dump(exclude_unset=True) == {
        "weight_sharing_enabled": True, "lora_weight_sharing": True}


# feature: A4 (Python)
def test_modes_that_cannot_be_set():
    config = CompileConfig(backend="HTP")
    for arguments in ({"mode": "fast"}, {"mode": "weight_sharing"}, {"mode": "weight_sharing", "dsp_arch": "v73"},
                      {"mode": "weight_sharing", "soc_model": 43, "hvx_threads": -1}):
        with pytest.raises(ValueError):
            config.set_mode(**arguments)
    config.soc_details = "chipset:SM0000"
    with pytest.raises(ValueError, match="part"):
        config.set_mode("weight_sharing")
    assert config.context_custom_configs is None and not config.ensure_graphs
    with pytest.raises(ValueError, match="CPU"):
        CompileConfig(backend="CPU", soc_details="chipset:SM8550").set_mode("weight_sharing")


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda c: c.model_copy(),
                                  lambda c: pickle.loads(pickle.dumps(c))])
# feature: A4 (Python)
def test_copies(file, make):
    file.write_text('{"context": {"group_id": 0}, "graphs": [{"graph_names": ["a", "b"], "O": 3.0}],'
                    ' "new": {"n": 1.50}}')
    config = CompileConfig.from_backend_extensions("HTP", file, soc_details="chipset:SM8550")
    made = make(config)
    assert made == config and made.to_backend_extension_json() == config.to_backend_extension_json()
    made.graph_custom_configs[0].optimization_type = 1
    made.section_extras["new"]["n"] = 2
    assert made != config and json.loads(config.to_backend_extension_json(indent=None)) == json.loads(file.read_text())
