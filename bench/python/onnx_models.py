# SPDX-License-Identifier: BSD-3-Clause
"""Models with random weights, of the sizes that people deploy: four of bench/models, not normalised inside, and two of our own."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from models import mobile, resnet, transformers  # noqa: E402
from models.net import Net  # noqa: E402


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


def small_convolutions(path):
    """A layer or two of a small network: inputs and outputs are a visible part of the work."""
    net = Net("small_convolutions")
    x = "x"
    for inputs, outputs in ((8, 16), (16, 16), (16, 8)):
        x = net.node("Relu", [net.node("Conv", [x, net.weight((outputs, inputs, 3, 3), 0.1)], kernel_shape=[3, 3], pads=[1] * 4)])
    net.save(path, [1, 8, 48, 48], x, [1, 8, 48, 48])
