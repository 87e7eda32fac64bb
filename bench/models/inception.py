# SPDX-License-Identifier: BSD-3-Clause
"""GoogLeNet (Szegedy et al. 2014, with batch normalisation) and Inception-v3 (2015), without the heads for training."""

from .resnet import conv_norm


def chain(net, x, inputs, *steps):
    """Convolutions in a row: (outputs, kernel) each."""
    for outputs, kernel in steps:
        x, inputs = conv_norm(net, x, inputs, outputs, kernel), outputs
    return x


def googlenet_module(net, x, inputs, single, reduce3, outputs3, reduce5, outputs5, pooled):
    """The third branch is 3 x 3 where the paper has 5 x 5: so are the published weights."""
    return net.concat([chain(net, x, inputs, (single, 1)), chain(net, x, inputs, (reduce3, 1), (outputs3, 3)),
                       chain(net, x, inputs, (reduce5, 1), (outputs5, 3)),
                       chain(net, net.max_pool(x, 3, 1, 1, ceil=True), inputs, (pooled, 1))])


def googlenet(net, x):
    x = net.max_pool(conv_norm(net, x, 3, 64, 7, 2), 3, 2, ceil=True)
    x = net.max_pool(chain(net, x, 64, (64, 1), (192, 3)), 3, 2, ceil=True)
    stages = (((192, 64, 96, 128, 16, 32, 32), (256, 128, 128, 192, 32, 96, 64)),
              ((480, 192, 96, 208, 16, 48, 64), (512, 160, 112, 224, 24, 64, 64), (512, 128, 128, 256, 24, 64, 64),
               (512, 112, 144, 288, 32, 64, 64), (528, 256, 160, 320, 32, 128, 128)),
              ((832, 256, 160, 320, 32, 128, 128), (832, 384, 192, 384, 48, 128, 128)))
    for index, modules in enumerate(stages):
        if index:
            x = net.max_pool(x, 4 - index, 2, ceil=True)
        for widths in modules:
            x = googlenet_module(net, x, *widths)
    return net.classifier(x, 1024)


def valid(net, x, inputs, outputs, stride=1):
    """A 3 x 3 convolution without padding."""
    return net.relu(net.batch_norm(net.conv(x, inputs, outputs, 3, stride, pad=0), outputs))


def pooled_branch(net, x, inputs, outputs):
    return chain(net, net.average_pool(x, 3, 1, 1), inputs, (outputs, 1))


def wide_module(net, x, inputs, pooled):
    return net.concat([chain(net, x, inputs, (64, 1)), chain(net, x, inputs, (48, 1), (64, 5)),
                       chain(net, x, inputs, (64, 1), (96, 3), (96, 3)), pooled_branch(net, x, inputs, pooled)])


def factorised_module(net, x, width):
    """7 x 7 as a row and a column."""
    row, column = (1, 7), (7, 1)
    return net.concat([chain(net, x, 768, (192, 1)), chain(net, x, 768, (width, 1), (width, row), (192, column)),
                       chain(net, x, 768, (width, 1), (width, column), (width, row), (width, column), (192, row)),
                       pooled_branch(net, x, 768, 192)])


def split_module(net, x, inputs):
    """3 x 3 as a row beside a column."""
    def fork(y, width):
        return net.concat([chain(net, y, width, (384, (1, 3))), chain(net, y, width, (384, (3, 1)))])

    return net.concat([chain(net, x, inputs, (320, 1)), fork(chain(net, x, inputs, (384, 1)), 384),
                       fork(chain(net, x, inputs, (448, 1), (384, 3)), 384), pooled_branch(net, x, inputs, 192)])


def inception_v3(net, x):
    x = valid(net, valid(net, x, 3, 32, 2), 32, 32)
    x = net.max_pool(chain(net, x, 32, (64, 3)), 3, 2)
    x = net.max_pool(valid(net, chain(net, x, 64, (80, 1)), 80, 192), 3, 2)
    for inputs, pooled in ((192, 32), (256, 64), (288, 64)):
        x = wide_module(net, x, inputs, pooled)
    x = net.concat([valid(net, x, 288, 384, 2), valid(net, chain(net, x, 288, (64, 1), (96, 3)), 96, 96, 2),
                    net.max_pool(x, 3, 2)])
    for width in (128, 160, 160, 192):
        x = factorised_module(net, x, width)
    x = net.concat([valid(net, chain(net, x, 768, (192, 1)), 192, 320, 2),
                    valid(net, chain(net, x, 768, (192, 1), (192, (1, 7)), (192, (7, 1))), 192, 192, 2), net.max_pool(x, 3, 2)])
    for inputs in (1280, 2048):
        x = split_module(net, x, inputs)
    return net.classifier(x, 2048)
