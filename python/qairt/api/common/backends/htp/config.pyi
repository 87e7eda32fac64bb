# SPDX-License-Identifier: BSD-3-Clause
# Written by python/tools/make_stubs.py from the option tables.
from os import PathLike
from typing import Any, Dict, List, Literal, Optional, Tuple, Union

from ....._errors import ValidationError as ValidationError
from ....._model import ConfigModel, Options
from ....configs.common import DspArchitecture, PerfProfile

class HtpContextConfig(ConfigModel):
    """Context Configuration for HTP Backend"""
    weight_sharing_enabled: bool
    """Stores weights that several graphs have in common only once."""
    max_spill_fill_buffer_for_group: int
    """Size of the spill-fill buffer that the contexts of a group share."""
    group_id: int
    """The group of contexts that share a spill-fill buffer."""
    file_read_memory_budget_in_mb: int
    """Reads a binary in pieces of at most this size."""
    io_memory_estimation: bool
    """Counts inputs and outputs when choosing the process domain for a context."""
    init_acceleration: bool
    """Loads a binary with all that the hardware gives."""
    lora_weight_sharing: bool
    """Lets the LoRA graphs of a context share the memory of their updatable weights."""
    lora_weight_sharing_ram_preload: bool
    """Brings shared LoRA weights into RAM when the binary is loaded."""
    extended_udma: bool
    """Uses the extended addressing of the user DMA engine."""
    def __init__(self, *, weight_sharing_enabled: bool = ..., max_spill_fill_buffer_for_group: int = ...,
                 group_id: int = ..., file_read_memory_budget_in_mb: int = ..., io_memory_estimation: bool = ...,
                 init_acceleration: bool = ..., lora_weight_sharing: bool = ...,
                 lora_weight_sharing_ram_preload: bool = ..., extended_udma: bool = ...) -> None: ...

class HtpGraphConfig(ConfigModel):
    """Graph configuration for HTP Backend"""
    name: str
    """The graphs that the options of this entry are for."""
    vtcm_size_in_mb: int
    """How much of the tightly coupled memory (VTCM) the graph may use."""
    vtcm_size: int
    """The VTCM of the graph in bytes instead of megabytes."""
    hvx_threads: int
    """How many HVX (vector) threads the graph uses."""
    optimization_type: Union[int, float]
    """How hard the graph is optimized: 1 prepares fastest, 3 runs fastest as a rule."""
    dlbc: Literal[0, 1]
    """Compresses activations on their way to and from DDR (deep learning bandwidth compression)."""
    dlbc_weights: int
    """Compresses weights in DDR."""
    weights_packing: bool
    """Stores 8-bit weights whose values fit into 4 bits as 4 bits."""
    num_cores: Optional[int]
    """How many NPU cores one execution of the graph is spread over."""
    short_depth_conv_on_hmx_off: bool
    """Keeps convolutions of small depth off the matrix unit (HMX)."""
    fold_relu_activation_into_conv_off: bool
    """Keeps Relu and ReluMinMax apart from the convolution before them."""
    advanced_activation_fusion: bool
    """Fuses convolutions with a following sigmoid, tanh, gelu or swish."""
    use_high_precision_fp16_sigmoid: bool
    """Computes sigmoid of half floats more exactly."""
    monolithic_lstm: bool
    """Keeps an Lstm as one op instead of unrolling it."""
    assume_same_quant: bool
    """Takes the encodings of all LoRA adapters' tensors for the same."""
    finalize_config: Optional[dict]
    """Settings of the compiler by name, handed on as they are."""
    fp16_relaxed_precision: int
    """Asked for half-float math in float graphs; without effect from SDK 2.35 on."""
    def __init__(self, *, name: str, vtcm_size_in_mb: int = ..., vtcm_mb: int = ..., vtcm_size: int = ...,
                 hvx_threads: int = ..., optimization_type: Union[int, float] = ..., O: Union[int, float] = ...,
                 dlbc: Literal[0, 1] = ..., dlbc_weights: int = ..., weights_packing: bool = ...,
                 num_cores: Optional[int] = ..., short_depth_conv_on_hmx_off: bool = ...,
                 fold_relu_activation_into_conv_off: bool = ..., advanced_activation_fusion: bool = ...,
                 use_high_precision_fp16_sigmoid: bool = ..., monolithic_lstm: bool = ...,
                 assume_same_quant: bool = ..., finalize_config: Optional[dict] = ...,
                 fp16_relaxed_precision: int = ...) -> None: ...

class HtpDeviceCoreConfig(ConfigModel):
    """Core Configuration for HTP Backend"""
    id: int
    """The core that the entry is for."""
    perf_profile: PerfProfile
    """A named set of votes for clocks, voltage corners and sleep."""
    rpc_control_latency: int
    """How long the CPU may take to wake up for an answer of the DSP."""
    rpc_polling_time: int
    """How long the CPU polls for the DSP's answer instead of sleeping."""
    hmx_timeout_us: int
    """How long the matrix unit (HMX) stays powered after its last use."""
    adaptive_polling_time: int
    """Inferences longer than this are polled for only near their expected end."""
    def __init__(self, *, id: int = ..., core_id: int = ..., perf_profile: Union[PerfProfile, str] = ...,
                 rpc_control_latency: int = ..., rpc_polling_time: int = ..., hmx_timeout_us: int = ...,
                 adaptive_polling_time: int = ...) -> None: ...

class HtpDeviceConfig(ConfigModel):
    """Device Configuration for HTP Backend"""
    id: int
    """Which device of the platform the entry is for."""
    core_ids: Optional[List[int]]
    """Which cores of the device may be used."""
    core_type: int
    """Which kind of NPU core is used."""
    soc_id: int
    """Older name of soc_model."""
    soc_model: int
    """The part, by QNN's number for it."""
    dsp_arch: Optional[Union[DspArchitecture, str]]
    """The Hexagon architecture of the part."""
    pd_session: Literal['unsigned', 'signed']
    """The kind of DSP process domain the backend opens."""
    profiling_level: Optional[Literal['linting']]
    """Asks the backend for the linting profile."""
    cores: List[HtpDeviceCoreConfig]
    """Performance settings, one entry per core."""
    def __init__(self, *, id: int = ..., device_id: int = ..., core_ids: Optional[List[int]] = ...,
                 core_id: Optional[List[int]] = ..., core_type: int = ..., soc_id: int = ..., soc_model: int = ...,
                 dsp_arch: Optional[Union[DspArchitecture, str]] = ...,
                 pd_session: Literal['unsigned', 'signed'] = ..., profiling_level: Optional[Literal['linting']] = ...,
                 cores: List[HtpDeviceCoreConfig] = ...) -> None: ...

class HtpMemoryConfig(ConfigModel):
    """Memory Configuration for HTP Backend"""
    mem_type: Literal['shared_buffer']
    """Where inputs and outputs live."""
    def __init__(self, *, mem_type: Literal['shared_buffer'] = ...) -> None: ...

class HtpGroupContextConfig(ConfigModel):
    """Group Context Configuration for HTP Backend"""
    share_resources: bool
    """Lets contexts that are created together share memory and address space."""
    def __init__(self, *, share_resources: bool = ...) -> None: ...

class HtpConfigHelper:
    """Converts between HTP configuration objects and backend extension dicts."""
    @classmethod
    def from_backend_extension_dict(cls,
                                    backend_ext: Dict[str, Any]) -> Tuple[List[HtpContextConfig],
                                    List[HtpGraphConfig], List[HtpDeviceConfig], Optional[HtpMemoryConfig],
                                    Optional[HtpGroupContextConfig], Dict[str, Any]]:
        """The objects of a backend extension dict."""
    @staticmethod
    def to_backend_extension_dict(context_configs: Optional[List[HtpContextConfig]] = None,
                                  graph_configs: Optional[List[HtpGraphConfig]] = None,
                                  device_configs: Optional[List[HtpDeviceConfig]] = None,
                                  memory_config: Optional[HtpMemoryConfig] = None,
                                  group_context: Optional[HtpGroupContextConfig] = None) -> Dict[str, Any]:
        """The backend extension dict that these objects make; only fields that were set are in it."""
    @classmethod
    def list_config_options(cls) -> Options:
        """The options of every class: {class: {field: what it is}}."""
    @staticmethod
    def list_options() -> Options:
        """The same as list_config_options()."""
    @staticmethod
    def shared_library_path() -> str:
        """The library that reads backend extension files in the tools."""
