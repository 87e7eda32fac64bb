# SPDX-License-Identifier: BSD-3-Clause
"""Models: converted from ONNX, quantized, compiled for the NPU, and run with numpy arrays."""

import os
import warnings

from . import _arrays, _calibration, _native
from ._arrays import TensorInfo
from ._calibration import CalibrationConfig
from ._compile_settings import native_settings
from ._errors import ModelError, ModelWarning

__all__ = ["CalibrationConfig", "CompiledModel", "Model", "TensorInfo", "compile", "convert", "load"]


# Files that need no conversion.
_DONE = {"dlc": "a .dlc, which is converted", "binary": "a context binary, which is compiled"}
# Suffixes that say what a file is, and who writes such files.
_SUFFIXES = {".dlc": "Model.save(), before compile(), writes one",
             ".bin": "compile() makes one, and its save() writes it",
             ".onnx": "nothing here writes ONNX models"}


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
        path = _file_path(path, self.graph_names[0], ".dlc", "a model that is not compiled is saved as a .dlc")
        self._network.save(path)
        return path

    def __call__(self, inputs, *, graph=None, native_outputs=False):
        """Runs it on the NPU's model, compiled with the defaults of compile() when it is called first."""
        if self._compiled is None:
            self._compiled = _compiled([self], None, None)  # what it would warn of could not be changed here
        return self._compiled(inputs, graph=graph, native_outputs=native_outputs)


class CompiledModel(_Graphs):
    """A context binary, ready to run. Made by compile() and load(). Threads may run it at the same time."""

    __slots__ = ("_network", "_warnings", "_notes")

    def __init__(self, network, warned=(), noted=()):
        super().__init__(network.graphs)
        self._network = network
        self._warnings, self._notes = list(warned), list(noted)

    @property
    def nbytes(self):
        """The size of the context binary."""
        return self._network.bytes

    @property
    def warnings(self):
        """What the check and the backend warned of when it was compiled. Each was a Python warning, too."""
        return list(self._warnings)

    @property
    def notes(self):
        """All that was told when it was compiled: notes of the models, ops that stayed in float, notes of the check,
        and the warnings."""
        return [*self._notes, *self._warnings]

    def __call__(self, inputs, *, graph=None, native_outputs=False):
        """Runs a graph once; answers a dict of arrays by output name.

        `inputs` is a dict of arrays by name, a list of arrays in the order of `inputs`, or one array. Names are the
        graph's or those of the ONNX file, and the outputs answer to both. Floating-point
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
        path = _file_path(path, self.graph_names[0], ".bin", "a compiled model is saved as a context binary")
        self._network.save(path)
        return path


def convert(model, *, name=None, encodings=None, calibration_config=None, float_precision=32, batch=None,
            define_symbol=None, input_shapes=None, fixed_inputs=None):
    """Converts an ONNX model: a file, or its bytes.

    The graph is called `name`, or else as the file is ("model" for bytes); models that are compiled into one context
    need different names. The model stays float unless `calibration_config` or `encodings`, a JSON file, tell how to
    quantize it, or it is quantized itself. `float_precision` 16 makes its tensors half floats. Dynamic dimensions become
    numbers by `input_shapes` (a dict of shapes by input), `define_symbol` (pairs of a dimension's name and a number)
    and `batch` (the first dimension of every input); `fixed_inputs` makes inputs constants, each element the number
    given.
    """
    if float_precision not in (16, 32):
        raise ModelError("float-precision", f"float_precision cannot be {float_precision!r}", fix="16 or 32")
    settings = {
        "name": _checked_name(name), "batch": batch, "define_symbol": dict(define_symbol or ()),
        "input_shapes": {each: list(map(int, shape)) for each, shape in (input_shapes or {}).items()},
        "fixed_inputs": dict(fixed_inputs or ()), "half": float_precision == 16,
        "encodings": "" if encodings is None else os.fspath(encodings)}
    network = _converted(model, settings)
    if calibration_config is None and not network.has_encodings:
        return Model(network)
    return Model(_calibration.quantized(network, calibration_config or CalibrationConfig()))


def _checked_name(name):
    """"" is for the file's own."""
    if name is None:
        return ""
    if not isinstance(name, str) or not name or _native.identifier(name) != name:
        raise ModelError("graph-name", f"a graph cannot be called {name!r}",
                         fix="letters, digits and '_', with no digit first")
    return name


def _converted(model, settings):
    if hasattr(model, "SerializeToString"):  # onnx.ModelProto
        model = model.SerializeToString()
    if isinstance(model, (bytes, bytearray, memoryview)):
        return _native.convert_onnx_bytes(model, settings)
    path = os.fspath(model)
    kind = _native.file_kind(path)
    if kind in _DONE:
        raise ModelError("file-kind", f"this is {_DONE[kind]} already", where=path, fix="qairt.load() takes it")
    return _native.convert_onnx(path, settings)


def compile(model, *, backend=None, config=None, precision=None, calibration_data=None):
    """Compiles a model, or several into one context, for a part as `config`, a CompileConfig or a dict of its fields,
    tells.

    Models are computed as they are: a float model in half precision, a quantized one in integers. `precision` (w8a8,
    w8a16, w16a16, w4a16) quantizes float models first, with the samples of `calibration_data` (see
    CalibrationConfig.dataset) and its defaults. In place of a Model the path of an .onnx or .dlc file will do.

    What is not an error is in `notes` of the answer; warnings are ModelWarnings, too.
    """
    models = [_as_model(each) for each in (model if isinstance(model, (list, tuple)) else [model])]
    if not models:
        raise ModelError("compile-models", "there is no model to compile", fix="give a Model, or a list of them")
    if precision in (None, "fp16", "float"):
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
    compiled = _compiled(models, backend, config)
    for warning in compiled.warnings:
        warnings.warn(warning, ModelWarning, stacklevel=2)
    return compiled


def _compiled(models, backend, config):
    names = [name for each in models for name in each.graph_names]
    _check_distinct(names)
    with native_settings(backend, config, names) as (settings, told):
        network = _native.compile_networks([each._network for each in models], *settings)
    return CompiledModel(network, [*told.warnings, *network.warnings],
                         [*_notes_of(models), *told.notes, *network.notes])


def _check_distinct(names):
    for name in names:
        if names.count(name) > 1:
            raise ModelError("graph-name", f"{names.count(name)} graphs are called {name!r}",
                             fix="convert() gives a graph another name: name=...")


def _notes_of(models):
    return [note for each in models
            for note in (*each.notes, *(f"stays in float: {op}" for op in each.float_ops))]


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


def _file_path(path, name, suffix, what):
    """With the suffix, which is added where it is missing; that of another kind of file is refused."""
    path = os.fspath(path)
    if os.path.isdir(path):
        path = os.path.join(path, name)
    given = os.path.splitext(path)[1].lower()
    if given == suffix:
        return path
    if given in _SUFFIXES:
        raise ModelError("file-suffix", f"{what}, and {given} is another kind of file: {_SUFFIXES[given]}", where=path,
                         fix=f"name it {os.path.splitext(path)[0]}{suffix}")
    return path + suffix
