# SPDX-License-Identifier: BSD-3-Clause
"""The table of models, each by the name under which device latencies are published, and `make`, which builds one."""

import dataclasses

from . import compact, convnext, detection, inception, mobile, resnet, super_resolution, swin, transformers
from .net import Net, TensorProto


@dataclasses.dataclass(frozen=True)
class Model:
    """`build(net, *inputs)` adds the layers and gives the output's name, or a tuple of them.

    `imagenet` says that pixels are normalised inside. `parameters` are the literature's (millions), `macs` the multiplications
    of one inference (thousand millions).
    """
    build: object
    inputs: tuple
    outputs: tuple
    parameters: float
    macs: float
    imagenet: bool = False


def image(height, width=None, channels=3):
    return (("x", TensorProto.FLOAT, (1, channels, height, width or height)),)


def floats(*shape):
    return (TensorProto.FLOAT, shape)


def integers(*shape):
    return (TensorProto.INT32, shape)


def classifier(build, parameters, macs, size=224):
    return Model(build, image(size), (floats(1, 1000),), parameters, macs, imagenet=True)


MODELS = {
    "bert_base_uncased_hf": Model(transformers.bert_base,
                                  (("x", TensorProto.INT32, (1, 384)), ("mask", TensorProto.FLOAT, (1, 384))),
                                  (floats(1, 384, 30522),), 109.5, 44.6),
    "convnext_tiny": classifier(convnext.convnext_tiny, 28.59, 4.46),
    "densenet121": classifier(compact.densenet121, 7.98, 2.83),
    "dncnn": Model(super_resolution.dncnn, image(256, channels=1), (floats(1, 1, 256, 256),), 0.556, 36.3),
    "efficientnet_b0": classifier(mobile.efficientnet_b0, 5.29, 0.385),
    "efficientnet_lite4": classifier(mobile.efficientnet_lite4, 13.0, 2.55, size=300),
    "fcn_resnet50": Model(resnet.fcn_resnet50, image(520), (integers(1, 520, 520),), 32.96, 142.7, imagenet=True),
    "googlenet": classifier(inception.googlenet, 6.62, 1.50),
    "inception_v3": classifier(inception.inception_v3, 23.83, 5.71, size=299),
    "mobilenet_v2": classifier(mobile.mobilenet_v2, 3.50, 0.301),
    "mobilenet_v3_large": classifier(mobile.mobilenet_v3_large, 5.48, 0.217),
    "quicksrnetsmall": Model(super_resolution.quicksrnetsmall, image(128), (floats(1, 3, 512, 512),), 0.0333, 0.544),
    "real_esrgan_x4plus": Model(super_resolution.real_esrgan_x4plus, image(128), (floats(1, 3, 512, 512),), 16.70, 293.7),
    "regnet": classifier(resnet.regnet_x_3_2gf, 15.30, 3.18),
    "resnet101": classifier(resnet.resnet101, 44.55, 7.80),
    "resnet18": classifier(resnet.resnet18, 11.69, 1.81),
    "resnet50": classifier(resnet.resnet50, 25.56, 4.09),
    "segformer_base": Model(transformers.segformer_b0, image(512), (floats(1, 150, 128, 128),), 3.75, 8.4, imagenet=True),
    "sesr_m5": Model(super_resolution.sesr_m5, image(128), (floats(1, 3, 512, 512),), 0.343, 5.62),
    "shufflenet_v2": classifier(compact.shufflenet_v2, 2.28, 0.145),
    "squeezenet1_1": classifier(compact.squeezenet1_1, 1.24, 0.349),
    "swin_tiny": classifier(swin.swin_tiny, 28.29, 4.49),
    "unet_segmentation": Model(detection.unet, image(640, 1280), (floats(1, 2, 640, 1280),), 31.04, 602.1),
    "vit": classifier(transformers.vit_b16, 86.57, 17.6),
    "yolov8_det": Model(detection.yolov8n, image(640), (floats(1, 8400, 4), floats(1, 8400), integers(1, 8400)), 3.16, 4.4),
}


def make(name):
    """The ONNX model, and how many parameters a training would learn."""
    entry = MODELS[name]
    net = Net(name)
    inputs = [value[0] for value in entry.inputs]
    if entry.imagenet:
        inputs[0] = net.normalise_image(inputs[0])
    results = entry.build(net, *inputs)
    results = results if isinstance(results, tuple) else (results,)
    model = net.model(entry.inputs, [(result, *kind) for result, kind in zip(results, entry.outputs, strict=True)])
    return model, net.parameters
