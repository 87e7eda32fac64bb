# SPDX-License-Identifier: BSD-3-Clause
"""Few weights, each in its own way: DenseNet (Huang et al. 2016), SqueezeNet 1.1 (Iandola et al. 2016),
ShuffleNetV2 (Ma et al. 2018)."""

from .resnet import conv_norm


def densenet121(net, x):
    """Every layer reads what all layers of its block made: normalisations stand before convolutions, so most cannot be folded."""
    x, channels = net.max_pool(conv_norm(net, x, 3, 64, 7, 2), 3, 2, 1), 64
    for stage, layers in enumerate((6, 12, 24, 16)):
        if stage:
            x = net.conv(net.relu(net.batch_norm(x, channels)), channels, channels // 2, 1)
            x, channels = net.average_pool(x, 2, 2), channels // 2
        for _ in range(layers):
            y = conv_norm(net, net.relu(net.batch_norm(x, channels)), channels, 128, 1)
            x = net.concat([x, net.conv(y, 128, 32, 3)])
            channels += 32
    return net.classifier(net.relu(net.batch_norm(x, channels)), channels)


def fire(net, x, inputs, squeezed, outputs):
    x = net.relu(net.conv(x, inputs, squeezed, 1, bias=True))
    return net.concat([net.relu(net.conv(x, squeezed, outputs, kernel, bias=True)) for kernel in (1, 3)])


def squeezenet1_1(net, x):
    x = net.relu(net.conv(x, 3, 64, 3, 2, bias=True, pad=0))
    inputs = 64
    for stage in (((16, 64), (16, 64)), ((32, 128), (32, 128)), ((48, 192), (48, 192), (64, 256), (64, 256))):
        x = net.max_pool(x, 3, 2, ceil=True)
        for squeezed, outputs in stage:
            x, inputs = fire(net, x, inputs, squeezed, outputs), 2 * outputs
    x = net.relu(net.conv(x, inputs, 1000, 1, bias=True))
    return net.node("Flatten", [net.node("GlobalAveragePool", [x])])


def shuffle(net, x, channels, size):
    """The two halves of the channels, interleaved."""
    x = net.transpose(net.reshape(x, 1, 2, channels // 2, size, size), 0, 2, 1, 3, 4)
    return net.reshape(x, 1, channels, size, size)


def depthwise(net, x, channels, stride):
    return net.batch_norm(net.conv(x, channels, channels, 3, stride, groups=channels), channels)


def shuffle_unit(net, x, inputs, outputs, size, stride):
    """Stride 1: one half of the channels passes as it is."""
    half = outputs // 2
    if stride == 1:
        kept, x = net.nodes_of("Split", [x, net.shape(half, half)], 2, axis=1)
        inputs = half
    else:
        kept = conv_norm(net, depthwise(net, x, inputs, stride), inputs, half, 1)
    y = depthwise(net, conv_norm(net, x, inputs, half, 1), half, stride)
    return shuffle(net, net.concat([kept, conv_norm(net, y, half, half, 1)]), outputs, size)


def shufflenet_v2(net, x):
    x, channels, size = net.max_pool(conv_norm(net, x, 3, 24, 3, 2), 3, 2, 1), 24, 56
    for outputs, units in ((116, 4), (232, 8), (464, 4)):
        size //= 2
        for unit in range(units):
            x = shuffle_unit(net, x, channels, outputs, size, 2 if unit == 0 else 1)
            channels = outputs
    x = conv_norm(net, x, channels, 1024, 1)
    return net.dense(net.node("ReduceMean", [x], axes=[2, 3], keepdims=0), 1024, 1000)
