# SPDX-License-Identifier: BSD-3-Clause
"""Two names of one tensor: the graph's, made of letters, digits and '_', and that of the model's own file."""

import re

from . import _native


def place_of(name, tensors):
    """The index of the tensor that a name means; None when it means none.

    The graph's own names go first: the file's name of one tensor may be the graph's of another. A context binary does
    not hold the names of the file, so what a converter makes of a name will do as well.
    """
    for names in ([tensor.name for tensor in tensors], [tensor.source_name for tensor in tensors]):
        if name in names:
            return names.index(name)
    return _place_by_rule(name, tensors) if isinstance(name, str) else None


def _place_by_rule(name, tensors):
    names = [tensor.name for tensor in tensors]
    made = _native.identifier(name)
    numbered = re.compile(re.escape(made) + r"_\d+")  # two names of the file that became one: which, nobody knows
    if made not in names or any(map(numbered.fullmatch, names)):
        return None
    return names.index(made)


class Outputs(dict):
    """Arrays by output name, which answer to the names of the model's file as well."""

    __slots__ = ("_tensors",)

    def __init__(self, arrays=(), tensors=()):
        super().__init__(arrays)
        self._tensors = tuple(tensors)

    def __missing__(self, name):
        key = self._key(name)
        if not dict.__contains__(self, key):
            raise KeyError(name)
        return dict.__getitem__(self, key)

    def __contains__(self, name):
        return dict.__contains__(self, self._key(name))

    def get(self, name, default=None):
        """As dict.get()."""
        return dict.get(self, self._key(name), default)

    def __reduce__(self):
        return dict, (dict(self),)  # arrays travel; what they are called elsewhere does not

    def _key(self, name):
        if dict.__contains__(self, name):
            return name
        place = place_of(name, self._tensors)
        return name if place is None else self._tensors[place].name
