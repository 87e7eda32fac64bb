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
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    return InputList(*_native.input_list(text.encode("utf-8", "surrogateescape"), os.fsencode(path)))
