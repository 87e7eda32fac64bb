# SPDX-License-Identifier: BSD-3-Clause
"""Models: converted from ONNX, quantized, compiled for the NPU, and run with numpy arrays."""

import os

from . import _arrays, _calibration, _native
from ._arrays import TensorInfo
from ._calibration import CalibrationConfig
from ._compile_settings import native_settings
from ._errors import ModelError

__all__ = ["CalibrationConfig", "CompiledModel", "Model", "TensorInfo", "compile", "convert", "load"]


# Files that need no conversion.
_DONE = {"dlc": "a .dlc, which is converted", "binary": "a context binary, which is compiled"}


class _Graphs:
    """What models of both kinds tell of their graphs."""

    __slots__ = ("_graphs",)

    def __init__(self, described):
        self._graphs = [(name, tuple(map(TensorInfo, inputs)), tuple(map(TensorInfo, outputs)))
                        for name, inputs, outputs in described]

    @property
    def graph_names(self):
        """The names of its graphs, in order."""
        return [name for name, _, _ in self._graphs]

    @property
    def inputs(self):
        """The inputs of its graph; of the first, when there are several: see `inputs_of()`."""
        return self._graphs[0][1]

    @property
    def outputs(self):
        """The outputs of its graph; of the first, when there are several: see `outputs_of()`."""
        return self._graphs[0][2]

    def inputs_of(self, graph):
        """The inputs of a graph by name."""
        return self._graphs[self._index(graph)][1]

    def outputs_of(self, graph):
        """The outputs of a graph by name."""
        return self._graphs[self._index(graph)][2]

    def _index(self, graph):
        names = self.graph_names
        if graph is None and len(names) == 1:
            return 0
        if graph in names:
            return names.index(graph)
        message = "the model has several graphs" if graph is None else f"the model has no graph {graph!r}"
        raise ModelError("graph-name", message, fix=f"graph= one of {', '.join(map(repr, names))}")

    def __repr__(self):
        graphs = ", ".join(map(repr, self.graph_names))
        return f"<{type(self).__name__} {graphs}, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"


class Model(_Graphs):
    """A converted model, float or quantized, as a `.dlc` holds it. Made by convert() and load(); it never changes."""

    __slots__ = ("_network", "_compiled")

    def __init__(self, network):
        super().__init__(network.graphs)
        self._network = network
        self._compiled = None

    @property
    def is_quantized(self):
        """Whether tensors of it are integers that stand for real numbers."""
        return self._network.is_quantized

    @property
    def notes(self):
        """What was decided where the model left a choice, and what of a file of encodings matches nothing."""
        return self._network.notes

    @property
    def fusions(self):
        """Groups of nodes that became one: "gelu: node"."""
        return self._network.fusions

    @property
    def float_ops(self):
        """Ops that stayed in float when the model was quantized, each with its reason."""
        return self._network.float_ops

    def quantize(self, calibration_config):
        """Another model, in integers. See CalibrationConfig."""
        return Model(_calibration.quantized(self._network, calibration_config))

    def save(self, path):
        """Writes a `.dlc`, in one step, and answers its path. A folder gets a file named after the graph."""
        path = _file_path(path, self.graph_names[0], ".dlc")
        self._network.save(path)
        return path

    def __call__(self, inputs, *, graph=None, native_outputs=False):
        """Runs it on the NPU's model, compiled with the defaults of compile() when it is called first."""
        if self._compiled is None:
            self._compiled = compile(self)
        return self._compiled(inputs, graph=graph, native_outputs=native_outputs)


class CompiledModel(_Graphs):
    """A context binary, ready to run. Made by compile() and load(). Threads may run it at the same time."""

    __slots__ = ("_network", "_warnings")

    def __init__(self, network, warnings=()):
        super().__init__(network.graphs)
        self._network = network
        self._warnings = list(warnings)

    @property
    def nbytes(self):
        """The size of the context binary."""
        return self._network.bytes

    @property
    def warnings(self):
        """What the check said of the configuration it was compiled with."""
        return list(self._warnings)

    def __call__(self, inputs, *, graph=None, native_outputs=False):
        """Runs a graph once; answers a dict of arrays by output name.

        `inputs` is a dict of arrays by name, a list of arrays in the order of `inputs`, or one array. Floating-point
        arrays become what the tensor holds; arrays of the tensor's own type are passed as they are, without a copy when
        they are contiguous. Outputs that stand for real numbers are float32, or as stored with `native_outputs`.
        """
        index = self._index(graph)
        _, wanted, given = self._graphs[index]
        arrays = _arrays.native_inputs(inputs, wanted)
        outputs = _arrays.empty_outputs(given)
        self._network.execute(index, arrays, outputs)
        return _arrays.finished_outputs(outputs, given, native_outputs)

    def save(self, path):
        """Writes the context binary, in one step, and answers its path. A folder gets a file named after the graph."""
        path = _file_path(path, self.graph_names[0], ".bin")
        self._network.save(path)
        return path


def convert(model, *, encodings=None, calibration_config=None, float_precision=32, batch=None, define_symbol=None,
            input_shapes=None, fixed_inputs=None):
    """Converts an ONNX file.

    The model stays float unless `calibration_config` or `encodings`, a JSON file, tell how to quantize it, or it is
    quantized itself. `float_precision` 16 makes its tensors half floats. Dynamic dimensions become numbers by
    `input_shapes` (a dict of shapes by input), `define_symbol` (pairs of a dimension's name and a number) and `batch`
    (the first dimension of every input); `fixed_inputs` makes inputs constants, each element the number given.
    """
    if float_precision not in (16, 32):
        raise ModelError("float-precision", f"float_precision cannot be {float_precision!r}", fix="16 or 32")
    kind = _native.file_kind(os.fspath(model))
    if kind in _DONE:
        raise ModelError("file-kind", f"this is {_DONE[kind]} already", where=os.fspath(model),
                         fix="qairt.load() takes it")
    shapes = {name: list(map(int, shape)) for name, shape in (input_shapes or {}).items()}
    network = _native.convert_onnx(os.fspath(model), shapes, dict(define_symbol or ()), batch, dict(fixed_inputs or ()),
                                   "" if encodings is None else os.fspath(encodings), float_precision == 16)
    if calibration_config is None and not network.has_encodings:
        return Model(network)
    return Model(_calibration.quantized(network, calibration_config or CalibrationConfig()))


def compile(model, *, backend=None, config=None, precision=None, calibration_data=None):
    """Compiles a model, or several into one context, for a part as `config`, a CompileConfig, tells.

    Models are computed as they are: a float model in half precision, a quantized one in integers. `precision` (w8a8,
    w8a16, w16a16, w4a16) quantizes float models first, with the samples of `calibration_data` (see
    CalibrationConfig.dataset) and its defaults. In place of a Model the path of an .onnx or .dlc file will do.
    """
    models = [_as_model(each) for each in (model if isinstance(model, (list, tuple)) else [model])]
    if not models:
        raise ModelError("compile-models", "there is no model to compile", fix="give a Model, or a list of them")
    if precision in (None, "fp16"):
        if calibration_data is not None:
            raise ModelError("calibration-unused", "calibration_data is given, but nothing is quantized",
                             fix="say precision='w8a8', or leave calibration_data out")
        if precision and any(each.is_quantized for each in models):
            raise ModelError("precision", "the model is quantized already", fix="leave precision out")
    else:
        if calibration_data is not None and len(models) > 1:
            raise ModelError("calibration-models", "one dataset is given for several models",
                             fix="quantize each with Model.quantize() before")
        models = [each.quantize(CalibrationConfig.of_precision(precision, calibration_data)) for each in models]
    networks = [each._network for each in models]
    names = [name for each in models for name in each.graph_names]
    with native_settings(backend, config, names) as (settings, warnings):
        compiled = _native.compile_networks(networks, *settings)
    return CompiledModel(compiled, [*warnings, *compiled.warnings])


def load(path):
    """Opens a file: a Model from a `.dlc`, a CompiledModel from a context binary."""
    path = os.fspath(path)
    kind = _native.file_kind(path)
    if kind == "onnx":
        raise ModelError("file-kind", "this is an ONNX model", where=path, fix="qairt.convert() takes it")
    return Model(_native.read_dlc(path)) if kind == "dlc" else CompiledModel(_native.load_binary(path))


def _as_model(model):
    if isinstance(model, Model):
        return model
    if not isinstance(model, (str, os.PathLike)):
        raise ModelError("compile-models", f"a {type(model).__name__} is no model that can be compiled",
                         fix="give what convert() or load() answer for a .dlc, or a path")
    if _native.file_kind(os.fspath(model)) == "onnx":
        return convert(model)
    loaded = load(model)
    if isinstance(loaded, Model):
        return loaded
    raise ModelError("compile-models", "this is compiled already", where=os.fspath(model),
                     fix="use it as load() gives it")


def _file_path(path, name, extension):
    path = os.fspath(path)
    if os.path.isdir(path):
        path = os.path.join(path, name)
    return path if path.endswith(extension) else path + extension
