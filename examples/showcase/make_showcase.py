#!/usr/bin/env python3
"""Writes the showcase models: three networks with a bottleneck, and what becomes of them without it.

  examples/showcase/make_showcase.py [FOLDER]   needs the Debian packages python3-onnx and python3-numpy

  sub.onnx           two branches of convolutions, and a subtraction behind them
  sub_as_conv.onnx   the same function: the branches are one, and a convolution subtracts its halves
  div.onnx           as sub.onnx, with a division
  div_as_mul.onnx    as div.onnx, with a multiplication
  prelu.onnx         as sub_as_conv.onnx, with PRelu for Relu

The public page of the HTP backend tells of these networks and prints their op names and cycles, not their sizes. The sizes here
are ours (docs/showcase.md says how they follow from the printed cycles), as are the weights: random, and always the same.
"""

import pathlib
import sys

import numpy as np

try:
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError:
    sys.exit("error: the models are written with the Debian package python3-onnx, which is not installed")

HERE = pathlib.Path(__file__).resolve().parent
SIZE = 512           # lines and columns of every tensor
IMAGE_CHANNELS = 3
START_CHANNELS = 32  # behind the first convolution
CHANNELS = 16        # of a branch: half of a chunk of 32 channels
KERNEL = 3
AWAY_FROM_ZERO = 6   # bias of the right branch, which divides in div.onnx
TWO_BRANCHES = {"sub": ("Sub", "model_sub_sub"), "div": ("Div", "model_tf_op_layer_RealDiv_RealDiv"),
                "div_as_mul": ("Mul", "model_multiply_mul")}
ONE_BRANCH = {"sub_as_conv": "Relu", "prelu": "PRelu"}


def branch_weights():
    """Weight and bias of each convolution. Those of merged branches compute what the two branches do."""
    random = np.random.RandomState(4)

    def weight(filters, channels):
        fan_in = channels * KERNEL * KERNEL
        return random.normal(0, np.sqrt(2 / fan_in), (filters, channels, KERNEL, KERNEL)).astype(np.float32)

    made = {"convStart": weight(START_CHANNELS, IMAGE_CHANNELS)}
    for name in ("convLeft1", "convRight1", "convLeft2", "convRight2"):
        made[name] = weight(CHANNELS, CHANNELS)
    made["convCombined1"] = np.concatenate([made["convLeft1"], made["convRight1"]])
    made["convCombined2"] = np.zeros((2 * CHANNELS, 2 * CHANNELS, KERNEL, KERNEL), np.float32)
    made["convCombined2"][:CHANNELS, :CHANNELS] = made["convLeft2"]
    made["convCombined2"][CHANNELS:, CHANNELS:] = made["convRight2"]
    one = np.eye(CHANNELS, dtype=np.float32)
    made["subConv"] = np.concatenate([one, -one], axis=1).reshape(CHANNELS, 2 * CHANNELS, 1, 1)
    biases = {name: np.zeros(len(value), np.float32) for name, value in made.items()}
    biases["convRight2"] += AWAY_FROM_ZERO
    biases["convCombined2"][CHANNELS:] += AWAY_FROM_ZERO
    return {name: (value, biases[name]) for name, value in made.items()}


class Builder:
    """Nodes and constants in the order in which they are asked for."""

    def __init__(self):
        self.nodes = []
        self.constants = []
        self.weights = branch_weights()

    def constant(self, name, values):
        self.constants.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def node(self, op, inputs, name, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [name + "_out"], name=name, **attributes))
        return name + "_out"

    def conv(self, x, layer):
        weight, bias = self.weights[layer]
        kernel = weight.shape[2]
        inputs = [x, self.constant(layer + ".weight", weight), self.constant(layer + ".bias", bias)]
        return self.node("Conv", inputs, f"model_{layer}_Conv2D", kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4)

    def relu(self, x, layer):
        return self.node("Relu", [x], f"model_{layer}_Relu")

    def prelu(self, x, layer):
        slopes = np.linspace(0.1, 0.3, 2 * CHANNELS, dtype=np.float32).reshape(-1, 1, 1)
        return self.node("PRelu", [x, self.constant(layer + ".alpha", slopes)], f"model_{layer}_add")

    def every_second_channel(self, x, name):
        bounds = {"start": 0, "end": START_CHANNELS, "axis": 1, "step": 2}
        inputs = [self.constant(f"{name}.{key}", np.array([value])) for key, value in bounds.items()]
        return self.node("Slice", [x, *inputs], f"model_tf_op_layer_{name}_{name}")

    def two_branches(self, x, op, name):
        left = self.relu(self.conv(x, "convLeft1"), "convLeft1")
        right = self.relu(self.conv(x, "convRight1"), "convRight1")
        right = self.relu(self.conv(right, "convRight2"), "convRight2")
        left = self.relu(self.conv(left, "convLeft2"), "convLeft2")
        return self.node(op, [left, right], name)

    def one_branch(self, x, activation):
        for i in ("1", "2"):
            x = self.conv(x, "convCombined" + i)
            x = self.prelu(x, "preluCombined" + i) if activation == "PRelu" else self.relu(x, "convCombined" + i)
        return self.conv(x, "subConv")


def model(name):
    b = Builder()
    # Exporters of channel-last frameworks write these transpositions; the converter takes them off again.
    x = b.node("Transpose", ["input"], "to_channel_first", perm=[0, 3, 1, 2])
    x = b.relu(b.conv(x, "convStart"), "convStart")
    x = b.every_second_channel(x, "stride" if name in TWO_BRANCHES else "stride_1")
    y = b.two_branches(x, *TWO_BRANCHES[name]) if name in TWO_BRANCHES else b.one_branch(x, ONE_BRANCH[name])
    y = b.node("Add", [y, x], "model_add_add")
    b.nodes.append(helper.make_node("Transpose", [y], ["output"], name="to_channel_last", perm=[0, 2, 3, 1]))
    image = helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, SIZE, SIZE, IMAGE_CHANNELS])
    result = helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, SIZE, SIZE, CHANNELS])
    graph = helper.make_graph(b.nodes, name, [image], [result], b.constants)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], producer_name="openqnn example")
    onnx.checker.check_model(made)
    return made


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in [*TWO_BRANCHES, *ONE_BRANCH]:
        (folder / f"{name}.onnx").write_bytes(model(name).SerializeToString())


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
