# SPDX-License-Identifier: BSD-3-Clause
"""numpy arrays in, numpy arrays out: what a person passes becomes what a tensor holds, and back.

numpy is imported only when a model is run, so that the rest of the package works without it.
"""

from collections.abc import Mapping

from ._errors import ModelError
from ._names import Outputs, place_of


class TensorInfo:
    """An input or output of a graph: `name`, `source_name` (that of the model's own file; None where nothing tells),
    `shape`, `dtype` (numpy's name of the stored elements), `type` (QNN's), and for quantized tensors `scale` and
    `offset`: real = scale * (stored + offset).
    """

    __slots__ = ("_io", "name", "source_name", "shape", "dtype", "type", "scale", "offset")

    def __init__(self, io):
        self._io = io
        self.source_name = io.source or None
        self.name, self.shape, self.dtype, self.type = io.name, io.shape, io.element, io.type
        self.scale, self.offset = io.encoding or (None, None)

    @property
    def is_quantized(self):
        """Whether integers stand for real numbers."""
        return self._io.is_quantized

    @property
    def holds_reals(self):
        """Whether elements are real numbers, float or quantized, which floating-point arrays are converted for."""
        return self._io.is_float or self.scale is not None

    def __repr__(self):
        encoding = "" if self.scale is None else f", scale={self.scale:.6g}, offset={self.offset}"
        source = "" if self.source_name in (None, self.name) else f", source_name={self.source_name!r}"
        return f"TensorInfo({self.name!r}, {self.dtype}, shape={self.shape}{encoding}{source})"


def _wanted(tensors):
    """What a model takes, for messages: one line for each tensor."""
    return [f"{tensor.name!r}{_also(tensor)}: {_accepted(tensor)}, shape {tensor.shape}" for tensor in tensors]


def _also(tensor):
    return "" if tensor.source_name in (None, tensor.name) else f" (or {tensor.source_name!r})"


def _accepted(tensor):
    if tensor.holds_reals and tensor.dtype != "float32":
        return f"float32 (or {tensor.dtype} as stored)"
    return tensor.dtype


def _refuse(code, message, tensors, fix):
    raise ModelError(code, message, fix=fix, notes=["the inputs are:", *_wanted(tensors)])


def by_tensor(values, tensors):
    """The values of a mapping, a list, or one array alone, in the order of `tensors`."""
    if isinstance(values, Mapping):
        return _by_name(values, tensors)
    if not isinstance(values, (list, tuple)):
        values = [values]
    if len(values) != len(tensors):
        _refuse("input-count", f"{len(values)} arrays are given, and the model has {len(tensors)} inputs", tensors,
                "give one array for each input, in order, or a dict by name")
    return list(values)


def _by_name(values, tensors):
    """Names may be the graph's or those of the model's file."""
    places = {name: place_of(name, tensors) for name in values}
    unknown = [name for name, place in places.items() if place is None]
    if unknown:
        listed = ", ".join(map(repr, unknown))
        _refuse("input-name", f"the model has no input {listed}", tensors, "name the inputs as the model does")
    given = {}
    for name, place in places.items():
        if place in given:
            _refuse("input-name", f"{given[place]!r} and {name!r} are the same input", tensors, "give each input once")
        given[place] = name
    missing = [tensor.name for place, tensor in enumerate(tensors) if place not in given]
    if missing:
        listed = ", ".join(map(repr, missing))
        _refuse("input-missing", f"there is no value for {listed}", tensors, "give every input")
    return [values[given[place]] for place in range(len(tensors))]


def native_inputs(values, tensors):
    """Contiguous arrays of the tensors' own types; an array that is one already is used as it is."""
    return [_native(value, tensor, tensors) for value, tensor in zip(by_tensor(values, tensors), tensors)]


def _native(value, tensor, tensors):
    import numpy

    try:
        array = numpy.asarray(value)
    except ValueError as error:  # a ragged list
        _refuse("input-array", f"input {tensor.name!r} is no array: {error}", tensors, "give a numpy array")
    if array.ndim == 0 and all(dim == 1 for dim in tensor.shape):
        array = _single(value, array, tensor)
    if array.shape != tensor.shape:
        _refuse("input-shape", f"input {tensor.name!r} has shape {array.shape}, and {tensor.shape} is wanted", tensors,
                "reshape the array, or convert the model with that shape")
    if array.dtype == tensor.dtype:
        return numpy.require(array, requirements=["C", "A"])
    if array.dtype.kind == "f" and tensor.holds_reals:
        floats = numpy.ascontiguousarray(array, dtype="float32").reshape(tensor.shape)
        if tensor.dtype == "float32":
            return floats
        stored = numpy.empty(tensor.shape, tensor.dtype)
        tensor._io.store(floats, stored)
        return stored
    if array.dtype.kind in "iu" and not tensor.holds_reals and _all_fit(array, tensor):
        return numpy.ascontiguousarray(array, dtype=tensor.dtype).reshape(tensor.shape)
    _refuse("input-dtype", f"input {tensor.name!r} has elements of {array.dtype}, which do not become {tensor.dtype}",
            tensors, f"convert the array to {_accepted(tensor)}")


def _single(value, array, tensor):
    """A scalar for a tensor of one element. A number of Python's own has no type yet: it takes the tensor's kind."""
    if isinstance(value, int) and not isinstance(value, bool) and tensor.holds_reals:
        array = array.astype("float64")
    return array.reshape(tensor.shape)


def _all_fit(array, tensor):
    """Whether an integer tensor holds every element unchanged."""
    import numpy

    if numpy.dtype(tensor.dtype).kind not in "iu":
        return False
    limits = numpy.iinfo(tensor.dtype)
    return array.size == 0 or (int(array.min()) >= limits.min and int(array.max()) <= limits.max)


def empty_outputs(tensors):
    """Arrays of the tensors' own types, for a run to write."""
    import numpy

    return [numpy.empty(tensor.shape, tensor.dtype) for tensor in tensors]


def finished_outputs(arrays, tensors, native):
    """By name: as stored, or real numbers as float32."""
    import numpy

    outputs = Outputs((), tensors)
    for array, tensor in zip(arrays, tensors):
        if not native and tensor.holds_reals and tensor.dtype != "float32":
            floats = numpy.empty(tensor.shape, "float32")
            tensor._io.read(array, floats)
            array = floats
        outputs[tensor.name] = array
    return outputs
