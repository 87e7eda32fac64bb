# SPDX-License-Identifier: BSD-3-Clause
"""Attention over all tokens: ViT (Dosovitskiy et al. 2020), BERT (Devlin et al. 2018), SegFormer (Xie et al. 2021)."""

import numpy as np


def heads_of(net, x, tokens, heads, width, transposed=False):
    """[1, tokens, width] by head: [1, heads, tokens, width / heads], or the last two swapped."""
    x = net.reshape(x, 1, tokens, heads, width // heads)
    return net.transpose(x, *((0, 2, 3, 1) if transposed else (0, 2, 1, 3)))


def attention(net, x, tokens, heads, width, source=None, source_tokens=None, mask=None):
    """Keys and values are of `source`, which is `x` unless given; `mask` is added to what the softmax reads."""
    source, source_tokens = source or x, source_tokens or tokens
    query = heads_of(net, net.linear(x, width, width), tokens, heads, width)
    key = heads_of(net, net.linear(source, width, width), source_tokens, heads, width, transposed=True)
    value = heads_of(net, net.linear(source, width, width), source_tokens, heads, width)
    scores = net.node("Mul", [net.node("MatMul", [query, key]), net.scalar(1 / np.sqrt(width // heads))])
    weights = net.node("Softmax", [net.add(scores, mask) if mask else scores], axis=-1)
    y = net.transpose(net.node("MatMul", [weights, value]), 0, 2, 1, 3)
    return net.linear(net.reshape(y, 1, tokens, width), width, width)


def perceptron(net, x, width):
    return net.linear(net.gelu(net.linear(x, width, 4 * width)), 4 * width, width)


def vit_b16(net, x):
    """Patches of 16 x 16 pixels and a token for the class, 12 layers, normalised before each part."""
    width, heads, patches = 768, 12, 196
    x = net.node("Conv", [x, net.weight((width, 3, 16, 16), 1 / np.sqrt(3 * 16 * 16)), net.weight((width,), 0.02)],
                 kernel_shape=[16, 16], strides=[16, 16])
    x = net.transpose(net.reshape(x, 1, width, patches), 0, 2, 1)
    x = net.concat([net.weight((1, 1, width), 1), x])
    x = net.add(x, net.weight((1, patches + 1, width), 0.02))
    for _ in range(12):
        x = net.add(x, attention(net, net.layer_norm(x, width), patches + 1, heads, width))
        x = net.add(x, perceptron(net, net.layer_norm(x, width), width))
    x = net.node("Flatten", [net.node("Gather", [net.layer_norm(x, width), net.constant(np.array([0]))], axis=1)])
    return net.dense(x, width, 1000)


def bert_base(net, words, mask, tokens=384, vocabulary=30522):
    """Words to the scores of every word for every place. Words are looked up and scored in one table."""
    width, heads = 768, 12
    table = net.weight((vocabulary, width), 0.05)
    x = net.add(net.node("Gather", [table, words], axis=0), net.weight((1, 1, width), 0.05))
    x = net.layer_norm(net.add(x, net.weight((1, tokens, width), 0.05)), width)
    absent = net.node("Sub", [net.scalar(1), net.reshape(mask, 1, 1, 1, tokens)])
    mask = net.node("Mul", [absent, net.scalar(-10000)])
    for _ in range(12):
        x = net.layer_norm(net.add(attention(net, x, tokens, heads, width, mask=mask), x), width)
        x = net.layer_norm(net.add(perceptron(net, x, width), x), width)
    x = net.layer_norm(net.gelu(net.linear(x, width, width)), width)
    return net.add(net.node("MatMul", [x, net.transpose(table, 1, 0)]), net.weight((vocabulary,), 0.02))


def image_of(net, x, side, width):
    return net.reshape(net.transpose(x, 0, 2, 1), 1, width, side, side)


def tokens_of(net, x, side, width):
    return net.transpose(net.reshape(x, 1, width, side * side), 0, 2, 1)


def reduced_attention(net, x, side, heads, width, reduction):
    """Keys and values are of an image `reduction` times smaller."""
    if reduction == 1:
        return attention(net, x, side * side, heads, width)
    source = net.conv(image_of(net, x, side, width), width, width, reduction, reduction, bias=True, pad=0)
    source = net.layer_norm(tokens_of(net, source, side // reduction, width), width)
    return attention(net, x, side * side, heads, width, source, (side // reduction) ** 2)


def mixed_perceptron(net, x, side, width):
    """A depthwise convolution stands between the two layers, in place of positions."""
    hidden = 4 * width
    x = image_of(net, net.linear(x, width, hidden), side, hidden)
    x = tokens_of(net, net.conv(x, hidden, hidden, 3, groups=hidden, bias=True), side, hidden)
    return net.linear(net.gelu(x), hidden, width)


def segformer_b0(net, x, size=512, classes=150):
    inputs, side, levels = 3, size, []
    for width, heads, reduction in ((32, 1, 8), (64, 2, 4), (160, 5, 2), (256, 8, 1)):
        kernel, stride = (7, 4) if inputs == 3 else (3, 2)
        side //= stride
        x = tokens_of(net, net.conv(x, inputs, width, kernel, stride, bias=True), side, width)
        x = net.layer_norm(x, width)
        for _ in range(2):
            x = net.add(x, reduced_attention(net, net.layer_norm(x, width), side, heads, width, reduction))
            x = net.add(x, mixed_perceptron(net, net.layer_norm(x, width), side, width))
        x = image_of(net, net.layer_norm(x, width), side, width)
        levels.append((x, side, width))
        inputs = width
    decoded = []
    for value, side, width in reversed(levels):
        value = image_of(net, net.linear(tokens_of(net, value, side, width), width, 256), side, 256)
        decoded.append(value if side == size // 4 else net.grow(value, size // 4 // side, "linear"))
    x = net.relu(net.batch_norm(net.conv(net.concat(decoded), 1024, 256, 1), 256))
    return net.conv(x, 256, classes, 1, bias=True)
