# SPDX-License-Identifier: BSD-3-Clause
"""From a model to outputs and a simulated time, with the package that a virtual environment has: use.py VENV MODEL."""

import sys
from pathlib import Path

import numpy
import qairt

venv, model = sys.argv[1:]
assert Path(qairt.__file__).is_relative_to(venv), qairt.__file__

converted = qairt.convert(model)
sample = {tensor.name: numpy.ones(tensor.shape, tensor.dtype) for tensor in converted.inputs}
config = qairt.CompileConfig(backend="HTP", soc_details="chipset:SM8650")
compiled = qairt.compile(converted, config=config, precision="w8a8", calibration_data=[sample])
assert all(numpy.isfinite(output).all() for output in compiled(sample).values())
compiled.save("model.bin")
assert qairt.simulate("model.bin").cycles > 0

Path("htp.json").write_text('{"graphs": [{"vtcm_mb": "four"}]}', encoding="utf-8")
assert qairt.check("htp.json"), "a wrong type was not found"

with open("/proc/self/maps", encoding="utf-8") as maps:
    ours = {line.split(maxsplit=5)[5].strip() for line in maps if "libQnn" in line or "libopenqnn" in line}
assert ours and all(Path(path).is_relative_to(venv) for path in ours), ours
