# SPDX-License-Identifier: BSD-3-Clause
"""Models from ONNX to arrays: numbers against numpy, what is refused, files."""

import json
import os
import pathlib
import pickle
import subprocess
import sys
import warnings

import numpy
import onnx_writer
import pytest
import qairt
from arrays import random
from qairt.api.common.backends.htp import HtpDeviceConfig, HtpGraphConfig

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def two_inputs(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "two.onnx"
    onnx_writer.write(path, [("Sub", ["a", "b"], ["c"])],
                      [("a", "float32", (2, 3)), ("b", "float32", (2, 3))], [("c", "float32", (2, 3))], {})
    return qairt.compile(qairt.convert(path))


# ---- Numbers ----


# feature: B2, D1 (Python)
def test_a_float_model_is_computed_in_half(compiled, expected):
    x = random((4, 32))
    y = compiled(x)["y"]
    assert y.dtype == "float32" and y.shape == (4, 16)
    numpy.testing.assert_allclose(y, expected(x), rtol=2e-3, atol=4e-3)
    assert numpy.abs(y - expected(x)).max() > 0  # half is not exact: it was not computed in float


# feature: B2, D1 (Python)
def test_a_quantized_model_is_off_by_few_steps(quantized, expected, samples):
    (output,) = quantized.outputs
    assert output.dtype == "uint8" and output.is_quantized
    difference = quantized(samples[0])["y"] - expected(samples[0])
    assert numpy.abs(difference).max() < 4 * output.scale
    assert 0 < numpy.abs(difference).max()


# feature: B2 (Python)
@pytest.mark.parametrize("precision, dtype", [("w8a16", "uint16"), ("w16a16", "uint16"), ("w4a16", "uint16")])
def test_precisions(model, expected, samples, precision, dtype):
    compiled = qairt.compile(model, precision=precision, calibration_data=samples)
    assert compiled.outputs[0].dtype == dtype
    noise = compiled(samples[0])["y"] - expected(samples[0])
    signal_to_noise = 10 * numpy.log10(numpy.square(expected(samples[0])).sum() / numpy.square(noise).sum())
    assert signal_to_noise > {"w8a16": 35, "w16a16": 60, "w4a16": 12}[precision]


def test_outputs_as_they_are_stored(quantized, samples):
    stored = quantized(samples[0], native_outputs=True)["y"]
    (output,) = quantized.outputs
    assert stored.dtype == "uint8"
    reals = numpy.float32(output.scale) * (stored.astype("float64") + output.offset)
    numpy.testing.assert_array_equal(quantized(samples[0])["y"], reals.astype("float32"))


def test_arrays_of_the_tensors_own_type_are_not_converted(quantized, samples):
    (given,) = quantized.inputs
    stored = numpy.clip(numpy.rint(samples[0].astype("float64") / given.scale) - given.offset, 0, 255).astype("uint8")
    numpy.testing.assert_array_equal(quantized(stored)["y"], quantized(samples[0])["y"])


def test_defaults_are_per_channel_symmetric_weights_and_wide_biases():
    config = qairt.CalibrationConfig.of_precision("w8a8")
    assert config.per_channel_quantization and config.per_row_quantization
    assert (config.weights_schema, config.bias_precision) == ("symmetric", 32)


def test_settings_of_the_calibration_act(model, samples):
    def output(**settings):
        return model.quantize(qairt.CalibrationConfig(samples, **settings)).outputs[0]

    plain = output()
    assert output(act_precision=16).dtype == "uint16"
    assert output(act_calibration_method="percentile", percentile=90).scale < plain.scale
    assert output(act_schema="symmetric").offset == -128 != plain.offset
    assert output(num_of_samples=1).scale < plain.scale
    assert output(preserve_io_datatype=True).dtype == "float32"


def test_products_of_two_16_bit_activations_are_computed_in_integers(tmp_path):
    path = onnx_writer.write(tmp_path / "product.onnx", [("MatMul", ["a", "b"], ["c"])],
                             [("a", "float32", (1, 4, 8)), ("b", "float32", (1, 8, 4))], [("c", "float32", (1, 4, 4))], {})
    a, b = random((1, 4, 8)), random((1, 8, 4)) + numpy.float32(0.5)  # what takes the place of weights is not around 0
    quantized = qairt.convert(path).quantize(qairt.CalibrationConfig([{"a": a, "b": b}], act_precision=16))
    assert not quantized.float_ops
    config = qairt.CompileConfig(backend="HTP", device_custom_configs=[HtpDeviceConfig(soc_model=57)])
    assert numpy.abs(qairt.compile(quantized, config=config)({"a": a, "b": b})["c"] - a @ b).max() < 1e-3


def test_an_input_list_is_a_dataset(model, samples, tmp_path, monkeypatch):
    for number, sample in enumerate(samples):
        sample.tofile(tmp_path / f"{number}.raw")
    (tmp_path / "list.txt").write_text("".join(f"x:={number}.raw\n" for number in range(len(samples))))
    monkeypatch.chdir(tmp_path)
    listed = model.quantize(qairt.CalibrationConfig("list.txt")).outputs[0]
    assert listed.scale == model.quantize(qairt.CalibrationConfig(samples)).outputs[0].scale


def test_samples_that_are_not_finite_are_told(model, samples):
    broken = samples[0].copy()
    broken[0, 0] = numpy.nan
    assert any("'x' was infinite or no number" in note
               for note in model.quantize(qairt.CalibrationConfig([broken, *samples])).notes)
    assert not model.quantize(qairt.CalibrationConfig(samples)).notes


def test_a_dataset_is_walked_once_and_lazily(model):
    alive = []

    def walk():
        for seed in range(3):
            alive.append(seed)
            yield {"x": random((4, 32), seed)}

    assert model.quantize(qairt.CalibrationConfig(walk())).is_quantized
    assert alive == [0, 1, 2]


# ---- Arrays ----


def test_inputs_by_name_in_order_or_alone(compiled, two_inputs):
    x = random((4, 32))
    for inputs in ({"x": x}, [x], (x,), x):
        numpy.testing.assert_array_equal(compiled(inputs)["y"], compiled(x)["y"])
    a, b = random((2, 3), 1), random((2, 3), 2)
    for inputs in ({"b": b, "a": a}, [a, b]):
        numpy.testing.assert_allclose(two_inputs(inputs)["c"], a - b, atol=4e-3)


@pytest.mark.parametrize("make", [
    lambda x: numpy.asfortranarray(x),
    lambda x: numpy.repeat(x, 2, axis=1)[:, ::2],
    lambda x: x[::-1][::-1],
    lambda x: x.astype("float64"),
    lambda x: x.astype(">f4"),
    lambda x: [x.tolist()],
])
def test_any_layout_and_float_type(compiled, make):
    x = random((4, 32))
    numpy.testing.assert_array_equal(compiled(make(x))["y"], compiled(x)["y"])


def test_arrays_that_cannot_be_written_to_are_inputs(compiled):
    x = random((4, 32))
    frozen = x.copy()
    frozen.setflags(write=False)
    numpy.testing.assert_array_equal(compiled(frozen)["y"], compiled(x)["y"])


def test_integers_that_fit(tmp_path):
    path = onnx_writer.write(tmp_path / "gather.onnx", [("Gather", ["table", "rows"], ["picked"])],
                             [("rows", "int64", (3,))], [("picked", "float32", (3, 2))],
                             {"table": numpy.arange(10, dtype="float32").reshape(5, 2)})
    compiled = qairt.compile(qairt.convert(path))
    numpy.testing.assert_array_equal(compiled(numpy.array([4, 0, 1]))["picked"], [[8, 9], [0, 1], [2, 3]])
    with pytest.raises(qairt.ModelError, match="int64, which do not become int32"):
        compiled(numpy.array([4, 0, 2**40]))
    with pytest.raises(qairt.ModelError, match="float64, which do not become int32"):
        compiled(numpy.array([4.0, 0.0, 1.0]))


@pytest.mark.parametrize("inputs, code, message", [
    (lambda x: {"z": x}, "input-name", "no input 'z'"),
    (lambda x: {}, "input-missing", "no value for 'x'"),
    (lambda x: [x, x], "input-count", "2 arrays are given, and the model has 1 inputs"),
    (lambda x: x[0], "input-shape", r"has shape \(32,\), and \(4, 32\) is wanted"),
    (lambda x: x.astype(int), "input-dtype", "elements of int64, which do not become float32"),
    (lambda x: x.astype(str), "input-dtype", "which do not become float32"),
    (lambda x: [[[1, 2], [3]]], "input-array", "is no array"),
])
def test_wrong_arrays_are_told_what_is_wanted(compiled, inputs, code, message):
    with pytest.raises(qairt.ModelError, match=message) as raised:
        compiled(inputs(random((4, 32))))
    assert raised.value.code == code
    assert raised.value.fix and "'x': float32, shape (4, 32)" in str(raised.value)
    assert compiled(random((4, 32)))["y"].shape == (4, 16)  # still usable


def test_what_a_model_tells(model, quantized):
    (given,), (taken,) = model.inputs, model.outputs
    assert (given.name, given.dtype, given.shape) == ("x", "float32", (4, 32))
    assert (taken.name, taken.dtype, taken.shape) == ("y", "float32", (4, 16))
    assert given.type == "QNN_DATATYPE_FLOAT_32" and given.scale is None
    assert quantized.inputs[0].type == "QNN_DATATYPE_UFIXED_POINT_8" and quantized.inputs[0].scale > 0
    assert model.graph_names == quantized.graph_names == ["dense"]
    assert not model.is_quantized and "dense" in repr(model)


# ---- Converting and compiling ----


def test_open_dimensions(tmp_path):
    path = onnx_writer.write(tmp_path / "open.onnx", [("Relu", ["x"], ["y"])], [("x", "float32", ("rows", 4))],
                             [("y", "float32", ("rows", 4))], {})
    assert qairt.convert(path, define_symbol=[("rows", 3)]).inputs[0].shape == (3, 4)
    assert qairt.convert(path, batch=5).inputs[0].shape == (5, 4)
    assert qairt.convert(path, input_shapes={"x": (7, 4)}).outputs[0].shape == (7, 4)


def test_fixed_inputs(tmp_path):
    path = onnx_writer.write(tmp_path / "two.onnx", [("Sub", ["a", "b"], ["c"])],
                             [("a", "float32", (2, 3)), ("b", "float32", (2, 3))], [("c", "float32", (2, 3))], {})
    model = qairt.convert(path, fixed_inputs={"b": 2})
    assert [each.name for each in model.inputs] == ["a"]
    numpy.testing.assert_array_equal(model(numpy.full((2, 3), 5.0))["c"], numpy.full((2, 3), 3.0))


@pytest.mark.parametrize("options, message", [
    ({"input_shapes": {"a": (0, 3)}}, "dimension 0 of 'a' cannot be 0.*"),
    ({"input_shapes": {"a": (2, 3, 4)}}, r"has 2 dimensions, but \[2, 3, 4\] gives 3 .input_shapes"),
    ({"input_shapes": {"q": (2, 3)}}, "no input 'q' .input_shapes.; its inputs: a, b"),
    ({"batch": -1}, "cannot be -1.*batch"),
    ({"define_symbol": [("rows", 0)]}, "'rows' cannot be 0.*define_symbol"),
    ({"input_shapes": {"a": (5, 3)}}, r"dimensions that were given: input 'a' \[5, 3\] .input_shapes; \[2, 3\] in the"),
    ({"fixed_inputs": {"rows": 1.5}}, "is int64, which cannot hold 1.5 .fixed_inputs"),
])
def test_wrong_dimensions_are_the_callers(tmp_path, options, message):
    path = onnx_writer.write(tmp_path / "two.onnx", [("Sub", ["a", "b"], ["c"]), ("Gather", ["c", "rows"], ["d"])],
                             [("a", "float32", (2, 3)), ("b", "float32", (2, 3)), ("rows", "int64", (1,))],
                             [("d", "float32", (1, 3))], {})
    with pytest.raises(qairt.ModelError, match=message) as raised:
        qairt.convert(path, **options)
    assert "export it again" not in str(raised.value)


def test_files_of_another_kind(dense_path, model, compiled, tmp_path):
    dlc, binary = model.save(tmp_path), compiled.save(tmp_path)
    for wrong, message in ((lambda: qairt.load(dense_path), "this is an ONNX model.*convert"),
                           (lambda: qairt.convert(dlc), "this is a .dlc, which is converted already.*load"),
                           (lambda: qairt.convert(binary), "this is a context binary, which is compiled already.*load"),
                           (lambda: qairt.compile(binary), "compiled already")):
        with pytest.raises(qairt.ModelError, match=message):
            wrong()


def test_input_lists_tell_their_lines(model, tmp_path):
    good = tmp_path / "good.raw"
    random((4, 32)).tofile(good)
    (tmp_path / "short.raw").write_bytes(b"abcd")
    listed = tmp_path / "list.txt"
    for text, error, message in (
            (f"{good}\n{tmp_path}/absent.raw\n", FileNotFoundError, r"list.txt:2: .*absent.raw"),
            (f"{good}\n\n{tmp_path}/short.raw\n", qairt.ModelError, r"1 float32 elements.*list.txt:3"),
            (f"{good} {good}\n", qairt.ModelError, "gives 2 files.*list.txt:1.*a blank ends a path"),
            (f"xx:={good}\n", qairt.ModelError, "no input 'xx'.*list.txt:1.*did you mean 'x'")):
        listed.write_text(text)
        with pytest.raises(error, match=message):
            model.quantize(qairt.CalibrationConfig(listed))
    listed.write_bytes(b"\xef\xbb\xbf" + f"x:={good} \t\r\n".encode())
    assert model.quantize(qairt.CalibrationConfig(listed)).is_quantized


def test_percentiles(model):
    for wrong in (89.9, 100.1, float("nan")):
        with pytest.raises(qairt.ModelError, match="from 90 to 100"):
            qairt.CalibrationConfig(percentile=wrong)
    config = qairt.CalibrationConfig([random((4, 32))], percentile=95)
    with pytest.raises(qairt.ModelError, match="no calibration method is 'percentile'"):
        model.quantize(config)
    config.act_calibration_method = "percentile"
    assert model.quantize(config).is_quantized


def test_half_models(dense_path, expected):
    model = qairt.convert(dense_path, float_precision=16)
    assert model.inputs[0].dtype == "float16"
    x = random((4, 32))
    outputs = model(x)
    assert outputs["y"].dtype == "float32"
    numpy.testing.assert_allclose(outputs["y"], expected(x), rtol=2e-3, atol=4e-3)
    assert model(x.astype("float16"), native_outputs=True)["y"].dtype == "float16"
    with pytest.raises(qairt.ModelError, match="half float"):
        model.quantize(qairt.CalibrationConfig([x]))


# feature: A4 (Python)
def test_options_of_graphs_and_devices_reach_the_binary(model, tmp_path):
    def graph(**fields):
        path = qairt.compile(model, config=qairt.CompileConfig(backend="HTP", **fields)).save(tmp_path / "model.bin")
        return qairt.ContextBinary(path).graphs[0]

    assert graph().soc == "SM8350"
    assert graph(soc_details="chipset:SM8650").soc == "SM8650"
    assert graph(device_custom_configs=[HtpDeviceConfig(soc_model=57)]).soc == "SM8650"
    chosen = graph(graph_custom_configs=[HtpGraphConfig(name="dense", O=3, vtcm_size_in_mb=2, hvx_threads=2)])
    assert (chosen.optimization, chosen.vtcm_bytes, chosen.hvx_threads) == (3, 2 << 20, 2)
    assert len(graph(enable_intermediate_outputs=True).outputs) > 1


def test_a_binary_for_an_architecture_alone_is_loaded(model, samples, tmp_path):
    quantized = model.quantize(qairt.CalibrationConfig(samples))
    file = tmp_path / "v73.json"
    file.write_text('{"devices": [{"dsp_arch": "v73"}]}')
    compiled = qairt.compile(quantized, config=qairt.CompileConfig.from_backend_extensions(
        "HTP", file, passthrough=True))
    again = qairt.load(compiled.save(tmp_path / "v73.bin"))
    for mine, theirs in zip(again(samples[0]), compiled(samples[0])):
        assert numpy.array_equal(mine, theirs)


def test_what_was_measured_goes_into_every_file(tool, model, samples, tmp_path):
    quantized = model.quantize(qairt.CalibrationConfig(samples))
    dlc = quantized.save(tmp_path / "model.dlc")
    again = qairt.load(dlc).save(tmp_path / "again.dlc")
    shares = [json.loads(subprocess.run([tool, "inspect", "--json", path], capture_output=True, check=True).stdout)
              ["graphs"][0]["activation_share"] for path in (dlc, again)]
    assert 0 < shares[0] <= 1 and shares[0] == shares[1]
    file = tmp_path / "dlbc.json"
    file.write_text('{"graphs": [{"graph_names": ["dense"], "dlbc": 1}], "devices": [{"soc_model": 57}]}')
    config = qairt.CompileConfig.from_backend_extensions("HTP", file, passthrough=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", qairt.ModelWarning)  # a share that is assumed would be warned of
        qairt.compile(quantized, config=config)


def test_devices_of_a_passed_through_file_hide_soc_details(model, tmp_path):
    file = tmp_path / "devices.json"
    file.write_text('{"devices": [{"cores": [{"perf_profile": "burst"}]}]}')
    config = qairt.CompileConfig.from_backend_extensions("HTP", file, passthrough=True, soc_details="chipset:SM8650")
    with pytest.warns(qairt.ModelWarning, match="soc_details is ignored"):
        binary = qairt.compile(model, config=config).save(tmp_path / "model.bin")
    assert qairt.ContextBinary(binary).graphs[0].soc == "SM8350"


def test_weight_sharing_takes_the_names_of_graphs_from_the_models(dense_path, tmp_path):
    config = qairt.CompileConfig(backend="HTP", soc_details="chipset:SM8650")
    config.set_mode("weight_sharing", hvx_threads=2)
    other = dense_path.with_name("other.onnx")
    other.write_bytes(dense_path.read_bytes())
    compiled = qairt.compile([qairt.convert(dense_path), qairt.convert(other)], config=config)
    assert compiled.graph_names == ["dense", "other"] and config.graph_custom_configs is None
    graphs = qairt.ContextBinary(compiled.save(tmp_path / "shared")).graphs
    assert [graph.hvx_threads for graph in graphs] == [2, 2]
    x = random((4, 32))
    with pytest.raises(qairt.ModelError, match="several graphs; graph= one of 'dense', 'other'"):
        compiled(x)
    numpy.testing.assert_array_equal(compiled(x, graph="dense")["y"], compiled(x, graph="other")["y"])
    assert compiled.outputs_of("other")[0].name == "y"


def test_tensors_between_nodes_become_outputs(model, compiled):
    def outputs(**fields):
        return [each.name for each in qairt.compile(model, config=qairt.CompileConfig(backend="HTP", **fields)).outputs]

    everything = outputs(enable_intermediate_outputs=True)
    inner = next(name for name in everything if name != "y")
    assert outputs(set_output_tensors=[inner]) == outputs(set_output_tensors=[f"dense:{inner}"])
    assert set(outputs(set_output_tensors=[inner])) == {"y", inner}


def test_memory_type_log_and_op_packages(model, compiled, samples, capfd):
    def compile_with(**fields):
        return qairt.compile(model, config=qairt.CompileConfig(backend="HTP", **fields))

    shared = compile_with(io_tensor_mem_type="memhandle")
    numpy.testing.assert_array_equal(shared(samples[0])["y"], compiled(samples[0])["y"])
    assert capfd.readouterr().err == ""
    compile_with(log_level="info")
    assert "dense" in capfd.readouterr().err
    with pytest.raises(qairt.ModelError, match="registerOpPackage.*absent.so"):
        compile_with(op_packages="absent.so:Provider:HTP")


def test_layouts_of_a_data_format_file(model, compiled, samples, tmp_path):
    formats = tmp_path / "formats.json"

    def compile_with(tensor, layout):
        graph = {"graph_name": ["dense"],
                 "tensors": [{"tensor_name": tensor, "dataFormat": f"QNN_TENSOR_DATA_FORMAT_{layout}"}]}
        formats.write_text(json.dumps({"graphs": [graph]}))
        return qairt.compile(model, config=qairt.CompileConfig(backend="HTP", data_format_config=formats))

    numpy.testing.assert_array_equal(compile_with("x", "DENSE")(samples[0])["y"], compiled(samples[0])["y"])
    with pytest.raises(qairt.ModelError, match="does not take QNN_TENSOR_DATA_FORMAT_CODEBOOK.*formats.json:1"):
        compile_with("x", "CODEBOOK")
    with pytest.raises(qairt.ModelError, match="no .*'nobody'.*formats.json"):
        compile_with("nobody", "DENSE")


def test_encodings_of_a_file(dense_path, samples, tmp_path):
    encodings = tmp_path / "encodings.json"
    stated = {"x": [{"bitwidth": 8, "min": -4.0, "max": 4.0}], "nothing": [{"bitwidth": 8, "min": 0.0, "max": 1.0}]}
    encodings.write_text(json.dumps({"version": "0.6.1", "param_encodings": {}, "activation_encodings": stated}))
    alone = qairt.convert(dense_path, encodings=encodings)
    assert alone.inputs[0].scale == pytest.approx(8 / 255) and alone.outputs[0].dtype == "float32"
    assert any("'nothing'" in note for note in alone.notes) and any("calibrate" in op for op in alone.float_ops)
    both = qairt.convert(dense_path, encodings=encodings, calibration_config=qairt.CalibrationConfig(samples))
    assert both.inputs[0].scale == alone.inputs[0].scale and both.outputs[0].dtype == "uint8"


@pytest.mark.parametrize("fields, message", [
    ({"graph_custom_configs": [HtpGraphConfig(name="nobody", O=3)]}, "nobody"),
    ({"backend_binary_path": "model"}, "no second kind of binary"),
    ({"data_format_config": "absent.json"}, "no such file"),
    ({"soc_details": "chipset:SM0001"}, "no table knows the part"),
    ({"set_output_tensors": ["nothing"]}, "no tensor 'nothing'"),
])
def test_configurations_that_cannot_be_compiled(model, fields, message):
    with pytest.raises(qairt.ModelError, match=message):
        qairt.compile(model, config=qairt.CompileConfig(backend="HTP", **fields))


@pytest.mark.parametrize("name", ["fp16", "float"])
def test_both_names_of_half_precision_leave_a_float_model_as_it_is(model, samples, name):
    numpy.testing.assert_array_equal(qairt.compile(model, precision=name)(samples[0])["y"],
                                     qairt.compile(model)(samples[0])["y"])


@pytest.mark.parametrize("options, message", [
    ({"backend": "CPU"}, "no backend 'CPU' here"),
    ({"precision": "w9a9"}, "no precision 'w9a9'; one of fp16, w8a8"),
    ({"precision": "w8a8"}, "no encodings, and there are no samples"),
    ({"precision": "w8a8", "calibration_data": []}, "the dataset has no samples"),
    ({"precision": "w8a8", "calibration_data": {"x": 1}}, "not a row of samples"),
    ({"precision": "w8a8", "calibration_data": [{"q": 1}]}, "no input 'q'"),
    ({"calibration_data": [1]}, "nothing is quantized"),
])
def test_calls_that_cannot_be_compiled(model, options, message):
    with pytest.raises(qairt.ModelError, match=message):
        qairt.compile(model, **options)


def test_what_is_no_model(dense_path, tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file"):
        qairt.convert(tmp_path / "absent.onnx")
    with pytest.raises(FileNotFoundError):
        qairt.load(tmp_path / "absent.bin")
    text = tmp_path / "text.bin"
    text.write_text("no model")
    for read in (qairt.convert, qairt.load):
        with pytest.raises(qairt.ModelError, match="text.bin"):
            read(text)
    with pytest.raises(qairt.ModelError, match="no model that can be compiled"):
        qairt.compile(3)
    with pytest.raises(qairt.ModelError, match="16 or 32"):
        qairt.convert(dense_path, float_precision=8)


def test_unsupported_nodes_are_listed(tmp_path):
    path = onnx_writer.write(tmp_path / "strange.onnx", [("Gaussian", ["x"], ["y"])], [("x", "float32", (2,))],
                             [("y", "float32", (2,))], {})
    with pytest.raises(qairt.ModelError, match="Gaussian"):
        qairt.convert(path)


def test_errors_are_values(model):
    with pytest.raises(ValueError) as raised:
        qairt.compile(model, precision="w9a9")
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.code, str(again)) == ("precision", str(raised.value))


# ---- Files ----


# feature: C1 (Python)
def test_files_come_back(model, quantized, samples, tmp_path):
    path = model.save(tmp_path / "float")
    assert path == str(tmp_path / "float.dlc")
    loaded = qairt.load(path)
    assert isinstance(loaded, qairt.Model)
    numpy.testing.assert_array_equal(loaded(samples[0])["y"], model(samples[0])["y"])
    path = quantized.save(tmp_path)
    assert path == str(tmp_path / "dense.bin") and os.path.getsize(path) == quantized.nbytes
    loaded = qairt.load(path)
    assert isinstance(loaded, qairt.CompiledModel)
    numpy.testing.assert_array_equal(loaded(samples[0])["y"], quantized(samples[0])["y"])
    os.remove(path)  # what is loaded stays usable
    numpy.testing.assert_array_equal(loaded(samples[0])["y"], quantized(samples[0])["y"])


def test_paths_in_place_of_models(dense_path, model, samples, tmp_path):
    dlc = model.save(tmp_path / "model.dlc")
    for path in (dense_path, dlc):
        numpy.testing.assert_array_equal(qairt.compile(path)(samples[0])["y"], model(samples[0])["y"])


def test_a_failed_save_leaves_nothing(compiled, tmp_path):
    with pytest.raises(OSError):
        compiled.save(tmp_path / "no" / "such" / "folder.bin")
    assert list(tmp_path.iterdir()) == []


# ---- The example ----


def test_the_example_runs():
    program = ROOT / "examples/python/quantize_and_run.py"
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert "TensorInfo('image', float32, shape=(1, 3, 32, 32))" in done.stdout
    assert 0 < float(done.stdout.rsplit(maxsplit=1)[1]) < 0.1
