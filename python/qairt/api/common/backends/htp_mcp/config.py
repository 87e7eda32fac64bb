# SPDX-License-Identifier: BSD-3-Clause
"""The HTP MCP backend's configuration, as far as it is known."""

from ....._model import OpenModel, open_class

__all__ = ["HtpMcpContextConfig", "HtpMcpDeviceConfig", "HtpMcpGraphConfig"]


@open_class
class HtpMcpContextConfig(OpenModel):
    """Settings of a context. This backend is not here: any field is taken, kept and written, none is checked."""

    __slots__ = ()


@open_class
class HtpMcpDeviceConfig(OpenModel):
    """Settings of a device. This backend is not here: any field is taken, kept and written, none is checked."""

    __slots__ = ()


@open_class
class HtpMcpGraphConfig(OpenModel):
    """Settings of a graph. This backend is not here: any field is taken, kept and written, none is checked."""

    __slots__ = ()
