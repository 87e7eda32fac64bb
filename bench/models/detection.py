# SPDX-License-Identifier: BSD-3-Clause
"""Where things are: YOLOv8 (Jocher et al. 2023), the n size, and U-Net (Ronneberger et al. 2015)."""

import numpy as np

from .net import TensorProto
from .resnet import conv_norm

CLASSES, BINS = 80, 16
STRIDES = (8, 16, 32)


def conv(net, x, inputs, outputs, kernel=1, stride=1):
    return net.silu(net.batch_norm(net.conv(x, inputs, outputs, kernel, stride), outputs))


def split_stage(net, x, inputs, outputs, depth, shortcut):
    """C2f: one half passes, the other goes through bottlenecks, and every step's result is kept."""
    half = outputs // 2
    parts = net.nodes_of("Split", [conv(net, x, inputs, outputs), net.shape(half, half)], 2, axis=1)
    for _ in range(depth):
        y = conv(net, conv(net, parts[-1], half, half, 3), half, half, 3)
        parts.append(net.add(parts[-1], y) if shortcut else y)
    return conv(net, net.concat(parts), half * len(parts), outputs)


def pooled_pyramid(net, x, channels):
    parts = [conv(net, x, channels, channels // 2)]
    for _ in range(3):
        parts.append(net.max_pool(parts[-1], 5, 1, 2))
    return conv(net, net.concat(parts), channels * 2, channels)


def features(net, x):
    """The three maps that are looked at for things, with their channels."""
    x = split_stage(net, conv(net, conv(net, x, 3, 16, 3, 2), 16, 32, 3, 2), 32, 32, 1, True)
    fine = split_stage(net, conv(net, x, 32, 64, 3, 2), 64, 64, 2, True)
    middle = split_stage(net, conv(net, fine, 64, 128, 3, 2), 128, 128, 2, True)
    coarse = pooled_pyramid(net, split_stage(net, conv(net, middle, 128, 256, 3, 2), 256, 256, 1, True), 256)
    middle = split_stage(net, net.concat([net.grow(coarse, 2, "nearest"), middle]), 384, 128, 1, False)
    fine = split_stage(net, net.concat([net.grow(middle, 2, "nearest"), fine]), 192, 64, 1, False)
    middle = split_stage(net, net.concat([conv(net, fine, 64, 64, 3, 2), middle]), 192, 128, 1, False)
    coarse = split_stage(net, net.concat([conv(net, middle, 128, 128, 3, 2), coarse]), 384, 256, 1, False)
    return (fine, 64), (middle, 128), (coarse, 256)


def head(net, x, inputs, width, outputs):
    return net.conv(conv(net, conv(net, x, inputs, width, 3), width, width, 3), width, outputs, 1, bias=True)


def anchors(size):
    """The centre of each cell and its stride, over all maps: [1, 2, cells] and [1, cells]."""
    centres, strides = [], []
    for stride in STRIDES:
        ticks = np.arange(size // stride, dtype=np.float32) + np.float32(0.5)
        rows, columns = np.meshgrid(ticks, ticks, indexing="ij")
        centres.append(np.stack([columns.ravel(), rows.ravel()]))
        strides.append(np.full(rows.size, stride, np.float32))
    return np.concatenate(centres, axis=1)[None], np.concatenate(strides)[None]


def yolov8n(net, x, size=640):
    """Corners of a box for every cell, and the score and the class that is most likely there."""
    maps = []
    for value, channels in features(net, x):
        both = net.concat([head(net, value, channels, 64, 4 * BINS), head(net, value, channels, CLASSES, CLASSES)])
        maps.append(net.reshape(both, 1, 4 * BINS + CLASSES, -1))
    distances, scores = net.nodes_of("Split", [net.concat(maps, axis=2), net.shape(4 * BINS, CLASSES)], 2, axis=1)
    # A distance is what its bins are worth on average.
    bins = net.node("Softmax", [net.transpose(net.reshape(distances, 1, 4, BINS, -1), 0, 2, 1, 3)], axis=1)
    worth = net.trained(np.arange(BINS, dtype=np.float32).reshape(1, BINS, 1, 1))
    distances = net.reshape(net.node("Conv", [bins, worth], kernel_shape=[1, 1]), 1, 4, -1)
    low, high = net.nodes_of("Split", [distances, net.shape(2, 2)], 2, axis=1)
    centres, strides = (net.constant(values) for values in anchors(size))
    corners = net.concat([net.node("Sub", [centres, low]), net.add(centres, high)])
    boxes = net.transpose(net.node("Mul", [corners, strides]), 0, 2, 1)
    scores = net.node("Sigmoid", [scores])
    classes = net.node("Cast", [net.node("ArgMax", [scores], axis=1, keepdims=0)], to=TensorProto.INT32)
    return boxes, net.node("ReduceMax", [scores], axes=[1], keepdims=0), classes


def double_conv(net, x, inputs, outputs):
    return conv_norm(net, conv_norm(net, x, inputs, outputs, 3), outputs, outputs, 3)


def unet(net, x):
    """Padded convolutions and transposed ones on the way up, as for cars before a background: two classes."""
    x = double_conv(net, x, 3, 64)
    levels, channels = [], 64
    for _ in range(4):
        levels.append(x)
        x, channels = double_conv(net, net.max_pool(x, 2, 2), channels, channels * 2), channels * 2
    while levels:
        half = channels // 2
        x = net.node("ConvTranspose", [x, net.weight((channels, half, 2, 2), np.sqrt(2 / channels)), net.weight((half,), 0.1)],
                     kernel_shape=[2, 2], strides=[2, 2])
        x, channels = double_conv(net, net.concat([levels.pop(), x]), channels, half), half
    return net.conv(x, channels, 2, 1, bias=True)
