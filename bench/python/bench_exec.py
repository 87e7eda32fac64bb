# SPDX-License-Identifier: BSD-3-Clause
"""Image classifiers on this CPU: ours against ONNX Runtime, and our convolutions against oneDNN's.

    /usr/bin/python3 bench/python/bench_exec.py --bin build/release/bin [--rounds N] [--json FILE] [--models NAME...] [--threads N...]

Models: resnet50 mobilenet_v2 efficientnet_b0 vit_b16; 224 x 224 pixels, one at a time, random weights. Each race is a process
of its own (build/release/bench/model_race) in which both sides take turns; ONNX Runtime is npm's onnxruntime-node, its C library,
with all optimisations. What is not there is skipped, and a line says so.

float     ours computes in half, theirs in single precision
w8a8      the same encodings for both: 8-bit weights by channel, 8-bit activations. ONNX Runtime has no integer LayerNormalization
          and GELU, so in ViT only its products are integers, which is the best that it can do
"""

import json
import os
import subprocess
import sys

import numpy as np

import onnx_models
import onnx  # after onnx_models, which says what package is missing
import ort
import qdq
from figures import add_to_file, figure, show
from programs import Programs, arguments, model

NAMES = {"resnet50": "ResNet-50", "mobilenet_v2": "MobileNet-V2", "efficientnet_b0": "EfficientNet-B0", "vit_b16": "ViT-B/16"}
PEER_STYLE = {"vit_b16": "products"}  # of the peer's quantized models (qdq.py), where it is not "fused"
LEAST_AGREEMENT = 0.99
NOT_IN_THIS_BUILD = 3  # what model_race answers
CALIBRATION = 4  # inputs


def threads_text(threads):
    return "1 thread" if threads == 1 else f"{threads} threads"


class Race:
    """Calls model_race, and makes a figure of what it answers."""

    def __init__(self, given, programs):
        self.rounds = given.rounds
        self.program = given.bin.resolve().parent / "bench/model_race"
        self.backend = programs.backend
        self.json = given.json
        self.failures = []

    def fail(self, name, why):
        print(f"  failed: {name}: {why}", flush=True)
        self.failures.append(name)

    def run(self, name, ours, peer, peer_name, threads, note="", optimized=None, must_agree=True):
        command = [self.program, "--threads", threads, "--rounds", self.rounds, "--backend", self.backend, "--onnxruntime",
                   ort.library() or ""]
        if optimized:
            command += ["--save-optimized", optimized]
        # Threads of OpenMP would go on waiting actively into our turn.
        environment = {**os.environ, "OPENQNN_THREADS": str(threads), "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"}
        done = subprocess.run([str(part) for part in [*command, ours, peer]], env=environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode == NOT_IN_THIS_BUILD:
            print(f"  skipped: {name}: {done.stderr.strip()}", flush=True)
            return
        if done.returncode != 0:
            self.fail(name, f"model_race ended with {done.returncode}: {done.stderr.strip()}")
            return
        told = json.loads(done.stdout)
        notes = [note] if note else []
        if optimized:
            notes.append(f"{qdq.left_inside(onnx.load(str(optimized)))} conversions left in the peer")
        if "correlation" in told:
            notes.append(f"outputs correlate by {told['correlation']:.4f}")
            if must_agree and told["correlation"] < LEAST_AGREEMENT:
                self.fail(name, f"the outputs correlate by {told['correlation']:.4f}: this is not the same computation")
        notes.append(f"{len(told['ours'])} rounds")
        ours_ms, peer_ms = ([nanos / 1e6 for nanos in told[side]] for side in ("ours", "peer"))
        row = figure(f"{name}, {threads_text(threads)}", "ms", ours_ms, peer_name, peer_ms, "; ".join(notes))
        show(row)
        add_to_file([row], self.json)  # at once: a run takes long, and may be ended


def quantized_models(name, path):
    """The model's quantized forms: of ours with 8 and 16-bit activations, and the peer's."""
    folded = qdq.without_batch_norms(onnx.load(str(path)))
    probe = model(f"{name}_probe", lambda part: onnx.save(qdq.with_all_outputs(folded), str(part)))
    inputs = np.random.default_rng(1).standard_normal((CALIBRATION, 3, 224, 224), dtype=np.float32)
    ranges = ort.ranges(probe, inputs)

    def make(kind, **how):
        return model(f"{name}_{kind}", lambda part: onnx.save(qdq.quantized(folded, ranges, **how), str(part)))

    return make("w8a8", style="all"), make("w8a16", style="all", bits=16), make("peer_w8a8", style=PEER_STYLE.get(name, "fused"))


def convolution_list(path):
    """INPUTS OUTPUTS HEIGHT WIDTH KERNEL STRIDE PADDING of each convolution, a line each, beside the model."""
    shaped = onnx.shape_inference.infer_shapes(onnx.load(str(path)))
    shapes = {value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim]
              for value in [*shaped.graph.value_info, *shaped.graph.input]}
    weights = {constant.name: list(constant.dims) for constant in shaped.graph.initializer}
    lines = []
    for node in shaped.graph.node:
        if node.op_type == "Conv":
            how = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
            outputs, inputs, kernel, _ = weights[node.input[1]]
            lines.append([inputs, outputs, *shapes[node.input[0]][2:], kernel, how["strides"][0], how["pads"][0]])
    listed = path.with_suffix(".convolutions")
    listed.write_text("".join(" ".join(map(str, line)) + "\n" for line in lines), encoding="utf-8")
    return listed


def race_model(race, programs, name, threads):
    title, path = NAMES[name], model(name, getattr(onnx_models, name))
    peer_name = f"ONNX Runtime {ort.version()}"
    programs.convert(path)
    float_dlc = programs.dlc(path)
    narrow, wide, peer = quantized_models(name, path)
    for quantized in (narrow, wide) if name == "resnet50" else (narrow,):
        programs.convert(quantized)
        programs.quantize(quantized)
        if left := programs.float_tensors(quantized):
            race.fail(f"{title}, {quantized.stem}", f"{left} of our tensors are float: this is not a quantized model")
    for count in threads:
        race.run(f"{title} float", f"execute:{float_dlc}", f"ort:{path}", peer_name, count)
        race.run(f"{title} w8a8", f"execute:{programs.dlc(narrow)}", f"ort:{peer}", peer_name, count,
                 optimized=programs.work / "optimized.onnx")
    if name == "resnet50":
        race_resnet(race, programs, path, narrow, wide, peer, threads)


def race_resnet(race, programs, path, narrow, wide, peer, threads):
    """What is measured on this model alone."""
    float_dlc, narrow_dlc, wide_dlc = (programs.dlc(each) for each in (path, narrow, wide))
    peer_name = f"ONNX Runtime {ort.version()}"
    for count in threads:
        race.run("ResNet-50 w8a16", f"execute:{wide_dlc}", f"execute:{narrow_dlc}", "our w8a8", count, must_agree=False)
        race.run("ResNet-50 w8a8 beside convolutions", f"execute:{narrow_dlc}", f"onednn:{convolution_list(path)}",
                 "oneDNN, int8 convolutions alone", count, "the floor: nothing but the convolutions")
    race.run("ResNet-50 float finalize", f"finalize:{float_dlc}", f"ort-create:{path}", f"{peer_name}, session", 1)
    race.run("ResNet-50 w8a8 finalize", f"finalize:{narrow_dlc}", f"ort-create:{peer}", f"{peer_name}, session", 1)
    race.run("ResNet-50 w8a8 persistent load", f"load:{narrow_dlc}", f"map:{narrow_dlc}", "mmap and touch every page", 1)


def main():
    given = arguments(__doc__, [("--models", {"nargs": "+", "choices": NAMES, "default": list(NAMES)}),
                                ("--threads", {"type": int, "nargs": "+", "default": [1, 2]})])
    if not ort.installed() or ort.library() is None:
        print(f"  skipped: {ort.SKIPPED}")
        return
    with Programs(given.bin) as programs:
        race = Race(given, programs)
        for name in given.models:
            race_model(race, programs, name, given.threads)
    if race.failures:
        sys.exit(f"error: {', '.join(race.failures)} failed; the reasons are above")


if __name__ == "__main__":
    main()
