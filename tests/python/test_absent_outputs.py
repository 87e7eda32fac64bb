# SPDX-License-Identifier: BSD-3-Clause
"""Ops may leave optional outputs out: every reader of a binary that holds one has to know."""

import json
import pathlib
import zipfile

import pytest
import qairt

LSTM = pathlib.Path(__file__).resolve().parents[1] / "corpus/onnx_convert/lstm.onnx"


@pytest.fixture
def binary(tmp_path):
    """A binary whose Lstm ops have a fourth output, the input gate, that is not there."""
    converted, changed, path = (tmp_path / name for name in ("plain.dlc", "absent.dlc", "absent.bin"))
    qairt.convert(LSTM).save(converted)
    with zipfile.ZipFile(converted) as plain, zipfile.ZipFile(changed, "w", zipfile.ZIP_STORED) as archive:
        for name in plain.namelist():
            content = plain.read(name)
            if name == "graph.json":
                graphs = json.loads(content)
                for node in graphs[0]["nodes"]:
                    if node["type"] == "Lstm":
                        node["outputs"].append(None)
                content = json.dumps(graphs)
            archive.writestr(name, content)
    qairt.compile(qairt.load(changed)).save(path)
    return path


def test_it_is_told_with_an_empty_name(binary):
    ops = qairt.ContextBinary(binary).graphs[0].ops
    assert [op.outputs[3:] for op in ops if op.type == "Lstm"] == [[""]] * 3


def test_it_is_simulated_and_reported(binary):
    simulation = qairt.simulate(binary)
    assert "Lstm" in {row.type for row in simulation.rows}
    assert any("Lstm" in column for column in qairt.profile.report(binary).op_types.values())
