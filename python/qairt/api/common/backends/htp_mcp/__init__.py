# SPDX-License-Identifier: BSD-3-Clause
"""The HTP MCP backend is not here; its settings are kept."""

from .config import HtpMcpContextConfig, HtpMcpDeviceConfig, HtpMcpGraphConfig

__all__ = ["HtpMcpContextConfig", "HtpMcpDeviceConfig", "HtpMcpGraphConfig"]
