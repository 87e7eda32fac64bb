#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the type stubs of the configuration classes from the option tables.

  PYTHONPATH=build/release/python /usr/bin/python3 python/tools/make_stubs.py           write them into python/qairt
  PYTHONPATH=build/release/python /usr/bin/python3 python/tools/make_stubs.py --check   fail when one is out of date
"""

import enum
import inspect
import pathlib
import re
import sys
import textwrap
import typing

from qairt._model import ConfigModel, annotation_text
from qairt.api.common.backends.htp import config as htp
from qairt.api.compiler import config as compiler
from qairt.api.configs import common

HEAD = "# SPDX-License-Identifier: BSD-3-Clause\n# Written by python/tools/make_stubs.py from the option tables.\n"
WIDTH = 118
OPAQUE = {"model_construct", "model_dump"}  # as in the base class
# Constructors take more than the fields hold.
GIVEN = {"set_output_tensors": "Optional[Union[List[str], str]]",
         "backend_binary_path": "Optional[Union[str, PathLike]]"}


def doc_lines(text, indent):
    """A docstring, wrapped."""
    lines = textwrap.wrap(f'"""{text}"""', WIDTH - len(indent))
    return [indent + line for line in lines]


def field_lines(field):
    """A field and what it is for."""
    yield f"    {field.name}: {annotation_text(field.annotation)}"
    yield from doc_lines(field.summary, "    ")


def init_lines(cls):
    """The constructor: every field by name, and by the name it has in files."""
    words = []
    for field in cls.model_fields.values():
        text = GIVEN.get(field.name) or annotation_text(given_type(field.annotation))
        words.append(f"{field.name}: {text}{'' if field.is_required() else ' = ...'}")
        if field.alias and not field.is_required():
            words.append(f"{field.alias}: {text} = ...")
    return wrapped_signature("    def __init__(", ["self", "*", *words], ") -> None: ...")


def given_type(annotation):
    """What a constructor takes: the words of an enumeration, too."""
    if inspect.isclass(annotation) and issubclass(annotation, enum.Enum):
        return typing.Union[annotation, str]
    return annotation


def wrapped_signature(start, words, end):
    """A signature over as many lines as it needs; parameters stay whole."""
    hang = " " * (start.index("(") + 1)
    lines, line = [], start
    for place, word in enumerate(words):
        last = place + 1 == len(words)
        piece = word + (end if last else ", ")
        if len(line) + len(piece.rstrip()) > WIDTH and line.strip() != start.strip():
            lines.append(line.rstrip())
            line = hang
        line += piece
    # A long result is broken inside its brackets.
    last_lines = textwrap.wrap(line.replace(" -> ", "\0->\0"), WIDTH, subsequent_indent=hang, drop_whitespace=True)
    return [*lines, *(text.replace("\0", " ") for text in last_lines)]


def split_parameters(text):
    """The parameters of "a: Dict[str, Any], b: int": at commas outside brackets."""
    words, depth = [""], 0
    for character in text:
        depth += (character in "[(") - (character in "])")
        if character == "," and depth == 0:
            words.append("")
        else:
            words[-1] += character
    return [word.strip() for word in words]


def method_lines(name, member):
    """A method or property with its signature and first sentence."""
    function = getattr(member, "fget", None) or getattr(member, "__func__", member)
    signature = re.sub(r"\b(?:typing\.|os\.|qairt\.(?:[\w.]*\.)?|qti\.[\w.]*\.)", "", str(inspect.signature(function)))
    parameters, result = re.fullmatch(r"\((.*)\) -> (.*)", signature.replace("'", "")).groups()
    for kind, word in ((property, "property"), (classmethod, "classmethod"), (staticmethod, "staticmethod")):
        if isinstance(member, kind):
            yield f"    @{word}"
    yield from wrapped_signature(f"    def {name}(", split_parameters(parameters), f") -> {result}:")
    yield from doc_lines(inspect.getdoc(function).split("\n\n")[0].replace("\n", " "), "        ")


def class_lines(cls):
    """A class with fields, constructor and methods."""
    yield f"class {cls.__name__}({cls.__bases__[0].__name__}):"
    yield from doc_lines(cls.__doc__.split("\n\n")[0], "    ")
    for field in cls.model_fields.values():
        yield from field_lines(field)
    yield from init_lines(cls)
    yield from public_methods(cls)


def public_methods(cls):
    """The methods that a class adds."""
    fields = getattr(cls, "model_fields", {})
    for name, member in vars(cls).items():
        known = inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod))
        if known and not name.startswith("_") and name not in fields and name not in OPAQUE:
            yield from method_lines(name, member)


def enum_lines(cls):
    """An enumeration with its words."""
    yield f"class {cls.__name__}(str, Enum):"
    yield from doc_lines(cls.__doc__, "    ")
    for member in cls:
        yield f"    {member.name} = {member.value!r}"
    yield "    @classmethod"
    yield "    def list_options(cls) -> List[str]: ..."


def htp_stub():
    """qairt/api/common/backends/htp/config.pyi"""
    yield from ["from os import PathLike", "from typing import Any, Dict, List, Literal, Optional, Tuple, Union", "",
                "from ....._errors import ValidationError as ValidationError",
                "from ....._model import ConfigModel, Options",
                "from ....configs.common import DspArchitecture, PerfProfile", ""]
    for cls in vars(htp).values():
        if inspect.isclass(cls) and issubclass(cls, ConfigModel) and cls is not ConfigModel:
            yield from [*class_lines(cls), ""]
    yield from ["class HtpConfigHelper:", *doc_lines(htp.HtpConfigHelper.__doc__, "    ")]
    yield from public_methods(htp.HtpConfigHelper)


def compiler_stub():
    """qairt/api/compiler/config.pyi"""
    yield from ["from os import PathLike", "from typing import Any, Dict, Iterable, List, Literal, Optional, Union", "",
                "from qti.aisw.tools.core.modules.api.definitions.common import OpPackageIdentifier",
                "from qti.aisw.tools.core.utilities.devices.api.device_definitions import SocDetails", "",
                "from ..._check import Finding",
                "from ..._errors import ValidationError as ValidationError", "from ..._model import ConfigModel",
                "from ..common.backends.aic.config import AicCompilerConfig",
                "from ..common.backends.htp.config import (HtpContextConfig, HtpDeviceConfig, HtpGraphConfig,",
                "                                          HtpGroupContextConfig, HtpMemoryConfig)",
                "from ..common.backends.htp_mcp.config import (HtpMcpContextConfig, HtpMcpDeviceConfig,",
                "                                              HtpMcpGraphConfig)",
                "from ..configs.common import BackendType",
                "from ._modes import CompilerModes as CompilerModes, CompilerModeSetters as CompilerModeSetters", ""]
    yield from class_lines(compiler.CompileConfig)
    yield from ["", "CompilerConfig = CompileConfig"]


def common_stub():
    """qairt/api/configs/common.pyi"""
    yield from ["from enum import Enum", "from typing import List", ""]
    for cls in (common.BackendType, common.PerfProfile, common.DspArchitecture):
        yield from [*enum_lines(cls), ""]


def stubs():
    """{path below python/: text}"""
    makers = (htp_stub, compiler_stub, common_stub)
    return {maker.__doc__: HEAD + "\n".join(maker()).rstrip() + "\n" for maker in makers}


def main():
    """Writes or checks; answers the exit status."""
    root = pathlib.Path(__file__).resolve().parents[1]
    stale = 0
    for name, text in stubs().items():
        path = root / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if "--check" in sys.argv[1:]:
            print(f"{name} is out of date: run python/tools/make_stubs.py")
            stale = 1
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    return stale


if __name__ == "__main__":
    sys.exit(main())
