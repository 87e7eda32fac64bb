# SPDX-License-Identifier: BSD-3-Clause
"""How long graphs take on the modelled NPU: of context binaries, and of models that have not been compiled."""

import json
import os

from . import _native

_MODELS = (".onnx", ".dlc")


def simulate(path, graph=None, soc=None, *, precision=None, options=None, config=None, clients=1, explain=False,
             shapes_only=False):
    """Simulates a graph of a context binary, or a model (.onnx, .dlc) that needs neither data nor to be run.

    Of a binary: a Simulation, on the part it was prepared for, or on the one named. Of a model: a list of dicts with the
    fields of `openqnn simulate --format json`, one for each of `soc` and `precision`, which may be lists ("float", "w8a8",
    "w8a16", ...; default "w8a8"). `options` are those of graphs in configuration files ({"vtcm_mb": 4}), `config` is
    such a file. `clients` programs at once, or programs of these priorities (["high", "normal"]), give
    `throughput_per_s` and `clients`; `explain` adds `ops`; `shapes_only` does not read the
    weights of an ONNX model, whose files need not be there.
    """
    if isinstance(path, _native.ContextBinary) or not os.fspath(path).endswith(_MODELS):
        if precision is not None or options is not None or config is not None or clients != 1 or explain or shapes_only:
            raise ValueError("precision, options, config, clients, explain and shapes_only are for models; a context binary is "
                             "simulated as it was prepared, and its Simulation has the ops")
        return _native.simulate(path, graph, soc)
    if graph is not None:
        raise ValueError("graph is for context binaries; a model is one graph")
    together = str(clients) if isinstance(clients, (int, float)) else ",".join(_words(clients, []))
    chosen = [(str(name), json.dumps(value)) for name, value in (options or {}).items()]
    made = _native.simulate_model(path, _words(soc, []), _words(precision, ["w8a8"]), chosen, config, together, explain,
                                  shapes_only)
    return json.loads(made)["results"]


def _words(given, default):
    if given is None:
        return default
    return [given] if isinstance(given, str) else [str(word) for word in given]
