# SPDX-License-Identifier: BSD-3-Clause
"""bench/timing: the fit finds what made its data, and the facts that it writes are the product's."""

import json
import pathlib
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from timing import facts, fit, measurements, model, report, simulator  # noqa: E402


class Straight:
    """A device whose inference takes call + work / macs8, so that a fit can be judged."""

    def __init__(self, rows, chips):
        self.chips = chips
        self.chip_of_row = np.array([chips.index(row.chip) for row in rows])
        self.work = np.array([1e6 * (1 + 37 * int(row.model) % 97) for row in rows])
        self.logs = np.log([row.microseconds for row in rows])
        self.weights = np.ones(len(rows))

    @staticmethod
    def map(function, points):
        return [function(point, None) for point in points]

    def errors(self, about, _shared, chip_logs, _worker=None):
        rates = [dict(zip(about.chip, np.exp(logs))) for logs in chip_logs]
        times = [rates[chip]["call"] + work / rates[chip]["macs8"] for chip, work in zip(self.chip_of_row, self.work)]
        return np.log(times) - self.logs


def test_a_fit_finds_the_rates_that_made_the_times():
    chip = measurements.Chip("toy", "v75")
    work = [1e6 * (1 + 37 * index % 97) for index in range(40)]
    rows = [measurements.Row(str(index), "w8a8", chip, 200 + amount / 2e6, True) for index, amount in enumerate(work)]
    fitted = fit.fit(model.Model(model.PRIORS), rows, Straight)
    assert fitted.rates(chip)["call"] == pytest.approx(200, rel=0.05)
    assert fitted.rates(chip)["macs8"] == pytest.approx(2e6, rel=0.2)


def test_every_measured_network_has_a_family_and_no_other():
    names = [name for family in measurements.FAMILIES for name in family]
    assert sorted(names) == sorted({row.model for row in measurements.read()})


def test_the_line_of_coefficients_has_all_of_them():
    chip = measurements.Chip("toy", "v68")
    shared = {name: float(place) for place, name in enumerate(model.PRIORS, 1)}
    numbers = simulator.line_of(chip, shared, dict.fromkeys(model.CHIP, 8.0)).split()
    assert len(numbers) == 2 + 4 + len(simulator.VECTOR_KINDS) + 2 + 4 + 5
    assert numbers[:2] == ["4", "68"]


def facts_in(told):
    return {name: fact for name, fact in told.items() if isinstance(fact, dict)}


def check_facts(values):
    for name, fact in values.items():
        assert set(fact) == {"value", "grade", "source", "unit", "low", "high"}, name
        assert 0 < fact["low"] <= fact["value"] <= fact["high"], name


def test_prices_have_units_and_are_within_their_bounds_and_few_enough():
    for path in facts.FOLDER.glob("v*.json"):
        values = facts_in(json.loads(path.read_text()))
        check_facts(values)
        assert len([name for name, fact in values.items() if fact["grade"] == "fitted" and name not in facts.rates_names()]) <= 20


def test_rates_of_parts_have_units_and_are_within_their_bounds_and_few_enough():
    parts = json.loads((facts.FOLDER / "parts.json").read_text())["parts"]
    assert {part["measured_as"] for part in parts} >= set(facts.REFERENCES.values())
    for part in parts:
        values = facts_in(part)
        check_facts(values)
        assert len(set(values) - {"error_band"}) <= 6


def test_bars_that_are_missed_are_named():
    chip = measurements.Chip("toy", "v75")
    rows = [measurements.Row(str(index), "w8a8", chip, 100.0 + index, True) for index in range(8)]
    bad = fit.Validated(None, rows, np.zeros(8), np.full(8, 0.5), [])
    assert [bar.split(" is ")[0] for bar in report.missed_bars(bad)] == ["median", "mape", "the bias of toy"]
