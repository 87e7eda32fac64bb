# SPDX-License-Identifier: BSD-3-Clause
"""What the fields of CompileConfig make of the values they are given. Each function raises ValueError."""

import os
import pathlib

from qti.aisw.tools.core.modules.api.definitions.common import OpPackageIdentifier
from qti.aisw.tools.core.utilities.devices.api.device_definitions import SocDetails

from ... import _native
from ..common.backends.aic.config import AicCompilerConfig
from ..configs.common import BackendType

# Python's levels and QNN's.
LOG_LEVELS = ("fatal", "critical", "error", "warning", "warn", "info", "debug", "verbose", "notset")
_SPEC_KEYS = ("chipset", "dsp_arch", "soc_model", "cores")


def backend(value):
    """A backend by member or name."""
    try:
        return BackendType(value)
    except ValueError:
        raise ValueError(f"there is no backend {value!r}; known are {', '.join(BackendType.list_options())}") from None


def soc_details(value):
    """A spec string that can be read, or an object."""
    if isinstance(value, dict):
        value = SocDetails(**value)
    if not isinstance(value, (str, SocDetails)):
        raise ValueError("a spec string such as chipset:SM8750, or SocDetails")
    for part in parts_of(value):
        if part["cores"] == 0:
            raise ValueError("cores should be 1 or more")
    return value


def parts_of(details):
    """What soc_details says of each part; nothing for an object that says nothing known."""
    spec = spec_of(details)
    return _native.soc_details(spec) if spec or isinstance(details, str) else []


def resolved_part(details):
    """(chipset, soc_model, dsp_arch) of the first part; None when no table knows it."""
    return _native.resolved_part(spec_of(details)) if parts_of(details) else None


def spec_of(details):
    """The spec string of an object that soc_details holds."""
    if isinstance(details, str):
        return details
    known = ((key, getattr(details, key, None)) for key in _SPEC_KEYS)
    return ";".join(f"{key}:{value}" for key, value in known if value is not None)


def cores_of(details):
    """How many cores soc_details asks for; None when it does not say."""
    if details is None:
        return None
    return next((part["cores"] for part in parts_of(details) if part["cores"]), None)


def binary_path(value):
    """With the suffix _backend and the extension .bin."""
    path = pathlib.PurePath(os.fspath(value))
    if not path.name:
        raise ValueError("a file name is needed")
    stem = path.name[:-len(".bin")] if path.name.endswith(".bin") else path.name
    stem = stem if stem.endswith("_backend") else f"{stem}_backend"
    return str(path.with_name(f"{stem}.bin"))


def output_tensors(value):
    """A list, or one string: "g0:t0,t1;g1:t0", or "t0,t1" for a single graph."""
    if not isinstance(value, str):
        return value
    parts = value.split(";") if ":" in value else value.split(",")
    return [part.strip() for part in parts if part.strip()]


def log_level(value):
    """A level by name."""
    if not isinstance(value, str) or value.lower() not in LOG_LEVELS:
        raise ValueError(f"one of {', '.join(LOG_LEVELS)}")
    return value


def compiler_options(value):
    """Settings of the AIC compiler."""
    if isinstance(value, dict):
        value = AicCompilerConfig(**value)
    if not isinstance(value, AicCompilerConfig):
        raise ValueError("AicCompilerConfig, or a dict of its settings")
    return value


def op_packages(value):
    """A list of packages, or the string that the tools take; dicts become objects."""
    if isinstance(value, str):
        value = _native.op_packages(value)
    if not isinstance(value, (list, tuple)):
        raise ValueError("a list of OpPackageIdentifier")
    packages = [OpPackageIdentifier(**each) if isinstance(each, dict) else each for each in value]
    for package in packages:
        if not isinstance(package, OpPackageIdentifier):
            raise ValueError(f"{package!r} is no OpPackageIdentifier")
    return packages
