# SPDX-License-Identifier: BSD-3-Clause
"""A float ONNX model as a quantized one, by QuantizeLinear and DequantizeLinear around its ops.

Ours and the peer read the same encodings: weights have 8 bits, symmetric, one scale for each output channel; activations have
8 or 16, with the range that was seen. Only what the models of onnx_models.py need is here.
"""

import collections
import copy

import numpy as np
from onnx import TensorProto, helper, numpy_helper

PRODUCTS = ("Conv", "MatMul", "Gemm")
MOVEMENTS = ("MaxPool", "Flatten", "Reshape", "Transpose", "Gather")  # their outputs have their input's encoding
CLAMPS = ("Relu", "Clip")  # part of the op before them: nothing is rounded between the two


def values_of(model):
    return {constant.name: numpy_helper.to_array(constant) for constant in model.graph.initializer}


def without_batch_norms(model):
    """The same model with its batch normalisations in the convolutions before them, as every runtime has it in the end."""
    model = copy.deepcopy(model)
    graph, values = model.graph, values_of(model)
    producers = {node.output[0]: node for node in graph.node}
    kept, renamed = [], {}
    for node in graph.node:
        if node.op_type != "BatchNormalization":
            node.input[:] = [renamed.get(name, name) for name in node.input]
            kept.append(node)
            continue
        scale, shift, mean, variance = (values[name] for name in node.input[1:])
        conv = producers[node.input[0]]
        factor = scale / np.sqrt(variance + 1e-5)
        values[conv.input[1]] = values[conv.input[1]] * factor[:, None, None, None]
        bias = f"{node.name}_bias"
        values[bias] = (shift - mean * factor).astype(np.float32)
        conv.input.append(bias)
        renamed[node.output[0]] = conv.output[0]
    used = {name for node in kept for name in node.input}
    del graph.node[:], graph.initializer[:]
    graph.node.extend(kept)
    graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in values.items() if name in used)
    return model


def with_all_outputs(model):
    """The model with every float tensor among its outputs, to see their ranges."""
    model = copy.deepcopy(model)
    known = {output.name for output in model.graph.output}
    for node in model.graph.node:
        if node.output[0] not in known:
            model.graph.output.append(helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None))
    return model


def inside_gelus(model):
    """The tensors between the ops that a GELU is written with; runtimes make one op of these."""
    producers = {node.output[0]: node for node in model.graph.node}
    consumers = consumers_of(model)
    inside = set()
    for node in model.graph.node:
        if node.op_type == "Erf":
            plus_one = consumers[node.output[0]][0]
            product = consumers[plus_one.output[0]][0]
            inside |= {producers[node.input[0]].output[0], node.output[0], plus_one.output[0], product.output[0]}
    return inside


def consumers_of(model):
    consumers = collections.defaultdict(list)
    for node in model.graph.node:
        for name in node.input:
            consumers[name].append(node)
    return consumers


class Encoder:
    """Writes the quantized model. Which tensors are integers is the `style`:

    fused     all but those between an op and the clamp or the bias that runtimes make a part of it
    all       those, too: a clamp has its output's encoding already at its input, where it rounds nothing that it would not
    products  what goes into convolutions and matrix products, and nothing else
    """

    def __init__(self, model, ranges, bits, style):
        self.model, self.ranges, self.bits, self.style = model, ranges, bits, style
        self.domain = "" if bits == 8 else "com.microsoft"  # where 16 bits are known in this opset
        self.values, self.consumers = values_of(model), consumers_of(model)
        self.producers = {node.output[0]: node for node in model.graph.node}
        self.fused = inside_gelus(model)
        self.nodes, self.constants = [], {}
        self.encodings = {}  # of activations: scale, zero point
        self.reals = set()  # what DequantizeLinear made
        self.dequantized = {}  # tensor -> its name behind the rounding

    def constant(self, name, value):
        self.constants[name] = value
        return name

    def encoding_of_range(self, low, high):
        low, high = min(low, 0.0), max(high, 0.0, low + 1e-4)
        scale = np.float32((high - low) / (2**self.bits - 1))
        kind = np.uint8 if self.bits == 8 else np.uint16
        return scale, kind(np.clip(np.rint(-low / scale), 0, 2**self.bits - 1))

    def rounds(self, name):
        """Whether a tensor is rounded to integers where it is made."""
        users = self.consumers[name]
        if name in self.fused or name not in self.ranges:
            return False
        if self.style == "products":
            from_conv = name in self.producers and self.producers[name].op_type == "Conv"  # which has no float output
            return from_conv or any(user.op_type in PRODUCTS for user in users)
        if self.style == "all":
            return True
        return len(users) != 1 or not (users[0].op_type in CLAMPS or self.is_bias(users[0]))

    def is_bias(self, node):
        """An Add that is part of the matrix product before it: nothing is rounded between the two."""
        if self.style == "all":
            return False
        others = [name for name in node.input if name in self.producers]
        return (node.op_type == "Add" and len(others) == 1 and self.producers[others[0]].op_type == "MatMul" and
                all(self.values[name].ndim == 1 for name in node.input if name in self.values))

    def dequantize(self, name, scale, zero_point, **attributes):
        made = f"{name}_real"
        if made in self.reals:  # of a constant that several ops have
            return made
        self.reals.add(made)
        self.nodes.append(helper.make_node("DequantizeLinear", [name, scale, zero_point], [made], name=f"{name}_dq",
                                           domain=self.domain, **attributes))
        return made

    def round_activation(self, name, encoding):
        self.encodings[name] = encoding
        scale, zero_point = (self.constant(f"{name}_{part}", value)
                             for part, value in zip(("scale", "zero"), encoding))
        self.nodes.append(helper.make_node("QuantizeLinear", [name, scale, zero_point], [f"{name}_int"], name=f"{name}_q",
                                           domain=self.domain))
        self.dequantized[name] = self.dequantize(f"{name}_int", scale, zero_point)

    def weights(self, name, axis):
        """8-bit integers with a scale for each output channel; answers the dequantized name and the scales."""
        value = self.values[name]
        others = tuple(i for i in range(value.ndim) if i != axis)
        scales = np.maximum(np.abs(value).max(axis=others) / 127, 1e-8).astype(np.float32)
        shape = [-1 if i == axis else 1 for i in range(value.ndim)]
        integers = np.clip(np.rint(value / scales.reshape(shape)), -127, 127).astype(np.int8)
        made = self.dequantize(self.constant(f"{name}_int", integers), self.constant(f"{name}_scale", scales),
                               self.constant(f"{name}_zero", np.zeros(len(scales), np.int8)), axis=axis)
        return made, scales

    def bias(self, name, scales):
        """32-bit integers that count products of activations and weights."""
        integers = np.rint(self.values[name] / scales).astype(np.int32)
        return self.dequantize(self.constant(f"{name}_int", integers), self.constant(f"{name}_scale", scales.astype(np.float32)),
                               self.constant(f"{name}_zero", np.zeros(len(scales), np.int32)), axis=0)

    def operands(self, node):
        inputs = [self.dequantized.get(name, name) for name in node.input]
        if node.op_type in PRODUCTS and node.input[1] in self.values:
            axis = 1 if node.op_type == "MatMul" else 0
            inputs[1], scales = self.weights(node.input[1], axis)
            if len(inputs) > 2:
                inputs[2] = self.bias(node.input[2], scales * self.encodings[node.input[0]][0])
        elif self.is_bias(node):
            product = self.producers[next(name for name in node.input if name in self.producers)]
            scales = self.constants[f"{product.input[1]}_scale"] * self.encodings[product.input[0]][0]
            inputs = [self.bias(name, scales) if name in self.values else given for name, given in zip(node.input, inputs)]
        elif node.op_type in ("Add", "Mul", "Concat") and self.style != "products" and node.output[0] not in self.fused and \
                not any(name in self.fused for name in node.input):
            inputs = [self.activation_constant(name) if name in self.values else given
                      for name, given in zip(node.input, inputs)]
        return inputs

    def activation_constant(self, name):
        """A constant beside activations is rounded as they are."""
        value = self.values[name]
        scale, zero_point = self.encoding_of_range(float(value.min()), float(value.max()))
        integers = np.clip(np.rint(value / scale) + zero_point, 0, 2**self.bits - 1).astype(zero_point.dtype)
        return self.dequantize(self.constant(f"{name}_int", integers), self.constant(f"{name}_scale", scale),
                               self.constant(f"{name}_zero", zero_point))

    def encoding_behind(self, node):
        if node.op_type in MOVEMENTS and node.input[0] in self.encodings:
            return self.encodings[node.input[0]]
        users = self.consumers[node.output[0]]
        seen = users[0] if len(users) == 1 and users[0].op_type in CLAMPS else node
        return self.encoding_of_range(*self.ranges[seen.output[0]])

    def write(self):
        graph = self.model.graph
        if self.rounds("x"):
            self.round_activation("x", self.encoding_of_range(*self.ranges["x"]))
        for node in graph.node:
            rewritten = copy.deepcopy(node)
            rewritten.input[:] = self.operands(node)
            self.nodes.append(rewritten)
            if self.rounds(node.output[0]):
                self.round_activation(node.output[0], self.encoding_behind(node))
        return self.finished()

    def finished(self):
        graph = self.model.graph
        result = graph.output[0].name
        shape = [dim.dim_value for dim in graph.output[0].type.tensor_type.shape.dim]
        output = helper.make_tensor_value_info(self.dequantized.get(result, result), TensorProto.FLOAT, shape)
        used = {name for node in self.nodes for name in node.input}
        constants = [numpy_helper.from_array(np.asarray(value), name)
                     for name, value in {**self.values, **self.constants}.items() if name in used]
        made = helper.make_graph(self.nodes, graph.name, graph.input, [output], constants)
        model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])
        model.ir_version = 8
        return model


def quantized(model, ranges, style, bits=8):
    """`model` has no batch normalisations; `ranges` is {tensor: (low, high)} with the input 'x'."""
    return Encoder(model, ranges, bits, style).write()


def left_inside(model):
    """How many conversions an optimised model has left, but for those of its inputs and outputs."""
    ends = {value.name for value in list(model.graph.input) + list(model.graph.output)}
    return sum(node.op_type in ("QuantizeLinear", "DequantizeLinear") and not ends & {*node.input, *node.output}
               for node in model.graph.node)
