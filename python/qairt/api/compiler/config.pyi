# SPDX-License-Identifier: BSD-3-Clause
# Written by python/tools/make_stubs.py from the option tables.
from os import PathLike
from typing import Any, Dict, Iterable, List, Literal, Optional, Union

from qti.aisw.tools.core.modules.api.definitions.common import OpPackageIdentifier
from qti.aisw.tools.core.utilities.devices.api.device_definitions import SocDetails

from ..._check import Finding
from ..._errors import ValidationError as ValidationError
from ..._model import ConfigModel
from ..common.backends.aic.config import AicCompilerConfig
from ..common.backends.htp.config import (HtpContextConfig, HtpDeviceConfig, HtpGraphConfig,
                                          HtpGroupContextConfig, HtpMemoryConfig)
from ..common.backends.htp_mcp.config import (HtpMcpContextConfig, HtpMcpDeviceConfig,
                                              HtpMcpGraphConfig)
from ..configs.common import BackendType
from ._modes import CompilerModes as CompilerModes, CompilerModeSetters as CompilerModeSetters

class CompileConfig(ConfigModel):
    """Configuration for AOT compilation."""
    backend: Union[BackendType, str]
    """The backend to compile for."""
    soc_details: Optional[Union[SocDetails, str]]
    """The part, as text: chipset:SM8750;dsp_arch:v79;soc_model:69;cores:1."""
    graph_custom_configs: Optional[Union[List[HtpGraphConfig], List[HtpMcpGraphConfig]]]
    """One HtpGraphConfig per graph."""
    device_custom_configs: Optional[Union[List[HtpDeviceConfig], List[HtpMcpDeviceConfig]]]
    """The part and its cores; takes the place of soc_details."""
    context_custom_configs: Optional[Union[List[HtpContextConfig], List[HtpMcpContextConfig]]]
    """Options of contexts."""
    memory_custom_config: Optional[HtpMemoryConfig]
    """The memory of inputs and outputs."""
    group_context_config: Optional[HtpGroupContextConfig]
    """What contexts that are created together have in common."""
    compiler_custom_configs: Optional[AicCompilerConfig]
    """Settings of the AIC compiler; not for HTP."""
    backend_binary_path: Optional[str]
    """A second, backend-specific binary to write."""
    data_format_config: Optional[Union[str, PathLike]]
    """A data-format file: layouts of certain tensors."""
    io_tensor_mem_type: Optional[Literal['raw', 'memhandle']]
    """The memory type of inputs and outputs."""
    enable_intermediate_outputs: Optional[bool]
    """Makes every tensor between nodes an output."""
    set_output_tensors: Optional[List[str]]
    """Tensors to have as outputs beside those of the graph."""
    op_packages: Optional[List[OpPackageIdentifier]]
    """Packages of custom ops."""
    log_level: Optional[str]
    """How much the compiler logs: error, warn, info, debug or verbose."""
    debug: bool
    """Switches debugging on."""
    def __init__(self, *, backend: Union[BackendType, str], soc_details: Optional[Union[SocDetails, str]] = ...,
                 graph_custom_configs: Optional[Union[List[HtpGraphConfig], List[HtpMcpGraphConfig]]] = ...,
                 device_custom_configs: Optional[Union[List[HtpDeviceConfig], List[HtpMcpDeviceConfig]]] = ...,
                 context_custom_configs: Optional[Union[List[HtpContextConfig], List[HtpMcpContextConfig]]] = ...,
                 memory_custom_config: Optional[HtpMemoryConfig] = ...,
                 group_context_config: Optional[HtpGroupContextConfig] = ...,
                 compiler_custom_configs: Optional[AicCompilerConfig] = ...,
                 backend_binary_path: Optional[Union[str, PathLike]] = ...,
                 data_format_config: Optional[Union[str, PathLike]] = ...,
                 io_tensor_mem_type: Optional[Literal['raw', 'memhandle']] = ...,
                 enable_intermediate_outputs: Optional[bool] = ...,
                 set_output_tensors: Optional[Union[List[str], str]] = ...,
                 op_packages: Optional[List[OpPackageIdentifier]] = ..., log_level: Optional[str] = ...,
                 debug: bool = ...) -> None: ...
    @property
    def section_extras(self) -> Dict[str, Any]:
        """Sections of the file that no field stands for; written back as they are."""
    @classmethod
    def from_backend_extensions(cls, backend: str, path: Union[str, PathLike], *, passthrough: bool = False,
                                **kwargs: Any) -> CompileConfig:
        """A new object with the HTP fields of a backend extensions file."""
    def populate_from_backend_extensions(self, path: Union[str, PathLike], *,
                                         passthrough: bool = False) -> CompileConfig:
        """Replaces the HTP fields by those of a backend extensions file; other fields stay. Answers this object."""
    def to_backend_extension_json(self, *, indent: Optional[int] = 4) -> str:
        """The backend extensions as JSON text: `json.dumps(self.model_dump(context={"backend_extensions": True}),
        indent=indent)`, with numbers written as they were read."""
    def serialize(self, info: Any) -> Dict[str, Any]:
        """The fields as a dict; only the backend extensions when `info.context` has backend_extensions=True."""
    def set_mode(self, mode: Union[str, CompilerModes], **kwargs: Any) -> None:
        """Sets what a mode needs; for "weight_sharing" see CompilerModeSetters.set_weight_sharing()."""
    @property
    def ensure_graphs(self) -> bool:
        """Whether the names of the graphs are to be taken from the model."""
    def check(self, tool: Optional[str] = None, soc: Optional[str] = None, platform: Optional[str] = None,
              sdk: Optional[str] = None, graphs: Optional[Iterable[str]] = None,
              strict: bool = False) -> List[Finding]:
        """Findings across the fields; nothing is changed, nothing is raised for them. See qairt.check()."""

CompilerConfig = CompileConfig
