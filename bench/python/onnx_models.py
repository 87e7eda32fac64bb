# SPDX-License-Identifier: BSD-3-Clause
"""Models with random weights, of the sizes that people deploy: four of bench/models, not normalised inside; four are ours."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from models import mobile, resnet, transformers  # noqa: E402
from models.net import Net  # noqa: E402

import onnx  # noqa: E402


def classifier(name, build, path):
    net = Net(name)
    net.save(path, [1, 3, 224, 224], build(net, "x"), [1, 1000])


def resnet50(path):
    """25.6 million weights; batch normalisations stand behind the convolutions, as trained."""
    classifier("resnet50", resnet.resnet50, path)


def mobilenet_v2(path):
    """3.5 million weights: inverted residuals, depthwise convolutions, values clipped at 6."""
    classifier("mobilenet_v2", mobile.mobilenet_v2, path)


def efficientnet_b0(path):
    """5.3 million weights: inverted residuals with SiLU, each channel weighed by squeeze-and-excitation."""
    classifier("efficientnet_b0", mobile.efficientnet_b0, path)


def vit_b16(path):
    """86 million weights: patches of 16 x 16 pixels, 12 layers of attention and GELU, normalised before each."""
    classifier("vit_b16", transformers.vit_b16, path)


def wide_layers(path, layers=24, width=4096):
    """Fully connected layers of 64 MiB each: 1.5 GiB with 24 of them."""
    net = Net("wide_layers")
    x = "x"
    for _ in range(layers):
        x = net.node("Relu", [net.node("Gemm", [x, net.weight((width, width), 0.02)], transB=1)])
    net.save(path, [1, width], x, [1, width])


def op_chain(path, ops=66):
    """As many ops as MobileNet-V2 has on the device, and nothing to compute: what is left is what a call costs."""
    net = Net("op_chain")
    x = "x"
    for i in range(ops):
        x = net.node("Tanh" if i % 2 else "Sigmoid", [x])
    net.save(path, [1, 8], x, [1, 8])


def small_convolutions(path):
    """A layer or two of a small network: inputs and outputs are a visible part of the work."""
    net = Net("small_convolutions")
    x = "x"
    for inputs, outputs in ((8, 16), (16, 16), (16, 8)):
        x = net.node("Relu", [net.node("Conv", [x, net.weight((outputs, inputs, 3, 3), 0.1)], kernel_shape=[3, 3], pads=[1] * 4)])
    net.save(path, [1, 8, 48, 48], x, [1, 8, 48, 48])


def transformer_stack(path, layers, width, tokens=128, heads=20):
    """A transformer whose weights lie in a file that is not there. Answers how many they are."""
    nodes, constants, place = [], [], 0

    def weights(name, shape):
        nonlocal place
        tensor = onnx.TensorProto(name=name, data_type=onnx.TensorProto.FLOAT, dims=shape, data_location=onnx.TensorProto.EXTERNAL)
        length = 4 * math.prod(shape)
        for key, value in (("location", "weights.bin"), ("offset", place), ("length", length)):
            tensor.external_data.add(key=key, value=str(value))
        place += length
        constants.append(tensor)
        return name

    def shape(name, dims):
        constants.append(onnx.helper.make_tensor(name, onnx.TensorProto.INT64, [len(dims)], dims))
        return name

    split, joined = shape("split", [1, tokens, heads, width // heads]), shape("joined", [1, tokens, width])
    x = "x"
    for layer in range(layers):
        def node(kind, inputs, name, **how):
            output = f"{name}_{layer}"
            nodes.append(onnx.helper.make_node(kind, inputs, [output], name=output, **how))
            return output

        def normalised(value, name):
            return node("LayerNormalization", [value, weights(f"{name}_scale_{layer}", [width]),
                                               weights(f"{name}_shift_{layer}", [width])], name, axis=-1)

        def product(value, name, rows, columns):
            return node("MatMul", [value, weights(f"{name}_weights_{layer}", [rows, columns])], name)

        y = normalised(x, "before_attention")
        query, key, value = (
            node("Transpose", [node("Reshape", [product(y, part, width, width), split], f"{part}_heads")], f"{part}_by_head", perm=order)
            for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])))
        seen = node("MatMul", [node("Softmax", [node("MatMul", [query, key], "scores")], "attention", axis=-1), value], "seen")
        seen = node("Reshape", [node("Transpose", [seen], "seen_by_token", perm=[0, 2, 1, 3]), joined], "seen_joined")
        x = node("Add", [x, product(seen, "out", width, width)], "after_attention")
        y = node("Relu", [product(normalised(x, "before_layers"), "up", width, 4 * width)], "active")
        x = node("Add", [x, product(y, "down", 4 * width, width)], "after_layers")
    ends = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, tokens, width]) for name in ("x", x)]
    graph = onnx.helper.make_graph(nodes, "stack", ends[:1], ends[1:], constants)
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])
    pathlib.Path(path).write_bytes(made.SerializeToString())
    return place // 4
