# SPDX-License-Identifier: BSD-3-Clause
"""The HTP backend's configuration."""

from .config import (HtpConfigHelper, HtpContextConfig, HtpDeviceConfig, HtpDeviceCoreConfig, HtpGraphConfig,
                     HtpGroupContextConfig, HtpMemoryConfig)

__all__ = ["HtpConfigHelper", "HtpContextConfig", "HtpDeviceConfig", "HtpDeviceCoreConfig", "HtpGraphConfig",
           "HtpGroupContextConfig", "HtpMemoryConfig", "list_options"]


def list_options():
    """The options of every HTP configuration class: {class: {field: what it is}}; printing it shows a table."""
    return HtpConfigHelper.list_options()
