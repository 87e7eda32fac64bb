# SPDX-License-Identifier: BSD-3-Clause
"""Every field with its type and default: against the option tables, and against a list written by hand."""

import importlib
import typing

import pytest
from qairt import _native
from qairt.api.common.backends import htp
from qairt.api.common.backends.htp.config import (HtpContextConfig, HtpDeviceConfig, HtpDeviceCoreConfig,
                                                  HtpGraphConfig, HtpGroupContextConfig, HtpMemoryConfig)
from qairt.api.compiler.config import CompileConfig
from qairt.api.configs.common import BackendType, DspArchitecture, PerfProfile

CLASSES = [HtpContextConfig, HtpDeviceConfig, HtpDeviceCoreConfig, HtpGraphConfig, HtpGroupContextConfig,
           HtpMemoryConfig]

# From the API reference, by hand.
DEFAULTS = {
    HtpContextConfig: {
        "extended_udma": False, "file_read_memory_budget_in_mb": 0, "group_id": 0, "init_acceleration": False,
        "io_memory_estimation": False, "lora_weight_sharing": False, "lora_weight_sharing_ram_preload": False,
        "max_spill_fill_buffer_for_group": 0, "weight_sharing_enabled": False},
    HtpDeviceConfig: {
        "core_ids": None, "core_type": 0, "cores": [], "dsp_arch": None, "id": 0, "pd_session": "unsigned",
        "profiling_level": "linting", "soc_id": 0, "soc_model": 0},
    HtpDeviceCoreConfig: {
        "adaptive_polling_time": 0, "hmx_timeout_us": 300000, "id": 0, "perf_profile": PerfProfile.BURST,
        "rpc_control_latency": 100, "rpc_polling_time": 9999},
    HtpGraphConfig: {
        "advanced_activation_fusion": True, "assume_same_quant": False, "dlbc": 0, "dlbc_weights": 0,
        "finalize_config": None, "fold_relu_activation_into_conv_off": False, "fp16_relaxed_precision": 0,
        "hvx_threads": 0, "monolithic_lstm": False, "name": "g", "num_cores": None, "optimization_type": 2,
        "short_depth_conv_on_hmx_off": False, "use_high_precision_fp16_sigmoid": False, "vtcm_size": 0,
        "vtcm_size_in_mb": 0, "weights_packing": False},
    HtpGroupContextConfig: {"share_resources": False},
    HtpMemoryConfig: {"mem_type": "shared_buffer"},
    CompileConfig: {
        "backend": BackendType.HTP, "backend_binary_path": None, "compiler_custom_configs": None,
        "context_custom_configs": None, "data_format_config": None, "debug": False, "device_custom_configs": None,
        "enable_intermediate_outputs": None, "graph_custom_configs": None, "group_context_config": None,
        "io_tensor_mem_type": "raw", "log_level": "error", "memory_custom_config": None, "op_packages": None,
        "set_output_tensors": None, "soc_details": None},
}

# From the API reference as well: every field of the HTP classes, and those of CompileConfig that are no plain type.
ANNOTATIONS = {
    HtpContextConfig: {
        "extended_udma": bool, "file_read_memory_budget_in_mb": int, "group_id": int, "init_acceleration": bool,
        "io_memory_estimation": bool, "lora_weight_sharing": bool, "lora_weight_sharing_ram_preload": bool,
        "max_spill_fill_buffer_for_group": int, "weight_sharing_enabled": bool},
    HtpDeviceConfig: {
        "core_ids": typing.Optional[typing.List[int]], "core_type": int, "cores": typing.List[HtpDeviceCoreConfig],
        "dsp_arch": typing.Optional[typing.Union[DspArchitecture, str]], "id": int,
        "pd_session": typing.Literal["signed", "unsigned"],
        "profiling_level": typing.Optional[typing.Literal["linting"]], "soc_id": int, "soc_model": int},
    HtpDeviceCoreConfig: {
        "adaptive_polling_time": int, "hmx_timeout_us": int, "id": int, "perf_profile": PerfProfile,
        "rpc_control_latency": int, "rpc_polling_time": int},
    HtpGraphConfig: {
        "advanced_activation_fusion": bool, "assume_same_quant": bool, "dlbc": typing.Literal[0, 1],
        "dlbc_weights": int, "finalize_config": typing.Optional[dict], "fold_relu_activation_into_conv_off": bool,
        "fp16_relaxed_precision": int, "hvx_threads": int, "monolithic_lstm": bool, "name": str,
        "num_cores": typing.Optional[int], "optimization_type": typing.Union[int, float],
        "short_depth_conv_on_hmx_off": bool, "use_high_precision_fp16_sigmoid": bool, "vtcm_size": int,
        "vtcm_size_in_mb": int, "weights_packing": bool},
    HtpGroupContextConfig: {"share_resources": bool},
    HtpMemoryConfig: {"mem_type": typing.Literal["shared_buffer"]},
    CompileConfig: {
        "set_output_tensors": typing.Optional[typing.List[str]],
        "io_tensor_mem_type": typing.Optional[typing.Literal["raw", "memhandle"]]},
}


def make(cls):
    needed = {HtpGraphConfig: {"name": "g"}, CompileConfig: {"backend": "HTP"}}
    return cls(**needed.get(cls, {}))


@pytest.mark.parametrize("cls", DEFAULTS, ids=lambda cls: cls.__name__)
# feature: A2 (Python)
def test_fields_and_defaults_of_the_reference(cls):
    assert make(cls).model_dump() == DEFAULTS[cls]
    assert set(cls.model_fields) == set(DEFAULTS[cls])


@pytest.mark.parametrize("cls", DEFAULTS, ids=lambda cls: cls.__name__)
# feature: A2 (Python)
def test_fields_are_those_of_the_table(cls):
    table = {facts["name"]: facts for facts in _native.class_by_name(cls.__name__).fields()}
    assert list(table) == list(cls.model_fields)
    for name, field in cls.model_fields.items():
        assert field.alias == (table[name]["alias"] if table[name]["alias"] != name else None)
        assert field.description and field.is_required() == table[name]["required"]
        assert getattr(cls, name).__doc__ == field.description


@pytest.mark.parametrize("cls", ANNOTATIONS, ids=lambda cls: cls.__name__)
# feature: A2 (Python)
def test_annotations(cls):
    assert cls is CompileConfig or set(cls.model_fields) == set(ANNOTATIONS[cls])
    for name, annotation in ANNOTATIONS[cls].items():
        assert cls.model_fields[name].annotation == annotation, name


@pytest.mark.parametrize("cls, alias, name, value", [
    (HtpGraphConfig, "O", "optimization_type", 3), (HtpGraphConfig, "vtcm_mb", "vtcm_size_in_mb", 4),
    (HtpDeviceConfig, "device_id", "id", 1), (HtpDeviceConfig, "core_id", "core_ids", [0, 1]),
    (HtpDeviceCoreConfig, "core_id", "id", 1)])
# feature: A1 (Python)
def test_names_and_aliases(cls, alias, name, value):
    extra = {"name": "g"} if cls is HtpGraphConfig else {}
    for spelling in (alias, name):
        assert getattr(cls(**{spelling: value}, **extra), name) == value
    assert HtpGraphConfig(graph_names=["g"]).name == HtpGraphConfig(graph_names="g").name == "g"


# feature: A2 (Python)
def test_words():
    assert PerfProfile.BURST == "burst" and "llm_decode_burst" in PerfProfile.list_options()
    assert DspArchitecture.V73.value == "v73" and DspArchitecture.list_options()[0] == "v68"
    assert BackendType.list_options()[2] == "HTP"
    assert f"{PerfProfile.BURST}" == str(PerfProfile.BURST) == "burst"
    assert HtpDeviceCoreConfig(perf_profile="balanced").perf_profile is PerfProfile.BALANCED
    assert HtpDeviceConfig(dsp_arch=DspArchitecture.V75).dsp_arch is DspArchitecture.V75
    assert HtpDeviceConfig(dsp_arch="v99").dsp_arch == "v99"


# feature: A4 (Python)
def test_options_are_listed():
    options = htp.list_options()
    assert set(options) == {cls.__name__ for cls in CLASSES}
    assert "Literal[0, 1] = 0" in options["HtpGraphConfig"]["dlbc"]
    assert "HtpGraphConfig\n  name: str (required)" in str(options)
    assert htp.HtpConfigHelper.list_config_options() == htp.HtpConfigHelper.list_options() == options
    assert htp.HtpConfigHelper.shared_library_path().endswith(".so")


@pytest.mark.parametrize("module, name", [
    ("qairt.api.common.backends.aic.config", "AicCompilerConfig"),
    ("qairt.api.common.backends.htp_mcp.config", "HtpMcpContextConfig"),
    ("qairt.api.common.backends.htp_mcp.config", "HtpMcpDeviceConfig"),
    ("qairt.api.common.backends.htp_mcp.config", "HtpMcpGraphConfig"),
    ("qti.aisw.tools.core.modules.api.definitions.common", "OpPackageIdentifier"),
    ("qti.aisw.tools.core.utilities.devices.api.device_definitions", "SocDetails")])
# feature: A2 (Python)
def test_classes_that_are_only_named(module, name):
    cls = getattr(importlib.import_module(module), name)
    made = cls(num_cores=4, anything={"a": [1]})
    assert made.num_cores == 4 and cls.model_validate(made.model_dump()) == made
    made.later = "x"
    assert made.model_dump() == {"num_cores": 4, "anything": {"a": [1]}, "later": "x"}
    del made.later
    assert not hasattr(made, "later") and made.model_extra["num_cores"] == 4
    assert "only name" in cls.__doc__ or "not here" in cls.__doc__
    assert cls.list_config_options() == {name: {}}
