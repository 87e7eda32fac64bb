# SPDX-License-Identifier: BSD-3-Clause
"""Accuracy of predictions, and the tables that the study prints. Errors are log(predicted / measured)."""

import dataclasses

import numpy as np

from .measurements import APART, PRECISIONS

WORST = 12


def ranks(values):
    """From 0; equal values share the mean of their ranks."""
    values = np.asarray(values)
    return (values[:, None] > values).sum(axis=1) + ((values[:, None] == values).sum(axis=1) - 1) / 2


def spearman(first, second):
    """Not a number where all values of a side are equal or there are fewer than three."""
    first, second = ranks(first), ranks(second)
    return float(np.corrcoef(first, second)[0, 1]) if len(first) > 2 and first.std() > 0 and second.std() > 0 else float("nan")


@dataclasses.dataclass(frozen=True)
class Accuracy:
    """Relative errors: their median and mean without sign, the mean with sign; and how well the order is met."""
    count: int
    median: float
    mape: float
    bias: float
    spearman: float

    def cells(self):
        order = "" if np.isnan(self.spearman) else f"{self.spearman:.3f}"
        return [str(self.count), percent(self.median), percent(self.mape), f"{100 * self.bias:+.1f} %", order]


def accuracy(rows, errors):
    measured = np.array([row.microseconds for row in rows])
    relative = np.exp(errors) - 1
    return Accuracy(len(rows), float(np.median(abs(relative))), float(abs(relative).mean()), float(relative.mean()),
                    spearman(measured, measured * np.exp(errors)))


def pick(rows, errors, condition):
    """The rows that meet a condition, with their errors."""
    places = [place for place, row in enumerate(rows) if condition(row)]
    return [rows[place] for place in places], np.asarray(errors)[places]


def grouped(rows, errors, key):
    """Accuracy of stable rows by what `key` says of them, in the order of the keys."""
    rows, errors = pick(rows, errors, lambda row: row.stable)
    return {value: accuracy(*pick(rows, errors, lambda row, value=value: key(row) == value)) for value in sorted(map(key, rows))}


# ---- Text ----


def percent(share):
    return f"{100 * share:.1f} %"


def number(value):
    return f"{value:.0f}" if value >= 999.5 else f"{value:.3g}"


def marked(value, about):
    """With a mark where a bound stopped the fit: the data alone would have gone further."""
    return number(value) + (" (bound)" if value <= about.low * 1.001 or value >= about.high / 1.001 else "")


def table(header, lines):
    """As Markdown, with columns that are also straight in a terminal."""
    lines = [list(map(str, line)) for line in lines]
    widths = [max(map(len, column)) for column in zip(header, *lines)]
    rule = ["-" * width for width in widths]
    padded = [[cell.ljust(width) for cell, width in zip(line, widths)] for line in (header, rule, *lines)]
    return "".join("| " + " | ".join(line) + " |\n" for line in padded)


HEADER = ("rows", "median", "MAPE", "bias", "Spearman")


def accuracy_table(what, rows, errors, key):
    return table((what, *HEADER), [(name, *value.cells()) for name, value in grouped(rows, errors, key).items()])


def summary(validated):
    lines = []
    for name, errors in (("in sample", validated.errors), ("family held out", validated.held_out_errors)):
        for kind, stable in (("stable", True), ("unstable", False)):
            chosen = pick(validated.rows, errors, lambda row, stable=stable: row.stable == stable)
            if chosen[0]:
                lines.append((f"{name}, {kind} rows", *accuracy(*chosen).cells()))
    return table(("", *HEADER), lines)


def network_table(rows, errors):
    """Unstable rows too: median log error over the chips, and its range."""
    lines = []
    for name in sorted({row.model for row in rows}):
        cells = []
        for precision in PRECISIONS:
            wanted = (name, precision)
            _, chosen = pick(rows, errors, lambda row, wanted=wanted: (row.model, row.precision) == wanted)
            cells.append(f"{np.median(chosen):+.2f} [{chosen.min():+.2f} {chosen.max():+.2f}]" if len(chosen) else "")
        lines.append((name, *cells))
    return table(("network", *PRECISIONS), lines)


def worst_table(rows, errors):
    rows, errors = pick(rows, errors, lambda row: row.stable)
    order = np.argsort(-abs(errors))[:WORST]
    return table(("network", "precision", "chip", "measured us", "predicted us", "log error"),
                 [(rows[at].model, rows[at].precision, rows[at].chip.name, f"{rows[at].microseconds:.0f}",
                   f"{rows[at].microseconds * np.exp(errors[at]):.0f}", f"{errors[at]:+.2f}") for at in order])


def over_folds(validated, name):
    """The range of a shared coefficient."""
    values = [fold.shared[name] for fold in validated.folds]
    return min(values), max(values)


def shared_table(validated):
    lines = []
    for name, about in validated.fitted.model.shared.items():
        lowest, highest = over_folds(validated, name)
        lines.append((name, marked(validated.fitted.shared[name], about), f"{number(lowest)} .. {number(highest)}",
                      number(about.prior), f"{number(about.low)} .. {number(about.high)}", about.unit))
    return table(("coefficient", "fitted", "folds", "prior", "bounds", "unit"), lines)


def rates_known(fitted, chip, rows):
    """A part's coefficients; None for the fp16 rate where no row is float, so that it only repeats its prior."""
    rates = fitted.rates(chip)
    if not any(row.chip == chip and row.precision == "float" for row in rows):
        rates["macs16"] = None
    return rates


def chip_table(fitted, rows):
    """In the units of data sheets: cycles are those of `vector` over the threads."""
    lines = []
    for chip in fitted.chips:
        rates = rates_known(fitted, chip, rows)
        clock = rates["vector"] / chip.threads
        half = f"{rates['macs16'] / clock:.0f}" if rates["macs16"] else ""
        lines.append((chip.name, chip.arch, chip.threads, f"{clock:.0f}", f"{rates['macs8'] / clock:.0f}", half,
                      marked(rates["ddr"], fitted.model.chip["ddr"]), f"{rates['call']:.0f}"))
    return table(("chip", "arch", "threads", "clock MHz", "8-bit MAC/cycle", "fp16 MAC/cycle", "DDR MB/s", "call us"), lines)


def tables(validated):
    """(title, text) of all that is said of a validated fit."""
    rows, errors = validated.rows, validated.held_out_errors
    return [
        ("Accuracy", summary(validated)),
        ("Family held out, by architecture", accuracy_table("architecture", rows, errors, lambda row: row.chip.arch)),
        ("Family held out, by chip", accuracy_table("chip", rows, errors, lambda row: f"{row.chip.arch} {row.chip.name}")),
        ("Family held out, by precision", accuracy_table("precision", rows, errors, lambda row: row.precision)),
        ("Family held out, by network", accuracy_table("network", rows, errors, lambda row: row.model)),
        ("Family held out, log error by network and precision: median over chips [range]", network_table(rows, errors)),
        ("Family held out, worst rows", worst_table(rows, errors)),
        ("Shared coefficients", shared_table(validated)),
        ("Coefficients of chips", chip_table(validated.fitted, rows)),
    ]


# ---- The page ----

BARS = {"median": 0.18, "mape": 0.25}  # of stable rows, their family held out
LEAST_SPEARMAN = 0.93                  # of every chip
LARGEST_BIAS = 0.10                    # of every chip

INTRODUCTION = """# How near simulated times come

`openqnn simulate` predicts latencies with coefficients that were fitted to [latencies of devices](../data/calibration/README.md): 25 networks in up to
three precisions on {parts} parts, {rows} rows in all. Each row of the first tables is predicted by a fit that has not seen its family of networks. One more part, {apart}, is
[fitted apart](#{anchor}) to its {rows_apart} rows, with errors in sample. What the coefficients mean is in [timing.md](timing.md). This page is written by

```sh
scripts/calibrate            # fits, writes data/timing and this page
scripts/calibrate --check    # fits, and fails where a bar is missed
```

Bars, for stable rows with the family held out: median error at most 18 %, mean at most 25 %, bias of every chip within 10 %, Spearman's rank correlation of every chip at
least 0.93. "Error" is of the predicted latency, relative to the measured one.

**A held-out family holds out the fit, not the choices.** Which work is counted, and in which kinds, was chosen with all residuals in view, and some terms exist because
one network stood out: `ragged8` and `ragged16` (vit), `batch_norm` (densenet121), `quotient` (small classifiers). Expect networks that nobody looked at to come out worse.
Cycles have no scale of their own: all of them may be multiplied by one factor if all clocks are too. Ratios between parts and between coefficients are found by the fit; absolute
clocks are not, so the clock of a part here is not the one on its data sheet.

**What is not explained.** googlenet and inception_v3 in w8a8 come out too slow: as built here they divide to normalise their input. vit in w8a8 is too fast where it is held out, since it alone
shows what rows cost that are no multiple of 8. bert in w8a16 is too slow.
"""


def page(validated, apart, rows_apart):
    rows, apart_title = validated.rows, f"{APART}, with the shared coefficients held"
    parts = [INTRODUCTION.format(parts=len({row.chip.name for row in rows}), rows=len(rows), apart=APART, rows_apart=len(rows_apart),
                                 anchor=apart_title.replace(",", "").replace(" ", "-"))]
    parts += [f"## {title}\n\n{text}" for title, text in tables(validated)]
    fitted, errors = apart
    parts.append(f"## {apart_title}\n\nThree to fifteen times slower than other parts of its architecture; its own five "
                 "coefficients are fitted to its rows, so these errors are in sample.\n\n"
                 + accuracy_table("precision", rows_apart, errors, lambda row: row.precision) + "\n" + chip_table(fitted, rows_apart))
    return "\n".join(parts)


def missed_bars(validated):
    rows, errors = validated.rows, validated.held_out_errors
    whole = accuracy(*pick(rows, errors, lambda row: row.stable))
    missed = [f"{name} is {percent(getattr(whole, name))}, more than {percent(most)}"
              for name, most in BARS.items() if getattr(whole, name) > most]
    for chip, one in grouped(rows, errors, lambda row: row.chip.name).items():
        if one.spearman < LEAST_SPEARMAN:
            missed.append(f"Spearman of {chip} is {one.spearman:.3f}, less than {LEAST_SPEARMAN}")
        if abs(one.bias) > LARGEST_BIAS:
            missed.append(f"the bias of {chip} is {percent(one.bias)}, beyond {percent(LARGEST_BIAS)}")
    return missed
