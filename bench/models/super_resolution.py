# SPDX-License-Identifier: BSD-3-Clause
"""Images to images of the same kind: QuickSRNet (Berger et al. 2023), SESR (Bhardwaj et al. 2021),
Real-ESRGAN (Wang et al. 2021), DnCNN (Zhang et al. 2016)."""

FACTOR = 4  # by which height and width grow


def pixel_shuffle(net, x):
    return net.node("DepthToSpace", [x], blocksize=FACTOR, mode="CRD")


def quicksrnetsmall(net, x):
    channels = 3
    for _ in range(3):
        x, channels = net.clip(net.conv(x, channels, 32, 3, bias=True), 0, 1), 32
    return net.clip(pixel_shuffle(net, net.conv(x, channels, 3 * FACTOR**2, 3, bias=True)), 0, 1)


def linear_block(net, x, inputs, outputs, kernel):
    """Two convolutions without an activation between: as trained, before they are multiplied into one."""
    return net.conv(net.conv(x, inputs, 256, kernel), 256, outputs, 1, bias=True)


def sesr_m5(net, x):
    first = net.relu(linear_block(net, x, 3, 16, 5))
    y = first
    for _ in range(5):
        y = net.relu(net.add(linear_block(net, y, 16, 16, 3), y))
    y = linear_block(net, net.add(y, first), 16, 3 * FACTOR**2, 5)
    # The input, each pixel repeated for the pixels that it becomes.
    planes = [net.slice(x, channel, channel + 1, 1) for channel in range(3)]
    repeated = net.concat([plane for plane in planes for _ in range(FACTOR**2)])
    return pixel_shuffle(net, net.add(y, repeated))


def leaky(net, x):
    return net.node("LeakyRelu", [x], alpha=0.2)


def scaled_residual(net, x, y):
    return net.add(net.node("Mul", [y, net.scalar(0.2)]), x)


def dense_block(net, x):
    """Five convolutions; each reads the input and all that was made before."""
    known, y = [x], x
    for index in range(4):
        known.append(leaky(net, net.conv(y, 64 + 32 * index, 32, 3, bias=True)))
        y = net.concat(list(known))
    return scaled_residual(net, x, net.conv(y, 192, 64, 3, bias=True))


def real_esrgan_x4plus(net, x):
    first = net.conv(x, 3, 64, 3, bias=True)
    y = first
    for _ in range(23):
        y = scaled_residual(net, y, dense_block(net, dense_block(net, dense_block(net, y))))
    y = net.add(first, net.conv(y, 64, 64, 3, bias=True))
    for _ in range(2):
        y = leaky(net, net.conv(net.grow(y, 2, "nearest"), 64, 64, 3, bias=True))
    return net.conv(leaky(net, net.conv(y, 64, 64, 3, bias=True)), 64, 3, 3, bias=True)


def dncnn(net, x):
    """17 layers, one colour; the network finds the noise."""
    y, channels = x, 1
    for _ in range(16):
        y, channels = net.relu(net.conv(y, channels, 64, 3, bias=True)), 64
    return net.node("Sub", [x, net.conv(y, channels, 1, 3, bias=True)])
