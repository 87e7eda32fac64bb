# SPDX-License-Identifier: BSD-3-Clause
"""How much work the ops of a graph are, in units that the equations of model.py give a price.

`read_graph` turns a converter's graph (graphs.py) into the ops that remain on the device; `count` counts their work in one
precision. Nothing here knows how long anything takes, and nothing knows the name of a network.
"""

import collections
import dataclasses
import math

import numpy as np

VECTOR_BYTES = 128
DEPTH = 32  # channels of a tile
FOLDED = {"Relu", "ReluMinMax", "Relu6"}
FOLDED_INTO = {"Conv2d", "DepthWiseConv2d", "FullyConnected", "TransposeConv2d", "ElementWiseAdd", "MatMul", "Batchnorm"}
FOLDED_INTO_CONVOLUTIONS = {"Prelu", "HardSwish"}

# What `count` gives of every op; "vectors" are 128 bytes of a padded tensor.
COLUMNS = (
    "macs",              # multiply-accumulates on whole tiles
    "group_padding",     # more of them, because each group's depth fills up tiles of its own
    "tap_padding",       # more of them if the depth of each tap were padded; only an ablation counts these
    "skipped_macs",      # of the positions between strides
    "ragged",            # 1 for products of constant weights whose rows are no multiple of 8
    "matrices",          # of a batched product
    "packed",            # vectors of second operands that are not constant
    "elementwise",       # vectors read or written
    "pooled",            # vectors read by windows
    "depthwise_taps",    # vectors written, times taps
    "activation",        # vectors written
    "quotients",         # vectors written
    "softmax",           # vectors written
    "norm",              # vectors written
    "batch_norm",        # vectors of 16 bits read or written, quantized only
    "moved",             # vectors read or written by ops that only rearrange
    "joined",            # vectors read or written by Concat
    "ops",
    "weight_bytes",
    "activation_bytes",  # read and written, padded
)


def up(size, multiple):
    return -(-size // multiple) * multiple


# ---- The graph ----


@dataclasses.dataclass(frozen=True)
class Operand:
    shape: tuple
    constant: bool


@dataclasses.dataclass(frozen=True)
class Op:
    kind: str
    inputs: tuple
    outputs: tuple
    dilation: int = 1


@dataclasses.dataclass(frozen=True)
class Graph:
    """`ends` are the shapes of the graph's inputs and outputs, channel-last as the device has them."""
    ops: tuple
    ends: tuple


def is_planar(shape):
    """An image of one or three planes, as ONNX has them: the device's images are channel-last."""
    return len(shape) == 4 and shape[1] in (1, 3) and shape[2] >= 64


def channel_last(shape):
    return (shape[0], shape[2], shape[3], shape[1]) if len(shape) == 4 else shape


def end_shape(shape):
    return channel_last(shape) if len(shape) == 4 and shape[1] <= shape[3] else shape


class Reader:
    """What of a converter's graph is needed to see which ops remain."""

    def __init__(self, graph):
        self.tensors = {tensor["name"]: tensor for tensor in graph["tensors"]}
        self.producer = {name: node["type"] for node in graph["nodes"] for name in node["outputs"]}
        self.uses = collections.Counter(name for node in graph["nodes"] for name in node["inputs"])

    def shape(self, name):
        return tuple(self.tensors[name]["shape"])

    def role(self, name):
        return self.tensors[name]["role"]

    def is_folded(self, node):
        """Whether the op before computes it as it writes."""
        first = node["inputs"][0]
        before = self.producer.get(first)
        if self.uses[first] != 1:
            return False
        return (node["type"] in FOLDED and before in FOLDED_INTO
                or node["type"] in FOLDED_INTO_CONVOLUTIONS and before in ("Conv2d", "DepthWiseConv2d"))

    def is_absent(self, node):
        """Transposes of constants, and those that exist only because ONNX's images are planes."""
        if node["type"] != "Transpose":
            return False
        source, target = node["inputs"][0], node["outputs"][0]
        return (self.role(source) in ("constant", "input") or self.role(target) == "output"
                or is_planar(self.shape(source)) or is_planar(self.shape(target)))

    def op(self, node):
        operands = [Operand(self.shape(name), self.role(name) == "constant") for name in node["inputs"] if name]
        outputs = [self.shape(name) for name in node["outputs"]]
        if node["type"].startswith("ElementWise") and is_planar(outputs[0]) and outputs[0][2] == outputs[0][3]:
            operands = [dataclasses.replace(operand, shape=channel_last(operand.shape)) for operand in operands]
            outputs = [channel_last(shape) for shape in outputs]
        return Op(node["type"], tuple(operands), tuple(outputs), node.get("dilation", 1))


def read_graph(graph):
    reader = Reader(graph)
    ops = tuple(reader.op(node) for node in graph["nodes"] if not reader.is_folded(node) and not reader.is_absent(node))
    ends = tuple(end_shape(tuple(tensor["shape"])) for tensor in graph["tensors"] if tensor["role"] in ("input", "output"))
    return Graph(ops, ends)


# ---- The work of one op ----


class Layout:
    """How tensors lie in memory in one precision. `padded` false counts elements alone, which only an ablation does."""

    def __init__(self, precision, padded=True):
        self.quantized = precision != "float"
        self.bytes = 1 if precision == "w8a8" else 2
        self.weight_bytes = 1 if self.quantized else 2
        self.padded = padded
        self.rows = 64 // self.bytes  # of a matrix in a tile of 2048 bytes
        self.width = 8 // self.bytes  # of an image in a tile that is 8 high

    def elements(self, shape):
        """In tiles: depth to 32; images to 8 lines and 8 bytes' width, matrices to the rows of a tile."""
        if not self.padded or not shape:
            return math.prod(shape)
        depth = up(shape[-1], DEPTH)
        if len(shape) == 1:
            return depth
        if len(shape) <= 3:
            return up(math.prod(shape[:-1]), self.rows) * depth
        return math.prod(shape[:-3]) * up(shape[-3], 8) * up(shape[-2], self.width) * depth

    def vectors(self, shapes):
        return sum(map(self.elements, shapes)) * self.bytes / VECTOR_BYTES

    def positions(self, height, width):
        return up(height, 8) * up(width, self.width)


@dataclasses.dataclass(frozen=True)
class Sizes:
    """Vectors that an op reads (constants apart) and writes."""
    read: float
    written: float

    @property
    def moved(self):
        return self.read + self.written


def convolution(op, layout, sizes, work):
    image, (kernel_height, kernel_width, depth, channels) = op.inputs[0].shape, op.inputs[1].shape
    height, width = op.outputs[0][1:3]
    taps, groups = kernel_height * kernel_width, max(1, image[-1] // depth)
    step = op.dilation if kernel_height > 1 else 1  # a dilated convolution is computed as step x step plain ones
    positions = layout.positions(-(-height // step), -(-width // step)) * step * step
    outputs = float(positions) * up(channels // groups, DEPTH) * groups
    work["macs"] = outputs * up(taps * depth, DEPTH)  # taps are packed behind each other
    padding = outputs * taps * up(depth, DEPTH) - work["macs"]
    if groups > 1:
        work["group_padding"] = padding
        work["moved"] = sizes.moved  # groups do not begin where a tile does
    else:
        work["tap_padding"] = padding
    if kernel_height > 1 and round(image[1] / height) == 2:
        work["skipped_macs"] = 3 * work["macs"]


def transposed_convolution(op, layout, _, work):
    image, (kernel_height, kernel_width, depth, channels) = op.inputs[0].shape, op.inputs[1].shape
    work["macs"] = float(layout.positions(*image[1:3])) * up(depth, DEPTH) * up(channels, DEPTH) * kernel_height * kernel_width


def fully_connected(op, layout, _, work):
    rows = math.prod(op.inputs[0].shape[:-1])
    channels, depth = op.inputs[1].shape
    work["macs"] = float(up(rows, layout.rows)) * up(channels, DEPTH) * up(depth, DEPTH)


def product(op, layout, _, work):
    first, second = op.inputs[:2]
    result = op.outputs[0]
    if second.constant:
        matrices, rows = 1, math.prod(first.shape[:-1])
        work["ragged"] = float(len(first.shape) < 4 and rows % 8 != 0 and rows > 8)
    else:
        matrices, rows = math.prod(result[:-2]), result[-2]
        work["matrices"] = matrices
        work["packed"] = layout.vectors([second.shape])
    work["macs"] = float(matrices) * up(rows, layout.rows) * up(result[-1], DEPTH) * up(first.shape[-1], DEPTH)


def depthwise(op, _, sizes, work):
    kernel_height, kernel_width = op.inputs[1].shape[:2]
    work["depthwise_taps"] = sizes.written * kernel_height * kernel_width
    work["elementwise"] = sizes.moved


def elementwise(_, __, sizes, work):
    work["elementwise"] = sizes.moved


def divide(_, __, sizes, work):
    work["elementwise"] = sizes.moved
    work["quotients"] = sizes.written


def batch_norm(_, layout, sizes, work):
    """Three passes of 16 bits when quantized: so many layers do profiles of devices show."""
    if layout.quantized:
        work["batch_norm"] = sizes.moved * 2 / layout.bytes
        work["ops"] = 3
    else:
        work["elementwise"] = sizes.moved


def pool(_, __, sizes, work):
    work["elementwise"] = sizes.moved
    work["pooled"] = sizes.read


def max_pool(_, __, sizes, work):
    work["elementwise"] = sizes.moved
    work["pooled"] = 4 * sizes.written


def gather(op, layout, sizes, work):
    """Reads the rows that it takes, not the table."""
    work["moved"] = sizes.written
    work["weight_bytes"] = math.prod(op.outputs[0]) * layout.weight_bytes if op.inputs[0].constant else 0


def written_as(column):
    def rule(_, __, sizes, work):
        work[column] = sizes.written
    return rule


def moved_as(column):
    def rule(_, __, sizes, work):
        work[column] = sizes.moved
    return rule


RULES = {
    "Conv2d": convolution, "TransposeConv2d": transposed_convolution, "FullyConnected": fully_connected, "MatMul": product,
    "DepthWiseConv2d": depthwise, "Batchnorm": batch_norm, "Gather": gather, "PoolMax2d": max_pool, "ElementWiseDivide": divide,
    **dict.fromkeys(("PoolAvg2d", "ReduceMean", "ReduceMax", "Argmax"), pool),
    **dict.fromkeys(("Relu", "ReluMinMax", "Relu6", "Cast", "Convert", "ElementWiseAdd", "ElementWiseSubtract",
                     "ElementWiseMultiply"), elementwise),
    **dict.fromkeys(("Sigmoid", "Gelu", "HardSwish", "ElementWiseNeuron", "Prelu", "Tanh"), written_as("activation")),
    "Softmax": written_as("softmax"), "LayerNorm": written_as("norm"), "Concat": moved_as("joined"),
    **dict.fromkeys(("Transpose", "Reshape", "DepthToSpace", "ChannelShuffle", "Split", "StridedSlice", "ResizeNearestNeighbor",
                     "ResizeBilinear"), moved_as("moved")),
}


def count_op(op, layout):
    sizes = Sizes(layout.vectors(operand.shape for operand in op.inputs if not operand.constant), layout.vectors(op.outputs))
    work = dict.fromkeys(COLUMNS, 0.0)
    work["ops"] = 1.0
    work["weight_bytes"] = sum(math.prod(operand.shape) for operand in op.inputs if operand.constant) * layout.weight_bytes
    work["activation_bytes"] = sizes.moved * VECTOR_BYTES
    RULES.get(op.kind, elementwise)(op, layout, sizes, work)
    return work


# ---- The work of a network ----


@dataclasses.dataclass(frozen=True)
class NetworkWork:
    """`columns` maps each of COLUMNS to an array with an entry for every op. `unknown` counts ops, by type, that have no rule
    and are taken as element-wise."""
    columns: dict
    end_bytes: float
    end_vectors: float
    unknown: collections.Counter


def count(graph, precision, padded=True):
    layout = Layout(precision, padded)
    works = [count_op(op, layout) for op in graph.ops]
    return NetworkWork(columns={column: np.array([work[column] for work in works], float) for column in COLUMNS},
                       end_bytes=float(sum(map(math.prod, graph.ends)) * layout.bytes),
                       end_vectors=layout.vectors(graph.ends),
                       unknown=collections.Counter(op.kind for op in graph.ops if op.kind not in RULES))
