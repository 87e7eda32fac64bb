# SPDX-License-Identifier: BSD-3-Clause
"""Multiplications of one inference, from the shapes that ONNX infers."""

import math

import onnx


def shapes_of(model):
    graph = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
    shapes = {weight.name: list(weight.dims) for weight in graph.initializer}
    for value in (*graph.input, *graph.value_info, *graph.output):
        shapes[value.name] = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
    return shapes


def multiplications(model):
    """Of convolutions and matrix products; what a vector unit does besides is not counted, as papers do."""
    shapes, total = shapes_of(model), 0
    for node in model.graph.node:
        if node.op_type == "Conv":
            total += math.prod(shapes[node.output[0]]) * math.prod(shapes[node.input[1]][1:])
        elif node.op_type == "ConvTranspose":
            total += math.prod(shapes[node.input[0]]) * math.prod(shapes[node.input[1]][1:])
        elif node.op_type in ("MatMul", "Gemm"):
            total += math.prod(shapes[node.output[0]]) * shapes[node.input[0]][-1]
    return total
