# SPDX-License-Identifier: BSD-3-Clause
"""How a float model becomes one of integers."""

import collections.abc
import difflib
import os
import re

from . import _arrays, _native
from ._errors import ModelError
from ._input_list import read_with_lines
from ._names import place_of

_PRECISION = re.compile(r"w(4|8|16)a(8|16)")
PRECISIONS = ("w8a8", "w8a16", "w16a16", "w4a16")
_PERCENTILE = 99.99  # documented
_BITS = {"act_precision": (8, 16), "weights_precision": (4, 8, 16), "bias_precision": (8, 32)}


class CalibrationConfig:
    """What a model is quantized with, and how.

    `dataset` gives the samples: an iterable of dicts of arrays by input name, of lists of arrays in the inputs' order,
    or, for a model of one input, of arrays; or the path of an input list as the tools take it, with float32 files. It
    is walked once, one sample in memory at a time. None: only tensors whose encodings are known are quantized.

    The defaults are accurate and cost the device nothing: an encoding for each output channel of weights, symmetric,
    and 32-bit biases.
    """

    __slots__ = ("dataset", "num_of_samples", "act_precision", "weights_precision", "bias_precision",
                 "act_calibration_method", "weights_calibration_method", "percentile", "act_schema", "weights_schema",
                 "per_channel_quantization", "per_row_quantization", "float_fallback", "preserve_io_datatype")

    def __init__(self, dataset=None, *, num_of_samples=None, act_precision=8, weights_precision=8, bias_precision=32,
                 act_calibration_method="min-max", weights_calibration_method="min-max", percentile=_PERCENTILE,
                 act_schema="asymmetric", weights_schema="symmetric", per_channel_quantization=True,
                 per_row_quantization=True, float_fallback=True, preserve_io_datatype=False):
        self.dataset = dataset
        self.num_of_samples = num_of_samples
        self.act_precision, self.weights_precision, self.bias_precision = (
            act_precision, weights_precision, bias_precision)
        self.act_calibration_method = act_calibration_method
        self.weights_calibration_method = weights_calibration_method
        self.percentile = percentile
        self.act_schema, self.weights_schema = act_schema, weights_schema
        self.per_channel_quantization, self.per_row_quantization = per_channel_quantization, per_row_quantization
        self.float_fallback, self.preserve_io_datatype = float_fallback, preserve_io_datatype
        self._check()

    @classmethod
    def of_precision(cls, precision, dataset=None):
        """The defaults at one of the precisions that have names: w8a8, w8a16, w16a16, w4a16."""
        if precision not in PRECISIONS:
            raise ModelError("precision", f"there is no precision {precision!r}",
                             fix=f"one of fp16, {', '.join(PRECISIONS)}")
        weights, activations = _PRECISION.fullmatch(precision).groups()
        return cls(dataset, weights_precision=int(weights), act_precision=int(activations))

    def _check(self):
        for name, allowed in _BITS.items():
            if getattr(self, name) not in allowed:
                raise ModelError("calibration-option", f"{name} cannot be {getattr(self, name)!r}",
                                 fix=f"one of {', '.join(map(str, allowed))}")
        lowest, highest = _native.PERCENTILES
        if not lowest <= self.percentile <= highest:
            raise ModelError("calibration-option", f"percentile cannot be {self.percentile!r}",
                             fix=f"a number from {lowest:g} to {highest:g}")
        if self.num_of_samples is not None and self.num_of_samples < 1:
            raise ModelError("calibration-option", f"num_of_samples cannot be {self.num_of_samples!r}",
                             fix="1 or more, or None for all of the dataset")

    def _check_percentile_is_used(self):
        methods = (self.act_calibration_method, self.weights_calibration_method)
        if self.percentile != _PERCENTILE and "percentile" not in methods:
            raise ModelError("calibration-option", "percentile is given, but no calibration method is 'percentile'",
                             fix="set act_calibration_method or weights_calibration_method, or leave percentile out")

    def __repr__(self):
        settings = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__ if name != "dataset")
        return f"CalibrationConfig({settings})"


# What the quantizer itself reads.
_SETTINGS = [name for name in CalibrationConfig.__slots__ if name not in ("dataset", "num_of_samples")]


def quantized(network, config):
    """The network in integers; the given one stays as it is."""
    if config.dataset is None and not network.has_encodings:
        raise ModelError("calibration-missing",
                         "the model has no encodings, and there are no samples to find them with",
                         fix="give samples as CalibrationConfig(dataset=...), or a file as encodings=...")
    config._check()  # fields may have been set since
    config._check_percentile_is_used()
    quantizer = _native.Quantizer(network)
    tensors = [_arrays.TensorInfo(io) for io in network.graphs[0][1]]
    count = 0
    for sample in _samples(config.dataset, tensors):
        if config.num_of_samples is not None and count == config.num_of_samples:
            break
        quantizer.add(_arrays.native_inputs(sample, tensors))
        count += 1
    if config.dataset is not None and count == 0:
        raise ModelError("calibration-empty", "the dataset has no samples", fix="give one at least; more are better")
    return quantizer.finish({name: getattr(config, name) for name in _SETTINGS})


def _samples(dataset, tensors):
    if dataset is None:
        return ()
    if isinstance(dataset, (str, os.PathLike)):
        return _listed(dataset, tensors)
    if isinstance(dataset, collections.abc.Mapping) or not isinstance(dataset, collections.abc.Iterable):
        raise ModelError("calibration-dataset", f"the dataset is one {type(dataset).__name__}, not a row of samples",
                         fix="give a list of samples, also for one")
    return dataset


def _listed(path, tensors):
    """The samples of an input list. Its files hold float32, whatever the input's type."""
    import numpy

    listed, lines = read_with_lines(path)
    for files, line in zip(listed.inferences, lines):
        where = f"{os.fspath(path)}:{line}"
        if len(files) != len(tensors):
            raise ModelError("input-count",
                             f"the line gives {len(files)} files, and the model has {len(tensors)} inputs",
                             where=where, fix="give one file for each input, as name:=path; a blank ends a path")
        sample = {}
        for (name, file), tensor in zip(files, tensors):
            if name:
                tensor = _named(name, tensors, where)
            try:
                values = numpy.fromfile(file, "float32")
            except OSError as error:
                raise type(error)(f"{where}: {file!r}: {error.strerror}") from None
            if values.size != numpy.prod(tensor.shape, dtype=int):
                raise ModelError("input-size",
                                 f"{file!r} has {values.size} float32 elements; {tensor!r} needs others", where=where,
                                 fix="write the tensor's elements one after another, without a header")
            values = values.reshape(tensor.shape)
            sample[tensor.name] = values if tensor.holds_reals else values.astype(tensor.dtype)
        yield sample


def _named(name, tensors, where):
    place = place_of(name, tensors)
    if place is not None:
        return tensors[place]
    names = [tensor.name for tensor in tensors]
    meant = difflib.get_close_matches(name, names, 1)
    raise ModelError("input-name", f"the model has no input {name!r}", where=where,
                     fix=f"did you mean {meant[0]!r}?" if meant else f"its inputs: {', '.join(names)}")
