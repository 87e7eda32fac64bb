# SPDX-License-Identifier: BSD-3-Clause
"""What a user calls things: tensors by the names of the ONNX file, graphs, and files."""

import copy
import pickle

import numpy
import onnx_writer
import pytest
import qairt
from arrays import random


def write_dotted(path, rows=2, left="in/left", right="in.right", result="out:0"):
    """Sub, with names that a graph cannot have."""
    shape = (rows, 3)
    return onnx_writer.write(path, [("Sub", [left, right], [result])],
                             [(left, "float32", shape), (right, "float32", shape)], [(result, "float32", shape)], {})


@pytest.fixture(scope="module")
def dotted(tmp_path_factory):
    return qairt.convert(write_dotted(tmp_path_factory.mktemp("models") / "dotted.onnx"))


@pytest.fixture(scope="module", params=["converted", "read", "compiled", "quantized", "loaded"])
def anywhere(request, dotted, tmp_path_factory):
    """The model at every stage where it can be run."""
    folder = tmp_path_factory.mktemp("stages")
    samples = [{"in/left": random((2, 3), 1), "in.right": random((2, 3), 2)}]
    return {"converted": lambda: dotted,
            "read": lambda: qairt.load(dotted.save(folder)),
            "compiled": lambda: qairt.compile(dotted),
            "quantized": lambda: qairt.compile(dotted, precision="w16a16", calibration_data=samples),
            "loaded": lambda: qairt.load(qairt.compile(dotted).save(folder))}[request.param]()


# ---- Tensors ----


def test_inputs_and_outputs_answer_to_the_names_of_the_file(anywhere):
    left, right = random((2, 3), 1), random((2, 3), 2)
    for inputs in ({"in/left": left, "in.right": right}, {"in_left": left, "in.right": right}, [left, right]):
        outputs = anywhere(inputs)
        assert list(outputs) == ["out_0"] and len(outputs) == 1
        numpy.testing.assert_allclose(outputs["out:0"], left - right, atol=4e-3)
        assert outputs["out:0"] is outputs["out_0"] is outputs.get("out:0")
        assert "out:0" in outputs and "out" not in outputs and outputs.get("out") is None
        with pytest.raises(KeyError, match="'out'"):
            outputs["out"]


def test_an_input_is_given_once_under_one_name(anywhere):
    x = random((2, 3))
    with pytest.raises(qairt.ModelError, match="'in/left' and 'in_left' are the same input") as raised:
        anywhere({"in/left": x, "in_left": x, "in.right": x})
    assert raised.value.code == "input-name"
    with pytest.raises(qairt.ModelError, match="no value for 'in_right'"):
        anywhere({"in/left": x})
    with pytest.raises(qairt.ModelError, match="no input 'left'"):
        anywhere({"left": x, "in.right": x})


def test_both_names_are_told(dotted):
    assert [(each.name, each.source_name) for each in dotted.inputs] == [("in_left", "in/left"), ("in_right", "in.right")]
    assert "source_name='in/left'" in repr(dotted.inputs[0])
    with pytest.raises(qairt.ModelError, match=r"'in_left' \(or 'in/left'\): float32, shape \(2, 3\)"):
        dotted([])
    compiled = qairt.compile(dotted)
    assert compiled.outputs[0].source_name == "out:0"


def test_a_loaded_binary_does_not_guess_between_names_that_became_one(tmp_path):
    model = qairt.convert(write_dotted(tmp_path / "twins.onnx", left="a/b", right="a.b"))
    assert [each.name for each in model.inputs] == ["a_b", "a_b_1"]
    inputs = {"a/b": random((2, 3), 1), "a.b": random((2, 3), 2)}
    compiled = qairt.compile(model)
    numpy.testing.assert_allclose(compiled(inputs)["out:0"], inputs["a/b"] - inputs["a.b"], atol=4e-3)
    with pytest.raises(qairt.ModelError, match="no input 'a/b', 'a.b'"):
        qairt.load(compiled.save(tmp_path))(inputs)


def test_the_graphs_names_go_first(tmp_path):
    """One input is called in the file as another one is in the graph."""
    model = qairt.convert(write_dotted(tmp_path / "swapped.onnx", left="x.y", right="x_y"))
    assert [each.name for each in model.inputs] == ["x_y_1", "x_y"]
    given = {"x.y": random((2, 3), 1), "x_y": random((2, 3), 2)}
    numpy.testing.assert_allclose(model(given)["out_0"], given["x.y"] - given["x_y"], atol=4e-3)


def test_an_output_that_is_another_name_of_a_value(tmp_path):
    path = onnx_writer.write(tmp_path / "renamed.onnx", [("Relu", ["x"], ["inner"]), ("Identity", ["inner"], ["out/1"])],
                             [("x", "float32", (2, 2))], [("out/1", "float32", (2, 2))], {})
    outputs = qairt.convert(path)(random((2, 2)))
    assert "out/1" in outputs and outputs["out/1"].shape == (2, 2)


def test_outputs_travel_as_plain_dicts(dotted):
    outputs = dotted([random((2, 3), 1), random((2, 3), 2)])
    for travelled in (pickle.loads(pickle.dumps(outputs)), copy.deepcopy(outputs)):
        assert type(travelled) is dict
        numpy.testing.assert_array_equal(travelled["out_0"], outputs["out_0"])


def test_input_lists_may_use_the_names_of_the_file(dotted, tmp_path):
    values = {"left.raw": random((2, 3), 1), "right.raw": random((2, 3), 2)}
    for name, array in values.items():
        array.tofile(tmp_path / name)
    listed = tmp_path / "list.txt"
    listed.write_text(f"in.right:={tmp_path}/right.raw in/left:={tmp_path}/left.raw\n")
    model = dotted.quantize(qairt.CalibrationConfig(listed))
    assert model.inputs[0].scale == dotted.quantize(qairt.CalibrationConfig([list(values.values())])).inputs[0].scale


# ---- Graphs ----


def test_two_shapes_of_a_model_in_one_context(tmp_path):
    path = onnx_writer.write(tmp_path / "open.onnx", [("Relu", ["x"], ["y"])], [("x", "float32", ("rows", 4))],
                             [("y", "float32", ("rows", 4))], {})
    shapes = {f"rows_{rows}": qairt.convert(path, batch=rows, name=f"rows_{rows}") for rows in (1, 8)}
    compiled = qairt.compile(list(shapes.values()))
    assert compiled.graph_names == ["rows_1", "rows_8"]
    for name, rows in (("rows_1", 1), ("rows_8", 8)):
        assert compiled(random((rows, 4)), graph=name)["y"].shape == (rows, 4)
    with pytest.raises(qairt.ModelError, match="2 graphs are called 'open'; .*name="):
        qairt.compile([qairt.convert(path, batch=1), qairt.convert(path, batch=8)])


@pytest.mark.parametrize("name", ["", "1st", "a b", "ü", 3])
def test_names_that_no_graph_has(dense_path, name):
    with pytest.raises(qairt.ModelError, match="a graph cannot be called") as raised:
        qairt.convert(dense_path, name=name)
    assert raised.value.code == "graph-name"


# ---- Files ----


def test_models_in_memory(dense_path, model):
    x = random((4, 32))
    data = dense_path.read_bytes()
    for given in (data, bytearray(data), memoryview(data)):
        made = qairt.convert(given)
        assert made.graph_names == ["model"]
        numpy.testing.assert_array_equal(made(x)["y"], model(x)["y"])
    assert qairt.convert(data, name="dense").graph_names == ["dense"]


def test_bytes_may_go_when_they_are_converted(tmp_path):
    onnx_writer.write_dense(tmp_path / "large.onnx", depth=512, columns=256)
    data = bytearray((tmp_path / "large.onnx").read_bytes())
    made = qairt.convert(data)
    data[:] = bytes(len(data))
    x = random((4, 512))
    numpy.testing.assert_array_equal(made(x)["y"], qairt.convert(tmp_path / "large.onnx")(x)["y"])


def test_what_serializes_itself(dense_path):
    class Proto:
        def SerializeToString(self):
            return dense_path.read_bytes()

    assert qairt.convert(Proto(), name="proto").graph_names == ["proto"]


def test_bytes_that_are_no_model(tmp_path):
    for wrong in (b"no model", b""):
        with pytest.raises(qairt.ModelError, match="the model's bytes"):
            qairt.convert(wrong)


def test_bytes_have_no_files_beside_them(tmp_path, monkeypatch):
    path = tmp_path / "outside.onnx"
    onnx_writer.write(path, [("Add", ["x", "weights"], ["y"])], [("x", "float32", (4,))], [("y", "float32", (4,))],
                      {"weights": onnx_writer.External("weights.raw", numpy.ones(4, "float32"))})
    monkeypatch.chdir(tmp_path)  # which must not be searched
    numpy.testing.assert_array_equal(qairt.convert(path)(numpy.ones(4, "float32"))["y"], 2 * numpy.ones(4))
    with pytest.raises(qairt.ModelError, match="'weights.raw', and a model in memory has no files beside it.*path"):
        qairt.convert(path.read_bytes())


def test_a_suffix_says_what_is_written(model, compiled, tmp_path):
    for thing, name, message in ((compiled, "m.dlc", r"saved as a context binary, and .dlc is another.*name it .*m\.bin"),
                                 (model, "m.bin", r"saved as a .dlc, and .bin is another.*name it .*m\.dlc"),
                                 (model, "m.ONNX", "nothing here writes ONNX models")):
        with pytest.raises(qairt.ModelError, match=message) as raised:
            thing.save(tmp_path / name)
        assert raised.value.code == "file-suffix" and list(tmp_path.iterdir()) == []
    assert compiled.save(tmp_path / "m.v2") == str(tmp_path / "m.v2.bin")
    assert compiled.save(tmp_path / "M.BIN") == str(tmp_path / "M.BIN")


# ---- Scalars ----


@pytest.fixture(scope="module")
def scaled(tmp_path_factory):
    """y = x * factor + table[row], with scalars for both."""
    path = tmp_path_factory.mktemp("models") / "scaled.onnx"
    return qairt.convert(onnx_writer.write(
        path, [("Mul", ["x", "factor"], ["scaled"]), ("Gather", ["table", "row"], ["picked"]),
               ("Add", ["scaled", "picked"], ["y"])],
        [("x", "float32", (3,)), ("factor", "float32", ()), ("row", "int64", ())], [("y", "float32", (3,))],
        {"table": numpy.arange(6, dtype="float32").reshape(2, 3)}))


@pytest.mark.parametrize("factor", [2, 2.0, numpy.float32(2), numpy.array(2.0), numpy.array([2.0], "float32")])
@pytest.mark.parametrize("row", [1, numpy.int64(1), numpy.array(1), numpy.array([1], "int32")])
def test_scalars(scaled, factor, row):
    outputs = scaled({"x": numpy.ones(3, "float32"), "factor": factor, "row": row})
    numpy.testing.assert_array_equal(outputs["y"], [5, 6, 7])


@pytest.mark.parametrize("inputs, message", [
    ({"factor": "two", "row": 1}, "which do not become float32"),
    ({"factor": True, "row": 1}, "bool, which do not become float32"),
    ({"factor": numpy.int64(2), "row": 1}, "int64, which do not become float32"),
    ({"factor": 2.0, "row": 1.0}, "float64, which do not become int32"),
    ({"factor": [2.0, 3.0], "row": 1}, r"has shape \(2,\), and \(1,\) is wanted"),
])
def test_scalars_of_another_kind(scaled, inputs, message):
    with pytest.raises(qairt.ModelError, match=message):
        scaled({"x": numpy.ones(3, "float32"), **inputs})


def test_a_scalar_is_not_spread_over_a_tensor(compiled):
    with pytest.raises(qairt.ModelError, match=r"has shape \(\), and \(4, 32\) is wanted"):
        compiled(1.0)
