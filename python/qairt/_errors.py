# SPDX-License-Identifier: BSD-3-Clause
"""What the package raises of its own."""

import json
import reprlib

from . import _native


class ValidationError(ValueError):
    """Every problem of the values that a configuration object was given, with field and reason.

    `errors()` lists them as pydantic does: dicts with `type`, `loc`, `msg` and `input`.
    """

    def __init__(self, title, problems):
        super().__init__(title, problems)
        self.title = title
        self._problems = list(problems)

    def errors(self, *, include_url=False, include_context=True, include_input=True):
        """One dict per problem. The first two parameters are there for pydantic's callers and change nothing."""
        found = []
        for loc, msg, kind, value, _ in self._problems:
            error = {"type": kind, "loc": loc, "msg": msg}
            if include_input:
                error["input"] = value
            found.append(error)
        return found

    def error_count(self):
        """How many problems there are."""
        return len(self._problems)

    def json(self, *, indent=2, include_url=False, include_context=True, include_input=True):
        """errors() as JSON text."""
        found = self.errors(include_input=include_input)
        for error in found if include_input else []:
            if not _is_small(error["input"]):
                error["input"] = _short(error["input"])
        return json.dumps(found, indent=indent, default=_short)

    def __str__(self):
        count = len(self._problems)
        lines = [f"{count} validation error{'' if count == 1 else 's'} for {self.title}"]
        for loc, msg, kind, value, place in self._problems:
            where = ".".join(str(step) for step in loc)
            if place:
                where = f"{where} ({place})" if where else place
            if where:
                lines.append(where)
            lines.append(f"  {msg} [type={kind}, input_value={_short(value)}, input_type={type(value).__name__}]")
        return "\n".join(lines)

    __repr__ = __str__


_LIMIT = 60
_MOST_VALUES = 10_000

# Lists that hold lists can be larger than there is time to print.
_repr = reprlib.Repr()
_repr.maxlevel = 4
_repr.maxstring = _repr.maxlong = _repr.maxother = 10 * _LIMIT
_repr.maxlist = _repr.maxtuple = _repr.maxset = _repr.maxfrozenset = _repr.maxdict = 10


def _short(value):
    try:
        text = _repr.repr(value)
    except ValueError:  # more digits than Python prints
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _LIMIT else f"{text[:_LIMIT // 2]}...{text[-_LIMIT // 2:]}"


def _is_small(value):
    """Whether json.dumps() gets through it: not too many values, no number too long."""
    waiting, seen = [value], 0
    while waiting:
        one, seen = waiting.pop(), seen + 1
        if seen > _MOST_VALUES or (isinstance(one, int) and one.bit_length() > _MOST_VALUES):
            return False
        if isinstance(one, dict):
            if not all(isinstance(key, str) for key in one):
                return False
            waiting += one.values()
        elif isinstance(one, (list, tuple)):
            waiting += one
    return True


class ModelError(ValueError):
    """Why a model cannot be converted, compiled or run as asked: what, where, and what to do instead.

    `code` is stable and searchable; `notes` are further lines, such as the inputs that a model has.
    """

    def __init__(self, code, message, where="", fix="", notes=()):
        super().__init__(code, message, where, fix, tuple(notes))
        self.code, self.message, self.where, self.fix, self.notes = code, message, where, fix, list(notes)

    def __str__(self):
        place = f" ({self.where})" if self.where else ""
        remedy = f"; {self.fix}" if self.fix else ""
        return "\n  ".join([f"{self.message}{place}{remedy}", *self.notes])


class ModelWarning(UserWarning):
    """What compile() warns of: options that change nothing, or that the part cannot do."""


_native.set_error_class(ValidationError)
_native.set_model_error(ModelError)
