# SPDX-License-Identifier: BSD-3-Clause
"""Input lists: the text files that tell qnn-net-run and the quantizer what to feed."""

import os
import typing

from . import _native

__all__ = ["InputList", "read_input_list"]


class InputList(typing.NamedTuple):
    """What an input list says. Paths are as written; the tools start them at the directory they run in."""

    output_layers: typing.List[str]
    output_tensors: typing.List[str]
    inferences: typing.List[typing.List[typing.Tuple[str, str]]]  # (name, path); the name is "" for a bare path


def read_input_list(path):
    """Reads an input list. ValueError says what is wrong with it and in which line."""
    return read_with_lines(path)[0]


def read_with_lines(path):
    """(the list, the number of the line of each inference)"""
    with open(path, "rb") as file:
        *parts, lines = _native.input_list(file.read(), os.fsencode(path))
    return InputList(*parts), lines
