# SPDX-License-Identifier: BSD-3-Clause
from os import PathLike
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Tuple, Union, overload

from . import profile as profile
from ._check import Finding as Finding
from ._errors import ModelError as ModelError
from ._errors import ModelWarning as ModelWarning
from ._errors import ValidationError as ValidationError
from .api.compiler.config import CompileConfig as CompileConfig
from .api.configs.common import BackendType

_Path = Union[str, PathLike[str]]

__version__: str

class Section:
    """A section of the file."""
    @property
    def name(self) -> str: ...
    @property
    def offset(self) -> int: ...
    @property
    def bytes(self) -> int: ...

class Tensor:
    """An input or output of a graph, as the client reads and writes it."""
    @property
    def name(self) -> str: ...
    @property
    def id(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def bytes(self) -> int: ...
    @property
    def encodings(self) -> list[tuple[float, int]]:
        """(scale, offset): real = scale * (stored + offset). Empty for floats."""

class Op:
    """An op as prepared; it may stand for several nodes of the client."""
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def nodes(self) -> list[str]: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def outputs(self) -> list[str]: ...
    @property
    def constant_bytes(self) -> int: ...

class Graph:
    @property
    def name(self) -> str: ...
    @property
    def soc(self) -> str: ...
    @property
    def soc_model(self) -> int: ...
    @property
    def arch(self) -> int: ...
    @property
    def optimization(self) -> int: ...
    @property
    def inputs(self) -> list[Tensor]: ...
    @property
    def outputs(self) -> list[Tensor]: ...
    @property
    def ops(self) -> list[Op]: ...
    @property
    def constant_bytes(self) -> int: ...
    @property
    def activation_bytes(self) -> int: ...
    @property
    def vtcm_bytes(self) -> int: ...
    @property
    def hvx_threads(self) -> int: ...
    @property
    def tasks(self) -> int: ...

class ContextBinary:
    """A context binary, opened by mapping; everything but the constants is checked."""
    def __init__(self, path: _Path) -> None: ...
    @property
    def path(self) -> str: ...
    @property
    def bytes(self) -> int: ...
    @property
    def format(self) -> tuple[int, int]: ...
    @property
    def producer(self) -> str: ...
    @property
    def sections(self) -> list[Section]: ...
    @property
    def graphs(self) -> list[Graph]: ...
    def validate(self) -> None:
        """Checks the checksums of the constants too; ValueError when one does not match."""

class OpRow:
    """What one op costs, simulated."""
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def units(self) -> str: ...
    @property
    def tiles(self) -> int: ...
    @property
    def busy_cycles(self) -> int: ...
    @property
    def dma_cycles(self) -> int: ...
    @property
    def share_cycles(self) -> int: ...
    @property
    def loaded_bytes(self) -> int: ...
    @property
    def stored_bytes(self) -> int: ...
    @property
    def bound(self) -> str: ...

class Simulation:
    """One execute on the modelled NPU. All times are simulated."""
    @property
    def graph(self) -> str: ...
    @property
    def soc(self) -> str: ...
    @property
    def arch(self) -> int: ...
    @property
    def prepared_for(self) -> str: ...
    @property
    def clock_hz(self) -> float: ...
    @property
    def cycles(self) -> int: ...
    @property
    def accelerator_us(self) -> float: ...
    @property
    def rpc_us(self) -> float: ...
    @property
    def client_us(self) -> float: ...
    @property
    def model(self) -> str: ...
    @property
    def error_band(self) -> float: ...
    @property
    def assumptions(self) -> list[str]: ...
    @property
    def rows(self) -> list[OpRow]: ...
    def to_text(self) -> str: ...
    def to_linting(self) -> str:
        """The linting report in the vendor's layout."""
    def to_json(self, model: str = "") -> str:
        """The analysis summary; qairt.profile.report() has it as columns."""
    def to_html(self, model: str = "") -> str:
        """The analysis summary as one page."""
    def save_html(self, path: _Path, model: str = "") -> None:
        """Writes that page, replacing the file in one step."""
    def to_chrometrace(self, path: _Path) -> None:
        """Writes trace-event JSON for ui.perfetto.dev and chrome://tracing, replacing the file in one step."""

class SimulatedModels(List[Dict[str, Any]]):
    """Results of a model: dicts with the fields of `openqnn simulate --format json`."""
    model_card: Dict[str, Any]
    refused: List[Dict[str, Any]]
    def __init__(self, results: Iterable[Dict[str, Any]], model_card: Dict[str, Any],
                 refused: List[Dict[str, Any]]) -> None: ...

@overload
def simulate(path: ContextBinary, graph: Union[str, None] = None, soc: Union[str, None] = None, *,
             level: Optional[str] = None, perf_profile: Optional[str] = None) -> Simulation: ...
@overload
def simulate(path: _Path, graph: Union[str, None] = None, soc: Union[str, Iterable[str], None] = None, *,
             precision: Union[str, Iterable[str], None] = None, options: Optional[Mapping[str, Any]] = None,
             config: Optional[_Path] = None, clients: Union[int, Iterable[str]] = 1, explain: bool = False,
             shapes_only: bool = False, level: Optional[str] = None, perf_profile: Optional[str] = None,
             sweep: Optional[Mapping[str, Iterable[Any]]] = None, image_layout: Optional[str] = None,
             batch: Optional[int] = None) -> Any:
    """A Simulation of a graph of a context binary; of a model (.onnx, .dlc), SimulatedModels: one result for each part,
    precision and combination of `sweep`."""

def advise(path: _Path, *, soc: Optional[str] = None, precision: Optional[str] = None, config: Optional[_Path] = None,
           graph: Optional[str] = None, use_mmap: bool = False) -> List[Dict[str, Any]]:
    """What the documents advise against in a model (.onnx, .dlc) or a context binary: the findings of `openqnn advise
    --format json`. Times and shares are simulated."""

def check(path: _Path, *more: _Path, tool: Optional[str] = None, soc: Optional[str] = None,
          platform: Optional[str] = None, sdk: Optional[str] = None, graphs: Optional[Iterable[str]] = None,
          strict: bool = False) -> List[Finding]:
    """Findings about configuration files, with the files that they name."""

class InputList(NamedTuple):
    """What an input list says. Paths are as written; the tools start them at the directory they run in."""
    output_layers: List[str]
    output_tensors: List[str]
    inferences: List[List[Tuple[str, str]]]

def read_input_list(path: _Path) -> InputList:
    """Reads an input list. ValueError says what is wrong with it and in which line."""

# numpy has types of its own for these; a model needs nothing but arrays.
_Array = Any
_Inputs = Union[Mapping[str, _Array], Sequence[_Array], _Array]  # numbers, too, for tensors of one element

class TensorInfo:
    """An input or output of a graph."""
    name: str
    source_name: Optional[str]
    """That of the model's own file; None where nothing tells."""
    shape: Tuple[int, ...]
    dtype: str
    """numpy's name of the stored elements."""
    type: str
    """QNN's name of them."""
    scale: Optional[float]
    offset: Optional[int]
    """Of a quantized tensor: real = scale * (stored + offset)."""
    @property
    def is_quantized(self) -> bool: ...
    @property
    def holds_reals(self) -> bool: ...

class CalibrationConfig:
    """What a model is quantized with, and how."""
    dataset: Union[None, _Path, Iterable[_Inputs]]
    num_of_samples: Optional[int]
    act_precision: int
    weights_precision: int
    bias_precision: int
    act_calibration_method: str
    weights_calibration_method: str
    percentile: float
    act_schema: str
    weights_schema: str
    per_channel_quantization: bool
    per_row_quantization: bool
    float_fallback: bool
    preserve_io_datatype: bool
    def __init__(self, dataset: Union[None, _Path, Iterable[_Inputs]] = None, *, num_of_samples: Optional[int] = None,
                 act_precision: int = 8, weights_precision: int = 8, bias_precision: int = 32,
                 act_calibration_method: str = "min-max", weights_calibration_method: str = "min-max",
                 percentile: float = 99.99, act_schema: str = "asymmetric", weights_schema: str = "symmetric",
                 per_channel_quantization: bool = True, per_row_quantization: bool = True, float_fallback: bool = True,
                 preserve_io_datatype: bool = False) -> None: ...
    @classmethod
    def of_precision(cls, precision: str, dataset: Union[None, _Path, Iterable[_Inputs]] = None) -> "CalibrationConfig":
        """The defaults at one of the precisions that have names: w8a8, w8a16, w16a16, w4a16."""

class _Graphs:
    @property
    def graph_names(self) -> List[str]: ...
    @property
    def inputs(self) -> Tuple[TensorInfo, ...]: ...
    @property
    def outputs(self) -> Tuple[TensorInfo, ...]: ...
    def inputs_of(self, graph: str) -> Tuple[TensorInfo, ...]: ...
    def outputs_of(self, graph: str) -> Tuple[TensorInfo, ...]: ...

class Model(_Graphs):
    """A converted model, float or quantized, as a `.dlc` holds it."""
    @property
    def is_quantized(self) -> bool: ...
    @property
    def notes(self) -> List[str]: ...
    @property
    def fusions(self) -> List[str]: ...
    @property
    def float_ops(self) -> List[str]: ...
    def quantize(self, calibration_config: CalibrationConfig) -> "Model":
        """Another model, in integers."""
    def save(self, path: _Path) -> str:
        """Writes a `.dlc`, in one step, and answers its path."""
    def __call__(self, inputs: _Inputs, *, graph: Optional[str] = None,
                 native_outputs: bool = False) -> Dict[str, _Array]:
        """Runs it, compiled with the defaults when it is called first."""

class CompiledModel(_Graphs):
    """A context binary, ready to run. Threads may run it at the same time."""
    @property
    def nbytes(self) -> int: ...
    @property
    def warnings(self) -> List[str]: ...
    @property
    def notes(self) -> List[str]: ...
    def save(self, path: _Path) -> str:
        """Writes the context binary, in one step, and answers its path."""
    def __call__(self, inputs: _Inputs, *, graph: Optional[str] = None,
                 native_outputs: bool = False) -> Dict[str, _Array]:
        """Runs a graph once; answers a dict of arrays by output name."""

class _Serializable(Protocol):  # onnx.ModelProto
    def SerializeToString(self) -> bytes: ...

def convert(model: Union[_Path, bytes, bytearray, memoryview, _Serializable], *, name: Optional[str] = None,
            encodings: Optional[_Path] = None, calibration_config: Optional[CalibrationConfig] = None,
            float_precision: int = 32, batch: Optional[int] = None,
            define_symbol: Union[None, Mapping[str, int], Iterable[Tuple[str, int]]] = None,
            input_shapes: Optional[Mapping[str, Sequence[int]]] = None,
            fixed_inputs: Optional[Mapping[str, float]] = None) -> Model:
    """Converts an ONNX model: a file, or its bytes."""

def compile(model: Union[Model, _Path, Sequence[Union[Model, _Path]]], *, backend: Union[None, str, BackendType] = None,
            config: Union[None, CompileConfig, Mapping[str, Any]] = None, precision: Optional[str] = None,
            calibration_data: Union[None, _Path, Iterable[_Inputs]] = None) -> CompiledModel:
    """Compiles a model, or several into one context."""

def load(path: _Path) -> Union[Model, CompiledModel]:
    """Opens a file: a Model from a `.dlc`, a CompiledModel from a context binary."""
