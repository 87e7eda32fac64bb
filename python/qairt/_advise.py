# SPDX-License-Identifier: BSD-3-Clause
"""What the documents advise against in a model, with what helps simulated."""

import json

from . import _native
from ._simulate import path_of


def advise(path, *, soc=None, precision=None, config=None, graph=None, use_mmap=False):
    """Findings on a model (.onnx, .dlc) or a context binary, as dicts.

    The fields are those of `findings` of `openqnn advise --format json`: `id`, `severity`, `message`, `advice`, `source`, `ops`
    and `effects`; times and shares are simulated. `soc` and `precision`
    ("float", "w8a8", ...; default "w8a8") are for models, `graph` for binaries. `config` is an HTP backend file or the outer file
    that names one; what `openqnn check` finds in it comes first. `use_mmap`: the client maps binaries.
    """
    made = _native.advise_on(path_of(path), soc or "", precision or "", config, graph or "", use_mmap)
    return json.loads(made)["findings"]
