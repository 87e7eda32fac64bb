# SPDX-License-Identifier: BSD-3-Clause
"""A CompileConfig as the native compiler takes it."""

import collections.abc
import contextlib
import json
import os
import tempfile
import typing

from . import _native
from ._errors import ModelError

_TOOL = "qnn-context-binary-generator"  # whose flags the fields stand for
_LOG_LEVELS = {"fatal": 1, "critical": 1, "error": 1, "warning": 2, "warn": 2, "info": 3, "verbose": 4, "debug": 5,
               "notset": 0}  # QNN_LOG_LEVEL_*

# Fields that would change nothing here.
_REFUSED = {
    "backend_binary_path": "this backend has no second kind of binary; CompiledModel.save() writes the context binary",
    "compiler_custom_configs": "its options are those of the AIC compiler, which is not here",
}


class Told(typing.NamedTuple):
    """What a check says that is no error."""

    warnings: typing.List[str]
    notes: typing.List[str]


@contextlib.contextmanager
def native_settings(backend, config, graph_names):
    """(the arguments of _native.compile_networks after the models, Told of the check). Files go when it ends."""
    config = _as_config(backend, config)
    _check_fields(backend, config)
    config = _with_graphs(config, graph_names)
    told = _checked(config, graph_names)
    with tempfile.TemporaryDirectory(prefix="qairt") as folder:
        yield _arguments(config, _extensions_file(config, folder)), told


def _as_config(backend, config):
    """None and {} are the defaults."""
    from .api.compiler.config import CompileConfig  # here, because it needs this package complete

    if config is None or isinstance(config, collections.abc.Mapping):
        return CompileConfig(**{"backend": backend or "HTP", **(config or {})})
    if isinstance(config, CompileConfig):
        return config
    raise ModelError("compile-config", f"a {type(config).__name__} is no configuration",
                     fix="give a CompileConfig, or a dict of its fields")


def _check_fields(backend, config):
    if backend is not None and str(backend) != str(config.backend):
        raise ModelError("compile-backend",
                         f"backend is {str(backend)!r}, and the config is for {str(config.backend)!r}",
                         fix="leave backend out, or make a config for it")
    if str(config.backend) != "HTP":
        raise ModelError("compile-backend", f"there is no backend {str(config.backend)!r} here", fix="backend='HTP'")
    for name, why in _REFUSED.items():
        if getattr(config, name) is not None:
            raise ModelError("compile-option", f"CompileConfig.{name} is not offered: {why}", fix="leave it out")


def _with_graphs(config, graph_names):
    """With a graph config for every graph, where a mode left the names to the model."""
    if not config.ensure_graphs:
        return config
    from .api.common.backends.htp.config import HtpGraphConfig

    config = config.model_copy()
    present = config.graph_custom_configs or []
    known = {graph.name for graph in present}
    config.graph_custom_configs = [*present, *(HtpGraphConfig(name=name, **config._graph_options)
                                               for name in graph_names if name not in known)]
    return config


def _checked(config, graph_names):
    """Raises for errors; answers the rest as text."""
    findings = config.check(tool=_TOOL, graphs=graph_names)
    errors = [str(finding) for finding in findings if finding.severity == "error"]
    if errors:
        raise ModelError("compile-config", "the configuration cannot be compiled with", notes=errors,
                         fix="CompileConfig.check() tells all of it")
    return Told(*([str(finding) for finding in findings if finding.severity == severity]
                  for severity in ("warning", "note")))


def _extensions_file(config, folder):
    """What the options of the backend are passed in; "" when there are none."""
    text = config.to_backend_extension_json()
    if not json.loads(text):
        return ""
    path = os.path.join(folder, "backend_extensions.json")
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
    return path


def _arguments(config, extensions_file):
    soc_model, arch = _part(config)
    outputs = config.set_output_tensors or []
    separator = ";" if any(":" in each for each in outputs) else ","
    packages = ",".join(map(_package, config.op_packages or []))
    return (soc_model, arch, extensions_file, config.data_format_config or "", packages,
            bool(config.enable_intermediate_outputs), separator.join(outputs), config.io_tensor_mem_type or "raw",
            _log_level(config))


def _part(config):
    """(soc_model, architecture) of soc_details; (0, 0), the backend's default, where devices or nothing tell."""
    from .api.compiler import _values

    if config._has_devices() or config.soc_details is None:
        return 0, 0
    part = _values.resolved_part(config.soc_details)
    if part is None:
        spec = _values.spec_of(config.soc_details)
        raise ModelError("compile-part", f"no table knows the part of soc_details {spec!r}",
                         fix="`openqnn soc` lists the parts")
    _, soc_model, arch = part
    return soc_model or 0, int(str(arch).lstrip("vV") or 0)


def _package(package):
    fields = [getattr(package, name, None) for name in ("path", "provider", "target")]
    if not fields[0] or not fields[1]:
        raise ModelError("compile-package", f"{package!r} tells no path and provider",
                         fix="op_packages='libPackage.so:ProviderFunction:HTP'")
    return ":".join(str(field) for field in fields if field)


def _log_level(config):
    """The default is no log: what goes wrong is raised."""
    if config.debug:
        return _LOG_LEVELS["debug"]
    return _LOG_LEVELS[config.log_level.lower()] if "log_level" in config.model_fields_set and config.log_level else 0
