# SPDX-License-Identifier: BSD-3-Clause
"""How long graphs take on the modelled NPU: of context binaries, and of models that have not been compiled."""

import json
import os
import warnings

from . import _native


class SimulatedModels(list):
    """Results of a model: dicts with the fields of `openqnn simulate --format json`.

    `model_card` says which timing model made them (name, source, coefficients, error_band); `refused` lists what was asked for
    and could not be prepared, as dicts with soc, precision, options and why.
    """

    def __init__(self, results, model_card, refused):
        super().__init__(results)
        self.model_card = model_card
        self.refused = refused


def simulate(path, graph=None, soc=None, *, precision=None, options=None, config=None, clients=1, explain=False,
             shapes_only=False, level=None, perf_profile=None, sweep=None, image_layout=None, batch=None):
    """Simulates a graph of a context binary, or a model (.onnx, .dlc) that needs neither data nor to be run.

    Of a binary: a Simulation, on the part it was prepared for, or on the one named. Of a model: a list of dicts with the
    fields of `openqnn simulate --format json`, one for each of `soc` and `precision`, which may be lists ("float", "w8a8",
    "w8a16", ...; default "w8a8"), and for each combination of `sweep` ({"vtcm_mb": [2, 4], "O": [2, 3]}). What is refused
    while others are not is warned of and listed by the list's `refused`; its `model_card` is that of the timing model.

    `level` is "event" (default) or "roofline"; `perf_profile` names the votes under which calls run ("balanced", ...; else
    those of `config`, else burst). `options` are those of graphs in configuration files ({"vtcm_mb": 4}), `config` is
    such a file. `clients` programs at once, or programs of these priorities (["high", "normal"]), give
    `throughput_per_s` and `clients`; `explain` adds `ops`. Of ONNX models: `image_layout` is "channel_last" (default, as on
    devices) or "model", `batch` the first dimension of every input; `shapes_only` does not read the weights, whose files
    need not be there.
    """
    of_models = {"precision": precision, "options": options, "config": config, "sweep": sweep, "image_layout": image_layout,
                 "batch": batch, "clients": None if isinstance(clients, int) and clients == 1 else clients,
                 "explain": explain or None, "shapes_only": shapes_only or None}
    if isinstance(path, _native.ContextBinary) or not _native.may_be_model(path_of(path)):
        given = [name for name, value in of_models.items() if value is not None]
        if given:
            raise ValueError(f"{', '.join(given)} {'is' if len(given) == 1 else 'are'} for models; a context binary is simulated "
                             "as it was prepared, and its Simulation has the ops")
        return _native.simulate(path, graph, soc, level, perf_profile)
    if graph is not None:
        raise ValueError("graph is for context binaries; a model is one graph")
    shapes = [] if batch is None else ["--batch", str(batch)]
    shapes += [] if image_layout is None else ["--image_layout", image_layout]
    made = json.loads(_native.simulate_model(path, {
        "socs": _words(soc), "precisions": _words(precision), "options": _in_json((options or {}).items()),
        "sweeps": [(str(name), [json.dumps(value) for value in values]) for name, values in (sweep or {}).items()],
        "shape_words": shapes, "config": config,
        "clients": str(clients) if isinstance(clients, (int, float)) else ",".join(_words(clients)),
        "level": level or "", "perf_profile": perf_profile or "", "explain": explain, "shapes_only": shapes_only}))
    results = SimulatedModels(made["results"], made["model_card"], made.get("refused", []))
    for refused in results.refused:
        warnings.warn(f"refused: {refused['soc']}, {refused['precision']}, {refused['options']}: {refused['why']}", stacklevel=2)
    return results


def path_of(given):
    """What is a path; an object of ours is told to be saved first."""
    if isinstance(given, (str, os.PathLike)):
        return given
    saved = " in a file; save() it, and give that" if hasattr(given, "save") else ""
    raise TypeError(f"a path is needed, of a model or a context binary{saved}; this is a {type(given).__name__}")


def _in_json(items):
    return [(str(name), json.dumps(value)) for name, value in items]


def _words(given):
    if given is None:
        return []
    return [given] if isinstance(given, str) else [str(word) for word in given]
