# SPDX-License-Identifier: BSD-3-Clause
"""Configuration of ahead-of-time compilation."""

import copy
import functools
import json
import os
import re
import typing

from qti.aisw.tools.core.modules.api.definitions.common import OpPackageIdentifier
from qti.aisw.tools.core.utilities.devices.api.device_definitions import SocDetails

from ... import _native
from ..._check import Finding, check_objects
from ..._errors import ValidationError
from ..._model import ConfigModel, OpenModel, class_named, from_table
from ..common.backends.aic.config import AicCompilerConfig
from ..common.backends.htp.config import HtpContextConfig, HtpDeviceConfig, HtpGraphConfig
from ..common.backends.htp_mcp.config import HtpMcpContextConfig, HtpMcpDeviceConfig, HtpMcpGraphConfig
from ..configs.common import BackendType
from . import _values
from ._modes import CompilerModes, CompilerModeSetters

__all__ = ["CompileConfig", "CompilerConfig", "CompilerModeSetters", "CompilerModes", "ValidationError"]

_WIDEST_INDENT = 64  # of the native writer
_PATH = typing.Union[str, os.PathLike]
# The class of another backend that fields take beside the one of the table.
_MCP = {HtpContextConfig.__name__: HtpMcpContextConfig, HtpGraphConfig.__name__: HtpMcpGraphConfig,
        HtpDeviceConfig.__name__: HtpMcpDeviceConfig}

_CORES = HtpGraphConfig.model_fields["num_cores"]

# What fields make of the values they are given, before the table checks them.
_PREPARED = {
    "backend": _values.backend,
    "soc_details": _values.soc_details,
    "backend_binary_path": _values.binary_path,
    "set_output_tensors": _values.output_tensors,
    "log_level": _values.log_level,
    "compiler_custom_configs": _values.compiler_options,
    "op_packages": _values.op_packages,
}

_TYPES = {
    "backend": typing.Union[BackendType, str],
    "backend_binary_path": typing.Optional[str],
    "soc_details": typing.Optional[typing.Union[SocDetails, str]],
    "compiler_custom_configs": typing.Optional[AicCompilerConfig],
    "op_packages": typing.Optional[typing.List[OpPackageIdentifier]],
}


def _annotate(facts, annotation):
    mcp = _MCP.get(facts["model"])
    if mcp is None:
        return _TYPES.get(facts["name"], annotation)
    htp = typing.get_args(annotation)[0]  # of the Optional
    return typing.Optional[typing.Union[htp, typing.List[mcp]]]


@from_table(_annotate)
class CompileConfig(ConfigModel):
    """Configuration for AOT compilation.

    Each of the custom configs holds settings of one component of the QNN API;
    `qairt.api.common.backends.htp.list_options()` lists those of HTP. What a file says and no field stands for is kept
    and written back: unknown keys in `_extras` of their object, unknown sections in `section_extras`.
    """

    __slots__ = ("_layout", "_section_extras", "_raw", "_ensure_graphs", "_graph_options")

    def __init__(self, /, **data):
        self._reset_private()
        prepared, problems = self._prepared(data)
        problems += _native.fill(self, prepared)
        problems = problems or self._whole_problems()
        if problems:
            order = {name: place for place, name in enumerate(data)}
            problems.sort(key=lambda problem: order.get(problem[0][0] if problem[0] else None, len(order)))
            raise ValidationError(type(self).__name__, self._with_suggestions(problems))
        self.model_post_init(None)

    def _reset_private(self):
        self._layout = None  # how the file was laid out
        self._section_extras = {}
        self._raw = None  # a passed-through file; its layout is `_layout`
        self._ensure_graphs = False
        self._graph_options = {}

    # ---- Values ----

    def _prepared(self, data):
        prepared, problems = {}, []
        mcp = data.get("backend") == BackendType.HTP_MCP
        for name, value in data.items():
            try:
                prepared[name] = _prepare(name, value, mcp)
            except ValidationError as error:
                problems += [((name, *loc), *rest) for loc, *rest in error._problems]
            except (ValueError, TypeError) as error:
                problems.append(_problem(name, value, error))
        for name in {problem[0][0] for problem in problems}:
            prepared.setdefault(name, None if name != "backend" else BackendType.HTP)  # reported already
        return prepared, problems

    def _assign(self, field, value):
        if self._raw is not None and field in _SECTION_FIELDS:
            raise ValidationError(type(self).__name__, [_problem(field.name, value, _PASSED_THROUGH)])
        prepared, problems = self._prepared({"backend": self.backend, field.name: value})
        was_set, before = _native.is_set(self, field.tag), _native.get(self, field.tag)
        if not problems and isinstance(value, list) and value is before:
            value[:] = prepared[field.name]  # the list that was handed out stays the one that counts
            prepared[field.name] = value
        problems = problems or _native.assign(self, field.tag, prepared[field.name])
        if not problems:
            problems = self._whole_problems()
            if problems and was_set:
                _native.put(self, field.tag, before)
            elif problems:
                _native.unset(self, field.tag)
        if problems:
            raise ValidationError(type(self).__name__, problems)

    def _whole_problems(self):
        problems = []
        if self.enable_intermediate_outputs and self.set_output_tensors:
            error = "enable_intermediate_outputs and set_output_tensors exclude each other"
            problems.append(((), f"Value error, {error}", "value_error", self.set_output_tensors, ""))
        classes = {type(each) for field in _SECTION_FIELDS for each in _as_list(_native.get(self, field.tag))}
        if len({issubclass(cls, OpenModel) for cls in classes}) == 2:
            names = sorted(cls.__name__ for cls in classes)
            problems.append(((), f"Value error, objects of two backends: {', '.join(names)}", "value_error", names, ""))
        return problems

    def _check_whole(self):
        """Raises for what became wrong in lists since their fields were set."""
        problems = self._whole_problems()
        if problems:
            raise ValidationError(type(self).__name__, problems)

    def _check_elements(self):
        """Raises when a list was filled with what does not belong there."""
        problems = []
        for field in _SECTION_FIELDS:
            for place, each in enumerate(_as_list(_native.get(self, field.tag))):
                if not isinstance(each, _allowed(field.model)):
                    problem = f"Input should be an instance of {field.model}"
                    problems.append(((field.name, place), problem, "model_type", each, ""))
        if problems:
            raise ValidationError(type(self).__name__, problems)

    def _core_count(self):
        """How many cores graph configs get that do not say it; None when nothing tells."""
        return None if self._has_devices() else _values.cores_of(self.soc_details)

    def _has_devices(self):
        """Whether soc_details is ignored: device configs tell the part, also those of a passed-through file."""
        return bool(self.device_custom_configs or (self._raw or {}).get("devices"))

    # ---- Backend extensions ----

    @property
    def section_extras(self) -> typing.Dict[str, typing.Any]:
        """Sections of the file that no field stands for; written back as they are."""
        return self._section_extras

    @classmethod
    def from_backend_extensions(cls, backend: str, path: _PATH, *, passthrough: bool = False,
                                **kwargs: typing.Any) -> "CompileConfig":
        """A new object with the HTP fields of a backend extensions file.

        The backend must be HTP, else ValueError; a missing file is FileNotFoundError. Other keywords go to the
        constructor. With `passthrough` the file is kept as a dict, neither mapped nor checked.
        """
        config = cls(backend=backend, **kwargs)
        return config.populate_from_backend_extensions(path, passthrough=passthrough)

    def populate_from_backend_extensions(self, path: _PATH, *, passthrough: bool = False) -> "CompileConfig":
        """Replaces the HTP fields by those of a backend extensions file; other fields stay. Answers this object."""
        if self.backend != BackendType.HTP:
            raise ValueError(f"backend extensions are for HTP, not for {self.backend}")
        name = os.fsencode(path)
        with open(path, "rb", buffering=0) as file:
            text = file.read()
        if passthrough:
            _, raw, layout = _native.read_raw(name, text)
            sections, extras = [None] * len(_SECTION_FIELDS), {}
        else:
            raw, (sections, extras, layout) = None, _native.read_file(name, text)
        for field, value in zip(_SECTION_FIELDS, sections):
            if value is None:
                _native.unset(self, field.tag)
            else:
                _native.put(self, field.tag, value)
        self._raw, self._section_extras, self._layout = raw, extras, layout
        return self

    def to_backend_extension_json(self, *, indent: typing.Optional[int] = 4) -> str:
        """The backend extensions as JSON text: `json.dumps(self.model_dump(context={"backend_extensions": True}),
        indent=indent)`, with numbers written as they were read.
        """
        if indent is None or (isinstance(indent, int) and indent <= _WIDEST_INDENT):
            return _native.write_text(*self._parts(), -1 if indent is None else max(indent, 0))
        step = indent if isinstance(indent, str) else " " * indent
        return _MARGIN.sub(lambda margin: step * len(margin[0]), _native.write_text(*self._parts(), 1))

    def _parts(self):
        """(sections, extras, layout) as the native writer takes them."""
        self._check_whole()
        if self._raw is None:
            return self._sections(), self._section_extras, self._layout
        if self._section_extras:
            problem = _problem("section_extras", self._section_extras, _PASSED_THROUGH)
            raise ValidationError(type(self).__name__, [problem])
        return [None] * len(_SECTION_FIELDS), self._raw, self._layout

    def _sections(self):
        self._check_elements()
        sections = [_native.get(self, field.tag) for field in _SECTION_FIELDS]
        cores = self._core_count()
        return [_with_cores(section, cores) for section in sections] if cores else sections

    def _backend_extensions(self):
        return _native.write_dict(*self._parts())

    def serialize(self, info: typing.Any) -> typing.Dict[str, typing.Any]:
        """The fields as a dict; only the backend extensions when `info.context` has backend_extensions=True."""
        context = info if isinstance(info, dict) else getattr(info, "context", None)
        return self.model_dump(context=context)

    def model_dump(self, *, context: typing.Optional[typing.Dict[str, typing.Any]] = None,
                   **options: typing.Any) -> typing.Dict[str, typing.Any]:
        """The fields as a dict; with context={"backend_extensions": True} the backend extensions alone."""
        if context and context.get("backend_extensions"):
            return self._backend_extensions()
        self._check_whole()
        cores = self._core_count()
        if not cores or self.graph_custom_configs is None:
            return super().model_dump(**options)
        made = self.model_copy()
        for graph in _without_cores(made.graph_custom_configs):
            graph.num_cores = cores
        return super(CompileConfig, made).model_dump(**options)

    # ---- Modes and checks ----

    def set_mode(self, mode: typing.Union[str, CompilerModes], **kwargs: typing.Any) -> None:
        """Sets what a mode needs; for "weight_sharing" see CompilerModeSetters.set_weight_sharing()."""
        try:
            mode = CompilerModes(mode)
        except ValueError:
            known = ", ".join(CompilerModes.list_options())
            raise ValueError(f"there is no mode {mode!r}; known are {known}") from None
        if self._raw is not None:
            raise ValueError(_PASSED_THROUGH)
        getattr(CompilerModeSetters, f"set_{mode.value}")(self, **kwargs)

    @property
    def ensure_graphs(self) -> bool:
        """Whether the names of the graphs are to be taken from the model."""
        return self._ensure_graphs

    def check(self, tool: typing.Optional[str] = None, soc: typing.Optional[str] = None,
              platform: typing.Optional[str] = None, sdk: typing.Optional[str] = None,
              graphs: typing.Optional[typing.Iterable[str]] = None, strict: bool = False) -> typing.List[Finding]:
        """Findings across the fields; nothing is changed, nothing is raised for them. See qairt.check()."""
        fields = {field.alias or name: getattr(self, name) for name, field in self.model_fields.items()
                  if field not in _SECTION_FIELDS and _native.is_set(self, field.tag)}
        if self.soc_details is not None:
            fields["soc_details"] = _values.spec_of(self.soc_details) or None
        plain = {name: value for name, value in fields.items() if value is not None}
        return check_objects(self.to_backend_extension_json(indent=None), json.dumps(plain, default=_plain), tool, soc,
                             platform, sdk, graphs, strict)

    # ---- Copies ----

    def __eq__(self, other):
        same = super().__eq__(other)
        return same if same is not True else self._private() == other._private()

    __hash__ = None

    def _private(self):
        return self._section_extras, self._raw, self._ensure_graphs, self._graph_options

    def _copy_private(self, made):
        made._layout = self._layout  # never changes
        made._section_extras, made._raw, made._ensure_graphs, made._graph_options = copy.deepcopy(self._private())

    def __reduce__(self):
        values = {name: getattr(self, name) for name in self.model_fields_set}
        layout = self._layout.state() if self._layout is not None else None
        return _unpickle, (type(self), values, layout, self._private())

    @classmethod
    def model_construct(cls, _fields_set=None, **values):
        """An object from values that are not checked; what does not fit shows when it is written."""
        made = super().model_construct(_fields_set, **values)
        made._reset_private()
        return made


CompilerConfig = CompileConfig  # the documents use both names
CompileConfig._class.bind_enum(CompileConfig.model_fields["backend"].tag, BackendType)

# The field that holds each section of a file, in the order of the file's table.
_SECTION_FIELDS = [next(field for field in CompileConfig.model_fields.values() if field.model == name)
                   for _, name in _native.file_sections()]


_PASSED_THROUGH = "loaded with passthrough: the raw file is used as it is"
_MARGIN = re.compile("^ +", re.MULTILINE)


def _prepare(name, value, mcp):
    if value is None:
        return None
    if name in _PREPARED:
        return _PREPARED[name](value)
    field = CompileConfig.model_fields.get(name)
    if field is None:
        return value
    if field.model is None:
        if any(isinstance(each, ConfigModel) for each in _as_list(value)):
            raise ValueError("a plain value, not a configuration object")
        return value
    other = _MCP.get(field.model)
    if mcp and other is not None and isinstance(value, (list, tuple)):
        value = [other(**each) if isinstance(each, dict) else each for each in value]
    wrong = [((place,) if isinstance(value, (list, tuple)) else (), f"Input should be an instance of {field.model}",
              "model_type", each, "") for place, each in enumerate(_as_list(value))
             if isinstance(each, ConfigModel) and not isinstance(each, _allowed(field.model))]
    if wrong:
        raise ValidationError(CompileConfig.__name__, wrong)
    return value


def _as_list(value):
    return value if isinstance(value, (list, tuple)) else [] if value is None else [value]


@functools.cache
def _allowed(model):
    """The classes whose objects a field of sections of this model takes."""
    return tuple(cls for cls in (class_named(model), _MCP.get(model)) if cls is not None)


def _without_cores(graphs):
    return [graph for graph in graphs if isinstance(graph, HtpGraphConfig) and not _native.is_set(graph, _CORES.tag)]


def _with_cores(section, cores):
    """A section whose graph configs say how many cores they use; those that do not are copied."""
    if not isinstance(section, list) or not _without_cores(section):
        return section
    made = [graph.model_copy() for graph in section]
    for graph in _without_cores(made):
        graph.num_cores = cores
    return made


def _problem(name, value, error):
    return ((name,), f"Value error, {error}", "value_error", value, "")


def _plain(value):
    return value.model_dump(mode="json") if isinstance(value, ConfigModel) else str(value)


def _unpickle(cls, values, layout, private):
    made = cls.__new__(cls)
    made._reset_private()
    for name, value in values.items():
        if _native.assign(made, cls.model_fields[name].tag, value):
            _native.put(made, cls.model_fields[name].tag, value)
    made._layout = _native.Layout(layout) if layout is not None else None
    made._section_extras, made._raw, made._ensure_graphs, made._graph_options = private
    return made
