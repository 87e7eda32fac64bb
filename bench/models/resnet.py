# SPDX-License-Identifier: BSD-3-Clause
"""Residual networks: ResNet (He et al. 2015), FCN upon it (Long et al. 2014), RegNet (Radosavovic et al. 2020)."""

from .net import TensorProto


def conv_norm(net, x, inputs, outputs, kernel, stride=1, groups=1, dilation=1, relu=True):
    x = net.conv(x, inputs, outputs, kernel, stride, groups, dilation=dilation)
    x = net.batch_norm(x, outputs, 1.0 if relu else 0.4)
    return net.relu(x) if relu else x


def basic_block(net, x, channels, width, stride, _dilation):
    y = conv_norm(net, conv_norm(net, x, channels, width, 3, stride), width, width, 3, relu=False)
    shortcut = x if stride == 1 and channels == width else conv_norm(net, x, channels, width, 1, stride, relu=False)
    return net.relu(net.add(y, shortcut)), width


def bottleneck(net, x, channels, width, stride, dilation):
    """The stride is on the 3 x 3 convolution."""
    y = conv_norm(net, conv_norm(net, x, channels, width, 1), width, width, 3, stride, dilation=dilation)
    y = conv_norm(net, y, width, width * 4, 1, relu=False)
    shortcut = x if channels == width * 4 else conv_norm(net, x, channels, width * 4, 1, stride, relu=False)
    return net.relu(net.add(y, shortcut)), width * 4


def trunk(net, x, block, depths, dilated_stages=0):
    """All but the head. A dilated stage keeps its input's size: its first block has the dilation of the stage before."""
    x = net.max_pool(conv_norm(net, x, 3, 64, 7, 2), 3, 2, 1)
    channels, dilation = 64, 1
    for stage, depth in enumerate(depths):
        dilated = stage >= len(depths) - dilated_stages
        for index in range(depth):
            stride = 2 if index == 0 and stage > 0 and not dilated else 1
            x, channels = block(net, x, channels, 64 << stage, stride, dilation)
            if index == 0 and dilated:
                dilation *= 2
    return x, channels


def resnet(block, depths):
    return lambda net, x: net.classifier(*trunk(net, x, block, depths))


resnet18 = resnet(basic_block, (2, 2, 2, 2))
resnet50 = resnet(bottleneck, (3, 4, 6, 3))
resnet101 = resnet(bottleneck, (3, 4, 23, 3))


def fcn_resnet50(net, x):
    """A class for each pixel: the last two stages are dilated, and 21 class planes grow by 8."""
    x, channels = trunk(net, x, bottleneck, (3, 4, 6, 3), dilated_stages=2)
    x = net.conv(conv_norm(net, x, channels, channels // 4, 3), channels // 4, 21, 1, bias=True)
    x = net.node("Resize", [x, "", "", net.shape(1, 21, 520, 520)], mode="linear", coordinate_transformation_mode="half_pixel")
    return net.node("Cast", [net.node("ArgMax", [x], axis=1, keepdims=0)], to=TensorProto.INT32)


def regnet_x_3_2gf(net, x):
    """Groups of 48 channels, widths and depths of the line that the paper's X 3.2 GF is named for."""
    x, channels = conv_norm(net, x, 3, 32, 3, 2), 32
    for width, depth in zip((96, 192, 432, 1008), (2, 6, 15, 2)):
        for index in range(depth):
            stride = 2 if index == 0 else 1
            shortcut = x if index else conv_norm(net, x, channels, width, 1, stride, relu=False)
            y = conv_norm(net, conv_norm(net, x, channels, width, 1), width, width, 3, stride, groups=width // 48)
            x = net.relu(net.add(shortcut, conv_norm(net, y, width, width, 1, relu=False)))
            channels = width
    return net.classifier(x, channels)
