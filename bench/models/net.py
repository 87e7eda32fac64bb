# SPDX-License-Identifier: BSD-3-Clause
"""`Net` collects the nodes and weights of an ONNX model: what the builders of all families share."""

import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def pair(value):
    return list(value) if isinstance(value, (tuple, list)) else [value, value]


class Net:
    """Values are named by what makes them. `parameters` counts what a training would learn, as papers count."""

    def __init__(self, name):
        self.name = name
        self.nodes = []
        self.weights = []
        self.parameters = 0
        self.random = np.random.default_rng(0)
        self.scalars = {}

    def constant(self, values):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def trained(self, values):
        self.parameters += values.size
        return self.constant(values)

    def weight(self, shape, scale):
        return self.trained(self.random.standard_normal(shape, dtype=np.float32) * np.float32(scale))

    def filled(self, count, value):
        return self.trained(np.full(count, value, np.float32))

    def scalar(self, value):
        if value not in self.scalars:
            self.scalars[value] = self.constant(np.float32(value))
        return self.scalars[value]

    def shape(self, *dims):
        return self.constant(np.array(dims, np.int64))

    def node(self, op, inputs, **attributes):
        return self.nodes_of(op, inputs, 1, **attributes)[0]

    def nodes_of(self, op, inputs, count, **attributes):
        """A node with `count` outputs."""
        name = f"{op.lower()}{len(self.nodes)}"
        outputs = [name] if count == 1 else [f"{name}_{i}" for i in range(count)]
        self.nodes.append(helper.make_node(op, inputs, outputs, name=name, **attributes))
        return outputs

    def conv(self, x, inputs, outputs, kernel, stride=1, groups=1, bias=False, dilation=1, pad=None):
        """Padded so that stride 1 keeps the size, unless `pad` says otherwise; scaled so that values keep their size."""
        kernel = pair(kernel)
        pads = pair(pad) if pad is not None else [size // 2 * dilation for size in kernel]
        fan_in = inputs // groups * kernel[0] * kernel[1]
        operands = [x, self.weight((outputs, inputs // groups, *kernel), np.sqrt(2 / fan_in))]
        if bias:
            operands.append(self.weight((outputs,), 0.1))
        return self.node("Conv", operands, kernel_shape=kernel, strides=pair(stride), pads=pads * 2, dilations=pair(dilation),
                         group=groups)

    def batch_norm(self, x, channels, scale=1.0):
        """Where a residual begins, a small `scale` keeps values from growing from block to block, as training does."""
        weight, bias = self.filled(channels, scale), self.weight((channels,), 0.1)
        mean = self.constant(self.random.standard_normal(channels, dtype=np.float32) * np.float32(0.1))
        return self.node("BatchNormalization", [x, weight, bias, mean, self.constant(np.ones(channels, np.float32))])

    def layer_norm(self, x, channels):
        weight, bias = self.filled(channels, 1), self.weight((channels,), 0.02)
        return self.node("LayerNormalization", [x, weight, bias], axis=-1, epsilon=1e-6)

    def linear(self, x, inputs, outputs, bias=True):
        y = self.node("MatMul", [x, self.weight((inputs, outputs), 1 / np.sqrt(inputs))])
        return self.node("Add", [y, self.weight((outputs,), 0.02)]) if bias else y

    def dense(self, x, inputs, outputs):
        """A fully connected layer on a matrix."""
        return self.node("Gemm", [x, self.weight((outputs, inputs), 0.02), self.weight((outputs,), 0.02)], transB=1)

    def relu(self, x):
        return self.node("Relu", [x])

    def clip(self, x, low, high):
        return self.node("Clip", [x, self.scalar(low), self.scalar(high)])

    def silu(self, x):
        return self.node("Mul", [x, self.node("Sigmoid", [x])])

    def gelu(self, x):
        y = self.node("Add", [self.node("Erf", [self.node("Div", [x, self.scalar(math.sqrt(2))])]), self.scalar(1)])
        return self.node("Mul", [self.node("Mul", [x, y]), self.scalar(0.5)])

    def add(self, x, y):
        return self.node("Add", [x, y])

    def concat(self, values, axis=1):
        return self.node("Concat", values, axis=axis)

    def transpose(self, x, *perm):
        return self.node("Transpose", [x], perm=list(perm))

    def reshape(self, x, *dims):
        return self.node("Reshape", [x, self.shape(*dims)])

    def slice(self, x, start, end, axis, step=1):
        return self.node("Slice", [x, self.shape(start), self.shape(end), self.shape(axis), self.shape(step)])

    def pick(self, x, index, axis):
        """One entry of an axis, which is then gone."""
        return self.node("Gather", [x, self.constant(np.int64(index))], axis=axis)

    def max_pool(self, x, kernel, stride, pad=0, ceil=False):
        return self.node("MaxPool", [x], kernel_shape=pair(kernel), strides=pair(stride), pads=[pad] * 4, ceil_mode=int(ceil))

    def average_pool(self, x, kernel, stride, pad=0):
        return self.node("AveragePool", [x], kernel_shape=pair(kernel), strides=pair(stride), pads=[pad] * 4,
                         count_include_pad=1)

    def grow(self, x, factor, mode):
        """Resized as image models do: `nearest`, or `linear` between the centres of pixels."""
        scales = self.constant(np.array([1, 1, factor, factor], np.float32))
        pixels = "asymmetric" if mode == "nearest" else "half_pixel"
        return self.node("Resize", [x, "", scales], mode=mode, coordinate_transformation_mode=pixels, nearest_mode="floor")

    def normalise_image(self, x):
        """From pixels between 0 and 1 to what models trained on ImageNet expect."""
        mean = self.constant(np.array([0.485, 0.456, 0.406], np.float32).reshape(1, 3, 1, 1))
        deviation = self.constant(np.array([0.229, 0.224, 0.225], np.float32).reshape(1, 3, 1, 1))
        return self.node("Div", [self.node("Sub", [x, mean]), deviation])

    def classifier(self, x, channels):
        """What image classifiers end in: the mean of each channel, and a fully connected layer."""
        return self.dense(self.node("Flatten", [self.node("GlobalAveragePool", [x])]), channels, 1000)

    def model(self, inputs, outputs):
        """`inputs` and `outputs` are lists of (name, element type, shape)."""
        graph = helper.make_graph(self.nodes, self.name, [helper.make_tensor_value_info(*value) for value in inputs],
                                  [helper.make_tensor_value_info(*value) for value in outputs], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 8
        return model

    def save(self, path, shape, result, result_shape):
        """A model of one input `x` and one output."""
        onnx.save(self.model([("x", TensorProto.FLOAT, shape)], [(result, TensorProto.FLOAT, result_shape)]), str(path))
