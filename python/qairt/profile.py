# SPDX-License-Identifier: BSD-3-Clause
"""Simulated runs and profile logs as columns: dicts of lists, which numpy and pandas take as they are.

    report = qairt.profile.report("model.bin")
    report                                  # in a notebook: the page
    pandas.DataFrame(report.ops)            # one row an op
    numpy.array(report.ops["cycles"]).sum()

    log = qairt.profile.read_log("output/qnn-profiling-data_0.log")
    pandas.DataFrame(log.events)

All times and cycles of the device are simulated.
"""

import dataclasses
import functools
import html
import json
import os
import pathlib
import tempfile
from typing import Optional

from . import _native
from ._models import CompiledModel, Model

__all__ = ["ProfileLog", "Report", "read_log", "report"]

_NO_PARENT = -1


class Report:
    """A simulated run. A notebook shows its page; the tables are dicts of columns."""

    def __init__(self, simulation, name="", height=720):
        self._simulation, self._name, self.height = simulation, name, height

    @property
    def simulation(self):
        """What it is about: times, clock, the timing model and its error band."""
        return self._simulation

    @functools.cached_property
    def data(self):
        """The analysis summary as it is in the JSON file (docs/report.md)."""
        return json.loads(self._simulation.to_json(self._name))["data"]

    @property
    def ops(self):
        """The ops of the network."""
        return _columns(self.data["qnn_op_instances_nodes"]["data"])

    @property
    def op_types(self):
        """The same by their type."""
        return _columns(self.data["qnn_op_types"]["data"])

    @property
    def tasks(self):
        """HTP ops: the tasks that the ops were cut into, and transfers. `threads` tracks from `tid` on are busy."""
        return _columns(({"threads": 1, **row} for row in self.data["htp_op_instances"]["data"]))

    @property
    def units(self):
        """The units of the device: how long each runs, and what it moves."""
        return _columns(self.data["htp_overall_summary"]["data"][0]["htp_resources"]["data"])

    @functools.cached_property
    def html(self):
        """The page: one file that loads nothing."""
        return self._simulation.to_html(self._name)

    def save(self, path):
        """Writes the page, replacing the file in one step."""
        self._simulation.save_html(path, self._name)

    def _repr_html_(self):
        # In a frame of its own: its styles, scripts and keys are not the notebook's.
        return (f'<iframe srcdoc="{html.escape(self.html)}" title="Analysis summary of a simulated run" '
                f'style="width: 100%; height: {int(self.height)}px; border: 0"></iframe>')

    def __repr__(self):
        return f"<Report of {self._simulation!r}>"


def report(source, graph=None, soc=None, *, name=None, height=720):
    """The Report of a run: of a Simulation, a context binary (or its path), or a compiled model.

    `graph` and `soc` are those of simulate(). `name` is what the page calls the model, `height` that of its frame in a notebook.
    """
    if isinstance(source, _native.Simulation):
        if graph is not None or soc is not None:
            raise ValueError("graph and soc are for binaries; a simulation has them already")
        return Report(source, name or "", height)
    if isinstance(source, CompiledModel):
        return Report(_simulated(source, graph, soc), name or "", height)
    is_binary = isinstance(source, _native.ContextBinary)
    if isinstance(source, Model) or (not is_binary and _native.may_be_model(source)):
        raise ValueError(f"{source} is not compiled, and a report is about a compiled model; give what qairt.compile() answers")
    if name is None and not is_binary:
        name = pathlib.Path(source).stem
    return Report(_native.simulate(source, graph, soc), name or "", height)


def _simulated(compiled, graph, soc):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "compiled.bin")
        compiled.save(path)
        return _native.simulate(path, graph, soc)


@dataclasses.dataclass(frozen=True, repr=False)
class ProfileLog:
    """What a profile log holds.

    `sessions` are dicts (who wrote). `records` are columns, one row a measured step: session, method, graph, start and stop in
    microseconds. `events` are columns, too: `record` and `parent` are rows of `records` and `events`, the parent -1 at the
    top; `value` is a number, a text, or of an object its file and length. `cut_at` is where a log ends too early, else None.
    """

    sessions: list
    records: dict
    events: dict
    cut_at: Optional[int]

    def __repr__(self):
        return f"<ProfileLog, {len(self.records['method'])} records, {len(self.events['value'])} events>"


class _Gathering:
    """Columns that grow line by line."""

    def __init__(self):
        self.sessions = []
        self.records = {key: [] for key in ("session", "method", "graph", "start_time", "stop_time")}
        self.events = {key: [] for key in ("record", "parent", "depth", "identifier", "type", "unit", "value", "timestamp")}

    def take(self, line):
        row = json.loads(line)
        kind = row.pop("kind")
        if kind == "session":
            self.sessions.append({**row, "left_out": 0})
        elif kind == "left_out":
            self.sessions[row["session"]]["left_out"] = row["count"]
        else:
            for key, column in self.records.items():
                column.append(row[key])
            self._take_events(row["events"], _NO_PARENT, 0)

    def _take_events(self, events, parent, depth):
        for event in events:
            place = len(self.events["value"])
            values = (len(self.records["method"]) - 1, parent, depth, event["identifier"], event["type"], event["unit_name"],
                      event["value"], event.get("timestamp", 0))
            for column, value in zip(self.events.values(), values):
                column.append(value)
            self._take_events(event.get("events", ()), place, depth + 1)


def read_log(path):
    """Reads a profile log of openqnn. A file that is none is a ValueError."""
    gathering = _Gathering()
    _, _, cut_at = _native.read_profile_log(path, gathering.take)
    return ProfileLog(gathering.sessions, gathering.records, gathering.events, cut_at)


def _columns(rows):
    rows = list(rows)
    return {key: [row[key] for row in rows] for key in (rows[0] if rows else ())}

