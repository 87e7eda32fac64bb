# SPDX-License-Identifier: BSD-3-Clause
"""Words that configurations are made of: backends, performance profiles, architectures."""

from enum import Enum

from ... import _native


class _Words(str, Enum):
    """Members are strings, so that they compare and print as their values."""

    __str__ = str.__str__
    __format__ = str.__format__

    @classmethod
    def list_options(cls):
        """The values there are."""
        return [member.value for member in cls]


class BackendType(_Words):
    """Backends of QNN. Only HTP is here; of the others, the settings are kept and nothing more."""

    CPU = "CPU"
    GPU = "GPU"
    HTP = "HTP"
    HTP_MCP = "HTP_MCP"
    AIC = "AIC"
    LPAI = "LPAI"


def _from_table(name, doc):
    words = _Words(name, {value.upper(): value for value, _ in _native.enum_words(name)}, module=__name__)
    words.__doc__ = doc
    return words


PerfProfile = _from_table("PerfProfile", "Named sets of votes for clocks and voltages.")
DspArchitecture = _from_table("DspArchitecture", "Architectures of the Hexagon NPU.")
