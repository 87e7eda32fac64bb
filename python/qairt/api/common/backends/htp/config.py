# SPDX-License-Identifier: BSD-3-Clause
"""The configuration classes of the HTP backend. Their fields come from the option tables."""

from typing import Any, Dict, List, Optional, Tuple

from ..... import _native
from ....._errors import ValidationError
from ....._model import ConfigModel, Options, from_table, options_of

__all__ = ["HtpConfigHelper", "HtpContextConfig", "HtpDeviceConfig", "HtpDeviceCoreConfig", "HtpGraphConfig",
           "HtpGroupContextConfig", "HtpMemoryConfig", "ValidationError"]


@from_table()
class HtpContextConfig(ConfigModel):
    """Context Configuration for HTP Backend"""

    __slots__ = ()


@from_table()
class HtpGraphConfig(ConfigModel):
    """Graph configuration for HTP Backend"""

    __slots__ = ()


@from_table()
class HtpDeviceCoreConfig(ConfigModel):
    """Core Configuration for HTP Backend"""

    __slots__ = ()


@from_table()
class HtpDeviceConfig(ConfigModel):
    """Device Configuration for HTP Backend"""

    __slots__ = ()


@from_table()
class HtpMemoryConfig(ConfigModel):
    """Memory Configuration for HTP Backend"""

    __slots__ = ()


@from_table()
class HtpGroupContextConfig(ConfigModel):
    """Group Context Configuration for HTP Backend"""

    __slots__ = ()


_CLASSES = (HtpContextConfig, HtpGraphConfig, HtpDeviceConfig, HtpDeviceCoreConfig, HtpMemoryConfig,
            HtpGroupContextConfig)

# Where the sections of a file stand in the tuples of HtpConfigHelper.
_TUPLE_ORDER = (HtpContextConfig, HtpGraphConfig, HtpDeviceConfig, HtpMemoryConfig, HtpGroupContextConfig)
_FILE_ORDER = [name for _, name in _native.file_sections()]
_PLACES = [_FILE_ORDER.index(cls.__name__) for cls in _TUPLE_ORDER]


class HtpConfigHelper:
    """Converts between HTP configuration objects and backend extension dicts."""

    @classmethod
    def from_backend_extension_dict(
            cls, backend_ext: Dict[str, Any]
    ) -> Tuple[List[HtpContextConfig], List[HtpGraphConfig], List[HtpDeviceConfig], Optional[HtpMemoryConfig],
               Optional[HtpGroupContextConfig], Dict[str, Any]]:
        """The objects of a backend extension dict.

        Returns (context_configs, graph_configs, device_configs, memory_config, group_context_config, section_extras).
        Unknown keys of a section stay in `_extras` of its object; unknown sections are the section extras, and so are
        sections that hold nothing (null, an empty list): no object can stand for them. A list of graph names becomes
        one HtpGraphConfig per name. Objects remember whether they stood alone or in a list.
        """
        sections, extras, _ = _native.read_dict(backend_ext)
        contexts, graphs, devices, memory, group = (sections[place] for place in _PLACES)
        return contexts or [], graphs or [], devices or [], memory, group, extras

    @staticmethod
    def to_backend_extension_dict(context_configs: Optional[List[HtpContextConfig]] = None,
                                  graph_configs: Optional[List[HtpGraphConfig]] = None,
                                  device_configs: Optional[List[HtpDeviceConfig]] = None,
                                  memory_config: Optional[HtpMemoryConfig] = None,
                                  group_context: Optional[HtpGroupContextConfig] = None) -> Dict[str, Any]:
        """The backend extension dict that these objects make; only fields that were set are in it."""
        sections = [None] * len(_FILE_ORDER)
        given = (context_configs, graph_configs, device_configs, memory_config, group_context)
        for place, value in zip(_PLACES, given):
            sections[place] = value
        return _native.write_dict(sections, None, None)

    @classmethod
    def list_config_options(cls) -> Options:
        """The options of every class: {class: {field: what it is}}."""
        return options_of(*_CLASSES)

    @staticmethod
    def list_options() -> Options:
        """The same as list_config_options()."""
        return options_of(*_CLASSES)

    @staticmethod
    def shared_library_path() -> str:
        """The library that reads backend extension files in the tools."""
        return "libQnnHtpNetRunExtensions.so"
