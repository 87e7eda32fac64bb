# SPDX-License-Identifier: BSD-3-Clause
"""Models with random weights, of the sizes that people deploy."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Net:
    def __init__(self, name):
        self.name = name
        self.nodes = []
        self.weights = []
        self.random = np.random.default_rng(0)

    def weight(self, shape, scale):
        name = f"w{len(self.weights)}"
        values = self.random.standard_normal(shape, dtype=np.float32) * np.float32(scale)
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def ones(self, count):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ones(count, np.float32), name))
        return name

    def node(self, op, inputs, **attributes):
        name = f"{op.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def save(self, path, shape, result, result_shape):
        graph = helper.make_graph(self.nodes, self.name, [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                                  [helper.make_tensor_value_info(result, TensorProto.FLOAT, result_shape)], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 8
        onnx.save(model, str(path))


def resnet50(path):
    """224 x 224 pixels, 25.6 million weights; batch normalisations stand behind the convolutions, as trained."""
    net = Net("resnet50")

    def conv(x, inputs, outputs, kernel, stride, relu=True):
        weights = net.weight((outputs, inputs, kernel, kernel), np.sqrt(2 / (inputs * kernel * kernel)))
        x = net.node("Conv", [x, weights], kernel_shape=[kernel, kernel], strides=[stride, stride],
                     pads=[kernel // 2] * 4)
        x = net.node("BatchNormalization",
                     [x, net.ones(outputs), net.weight((outputs,), 0.1), net.weight((outputs,), 0.1), net.ones(outputs)])
        return net.node("Relu", [x]) if relu else x

    x = conv("x", 3, 64, 7, 2)
    x = net.node("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    channels = 64
    for stage, (blocks, width) in enumerate(((3, 64), (4, 128), (6, 256), (3, 512))):
        for block in range(blocks):
            stride = 2 if block == 0 and stage > 0 else 1
            y = conv(conv(x, channels, width, 1, 1), width, width, 3, stride)
            y = conv(y, width, width * 4, 1, 1, relu=False)
            shortcut = conv(x, channels, width * 4, 1, stride, relu=False) if block == 0 else x
            x = net.node("Relu", [net.node("Add", [y, shortcut])])
            channels = width * 4
    x = net.node("Flatten", [net.node("GlobalAveragePool", [x])])
    x = net.node("Gemm", [x, net.weight((1000, channels), 0.02), net.ones(1000)], transB=1)
    net.save(path, [1, 3, 224, 224], x, [1, 1000])


def wide_layers(path, layers=24, width=4096):
    """Fully connected layers of 64 MiB each: 1.5 GiB with 24 of them."""
    net = Net("wide_layers")
    x = "x"
    for _ in range(layers):
        x = net.node("Relu", [net.node("Gemm", [x, net.weight((width, width), 0.02)], transB=1)])
    net.save(path, [1, width], x, [1, width])


def small_convolutions(path):
    """A layer or two of a small network: inputs and outputs are a visible part of the work."""
    net = Net("small_convolutions")
    x = "x"
    for inputs, outputs in ((8, 16), (16, 16), (16, 8)):
        x = net.node("Relu", [net.node("Conv", [x, net.weight((outputs, inputs, 3, 3), 0.1)], kernel_shape=[3, 3], pads=[1] * 4)])
    net.save(path, [1, 8, 48, 48], x, [1, 8, 48, 48])
