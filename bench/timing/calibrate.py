#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fits the simulator's coefficients to the latencies in data/calibration, and says how far they can be trusted.

    scripts/calibrate [--check]

Builds the networks of bench/models, prepares them as `openqnn simulate` does, and fits the prices of data/timing/vNN.json and the
rates of data/timing/parts.json. Every family of networks is also predicted by a fit that has not seen it; the tables of these
errors are docs/timing_accuracy.md. --check writes nothing and fails where the coefficients that are there miss the bars.
"""

import argparse
import csv
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from timing import facts, measurements, report, simulator  # noqa: E402
from timing.fit import errors_of, fit, leave_one_family_out  # noqa: E402
from timing.model import PRIORS, SLOW_CHIP, Model, held  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVALUATOR = ROOT / "build/release/bench/timing_evaluator"
MODELS = ROOT / "build/bench/models/networks"
SAVED = ROOT / "build/bench/models/schedules.bin"
PAGE = ROOT / "docs/timing_accuracy.md"


def model_file(name):
    """The network as ONNX, made where it is not there yet."""
    path = MODELS / f"{name}.onnx"
    if not path.exists():
        print(f"  building {name}", file=sys.stderr, flush=True)
        MODELS.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        subprocess.run([sys.executable, ROOT / "bench/models/build.py", name, unfinished], check=True)
        unfinished.rename(path)
    return path


def soc_models():
    with open(measurements.FILE, encoding="utf-8", newline="") as file:
        return {line["chipset"].removeprefix("qualcomm-"): int(line["soc_model"]) for line in csv.DictReader(file)}


def fit_apart(fitted, rows, table_of):
    """A part that had no say in the shared coefficients: these are held, and its own are fitted."""
    shared = {name: held(value, fitted.model.shared[name].unit) for name, value in fitted.shared.items()}
    apart = fit(Model(shared, SLOW_CHIP), rows, table_of)
    return apart, errors_of(apart, rows, table_of)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the bars are missed")
    given = parser.parse_args()
    everything = measurements.read()
    rows = [row for row in everything if row.chip.name != measurements.APART]
    rows_apart = [row for row in everything if row.chip.name == measurements.APART]
    simulated = simulator.Simulator(EVALUATOR, everything, model_file, SAVED)

    validated = leave_one_family_out(Model(PRIORS), rows, simulated.table)
    apart = fit_apart(validated.fitted, rows_apart, simulated.table)
    page = report.page(validated, apart, rows_apart)
    print(page)
    missed = report.missed_bars(validated)
    if not given.check:
        facts.write(validated, apart, soc_models())
        PAGE.write_text(page, encoding="utf-8")
    for bar in missed:
        print(f"error: {bar}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
