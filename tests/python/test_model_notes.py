# SPDX-License-Identifier: BSD-3-Clause
"""What compile() tells that is no error, and configurations given in short."""

import warnings

import onnx_writer
import pytest
import qairt
from arrays import random
from qairt.api.common.backends.htp import HtpGraphConfig

PART = {"soc_details": "chipset:SM8650"}


def told(model, **arguments):
    """(the compiled model, the texts of the Python warnings)"""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compiled = qairt.compile(model, **arguments)
    assert all(each.category is qairt.ModelWarning and each.filename == __file__ for each in caught)
    return compiled, [str(each.message) for each in caught]


def test_nothing_is_told_where_nothing_is_to_tell(model):
    compiled, warned = told(model, config=PART)
    assert compiled.notes == compiled.warnings == warned == []


def test_the_backends_warnings_are_the_callers(model, capfd):
    graph = HtpGraphConfig(name="dense", monolithic_lstm=True)
    compiled, warned = told(model, config={**PART, "graph_custom_configs": [graph]})
    assert any("Lstm is always one op" in each for each in warned)
    assert compiled.warnings == warned and set(warned) <= set(compiled.notes)
    assert capfd.readouterr().err == ""


def test_a_log_that_was_asked_for_is_printed_as_well(model, capfd):
    graph = HtpGraphConfig(name="dense", monolithic_lstm=True)
    compiled, warned = told(model, config={**PART, "graph_custom_configs": [graph], "log_level": "warn"})
    assert any("Lstm is always one op" in each for each in warned) and compiled.warnings == warned
    assert "Lstm is always one op" in capfd.readouterr().err


def test_a_part_that_nobody_named_and_that_could_not_run_it(model):
    _, warned = told(model)
    assert any("no SoC is named" in each and "name the part that it is for" in each for each in warned)


def test_warnings_can_be_errors(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error", qairt.ModelWarning)
        with pytest.raises(qairt.ModelWarning, match="no SoC is named"):
            qairt.compile(model)
    assert qairt.compile(model, config=PART)(random((4, 32)))["y"].shape == (4, 16)


def test_no_warning_names_a_file_that_is_gone(model):
    graph = HtpGraphConfig(name="dense", O=3, vtcm_size_in_mb=2)
    _, first = told(model, config={**PART, "graph_custom_configs": [graph]})
    _, second = told(model, config={**PART, "graph_custom_configs": [graph]})
    assert first == second  # else Python could not tell it once


def test_notes_of_the_models_come_along(tmp_path, samples):
    path = onnx_writer.write(tmp_path / "dotted.onnx", [("Relu", ["in/x"], ["y"])], [("in/x", "float32", (4, 32))],
                             [("y", "float32", (4, 32))], {})
    compiled, warned = told(path, config=PART)
    assert any("'in/x' is called in_x" in note for note in compiled.notes) and warned == []
    broken = samples[0].copy()
    broken[0, 0] = float("nan")
    compiled, _ = told(path, config=PART, precision="w8a8", calibration_data=[broken, *samples])
    assert any("was infinite or no number" in note for note in compiled.notes)


def test_ops_that_stay_in_float_are_noted(tmp_path):
    path = onnx_writer.write(tmp_path / "erf.onnx", [("Erf", ["x"], ["e"]), ("Relu", ["e"], ["y"])],
                             [("x", "float32", (2, 4))], [("y", "float32", (2, 4))], {})
    model = qairt.convert(path).quantize(qairt.CalibrationConfig([random((2, 4))]))
    compiled, _ = told(model, config=PART)
    assert [note for note in compiled.notes if note.startswith("stays in float: ")] == [
        f"stays in float: {op}" for op in model.float_ops]


# ---- Configurations ----


def test_an_empty_configuration_is_the_default(model):
    assert told(model, config={})[1] == told(model)[1]
    assert qairt.compile(model, config={}).nbytes == qairt.compile(model).nbytes


def test_a_dict_has_the_fields_of_a_configuration(model, tmp_path):
    path = qairt.compile(model, config=PART).save(tmp_path / "model")
    assert qairt.ContextBinary(path).graphs[0].soc == "SM8650"
    with pytest.raises(qairt.ValidationError, match="soc_detail"):
        qairt.compile(model, config={"soc_detail": "chipset:SM8650"})
    with pytest.raises(qairt.ModelError, match="backend is 'HTP', and the config is for 'CPU'"):
        qairt.compile(model, backend="HTP", config={"backend": "CPU"})
    with pytest.raises(qairt.ModelError, match="a str is no configuration; give a CompileConfig, or a dict"):
        qairt.compile(model, config="htp.json")
