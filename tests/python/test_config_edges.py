# SPDX-License-Identifier: BSD-3-Clause
"""Edges of the configuration classes: odd files, odd values, lists that stay live."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
import qairt
from qairt.api.common.backends.aic.config import AicCompilerConfig
from qairt.api.common.backends.htp.config import (HtpConfigHelper, HtpContextConfig, HtpDeviceConfig, HtpGraphConfig,
                                                  HtpMemoryConfig, ValidationError)
from qairt.api.common.backends.htp_mcp.config import HtpMcpDeviceConfig, HtpMcpGraphConfig
from qairt.api.compiler.config import CompileConfig, CompilerModes
from qti.aisw.tools.core.utilities.devices.api.device_definitions import SocDetails


@pytest.fixture
def load(tmp_path):
    def load_text(text, **options):
        path = tmp_path / "extensions.json"
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return CompileConfig.from_backend_extensions("HTP", path, **options)
    return load_text


@pytest.mark.parametrize("file, names", [
    ({"graphs": [{"name": "z", "graph_names": ["a", "b"]}]}, ["a", "b"]),
    ({"graphs": [{"graph_names": ["a"], "name": ["b", "c"]}]}, ["b", "c"]),
    ({"graphs": [{"graph_names": ["a", "b"], "name": None}]}, ["a", "b"]),
    ({"graphs": [{"graph_names": ["a", "b"], "name": "z"}]}, ["z"])], ids=str)
# feature: A3 (Python)
def test_two_spellings_of_the_name(load, file, names):
    config = load(file)
    assert [graph.name for graph in config.graph_custom_configs] == names
    config.model_dump()
    assert json.loads(config.to_backend_extension_json()) == file


# feature: A3 (Python)
@pytest.mark.parametrize("file", [
    {"devices": [{"cores": None, "core_id": None}]}, {"devices": [{"core_id": 0}]},
    {"memory": [{"mem_type": "shared_buffer"}]}, {"graphs": [{"graph_names": ["g"], "dlbc": 5}]}], ids=str)
def test_what_files_may_say(load, file):
    config = load(file)
    repr(config)
    config.model_dump()
    assert json.loads(config.to_backend_extension_json()) == file
    for device in config.device_custom_configs or []:
        assert device.cores == [] and device.core_ids in (None, [0])
    assert config.memory_custom_config in (None, HtpMemoryConfig(mem_type="shared_buffer"))


# feature: A3 (Python)
@pytest.mark.parametrize("file", [
    {"context": {"group_id": 0}, "graphs": {"graph_names": ["a", "b"]}, "devices": {"soc_model": 43}},
    {"context": [{}], "memory": [{}], "graphs": []}, {"memory": None, "groupContext": {}, "other": 1}], ids=str)
def test_dicts_come_back_as_they_were(file):
    *objects, extras = HtpConfigHelper.from_backend_extension_dict(file)
    assert {**HtpConfigHelper.to_backend_extension_dict(*objects), **extras} == file


# feature: A3 (Python)
def test_section_extras_are_no_sections(load):
    config = load({"graphs": []})
    config.section_extras["devices"] = [{"soc_model": 43}]
    with pytest.raises(ValidationError, match="'devices' is a section"):
        config.to_backend_extension_json()
    config.section_extras["devices"] = []
    assert json.loads(config.to_backend_extension_json()) == {"graphs": [], "devices": []}


# feature: A4 (Python)
def test_a_passed_through_file_is_not_changed(load):
    config = load('{"graphs": [{"O": 1e400}], "y": 1e3}', passthrough=True)
    for indent in (None, 2, 100, "\t"):
        text = config.to_backend_extension_json(indent=indent)
        assert "1e400" in text and "1e3" in text and "Infinity" not in text
    with pytest.raises(ValidationError, match="loaded with passthrough"):
        config.graph_custom_configs = []
    with pytest.raises(ValueError, match="loaded with passthrough"):
        config.set_mode("weight_sharing", soc_model=43, dsp_arch="v73")
    config.section_extras["x"] = 1
    with pytest.raises(ValidationError, match="loaded with passthrough"):
        config.to_backend_extension_json()


# feature: A4 (Python)
def test_numbers_stay_at_any_indent(load):
    config = load('{"x": [1e400]}')
    for indent in (None, 0, 3, 100, "--"):
        assert "1e400" in config.to_backend_extension_json(indent=indent)


# feature: A4 (Python)
def test_weight_sharing_keeps_parts_and_objects():
    device, graph, context = HtpDeviceConfig(soc_model=57), HtpGraphConfig(name="a"), HtpContextConfig()
    config = CompileConfig(backend="HTP", soc_details="chipset:SM8550", device_custom_configs=[device],
                           graph_custom_configs=[graph], context_custom_configs=[context])
    lists = config.device_custom_configs, config.graph_custom_configs
    config.set_mode("weight_sharing", graph_names=["a", "b"], hvx_threads=2)
    assert (device.soc_model, device.dsp_arch, graph.hvx_threads) == (57, "v75", 2) and context.weight_sharing_enabled
    assert lists[0] is config.device_custom_configs and lists[1] is config.graph_custom_configs
    assert config.graph_custom_configs[0] is graph and len(lists[1]) == 2
    config.set_mode("weight_sharing", soc_model=43)
    assert (device.soc_model, device.dsp_arch) == (43, "v73")


@pytest.mark.parametrize("options", [
    {"soc_model": 0, "dsp_arch": "zzz"}, {"soc_model": 43, "fp16": "x"}, {"soc_model": 43, "graph_names": 5},
    {"soc_model": 43, "graph_names": [5]}, {"soc_model": "x", "dsp_arch": "v73"}], ids=str)
# feature: A4 (Python)
def test_weight_sharing_refuses(options):
    config = CompileConfig(backend="HTP")
    with pytest.raises(ValueError):
        config.set_mode("weight_sharing", **options)
    assert config == CompileConfig(backend="HTP")


@pytest.mark.parametrize("values", [
    {"debug": HtpContextConfig()}, {"data_format_config": HtpContextConfig()},
    {"io_tensor_mem_type": [HtpContextConfig()]}, {"graph_custom_configs": [HtpContextConfig()]},
    {"device_custom_configs": [HtpMcpGraphConfig()]}, {"memory_custom_config": SocDetails(chipset="SM8550")},
    {"compiler_custom_configs": SocDetails()}, {"context_custom_configs": [AicCompilerConfig()]},
    {"graph_custom_configs": [HtpGraphConfig(name="g"), HtpMcpGraphConfig()]},
    {"graph_custom_configs": [HtpGraphConfig(name="g")], "device_custom_configs": [HtpMcpDeviceConfig()]}], ids=str)
# feature: A4 (Python)
def test_objects_in_the_wrong_place(values):
    with pytest.raises(ValidationError):
        CompileConfig(backend="HTP", **values)


# feature: A2 (Python)
def test_every_element_is_reported():
    with pytest.raises(ValidationError) as caught:
        HtpDeviceConfig(core_ids=["a", 1, "b"], soc_model="x")
    assert [(error["loc"], error["input"]) for error in caught.value.errors()] == [
        (("core_ids", 0), "a"), (("core_ids", 2), "b"), (("soc_model",), "x")]
    with pytest.raises(ValidationError) as caught:
        HtpContextConfig(group_id=1, max_spill_fill_buffer_for_group=5)
    assert caught.value.errors()[0]["input"] == {"group_id": 1, "max_spill_fill_buffer_for_group": 5}
    with pytest.raises(ValidationError) as caught:
        HtpConfigHelper.to_backend_extension_dict(memory_config=HtpContextConfig())
    assert caught.value.errors()[0]["loc"] == ("memory",)


# feature: A2 (Python)
def test_values_that_are_too_large():
    shared = [1]
    for _ in range(40):
        shared = [shared, shared]
    for values in ({"core_ids": shared}, {"soc_model": shared}, {"cores": shared}):
        with pytest.raises(ValidationError) as caught:
            HtpDeviceConfig(**values)
        assert len(str(caught.value)) < 1000 and len(caught.value.json()) < 10_000
    with pytest.raises(ValidationError):
        HtpGraphConfig(name="g", finalize_config={"x": shared})
    with pytest.raises(ValidationError) as caught:
        HtpGraphConfig(name=pathlib.Path, hvx_threads=10**5000, dlbc=7)
    assert str(caught.value) and caught.value.json() and caught.value.error_count() == 3


# feature: A9 (Python)
def test_names_that_are_not_utf8(tmp_path):
    path = os.path.join(tmp_path, os.fsdecode(b"\xff.json"))
    for call in (lambda: CompileConfig.from_backend_extensions("HTP", path), lambda: qairt.check(path),
                 lambda: qairt.read_input_list(path)):
        with pytest.raises(FileNotFoundError):
            call()
    pathlib.Path(path).write_text('{"graphs": [}')
    for passthrough in (False, True):
        with pytest.raises(ValueError, match="json"):
            CompileConfig.from_backend_extensions("HTP", path, passthrough=passthrough)
    assert [finding.severity for finding in qairt.check(path)] == ["error"]


# feature: A4 (Python)
def test_soc_details_are_open_and_say_things_once():
    config = CompileConfig(backend="HTP", soc_details=SocDetails(foo=1))
    assert config.soc_details.foo == 1 and config.check() == []
    with pytest.raises(ValidationError, match="twice"):
        config.soc_details = "chipset:A;chipset:B"


# feature: A2 (Python)
def test_spellings_of_updates():
    assert HtpGraphConfig.model_construct(name="g", O=3).optimization_type == 3
    assert HtpGraphConfig(name="g").model_copy(update={"O": 3}).optimization_type == 3
    both = {"O": 3, "optimization_type": 2}
    for call in (lambda: HtpGraphConfig(name="g", **both), lambda: HtpGraphConfig.model_construct(name="g", **both),
                 lambda: HtpGraphConfig(name="g").model_copy(update=both)):
        with pytest.raises(ValidationError, match="the same field"):
            call()
    with pytest.raises(NotImplementedError):
        HtpGraphConfig.model_validate({"name": "g"}, strict=True)


# feature: A2 (Python)
def test_parts_of_dumps():
    device = HtpDeviceConfig(soc_model=43, cores=[{"id": 1}, {"id": 2}])
    assert device.model_dump(include={"cores": {"__all__": {"id"}}}) == {"cores": [{"id": 1}, {"id": 2}]}
    assert device.model_dump(include={"cores": {0: {"id"}}}, by_alias=True) == {"cores": [{"core_id": 1}]}
    assert "id" not in device.model_dump(exclude={"cores": {-1: {"id"}}})["cores"][1]
    assert len(device.model_dump(exclude={"cores": {0}})["cores"]) == 1
    with pytest.raises(TypeError):
        device.model_dump(exclude="cores")


# feature: A4 (Python)
def test_outputs_that_are_appended_later():
    config = CompileConfig(backend="HTP", enable_intermediate_outputs=True, set_output_tensors=[])
    config.set_output_tensors.append("t")
    for call in (config.model_dump, config.check):
        with pytest.raises(ValueError, match="exclude each other"):
            call()


# feature: A2 (Python)
def test_words_and_levels():
    assert str(CompilerModes.WEIGHT_SHARING) == f"{CompilerModes.WEIGHT_SHARING}" == "weight_sharing"
    for level in ("notset", "FATAL"):
        assert CompileConfig(backend="HTP", log_level=level).log_level == level


# feature: A2 (Python)
def test_lists_stay_live_when_they_are_assigned_to_themselves():
    device = HtpDeviceConfig(core_ids=[0], cores=[{"id": 1}])
    ids, cores = device.core_ids, device.cores
    device.core_ids, device.cores = ids, cores
    ids.append(1)
    cores.append(cores[0].model_copy())
    assert device.core_ids is ids and HtpConfigHelper.to_backend_extension_dict(device_configs=[device]) == {
        "devices": [{"core_id": [0, 1], "cores": [{"core_id": 1}, {"core_id": 1}]}]}
    config = CompileConfig(backend="HTP", device_custom_configs=[device])
    devices = config.device_custom_configs
    config.device_custom_configs = devices
    devices.append(HtpDeviceConfig())
    assert len(config.model_dump(context={"backend_extensions": True})["devices"]) == 2


def test_lists_that_change_while_they_are_read():
    class Index:
        def __index__(self):
            ids.clear()
            return 1

    ids = [Index(), *([10**6] * 1000)]
    assert len(HtpDeviceConfig(core_ids=ids).core_ids) == 1001


def test_nothing_crashes():
    code = """if True:
        import copy, sys
        from qairt.api.common.backends.aic.config import AicCompilerConfig
        from qairt.api.common.backends.htp.config import HtpGraphConfig
        sys.setrecursionlimit(10**7)
        nested = AicCompilerConfig()
        for _ in range(100_000):
            nested = AicCompilerConfig(x=nested)
        for call in (repr, str, copy.deepcopy, AicCompilerConfig.model_dump, lambda n: n == AicCompilerConfig(x=n.x)):
            try:
                call(nested)
            except RecursionError:
                pass
        del nested
        HtpGraphConfig._class = None
        try:
            HtpGraphConfig(name="x")
        except TypeError:
            print("done")
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": str(pathlib.Path(qairt.__file__).parents[1])})
    assert done.stdout == "done\n", done.stderr[-2000:]
