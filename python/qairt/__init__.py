# SPDX-License-Identifier: BSD-3-Clause
"""Look into context binaries of openqnn and time their graphs on the modelled NPU.

    import qairt

    binary = qairt.ContextBinary("model.bin")
    binary.validate()
    print(binary.graphs[0].inputs)
    print(qairt.simulate(binary).to_text())

All times are simulated: they come from a model of the NPU, never from a device.

Configurations of the HTP backend are objects, too (qairt.api.compiler.config, qairt.api.common.backends.htp), and files
can be checked:

    for finding in qairt.check("htp_config.json", soc="SM8550"):
        print(finding)

A file that is not there raises FileNotFoundError; one that is not a sound context binary, a graph or a part that does
not exist raise ValueError. The message says what, where, why, and what to do.
"""

from ._check import Finding, check
from ._errors import ValidationError
from ._input_list import InputList, read_input_list
from ._native import (ContextBinary, Graph, Op, OpRow, Section, Simulation, Tensor, __version__, simulate)

__all__ = ["ContextBinary", "Finding", "Graph", "InputList", "Op", "OpRow", "Section", "Simulation", "Tensor",
           "ValidationError", "__version__", "check", "read_input_list", "simulate"]

# Where people meet them, in tracebacks and help().
for _name in __all__:
    _object = globals()[_name]
    if hasattr(_object, "__module__"):
        try:
            _object.__module__ = __name__
        except AttributeError:  # built-in functions keep theirs
            pass
del _name, _object
