#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""From an ONNX model to the NPU's numbers: convert, quantize, compile for a part, run, compare with half precision.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/quantize_and_run.py [MODEL.onnx] [CHIPSET]

Inputs are random, which shows that a model works, not how accurate it is: use your own samples for that.
"""

import pathlib
import sys

import numpy
import qairt

MODELS = pathlib.Path(__file__).resolve().parents[1] / "models"


def random_inputs(model, seed):
    random = numpy.random.default_rng(seed)
    return {tensor.name: random.standard_normal(tensor.shape).astype("float32") for tensor in model.inputs}


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else MODELS / "small_cnn.onnx"
    chipset = sys.argv[2] if len(sys.argv) > 2 else "SM8650"
    model = qairt.convert(path)
    for tensor in (*model.inputs, *model.outputs):
        print(tensor)

    config = qairt.CompileConfig(backend="HTP", soc_details=f"chipset:{chipset}")
    samples = [random_inputs(model, seed) for seed in range(8)]
    half = qairt.compile(model, config=config)
    quantized = qairt.compile(model, config=config, precision="w8a8", calibration_data=samples)
    print(f"half: {half.nbytes} bytes, w8a8: {quantized.nbytes} bytes")

    inputs = random_inputs(model, seed=100)
    wanted, got = half(inputs), quantized(inputs)
    for name in wanted:
        print(f"{name}: largest difference {numpy.abs(wanted[name] - got[name]).max():.4f}")


if __name__ == "__main__":
    try:
        main()
    except (qairt.ModelError, OSError) as error:
        sys.exit(str(error))
