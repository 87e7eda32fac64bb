# SPDX-License-Identifier: BSD-3-Clause
"""Inverted residuals: MobileNetV2 and V3 (Sandler et al. 2018, Howard et al. 2019), EfficientNet (Tan and Le 2019), its Lite."""


def relu6(net, x):
    return net.clip(x, 0, 6)


def hard_swish(net, x):
    return net.node("HardSwish", [x])


def silu(net, x):
    return net.silu(x)


def relu(net, x):
    return net.relu(x)


def conv_norm(net, x, inputs, outputs, kernel, stride=1, groups=1, act=None, scale=1.0):
    x = net.batch_norm(net.conv(x, inputs, outputs, kernel, stride, groups), outputs, scale)
    return act(net, x) if act else x


def excite(net, x, channels, squeezed, act, gate):
    """Squeeze and excitation: each channel is weighed by what all channels are on average."""
    y = net.node("GlobalAveragePool", [x])
    y = net.conv(act(net, net.conv(y, channels, squeezed, 1, bias=True)), squeezed, channels, 1, bias=True)
    return net.node("Mul", [x, net.node(gate, [y])])


def inverted_residual(net, x, channels, hidden, outputs, kernel, stride, act, weigh=None):
    y = conv_norm(net, x, channels, hidden, 1, act=act) if hidden != channels else x
    y = conv_norm(net, y, hidden, hidden, kernel, stride, groups=hidden, act=act)
    # Weights of channels lie about 0.5 and keep residuals small; without them the normalisation does.
    y = conv_norm(net, weigh(y), hidden, outputs, 1) if weigh else conv_norm(net, y, hidden, outputs, 1, scale=0.4)
    return net.add(x, y) if stride == 1 and channels == outputs else y


def staged(net, x, stages, act, squeeze=False):
    """Stages of (factor by which blocks widen inside, outputs, blocks, stride of the first, kernel), after 32 channels."""
    x, channels = conv_norm(net, x, 3, 32, 3, 2, act=act), 32
    for expand, outputs, blocks, first_stride, kernel in stages:
        for block in range(blocks):
            hidden, squeezed = channels * expand, channels // 4
            weigh = (lambda y, h=hidden, s=squeezed: excite(net, y, h, s, silu, "Sigmoid")) if squeeze else None
            x = inverted_residual(net, x, channels, hidden, outputs, kernel, first_stride if block == 0 else 1, act, weigh)
            channels = outputs
    return net.classifier(conv_norm(net, x, channels, 1280, 1, act=act), 1280)


def mobilenet_v2(net, x):
    return staged(net, x, ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 32, 3, 2, 3), (6, 64, 4, 2, 3), (6, 96, 3, 1, 3),
                           (6, 160, 3, 2, 3), (6, 320, 1, 1, 3)), relu6)


def efficientnet_b0(net, x):
    return staged(net, x, ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3), (6, 112, 3, 1, 5),
                           (6, 192, 4, 2, 5), (6, 320, 1, 1, 3)), silu, squeeze=True)


def efficientnet_lite4(net, x):
    """B4 without what integers bear badly: no excitation, values clipped at 6. Stem, head, first and last stage stay unscaled."""
    return staged(net, x, ((1, 24, 1, 1, 3), (6, 32, 4, 2, 3), (6, 56, 4, 2, 5), (6, 112, 6, 2, 3), (6, 160, 6, 1, 5),
                           (6, 272, 8, 2, 5), (6, 448, 1, 1, 3)), relu6)


def mobilenet_v3_large(net, x):
    """Blocks of (kernel, hidden, outputs, squeezed channels or 0, activation, stride)."""
    x, channels = conv_norm(net, x, 3, 16, 3, 2, act=hard_swish), 16
    for kernel, hidden, outputs, squeezed, act, stride in (
            (3, 16, 16, 0, relu, 1), (3, 64, 24, 0, relu, 2), (3, 72, 24, 0, relu, 1), (5, 72, 40, 24, relu, 2),
            (5, 120, 40, 32, relu, 1), (5, 120, 40, 32, relu, 1), (3, 240, 80, 0, hard_swish, 2), (3, 200, 80, 0, hard_swish, 1),
            (3, 184, 80, 0, hard_swish, 1), (3, 184, 80, 0, hard_swish, 1), (3, 480, 112, 120, hard_swish, 1),
            (3, 672, 112, 168, hard_swish, 1), (5, 672, 160, 168, hard_swish, 2), (5, 960, 160, 240, hard_swish, 1),
            (5, 960, 160, 240, hard_swish, 1)):
        weigh = (lambda y, h=hidden, s=squeezed: excite(net, y, h, s, relu, "HardSigmoid")) if squeezed else None
        x = inverted_residual(net, x, channels, hidden, outputs, kernel, stride, act, weigh)
        channels = outputs
    x = conv_norm(net, x, channels, 960, 1, act=hard_swish)
    x = net.node("Flatten", [net.node("GlobalAveragePool", [x])])
    return net.dense(hard_swish(net, net.dense(x, 960, 1280)), 1280, 1000)
