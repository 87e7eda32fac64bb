# SPDX-License-Identifier: BSD-3-Clause
"""The AIC backend is not here; its settings are kept."""

from .config import AicCompilerConfig

__all__ = ["AicCompilerConfig"]
