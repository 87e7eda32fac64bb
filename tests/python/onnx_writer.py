# SPDX-License-Identifier: BSD-3-Clause
"""Writes small ONNX models, so that tests need no other package for them. Field numbers are those of onnx.proto."""

import typing

import numpy

_TYPES = {"float32": 1, "int32": 6, "int64": 7}


def _number(value):
    """A variable-length integer."""
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)


def _field(number, value):
    """A whole number, or bytes, text or a message with its length."""
    if isinstance(value, int):
        return _number(number << 3) + _number(value)
    data = value.encode() if isinstance(value, str) else value
    return _number(number << 3 | 2) + _number(len(data)) + data


class External(typing.NamedTuple):
    """A constant whose values are in a file beside the model."""

    location: str
    array: numpy.ndarray


def _tensor(name, constant):
    if isinstance(constant, External):
        entry = _field(1, "location") + _field(2, constant.location)
        return _head(name, constant.array) + _field(13, entry) + _field(14, 1)
    return _head(name, constant) + _field(9, constant.tobytes())


def _head(name, array):
    dims = b"".join(_field(1, dim) for dim in array.shape)
    return dims + _field(2, _TYPES[array.dtype.name]) + _field(8, name)


def _value(name, dtype, shape):
    dims = b"".join(_field(1, _field(1, dim) if isinstance(dim, int) else _field(2, dim)) for dim in shape)
    return _field(1, name) + _field(2, _field(1, _field(1, _TYPES[dtype]) + _field(2, dims)))


def _node(op, inputs, outputs):
    return (b"".join(_field(1, name) for name in inputs) + b"".join(_field(2, name) for name in outputs) +
            _field(3, outputs[0]) + _field(4, op))


def write(path, nodes, inputs, outputs, constants):
    """nodes: (op, inputs, outputs); inputs and outputs: (name, dtype, shape), a text being an open dimension."""
    for constant in constants.values():
        if isinstance(constant, External):
            constant.array.tofile(path.with_name(constant.location))
    graph = b"".join(_field(1, _node(*node)) for node in nodes) + _field(2, "graph")
    graph += b"".join(_field(5, _tensor(name, array)) for name, array in constants.items())
    graph += b"".join(_field(11, _value(*value)) for value in inputs)
    graph += b"".join(_field(12, _value(*value)) for value in outputs)
    path.write_bytes(_field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13)))
    return path


def write_dense(path, rows=4, depth=32, columns=16, seed=0):
    """y = relu(x @ weights + bias); answers the constants."""
    random = numpy.random.default_rng(seed)
    weights = (random.standard_normal((depth, columns)) / numpy.sqrt(depth)).astype("float32")
    bias = random.standard_normal(columns).astype("float32")
    write(path, [("MatMul", ["x", "weights"], ["product"]), ("Add", ["product", "bias"], ["sum"]),
                 ("Relu", ["sum"], ["y"])],
          [("x", "float32", (rows, depth))], [("y", "float32", (rows, columns))], {"weights": weights, "bias": bias})
    return weights, bias
