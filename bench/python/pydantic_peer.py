# SPDX-License-Identifier: BSD-3-Clause
"""The HTP configuration classes written in pydantic 1.10, as a peer for the benchmark. Not a part of the product."""

import json
import pathlib
from typing import Any, Dict, List, Literal, Optional, Union

from pydantic import BaseModel, Field, PrivateAttr, root_validator, validator


class _Base(BaseModel):
    _extras: Dict[str, Any] = PrivateAttr(default_factory=dict)

    class Config:
        allow_population_by_field_name = True
        validate_assignment = True


class HtpContextConfig(_Base):
    weight_sharing_enabled: bool = False
    max_spill_fill_buffer_for_group: int = Field(0, ge=0)
    group_id: int = 0
    file_read_memory_budget_in_mb: int = 0
    io_memory_estimation: bool = False
    init_acceleration: bool = False
    lora_weight_sharing: bool = False
    lora_weight_sharing_ram_preload: bool = False
    extended_udma: bool = False

    @root_validator
    def _spill_fill_needs_group(cls, values):
        if values.get("max_spill_fill_buffer_for_group") and values.get("group_id"):
            raise ValueError("max_spill_fill_buffer_for_group needs group_id 0")
        return values


class HtpGraphConfig(_Base):
    name: str
    vtcm_size_in_mb: int = Field(0, alias="vtcm_mb")
    vtcm_size: int = 0
    hvx_threads: int = 0
    optimization_type: Union[int, float] = Field(2, alias="O")
    dlbc: Literal[0, 1] = 0
    dlbc_weights: int = 0
    weights_packing: bool = False
    num_cores: Optional[int] = None
    short_depth_conv_on_hmx_off: bool = False
    fold_relu_activation_into_conv_off: bool = False
    advanced_activation_fusion: bool = True
    use_high_precision_fp16_sigmoid: bool = False
    monolithic_lstm: bool = False
    assume_same_quant: bool = False
    finalize_config: Optional[dict] = None
    fp16_relaxed_precision: int = 0

    @validator("optimization_type")
    def _optimization_type(cls, value):
        if not 1 <= value <= 3:
            raise ValueError("optimization_type should be in range 1 to 3")
        return value


class HtpDeviceCoreConfig(_Base):
    id: int = Field(0, alias="core_id")
    perf_profile: str = "burst"
    rpc_control_latency: int = 100
    rpc_polling_time: int = 9999
    hmx_timeout_us: int = 300000
    adaptive_polling_time: int = 0


class HtpDeviceConfig(_Base):
    id: int = Field(0, alias="device_id")
    core_ids: Optional[List[int]] = None
    core_type: int = 0
    soc_id: int = 0
    soc_model: int = 0
    dsp_arch: Optional[str] = None
    pd_session: Literal["signed", "unsigned"] = "unsigned"
    profiling_level: Optional[Literal["linting"]] = "linting"
    cores: List[HtpDeviceCoreConfig] = []


class HtpMemoryConfig(_Base):
    mem_type: Literal["shared_buffer"] = "shared_buffer"


class HtpGroupContextConfig(_Base):
    share_resources: bool = False


def _keys(cls):
    return set(cls.__fields__) | {field.alias for field in cls.__fields__.values()}


_KEYS = {cls: _keys(cls) for cls in (HtpContextConfig, HtpGraphConfig, HtpDeviceConfig, HtpDeviceCoreConfig,
                                     HtpMemoryConfig, HtpGroupContextConfig)}


def _read(cls, entry):
    known = _KEYS[cls]
    config = cls(**{key: value for key, value in entry.items() if key in known})
    extras = {key: value for key, value in entry.items() if key not in known}
    if extras:
        config._extras = extras
    return config


def _read_graphs(entry):
    rest = {key: value for key, value in entry.items() if key != "graph_names"}
    return [_read(HtpGraphConfig, {"name": name, **rest}) for name in entry["graph_names"]]


def _write(config):
    return {**config.dict(by_alias=True, exclude_unset=True), **config._extras}


def _write_graph(config):
    entry = _write(config)
    name = entry.pop("name")
    return {"graph_names": [name], **entry}


class CompileConfig(_Base):
    backend: str
    context_custom_configs: Optional[List[HtpContextConfig]] = None
    graph_custom_configs: Optional[List[HtpGraphConfig]] = None
    device_custom_configs: Optional[List[HtpDeviceConfig]] = None
    memory_custom_config: Optional[HtpMemoryConfig] = None
    group_context_config: Optional[HtpGroupContextConfig] = None

    class Config:
        copy_on_model_validation = "none"  # else every object would be made twice

    @classmethod
    def from_backend_extensions(cls, backend, path):
        file = json.loads(pathlib.Path(path).read_text())
        memory, group = file.get("memory"), file.get("groupContext")
        return cls.construct(
            backend=backend,
            context_custom_configs=[_read(HtpContextConfig, entry) for entry in file.get("context", [])],
            graph_custom_configs=[graph for entry in file.get("graphs", []) for graph in _read_graphs(entry)],
            device_custom_configs=[_read(HtpDeviceConfig, entry) for entry in file.get("devices", [])],
            memory_custom_config=_read(HtpMemoryConfig, memory) if memory is not None else None,
            group_context_config=_read(HtpGroupContextConfig, group) if group is not None else None)

    def to_backend_extension_json(self, *, indent=4):
        file = {}
        if self.context_custom_configs:
            file["context"] = [_write(config) for config in self.context_custom_configs]
        if self.graph_custom_configs:
            file["graphs"] = [_write_graph(config) for config in self.graph_custom_configs]
        if self.device_custom_configs:
            file["devices"] = [_write(config) for config in self.device_custom_configs]
        if self.memory_custom_config is not None:
            file["memory"] = _write(self.memory_custom_config)
        if self.group_context_config is not None:
            file["groupContext"] = _write(self.group_context_config)
        return json.dumps(file, indent=indent)
