# SPDX-License-Identifier: BSD-3-Clause
"""ConvNeXt (Liu et al. 2022): depthwise 7 x 7, then what a transformer has after its attention."""


def normalised_channels(net, x, channels):
    return net.transpose(net.layer_norm(net.transpose(x, 0, 2, 3, 1), channels), 0, 3, 1, 2)


def block(net, x, channels):
    y = net.transpose(net.conv(x, channels, channels, 7, groups=channels, bias=True), 0, 2, 3, 1)
    y = net.gelu(net.linear(net.layer_norm(y, channels), channels, 4 * channels))
    y = net.transpose(net.linear(y, 4 * channels, channels), 0, 3, 1, 2)
    return net.add(net.node("Mul", [y, net.weight((channels, 1, 1), 0.1)]), x)


def convnext_tiny(net, x):
    channels = 96
    x = normalised_channels(net, net.conv(x, 3, channels, 4, 4, bias=True, pad=0), channels)
    for stage, depth in enumerate((3, 3, 9, 3)):
        if stage:
            x = net.conv(normalised_channels(net, x, channels), channels, 2 * channels, 2, 2, bias=True, pad=0)
            channels *= 2
        for _ in range(depth):
            x = block(net, x, channels)
    x = net.node("Flatten", [normalised_channels(net, net.node("GlobalAveragePool", [x]), channels)])
    return net.dense(x, channels, 1000)
