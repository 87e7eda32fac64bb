#!/usr/bin/env python3
"""Writes small_cnn.onnx and its inputs: a small image classifier, spelled the way exporters spell models.

  examples/models/make_small_cnn.py      needs the Debian packages python3-onnx and python3-numpy

Batch normalisations stand behind convolutions, HardSwish and the channel shuffle are written in their parts, and the last
reshape computes its shape. The weights are random but always the same. The inputs are blurred noise, which is more like a
picture than noise is.
"""

import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
SIZE = 32
CLASSES = 10
INPUTS = 4


class Builder:
    """Nodes and weights in the order in which they are asked for."""

    def __init__(self, seed):
        self.random = np.random.RandomState(seed)
        self.nodes = []
        self.weights = []

    def constant(self, name, values):
        self.weights.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def node(self, op, inputs, name, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [name + "_out"], name=name, **attributes))
        return name + "_out"

    def conv(self, x, name, channels, filters, kernel=3, stride=1, group=1):
        """A convolution and its batch normalisation."""
        fan_in = channels // group * kernel * kernel
        shape = (filters, channels // group, kernel, kernel)
        weight = self.random.normal(0, np.sqrt(2 / fan_in), shape).astype(np.float32)
        pad = kernel // 2
        x = self.node("Conv", [x, self.constant(name + ".weight", weight)], name, kernel_shape=[kernel, kernel],
                      pads=[pad] * 4, strides=[stride, stride], group=group)
        numbers = {"scale": self.random.uniform(0.8, 1.2, filters), "bias": self.random.normal(0, 0.1, filters),
                   "mean": self.random.normal(0, 0.1, filters), "var": self.random.uniform(0.5, 1.5, filters)}
        names = [self.constant(f"{name}.bn.{key}", value.astype(np.float32)) for key, value in numbers.items()]
        return self.node("BatchNormalization", [x, *names], name + "_bn", epsilon=1e-5)

    def hard_swish(self, x, name):
        gate = self.node("Add", [x, "three"], name + "_add")
        gate = self.node("Clip", [gate, "zero", "six"], name + "_clip")
        product = self.node("Mul", [x, gate], name + "_mul")
        return self.node("Div", [product, "six"], name + "_div")

    def channel_shuffle(self, x, name, channels, size, groups):
        split = self.constant(name + ".split", np.array([0, groups, channels // groups, size, size]))
        joined = self.constant(name + ".join", np.array([0, channels, size, size]))
        x = self.node("Reshape", [x, split], name + "_split")
        x = self.node("Transpose", [x], name + "_transpose", perm=[0, 2, 1, 3, 4])
        return self.node("Reshape", [x, joined], name + "_join")


def model():
    b = Builder(seed=7)
    for name, value in (("zero", 0), ("three", 3), ("six", 6)):
        b.constant(name, np.float32(value))
    x = b.hard_swish(b.conv("image", "stem", 3, 16, stride=2), "stem_act")
    y = b.conv(x, "depthwise", 16, 16, group=16)
    y = b.channel_shuffle(y, "shuffle", 16, SIZE // 2, 4)
    y = b.conv(y, "pointwise", 16, 16, kernel=1)
    x = b.node("Add", [x, y], "residual")
    x = b.node("Relu", [x], "residual_relu")
    x = b.hard_swish(b.conv(x, "widen", 16, 32, stride=2), "widen_act")
    x = b.node("GlobalAveragePool", [x], "pool")
    batch = b.node("Gather", [b.node("Shape", [x], "shape"), b.constant("first", np.int64(0))], "batch", axis=0)
    batch = b.node("Unsqueeze", [batch, b.constant("axis", np.array([0]))], "batch_list")
    flat = b.node("Concat", [batch, b.constant("rest", np.array([-1]))], "flat_shape", axis=0)
    x = b.node("Reshape", [x, flat], "flatten")
    weight = b.random.normal(0, 0.3, (CLASSES, 32)).astype(np.float32)
    bias = b.random.normal(0, 0.1, CLASSES).astype(np.float32)
    x = b.node("Gemm", [x, b.constant("head.weight", weight), b.constant("head.bias", bias)], "head", transB=1)
    b.nodes.append(helper.make_node("Softmax", [x], ["probabilities"], name="softmax", axis=-1))
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, ["batch", 3, SIZE, SIZE])
    result = helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["batch", CLASSES])
    graph = helper.make_graph(b.nodes, "small_cnn", [image], [result], b.weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], producer_name="openqnn example")
    onnx.checker.check_model(made)
    return made


def image(seed):
    noise = np.random.RandomState(seed).normal(0, 1, (3, SIZE + 8, SIZE + 8))
    smooth = sum(noise[:, i:i + SIZE, j:j + SIZE] for i in range(9) for j in range(9)) / 9
    return smooth.astype(np.float32)


def main():
    (HERE / "small_cnn.onnx").write_bytes(model().SerializeToString())
    lines = []
    for i in range(INPUTS):
        image(i).tofile(HERE / f"image_{i}.raw")
        lines.append(f"image_{i}.raw\n")
    (HERE / "inputs.txt").write_text("".join(lines))


if __name__ == "__main__":
    main()
