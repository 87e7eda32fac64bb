# SPDX-License-Identifier: BSD-3-Clause
"""Advice on models with planted problems: `openqnn advise` and qairt.advise."""

import json
import subprocess

import jsonschema
import numpy
import onnx_writer
import pytest
import qairt

RANDOM = numpy.random.default_rng(0)


def weights(*shape):
    return (RANDOM.standard_normal(shape) / 16).astype("float32")


def net(path, middle, constants=None, channels=64, size=114):
    """Two branches `a` and `b` from one tensor, what `middle` makes `m` of them with, and a convolution behind."""
    nodes = [("Conv", ["x", "wa"], ["ca"]), ("Relu", ["ca"], ["a"]), ("Conv", ["x", "wb"], ["cb"]), ("Relu", ["cb"], ["b"]),
             *middle, ("Conv", ["m", "wm"], ["cm"]), ("Relu", ["cm"], ["y"])]
    made = {"wa": weights(channels, 32, 3, 3), "wb": weights(channels, 32, 3, 3), "wm": weights(64, channels, 3, 3)}
    return onnx_writer.write(path, nodes, [("x", "float32", (1, 32, size, size))],
                             [("y", "float32", (1, 64, size - 4, size - 4))], made | (constants or {}))


PLANTED = {
    "ADV-DIV": ([("Div", ["a", "k"], ["d"]), ("Add", ["d", "b"], ["m"])], {"k": numpy.float32([3])}, 64),
    "ADV-SUB": ([("Sub", ["a", "b"], ["m"])], {}, 32, 514),
    "ADV-PRELU": ([("Add", ["a", "b"], ["s"]), ("PRelu", ["s", "k"], ["m"])],
                  {"k": numpy.full((64, 1, 1), 0.1, "float32")}, 64),
    "ADV-CHANNELS": ([("Relu", ["a"], ["m"])], {}, 8),
}
CLEAN = [("Add", ["a", "b"], ["m"])]


@pytest.fixture(name="options")
def best_options(tmp_path):
    """All that options can give, so that what is left is the model's."""
    path = tmp_path / "htp.json"
    path.write_text(json.dumps({"graphs": [{"graph_names": ["model"], "O": 3, "vtcm_mb": 8, "hvx_threads": 4}],
                                "devices": [{"soc_model": 43}]}))
    return path


# feature: G1 (Python)
@pytest.mark.parametrize("wanted", PLANTED)
def test_planted_problems_are_found(tmp_path, options, wanted):
    found = {finding["id"]: finding for finding in qairt.advise(net(tmp_path / "model.onnx", *PLANTED[wanted]), config=options)}
    assert wanted in found
    finding = found[wanted]
    assert finding["ops"] and finding["source"] and finding["advice"]
    assert all(0 < op["share"] <= 1 and op["nodes"] for op in finding["ops"])
    effect, = finding["effects"]
    assert effect["percent"] == pytest.approx(100 * (effect["after_us"] / effect["before_us"] - 1))


# feature: G1 (Python)
def test_nothing_is_found_in_a_clean_model(tmp_path, options):
    assert qairt.advise(net(tmp_path / "model.onnx", CLEAN), config=options) == []


# feature: G1 (Python)
def test_the_json_is_as_its_schema_says(tmp_path, tool):
    model = net(tmp_path / "model.onnx", *PLANTED["ADV-DIV"])
    schema = json.loads(subprocess.run([tool, "advise", "--schema"], check=True, capture_output=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    for precision in ("float", "w8a8", "w8a16"):
        made = subprocess.run([tool, "advise", model, "--soc", "SM8550", "--precision", precision, "--json"], check=True,
                              capture_output=True)
        answer = json.loads(made.stdout)
        jsonschema.validate(answer, schema)
        assert answer["findings"] == qairt.advise(model, soc="SM8550", precision=precision)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(answer | {"findings": [{"id": "ADV-DIV"}]}, schema)


def test_binaries_and_failures(tmp_path):
    model = net(tmp_path / "model.onnx", *PLANTED["ADV-DIV"])
    compiled = qairt.compile(qairt.convert(model), precision="w8a8",
                             calibration_data=[{"x": numpy.ones((1, 32, 114, 114), "float32")}])
    compiled.save(tmp_path / "model.bin")
    found = {finding["id"]: finding for finding in qairt.advise(tmp_path / "model.bin")}
    assert found["ADV-DIV"]["effects"] == []  # a binary cannot be changed
    with pytest.raises(ValueError, match="this is for models"):
        qairt.advise(tmp_path / "model.bin", soc="SM8650")
    with pytest.raises(FileNotFoundError):
        qairt.advise(tmp_path / "none.onnx")
    with pytest.raises(ValueError, match="there is no precision"):
        qairt.advise(model, precision="w3a3")


# feature: G1 (Python)
def test_training_with_quantization_covers_every_layer(tmp_path):
    def model(covered):
        between = [("QuantizeLinear", ["c", "s"], ["qc"]), ("DequantizeLinear", ["qc", "s"], ["dc"])] if covered else []
        nodes = [("QuantizeLinear", ["x", "s"], ["qx"]), ("DequantizeLinear", ["qx", "s"], ["dx"]), ("Conv", ["dx", "w"], ["c"]),
                 *between, ("Sigmoid", ["dc" if covered else "c"], ["t"]), ("QuantizeLinear", ["t", "s"], ["qt"]),
                 ("DequantizeLinear", ["qt", "s"], ["y"])]
        return onnx_writer.write(tmp_path / "model.onnx", nodes, [("x", "float32", (1, 32, 34, 34))],
                                 [("y", "float32", (1, 32, 32, 32))], {"w": weights(32, 32, 3, 3), "s": numpy.float32(0.01)})

    def found(path):
        return [finding["message"] for finding in qairt.advise(path, soc="SM8550") if finding["id"] == "ADV-QAT"]

    message, = found(model(covered=False))
    assert "1 of 3 activations" in message and "Conv" in message
    assert found(model(covered=True)) == []


# feature: G1 (Python)
def test_a_long_op_on_vectors_that_runs_alone(tmp_path):
    config = tmp_path / "htp.json"
    model = onnx_writer.write(tmp_path / "model.onnx", [("Conv", ["x", "w"], ["c"]), ("Div", ["c", "x"], ["d"]), ("Conv", ["d", "w"], ["y"])],
                              [("x", "float32", (1, 32, 256, 256))], [("y", "float32", (1, 32, 256, 256))], {"w": weights(32, 32, 1, 1)})
    for level, ops in ((1, ["d"]), (3, [])):  # op by op, and with the convolutions beside
        config.write_text(json.dumps({"graphs": [{"graph_names": ["model"], "O": level}], "devices": [{"soc_model": 43}]}))
        found = [finding for finding in qairt.advise(model, config=config) if finding["id"] == "ADV-OVERLAP"]
        assert [op["op"] for finding in found for op in finding["ops"]] == ops
        assert all("of the critical path" in finding["message"] for finding in found)


# feature: G1 (Python)
def test_sixteen_bits_for_weights_of_an_op_that_has_eight(tmp_path):
    constants = {"w": weights(32, 32, 3, 3), "deep": weights(32, 32, 1, 1, 1), "shape": numpy.array([1, 32, 1, 32, 32], "int64")}
    nodes = [("Conv", ["x", "w"], ["c"]), ("Reshape", ["c", "shape"], ["r"]), ("Conv", ["r", "deep"], ["y"])]
    for count, last, types in ((3, ("y", "float32", (1, 32, 1, 32, 32)), ["Conv3d"]), (1, ("c", "float32", (1, 32, 32, 32)), [])):
        model = onnx_writer.write(tmp_path / "model.onnx", nodes[:count], [("x", "float32", (1, 32, 34, 34))], [last], constants)
        found = [finding for finding in qairt.advise(model, soc="SM8550", precision="w16a16") if finding["id"] == "ADV-A16W16-OP"]
        assert [op["type"] for finding in found for op in finding["ops"]] == types


WEIGHT_RULES = ("ADV-WEIGHTS-ASYMMETRIC", "ADV-A16W16-RANGE")


# feature: G1 (Python)
@pytest.mark.parametrize("flags, expected", [
    (("--param_quantizer_schema", "asymmetric"), "ADV-WEIGHTS-ASYMMETRIC"),
    (("--param_quantizer_schema", "symmetric"), None),
    (("--weights_bitwidth", "16", "--act_bitwidth", "16"), "ADV-A16W16-RANGE"),
    (("--weights_bitwidth", "16", "--act_bitwidth", "16", "--restrict_quantization_steps", "-0x8000 0x7F7F"), None),
])
def test_weights_as_the_quantizer_made_them(tool, tmp_path, flags, expected):
    model = onnx_writer.write(tmp_path / "model.onnx", [("Conv", ["x", "w"], ["y"])], [("x", "float32", (1, 32, 34, 34))],
                              [("y", "float32", (1, 32, 32, 32))], {"w": weights(32, 32, 3, 3) + numpy.float32(0.1)})
    RANDOM.standard_normal((1, 32, 34, 34)).astype("float32").tofile(tmp_path / "x.raw")
    (tmp_path / "list.txt").write_text(f"{tmp_path / 'x.raw'}\n", encoding="utf-8")
    subprocess.run([tool.with_name("qairt-converter"), "-i", model, "-o", tmp_path / "float.dlc", "--quiet"], check=True, timeout=120)
    subprocess.run([tool.with_name("qairt-quantizer"), "-i", tmp_path / "float.dlc", "-l", tmp_path / "list.txt", "-o",
                    tmp_path / "fixed.dlc", *flags, "--quiet"], check=True, capture_output=True, timeout=120)
    found = [finding["id"] for finding in qairt.advise(tmp_path / "fixed.dlc", soc="SM8550") if finding["id"] in WEIGHT_RULES]
    assert found == ([expected] if expected else [])


def test_what_is_sound_in_a_file_with_errors_is_taken(tool, tmp_path):
    model = net(tmp_path / "model.onnx", CLEAN)
    times = {}
    for name, options in (("sound", {"hvx_threads": 1}), ("broken", {"hvx_threads": 1, "O": 9, "vtcm_mb": 64}), ("silent", {})):
        config = tmp_path / f"{name}.json"
        config.write_text(json.dumps({"graphs": [{"graph_names": ["model"], **options}], "devices": [{"soc_model": 57}]}))
        told = json.loads(subprocess.run([tool, "advise", model, "--config", config, "--format", "json"], check=True,
                                         capture_output=True, timeout=120).stdout)
        assert told["soc"] == "SM8650"
        times[name] = told["graphs"]
    assert times["broken"] == times["sound"] != times["silent"]
