# SPDX-License-Identifier: BSD-3-Clause
"""Writes fitted coefficients as the product reads them: data/timing/vNN.json, shared by an architecture, and parts.json."""

import json
import pathlib

import numpy as np

from . import simulator
from .measurements import APART

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "data/timing"
COMMAND = "scripts/calibrate"
SOURCE = f"fitted to latencies of devices (data/calibration) by {COMMAND}"
# Whose rates stand for parts of an architecture that nobody has measured.
REFERENCES = {"v68": "sa8295p", "v69": "snapdragon-8gen1", "v73": "qcs8550-proxy", "v75": "snapdragon-8gen3",
              "v79": "snapdragon-8-elite-for-galaxy", "v81": "snapdragon-8-elite-gen5-for-galaxy"}
BAND_QUANTILE = 0.8      # of the errors with the family held out: so many predictions lie within the band
LEAST_BAND = 0.15
RPC_SHARE = 87 / 130     # of what a call costs beside the accelerator, as measured on SM8750; the rest is the client's
HALF_RATIO = 4           # of 8-bit to half products, for parts without float rows; the middle of the others
INSTRUCTION_CYCLES = 2   # a context streams one vector in 2 cycles (measured on SM8750)

NAMES = {"passes16": "word_passes", "stride": "between_strides", "ragged8": "ragged_8", "ragged16": "ragged_16",
         **{kind: f"{kind}_cycles" for kind in simulator.VECTOR_KINDS}, "op": "op_cycles", "matrix": "matrix_cycles"}


def rounded(value):
    return float(f"{value:.4g}")


def fact(value, grade, source, unit, low, high):
    """`low` and `high`: between which values it could be, physically."""
    return {"value": rounded(value), "grade": grade, "source": source, "unit": unit, "low": rounded(low), "high": rounded(high)}


def fitted_fact(coefficient, value):
    at_bound = min(abs(np.log(value / bound)) for bound in (coefficient.low, coefficient.high)) < 0.01
    return fact(value, "fitted", SOURCE + (", at its bound" if at_bound else ""), coefficient.unit, coefficient.low,
                coefficient.high)


def rate_fact(coefficient, value, factor, unit, grade="fitted", source=SOURCE):
    """A coefficient of a chip times a factor, as are its bounds."""
    return fact(value * factor, grade, source, unit, coefficient.low * factor, coefficient.high * factor)


def prices(fitted, arch):
    """What parts of an architecture share."""
    shared, old = fitted.shared, arch in ("v68", "v69")
    facts = {name: fitted_fact(fitted.model.shared[key], shared[key]) for key, name in NAMES.items()}
    eight = "vector8_old" if old else "vector8"
    facts["byte_vectors"] = fitted_fact(fitted.model.shared[eight], shared[eight])
    facts["half_vectors"] = (fitted_fact(fitted.model.shared["half_old"], shared["half_old"]) if old
                             else fact(1, "assumed", "the reference of the vectors' prices",
                                       "fp16 vector arithmetic against that of later parts", 1, 1))
    facts["instruction_cycles"] = fact(
        INSTRUCTION_CYCLES, "derived", "a context streams one 128-byte vector in 2 cycles on SM8750 "
        "(Dan1un1u/qwen3-block-htp, EXP-0310); for ops that no measured network has", "thread-cycles per vector instruction", 1, 4)
    facts["task_cycles"] = fact(simulator.TASK_CYCLES, "assumed", "start of a tile; no public number", "cycles per tile", 1, 1000)
    facts["dma_setup_cycles"] = fact(
        simulator.DMA_SETUP_CYCLES, "assumed", "no public number; a descriptor and one DDR round trip of some hundred nanoseconds",
        "cycles per transfer", 100, 3000)
    return facts


def rates(chip, found, model, has_float, band):
    """What a part has of its own."""
    clock = found["vector"] / chip.threads * 1e6
    macs = "multiply-accumulates"
    if has_float:
        half = rate_fact(model.chip["macs16"], found["macs16"], 1e6 / clock, macs)
    else:
        half = rate_fact(model.chip["macs8"], found["macs8"], 1e6 / clock / HALF_RATIO, macs, "assumed",
                         "8-bit rate by four: the part has no float rows")
    return {
        "clock_hz": rate_fact(model.chip["vector"], found["vector"], 1e6 / chip.threads, "Hz",
                              source=SOURCE + "; its scale rests on priors"),
        "hmx_macs_per_cycle_8": rate_fact(model.chip["macs8"], found["macs8"], 1e6 / clock, macs),
        "hmx_macs_per_cycle_16": half,
        "dma_bytes_per_second": rate_fact(model.chip["ddr"], found["ddr"], 1e6, "bytes/s"),
        "rpc_us": rate_fact(model.chip["call"], found["call"], RPC_SHARE, "us"),
        "client_us": rate_fact(model.chip["call"], found["call"], 1 - RPC_SHARE, "us"),
        "error_band": fact(band, "fitted", f"{BAND_QUANTILE:.0%} of this part's rows lie within it, their family held out",
                           "of the predicted latency", LEAST_BAND, 1),
    }


def rates_names():
    return ("clock_hz", "hmx_macs_per_cycle_8", "hmx_macs_per_cycle_16", "dma_bytes_per_second", "rpc_us", "client_us", "error_band")


def band_of(errors):
    return max(LEAST_BAND, float(np.quantile(np.abs(np.exp(errors) - 1), BAND_QUANTILE)))


def write_json(path, value):
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    unfinished.rename(path)


def write(validated, apart, numbers):
    """`apart` is the fit of the part that stands apart, with its own errors; `numbers` are chips' SoC models."""
    fitted, rows = validated.fitted, validated.rows
    parts, of_chip = [], {}
    for chip in fitted.chips:
        own = [place for place, row in enumerate(rows) if row.chip == chip and row.stable]
        has_float = any(rows[place].precision == "float" for place in own)
        of_chip[chip.name] = rates(chip, fitted.rates(chip), fitted.model, has_float, band_of(validated.held_out_errors[own]))
        parts.append({"soc_model": numbers[chip.name], "measured_as": chip.name, "source": SOURCE, **of_chip[chip.name]})
    lone, lone_errors = apart
    parts.append({"soc_model": numbers[APART], "measured_as": APART, "source": SOURCE + ", shared prices held",
                  **rates(lone.chips[0], lone.rates(lone.chips[0]), lone.model, False, band_of(lone_errors))})
    write_json(FOLDER / "parts.json", {"note": "Rates of parts whose latencies are known; others have those of their architecture.",
                                       "parts": parts})
    for arch, reference in REFERENCES.items():
        write_json(FOLDER / f"{arch}.json", {"arch": int(arch.removeprefix("v")), "source": SOURCE, **prices(fitted, arch),
                                             **of_chip[reference]})
