# SPDX-License-Identifier: BSD-3-Clause
"""What a question to the modelled NPU costs, beside running the model here.

    /usr/bin/python3 bench/python/bench_simulate.py --bin build/release/bin [--rounds N] [--json FILE]

ResNet-50 and ViT-B/16, w8a8: preparing at level 2 and simulating, against one inference of ONNX Runtime on one thread. And a stack of 24
transformer layers with 2 billion weights that nobody has: `openqnn simulate --shapes_only`.
"""

import onnx_models
import ort
from bench_exec import NAMES, Race, quantized_models
from figures import report
from programs import Programs, arguments, model, run

ALLOWED = {"resnet50": 40, "vit_b16": 80}  # inferences of the peer
MOST_SECONDS, MOST_BYTES = 20, 2e9  # of the stack


def race_simulation(race, programs, name):
    path = model(name, getattr(onnx_models, name))
    narrow, _, peer = quantized_models(name, path)
    programs.convert(narrow)
    programs.quantize(narrow)
    race.run(f"{NAMES[name]} w8a8, prepare and simulate", f"simulate:{programs.dlc(narrow)}", f"ort:{peer}",
             f"an inference of ONNX Runtime {ort.version()}", 1, f"allowed is 1/{ALLOWED[name]}")


def simulate_stack(given, programs):
    path = programs.work / "stack.onnx"
    weights = onnx_models.transformer_stack(path, layers=24, width=2560)
    seconds, memory = run(given.bin / "openqnn", "simulate", path, "--soc", "SM8650", "--shapes_only")
    what = f"{weights / 1e9:.2f} billion weights by their shapes"

    def one(name, value, unit, most):
        return {"name": f"{what}: {name}", "value": value, "unit": unit, "peer": "allowed", "peer_value": most,
                "ratio": most / value, "ratio_low": most / value, "ratio_high": most / value, "note": "one run"}

    return [one("time", seconds, "s", MOST_SECONDS), one("memory", memory, "bytes", MOST_BYTES)]


def main():
    given = arguments(__doc__)
    with Programs(given.bin) as programs:
        report(simulate_stack(given, programs), given.json)
        race = Race(given, programs)
        if not ort.library():
            print("  skipped: ONNX Runtime is not there")
            return
        for name in ALLOWED:
            race_simulation(race, programs, name)
        if race.failures:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
