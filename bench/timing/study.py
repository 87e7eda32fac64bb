#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fits a model of the NPU's time to the latencies in data/calibration, and says how far it can be trusted.

    bench/timing/study.py [--bin build/release/bin] [--models DIR] [--priors neutral|tuned] [--ablate]
                          [--explain NETWORK] [--json OUT]

Graphs are made by our converter from the networks of bench/models, once (1.9 GB of weights, one network at a time), and kept in
build/bench/models/graphs. Every family of networks is predicted by a fit that has not seen it. docs/timing_study.md explains
the tables.
"""

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from timing import ablation, graphs, measurements, report  # noqa: E402
from timing.fit import errors_of, fit, leave_one_family_out  # noqa: E402
from timing.model import PRIORS, SLOW_CHIP, Model, held  # noqa: E402
from timing.work import read_graph  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=graphs.ROOT / "build/release/bin", help="the tools")
    parser.add_argument("--models", type=pathlib.Path, default=graphs.ROOT / "build/bench/models/graphs", metavar="DIR",
                        help="where converted graphs are kept")
    parser.add_argument("--priors", choices=PRIORS, default="neutral", help="tuned ones were set after a look at fitted values")
    parser.add_argument("--ablate", action="store_true", help="also leave out each part of the model in turn (minutes)")
    parser.add_argument("--explain", metavar="NETWORK", choices=[name for family in measurements.FAMILIES for name in family],
                        help="also print where the time of this network goes")
    parser.add_argument("--json", type=pathlib.Path, metavar="OUT", help="write coefficients and predictions")
    return parser.parse_args()


def show(title, text):
    print(f"## {title}\n\n{text}", flush=True)


def progress(line):
    print("  " + "  ".join(line), file=sys.stderr, flush=True)


def unknown_ops(rows, work_of):
    """By type: in how many ops of how many networks; those are priced as element-wise."""
    found = {}
    for name, precision in sorted({(row.model, row.precision) for row in rows}):
        for kind, ops in work_of(name, precision).unknown.items():
            found.setdefault(kind, {})[name] = ops
    return [f"{kind}: {sum(ops.values())} in {', '.join(sorted(ops))}" for kind, ops in sorted(found.items())]


def fit_apart(fitted, rows, work_of):
    """A part that had no say in the shared coefficients: these are held, and its own are fitted."""
    shared = {name: held(value, fitted.model.shared[name].unit) for name, value in fitted.shared.items()}
    return fit(Model(shared, SLOW_CHIP), rows, work_of)


def show_apart(apart, rows, work_of):
    errors = errors_of(apart, rows, work_of)
    texts = [report.accuracy_table("in sample", rows, errors, key)
             for key in (lambda row: row.chip.name, lambda row: row.precision)]
    show(f"{measurements.APART}, with the shared coefficients held", "\n".join([*texts, report.chip_table(apart, rows)]))


def main():
    given = arguments()
    everything = measurements.read()
    rows = [row for row in everything if row.chip.name != measurements.APART]
    rows_apart = [row for row in everything if row.chip.name == measurements.APART]
    names = sorted({row.model for row in everything})
    networks = {name: read_graph(graphs.load(name, given.models, given.bin)) for name in names}
    work_of = ablation.counted(networks)
    unknown = unknown_ops(everything, work_of)
    if unknown:
        show("Ops without a rule, taken as element-wise", "\n".join(unknown) + "\n")

    model = Model(PRIORS[given.priors])
    validated = leave_one_family_out(model, rows, work_of)
    print(f"Priors: {given.priors}.\n")
    for title, text in report.tables(validated):
        show(title, text)
    apart = fit_apart(validated.fitted, rows_apart, work_of)
    show_apart(apart, rows_apart, work_of)
    if given.explain:
        show(f"{given.explain}, in sample", report.parts_table(validated.fitted, rows, work_of, given.explain))
    if given.ablate:
        show("Ablation", ablation.run(model, rows, networks, progress))
    if given.json:
        text = json.dumps({"priors": given.priors, **report.as_json(validated)}, indent=1)
        given.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
