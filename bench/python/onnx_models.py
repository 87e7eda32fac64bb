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

    def constant(self, values):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def weight(self, shape, scale):
        return self.constant(self.random.standard_normal(shape, dtype=np.float32) * np.float32(scale))

    def ones(self, count):
        return self.constant(np.ones(count, np.float32))

    def shape(self, *dims):
        return self.constant(np.array(dims, np.int64))

    def node(self, op, inputs, **attributes):
        name = f"{op.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def conv(self, x, inputs, outputs, kernel, stride=1, groups=1, bias=False):
        """A convolution with the same padding on all sides, scaled so that values keep their size."""
        fan_in = inputs // groups * kernel * kernel
        operands = [x, self.weight((outputs, inputs // groups, kernel, kernel), np.sqrt(2 / fan_in))]
        if bias:
            operands.append(self.weight((outputs,), 0.1))
        return self.node("Conv", operands, kernel_shape=[kernel, kernel], strides=[stride, stride], pads=[kernel // 2] * 4,
                         group=groups)

    def batch_norm(self, x, channels, scale=1.0):
        """Where a residual begins, a small `scale` keeps values from growing from block to block, as training does."""
        return self.node("BatchNormalization", [x, self.constant(np.full(channels, scale, np.float32)), self.weight((channels,), 0.1),
                                                self.weight((channels,), 0.1), self.ones(channels)])

    def classifier(self, x, channels):
        """What image classifiers end in: the mean of each channel, and a fully connected layer."""
        x = self.node("Flatten", [self.node("GlobalAveragePool", [x])])
        return self.node("Gemm", [x, self.weight((1000, channels), 0.02), self.weight((1000,), 0.02)], transB=1)

    def save(self, path, shape, result, result_shape):
        graph = helper.make_graph(self.nodes, self.name, [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                                  [helper.make_tensor_value_info(result, TensorProto.FLOAT, result_shape)], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 8
        onnx.save(model, str(path))


def resnet50(path):
    """224 x 224 pixels, 25.6 million weights; batch normalisations stand behind the convolutions, as trained."""
    net = Net("resnet50")

    def conv(x, inputs, outputs, kernel, stride, relu=True):
        x = net.batch_norm(net.conv(x, inputs, outputs, kernel, stride), outputs, 1.0 if relu else 0.4)
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
    net.save(path, [1, 3, 224, 224], net.classifier(x, channels), [1, 1000])


def mobilenet_v2(path):
    """3.5 million weights: inverted residuals, depthwise convolutions, values clipped at 6."""
    net = Net("mobilenet_v2")
    low, high = net.constant(np.float32(0)), net.constant(np.float32(6))

    def conv(x, inputs, outputs, kernel, stride=1, groups=1, clip=True):
        x = net.batch_norm(net.conv(x, inputs, outputs, kernel, stride, groups), outputs, 1.0 if clip else 0.4)
        return net.node("Clip", [x, low, high]) if clip else x

    x = conv("x", 3, 32, 3, 2)
    channels = 32
    stages = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))
    for expand, width, blocks, first_stride in stages:
        for block in range(blocks):
            stride, hidden = first_stride if block == 0 else 1, channels * expand
            y = conv(x, channels, hidden, 1) if expand > 1 else x
            y = conv(y, hidden, hidden, 3, stride, groups=hidden)
            y = conv(y, hidden, width, 1, clip=False)
            x = net.node("Add", [x, y]) if stride == 1 and channels == width else y
            channels = width
    x = conv(x, channels, 1280, 1)
    net.save(path, [1, 3, 224, 224], net.classifier(x, 1280), [1, 1000])


def efficientnet_b0(path):
    """5.3 million weights: inverted residuals with SiLU, each channel weighed by squeeze-and-excitation."""
    net = Net("efficientnet_b0")

    def silu(x):
        return net.node("Mul", [x, net.node("Sigmoid", [x])])

    def conv(x, inputs, outputs, kernel, stride=1, groups=1):
        return net.batch_norm(net.conv(x, inputs, outputs, kernel, stride, groups), outputs)

    def excite(x, channels, squeezed):
        y = net.node("GlobalAveragePool", [x])
        y = net.conv(silu(net.conv(y, channels, squeezed, 1, bias=True)), squeezed, channels, 1, bias=True)
        return net.node("Mul", [x, net.node("Sigmoid", [y])])

    x = silu(conv("x", 3, 32, 3, 2))
    channels = 32
    stages = ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3), (6, 112, 3, 1, 5), (6, 192, 4, 2, 5),
              (6, 320, 1, 1, 3))
    for expand, width, blocks, first_stride, kernel in stages:
        for block in range(blocks):
            stride, hidden = first_stride if block == 0 else 1, channels * expand
            y = silu(conv(x, channels, hidden, 1)) if expand > 1 else x
            y = silu(conv(y, hidden, hidden, kernel, stride, groups=hidden))
            y = conv(excite(y, hidden, channels // 4), hidden, width, 1)
            x = net.node("Add", [x, y]) if stride == 1 and channels == width else y
            channels = width
    x = silu(conv(x, channels, 1280, 1))
    net.save(path, [1, 3, 224, 224], net.classifier(x, 1280), [1, 1000])


def vit_b16(path):
    """86 million weights: patches of 16 x 16 pixels, 12 layers of attention and GELU, normalised before each."""
    net = Net("vit_b16")
    width, heads, tokens = 768, 12, 197
    one, half = net.constant(np.float32(1)), net.constant(np.float32(0.5))
    root_of_two = net.constant(np.float32(np.sqrt(2)))
    one_by_root = net.constant(np.float32(1 / np.sqrt(width // heads)))

    def linear(x, inputs, outputs):
        y = net.node("MatMul", [x, net.weight((inputs, outputs), 1 / np.sqrt(inputs))])
        return net.node("Add", [y, net.weight((outputs,), 0.02)])

    def layer_norm(x):
        return net.node("LayerNormalization", [x, net.ones(width), net.weight((width,), 0.02)], axis=-1, epsilon=1e-6)

    def gelu(x):
        y = net.node("Add", [net.node("Erf", [net.node("Div", [x, root_of_two])]), one])
        return net.node("Mul", [net.node("Mul", [x, y]), half])

    def by_head(x, perm):
        x = net.node("Reshape", [x, net.shape(1, tokens, heads, width // heads)])
        return net.node("Transpose", [x], perm=perm)

    def attention(x):
        query, key = by_head(linear(x, width, width), [0, 2, 1, 3]), by_head(linear(x, width, width), [0, 2, 3, 1])
        value = by_head(linear(x, width, width), [0, 2, 1, 3])
        weights = net.node("Softmax", [net.node("Mul", [net.node("MatMul", [query, key]), one_by_root])], axis=-1)
        y = net.node("Transpose", [net.node("MatMul", [weights, value])], perm=[0, 2, 1, 3])
        return linear(net.node("Reshape", [y, net.shape(1, tokens, width)]), width, width)

    x = net.node("Conv", ["x", net.weight((width, 3, 16, 16), 1 / np.sqrt(3 * 16 * 16)), net.weight((width,), 0.02)],
                 kernel_shape=[16, 16], strides=[16, 16])
    x = net.node("Transpose", [net.node("Reshape", [x, net.shape(1, width, tokens - 1)])], perm=[0, 2, 1])
    x = net.node("Concat", [net.weight((1, 1, width), 1), x], axis=1)
    x = net.node("Add", [x, net.weight((1, tokens, width), 0.02)])
    for _ in range(12):
        x = net.node("Add", [x, attention(layer_norm(x))])
        y = linear(gelu(linear(layer_norm(x), width, 4 * width)), 4 * width, width)
        x = net.node("Add", [x, y])
    x = net.node("Flatten", [net.node("Gather", [layer_norm(x), net.constant(np.array([0]))], axis=1)])
    x = net.node("Gemm", [x, net.weight((1000, width), 0.02), net.weight((1000,), 0.02)], transB=1)
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
