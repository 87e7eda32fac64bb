# SPDX-License-Identifier: BSD-3-Clause
"""Checks across fields, files, part, platform, tool and SDK version."""

import dataclasses
import errno
import os
import typing

from . import _native


@dataclasses.dataclass(frozen=True)
class Finding:
    """What a check says about one place."""

    code: str  # of the rule: "dlbc-weight-sharing"
    severity: str  # "error", "warning" or "note"
    message: str
    path: str  # "graphs[1].dlbc"; empty for the file as a whole
    advice: str = ""
    fix: typing.Optional[str] = None  # what `openqnn fix` would do, where that is safe
    notes: typing.Tuple[str, ...] = ()
    file: str = ""
    line: int = 0  # 0: not read from a file
    column: int = 0

    def __str__(self):
        where = f"{self.file}:{self.line}:{self.column}: " if self.line else f"{self.file}: " if self.file else ""
        place = f"{self.path}: " if self.path else ""
        advice = f" ({self.advice})" if self.advice else ""
        return f"{where}{self.severity}: {place}{self.message} [{self.code}]{advice}"


def check(path, *more, tool=None, soc=None, platform=None, sdk=None, graphs=None, strict=False):
    """Findings about configuration files, with the files that they name.

    Which kind of file it is, is seen from its keys. `tool` ("qnn-net-run"), `soc` ("SM8550"), `platform`
    ("x86_64-linux"), `sdk` ("2.36") and `graphs` (the names in the model) tell what is known beside the files; rules
    that need what is not told stay silent. `strict` makes errors of what is not strictly legal.
    """
    paths = [os.fspath(each) for each in (path, *more)]
    for each in paths:
        if not os.path.exists(each):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), each)
    known = circumstances(tool, soc, platform, sdk, graphs, strict)
    found = _native.check_files([os.fsencode(each) for each in paths], *known)
    return [Finding(**facts) for facts in found]


def check_objects(htp_text, compile_text, *known):
    """Findings about a configuration that was built or loaded in Python."""
    return [Finding(**facts) for facts in _native.check_objects(htp_text, compile_text, *circumstances(*known))]


def circumstances(tool, soc, platform, sdk, graphs, strict):
    """What is known beside a configuration, as the native check takes it."""
    names = [None if word is None else str(word) for word in (tool, soc, platform, sdk)]
    return (*names, None if graphs is None else [str(graph) for graph in graphs], bool(strict))
