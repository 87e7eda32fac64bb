# SPDX-License-Identifier: BSD-3-Clause
"""Compiling ahead of time."""

from .config import CompileConfig, CompilerConfig, CompilerModes, CompilerModeSetters

__all__ = ["CompileConfig", "CompilerConfig", "CompilerModeSetters", "CompilerModes"]
