# SPDX-License-Identifier: BSD-3-Clause
from os import PathLike
from typing import Any, Dict, List, Optional, Union

from . import CompiledModel, ContextBinary, Simulation

_Path = Union[str, PathLike[str]]
_Columns = Dict[str, List[Any]]

class Report:
    """A simulated run. A notebook shows its page; the tables are dicts of columns."""
    height: int
    def __init__(self, simulation: Simulation, name: str = "", height: int = 720) -> None: ...
    @property
    def simulation(self) -> Simulation: ...
    @property
    def data(self) -> Dict[str, Any]:
        """The analysis summary as it is in the JSON file."""
    @property
    def ops(self) -> _Columns: ...
    @property
    def op_types(self) -> _Columns: ...
    @property
    def tasks(self) -> _Columns: ...
    @property
    def units(self) -> _Columns: ...
    @property
    def html(self) -> str:
        """The page: one file that loads nothing."""
    def save(self, path: _Path) -> None:
        """Writes the page, replacing the file in one step."""
    def _repr_html_(self) -> str: ...

def report(source: Union[Simulation, ContextBinary, CompiledModel, _Path], graph: Optional[str] = None,
           soc: Optional[str] = None, *, name: Optional[str] = None, height: int = 720) -> Report:
    """The Report of a run: of a Simulation, a context binary (or its path), or a compiled model."""

class ProfileLog:
    """What a profile log holds."""
    @property
    def sessions(self) -> List[Dict[str, Any]]: ...
    @property
    def records(self) -> _Columns: ...
    @property
    def events(self) -> _Columns: ...
    @property
    def cut_at(self) -> Optional[int]: ...

def read_log(path: _Path) -> ProfileLog:
    """Reads a profile log of openqnn. A file that is none is a ValueError."""
