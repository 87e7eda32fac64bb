# SPDX-License-Identifier: BSD-3-Clause
# The native module is for the package alone; this is what its classes inherit from.
from typing import Any

__version__: str

class Model:
    """What every configuration class is made of; not for direct use."""

class Class:
    """The table that a configuration class is made from."""
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def open(self) -> bool: ...

class Layout:
    """How a file was laid out."""

class Depth:
    """Counts how deeply objects are nested; RecursionError when it is too deep."""
    def __enter__(self) -> None: ...
    def __exit__(self, *error: object) -> None: ...

def __getattr__(name: str) -> Any: ...
