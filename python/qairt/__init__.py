# SPDX-License-Identifier: BSD-3-Clause
"""Bring models to the modelled NPU, run them, look into context binaries and time their graphs.

    import qairt

    model = qairt.convert("model.onnx")
    compiled = qairt.compile(model, precision="w8a8", calibration_data=samples)
    outputs = compiled({"image": array})  # a dict of numpy arrays
    compiled.save("model.bin")

    binary = qairt.ContextBinary("model.bin")
    binary.validate()
    print(binary.graphs[0].inputs)
    print(qairt.simulate(binary).to_text())
    print(qairt.simulate("model.onnx", soc="SM8550", precision=["float", "w8a8"]))
    qairt.profile.report(binary)  # in a notebook: the page of the run
    print(qairt.advise("model.onnx", soc="SM8550"))

All times are simulated: they come from a model of the NPU, never from a device.

Configurations of the HTP backend are objects, too (qairt.api.compiler.config, qairt.api.common.backends.htp), and files
can be checked:

    for finding in qairt.check("htp_config.json", soc="SM8550"):
        print(finding)

A file that is not there raises FileNotFoundError; one that is not a sound context binary, a graph or a part that does
not exist raise ValueError; what is wrong with a model, or with the arrays it is run with, raises ModelError, which is a
ValueError, too. The message says what, where, why, and what to do.
"""

from . import profile
from ._advise import advise
from ._check import Finding, check
from ._errors import ModelError, ModelWarning, ValidationError
from ._input_list import InputList, read_input_list
from ._models import CalibrationConfig, CompiledModel, Model, TensorInfo, compile, convert, load
from ._native import ContextBinary, Graph, Op, OpRow, Section, Simulation, Tensor, __version__
from ._simulate import SimulatedModels, simulate

from .api.compiler.config import CompileConfig

__all__ = ["CalibrationConfig", "CompileConfig", "CompiledModel", "ContextBinary", "Finding", "Graph", "InputList",
           "Model", "ModelError", "ModelWarning", "Op", "OpRow", "Section", "SimulatedModels", "Simulation",
           "Tensor", "TensorInfo", "ValidationError", "__version__", "advise", "check", "compile", "convert", "load",
           "profile", "read_input_list", "simulate"]

# Where people meet them, in tracebacks and help().
for _name in __all__:
    _object = globals()[_name]
    if hasattr(_object, "__module__") and _object is not CompileConfig:  # which its own module prints
        try:
            _object.__module__ = __name__
        except AttributeError:  # built-in functions keep theirs
            pass
del _name, _object
