# SPDX-License-Identifier: BSD-3-Clause
"""Swin (Liu et al. 2021): attention within windows of 7 x 7 tokens, which every second layer shifts by 3."""

import numpy as np

from .transformers import perceptron

WINDOW, SHIFT = 7, 3
TOKENS = WINDOW * WINDOW
HEAD_WIDTH = 32


def rolled(net, x, by):
    """Rows and columns move up by `by`, and what leaves comes in on the other side; down where `by` is negative."""
    for axis in (1, 2):
        far = np.iinfo(np.int64).max
        x = net.concat([net.slice(x, by, far, axis), net.slice(x, 0, by, axis)], axis=axis)
    return x


def windows_of(net, x, side, width):
    count = side // WINDOW
    x = net.transpose(net.reshape(x, 1, count, WINDOW, count, WINDOW, width), 0, 1, 3, 2, 4, 5)
    return net.reshape(x, count * count, TOKENS, width)


def map_of(net, x, side, width):
    count = side // WINDOW
    x = net.transpose(net.reshape(x, 1, count, count, WINDOW, WINDOW, width), 0, 1, 3, 2, 4, 5)
    return net.reshape(x, 1, side, side, width)


def position_bias(net, heads):
    """A learned value for each distance of two tokens, spread over all pairs as a compiler would do once."""
    table = net.random.standard_normal((heads, (2 * WINDOW - 1) ** 2), dtype=np.float32) * np.float32(0.02)
    net.parameters += table.size
    rows, columns = np.divmod(np.arange(TOKENS), WINDOW)
    distance = (rows[:, None] - rows + WINDOW - 1) * (2 * WINDOW - 1) + columns[:, None] - columns + WINDOW - 1
    return net.constant(table[:, distance][None])


def shift_mask(net, side):
    """Tokens that the shift brought into one window from two ends of the image do not see each other."""
    strip = np.zeros(side, np.int64)
    strip[-WINDOW:] = 1
    strip[-SHIFT:] = 2
    regions = (strip[:, None] * 3 + strip).reshape(side // WINDOW, WINDOW, side // WINDOW, WINDOW)
    regions = regions.transpose(0, 2, 1, 3).reshape(-1, TOKENS)
    mask = np.where(regions[:, None, :] != regions[:, :, None], np.float32(-100), np.float32(0))
    return net.constant(mask[:, None])


def window_attention(net, x, side, width, shifted):
    """`x` is [1, side, side, width]."""
    windows, heads = (side // WINDOW) ** 2, width // HEAD_WIDTH
    x = windows_of(net, rolled(net, x, SHIFT) if shifted else x, side, width)
    x = net.reshape(net.linear(x, width, 3 * width), windows, TOKENS, 3, heads, HEAD_WIDTH)
    x = net.transpose(x, 2, 0, 3, 1, 4)
    query, key, value = (net.pick(x, index, 0) for index in range(3))
    query = net.node("Mul", [query, net.scalar(1 / np.sqrt(HEAD_WIDTH))])
    scores = net.add(net.node("MatMul", [query, net.transpose(key, 0, 1, 3, 2)]), position_bias(net, heads))
    if shifted:
        scores = net.add(scores, shift_mask(net, side))
    y = net.node("MatMul", [net.node("Softmax", [scores], axis=-1), value])
    y = net.reshape(net.transpose(y, 0, 2, 1, 3), windows, TOKENS, width)
    y = map_of(net, net.linear(y, width, width), side, width)
    return rolled(net, y, -SHIFT) if shifted else y


def merged(net, x, width):
    """Four neighbours become one token of twice the width."""
    far = np.iinfo(np.int64).max
    corners = [net.slice(net.slice(x, row, far, 1, 2), column, far, 2, 2) for column in (0, 1) for row in (0, 1)]
    return net.linear(net.layer_norm(net.concat(corners, axis=3), 4 * width), 4 * width, 2 * width, bias=False)


def swin_tiny(net, x):
    side, width = 56, 96
    x = net.layer_norm(net.transpose(net.conv(x, 3, width, 4, 4, bias=True, pad=0), 0, 2, 3, 1), width)
    for stage, depth in enumerate((2, 2, 6, 2)):
        if stage:
            x, side, width = merged(net, x, width), side // 2, width * 2
        for layer in range(depth):
            shifted = layer % 2 == 1 and side > WINDOW
            x = net.add(x, window_attention(net, net.layer_norm(x, width), side, width, shifted))
            x = net.add(x, perceptron(net, net.layer_norm(x, width), width))
    return net.classifier(net.transpose(net.layer_norm(x, width), 0, 3, 1, 2), width)
