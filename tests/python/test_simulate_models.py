# SPDX-License-Identifier: BSD-3-Clause
"""Models on the modelled NPU, without data: `openqnn simulate` and qairt.simulate."""

import json
import pathlib
import subprocess

import numpy
import onnx_writer
import pytest
import qairt

FIELDS = {"soc": str, "soc_model": int, "precision": str, "options": dict, "latency_us": float, "band_us": list,
          "accelerator_us": float, "rpc_us": float, "cycles": int, "bound": dict, "ddr_bytes": int, "vtcm_peak_bytes": int,
          "peak_memory_bytes": int, "binary_bytes": int, "notes": list}


@pytest.fixture(scope="module")
def convolutions(tmp_path_factory):
    """Six convolutions of 64 channels on 66 x 66 pixels: more than 2 MB of activations together."""
    random = numpy.random.default_rng(0)
    nodes, constants, last = [], {}, "x"
    for i in range(6):
        constants[f"w{i}"] = (random.standard_normal((64, 64, 3, 3)) / 24).astype("float32")
        nodes += [("Conv", [last, f"w{i}"], [f"c{i}"]), ("Relu", [f"c{i}"], [f"r{i}"])]
        last = f"r{i}"
    path = tmp_path_factory.mktemp("models") / "convolutions.onnx"
    return onnx_writer.write(path, nodes, [("x", "float32", (1, 64, 66, 66))], [(last, "float32", (1, 64, 54, 54))], constants)


def asked(tool, *arguments):
    done = subprocess.run([tool, "simulate", *arguments, "--format", "json"], check=True, capture_output=True, timeout=120)
    return json.loads(done.stdout)


def test_fields_and_their_types(tool, convolutions):
    answer = asked(tool, convolutions, "--soc", "SM8550,SM8650", "--precision", "float,w8a8,w8a16")
    assert list(answer) == ["model_card", "results"]
    assert list(answer["model_card"]) == ["name", "source", "coefficients", "error_band"]
    assert [(r["soc"], r["precision"]) for r in answer["results"]] == [
        (soc, precision) for soc in ("SM8550", "SM8650") for precision in ("float", "w8a8", "w8a16")]
    for result in answer["results"]:
        assert {name: type(value) for name, value in result.items()} == FIELDS
        assert list(result["bound"]) == ["hmx", "hvx", "dma", "ddr", "overhead"]
        assert sum(result["bound"].values()) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in result["bound"].values())
        low, high = result["band_us"]
        assert 0 <= low < result["latency_us"] < high
        assert result["accelerator_us"] < result["rpc_us"] < result["latency_us"]
        assert 0 < result["vtcm_peak_bytes"] <= result["options"]["vtcm_mb"] << 20 < result["peak_memory_bytes"]


def test_ops_and_throughput_where_asked_for(convolutions):
    plain, = qairt.simulate(convolutions, soc="SM8550")
    assert "ops" not in plain and "throughput_per_s" not in plain
    result, = qairt.simulate(convolutions, soc="SM8550", clients=2, explain=True)
    assert sum(op["share_cycles"] for op in result["ops"]) <= result["cycles"]
    assert sum(op["loaded_bytes"] + op["stored_bytes"] for op in result["ops"]) == result["ddr_bytes"]
    # The accelerator does one after the other; the calls overlap.
    assert result["throughput_per_s"] == pytest.approx(min(2e6 / result["latency_us"], 1e6 / result["accelerator_us"]), rel=1e-3)


def test_narrow_numbers_are_faster(convolutions):
    results = qairt.simulate(convolutions, soc="SM8550", precision=["float", "w8a8", "w8a16"])
    times = {result["precision"]: result["latency_us"] for result in results}
    assert times["w8a8"] < times["w8a16"]
    assert times["w8a8"] < times["float"]


def test_more_vtcm_is_never_slower(tool, convolutions):
    results = asked(tool, convolutions, "--soc", "SM8550", "--sweep", "vtcm_mb=1,2,4,8", "--sweep", "O=3")["results"]
    assert [r["options"]["vtcm_mb"] for r in results] == [1, 2, 4, 8]
    # Level 3 keeps the best schedule of any smaller grant; until it searches, the order of tasks may cost a little.
    searches = not any("no search" in note for note in results[0]["notes"])
    for less, more in zip(results, results[1:]):
        assert more["latency_us"] <= less["latency_us"] * (1 if searches else 1.01)


def test_a_sweep_has_a_line_for_each_combination(tool, convolutions):
    done = subprocess.run([tool, "simulate", convolutions, "--soc", "SM8550", "--sweep", "vtcm_mb=2,4,8", "--sweep",
                           "hvx_threads=1,4"], check=True, capture_output=True, text=True, timeout=120)
    lines = [line.split()[:4] for line in done.stdout.splitlines() if line.startswith("SM8550 ")]
    assert lines == [["SM8550", "w8a8", vtcm, threads] for vtcm in "248" for threads in "14"]


def test_the_tool_and_python_say_the_same(tool, convolutions):
    by_tool = asked(tool, convolutions, "--soc", "SM8650", "--precision", "w8a16", "--sweep", "vtcm_mb=4")["results"]
    assert qairt.simulate(convolutions, soc="SM8650", precision="w8a16", options={"vtcm_mb": 4}) == by_tool


def test_a_file_of_options(convolutions, tmp_path):
    config = tmp_path / "htp.json"
    config.write_text(json.dumps({"graphs": [{"graph_names": ["convolutions"], "vtcm_mb": 2, "O": 1}],
                                  "devices": [{"soc_model": 57}]}))
    result, = qairt.simulate(convolutions, config=config)
    assert (result["soc"], result["options"]["vtcm_mb"], result["options"]["O"]) == ("SM8650", 2, 1)


# The sum that the vendor's page gives for the memory of a model, from the fields of its utility.
def test_peak_memory_is_the_sum_of_what_the_utility_tells(tool, demo, tmp_path):
    told = tmp_path / "told.json"
    subprocess.run([tool.with_name("qnn-context-binary-utility"), "--context_binary", demo, "--json_file", told], check=True,
                   capture_output=True, timeout=60)
    for graph in json.loads(told.read_text())["info"]["graphs"]:
        first, second = graph["info"]["graphBlobInfo"]["info"], graph["info"]["graphBlobInfoV2"]
        total = (second["opDataSize"] + second["constSize"] + second["ddrTensorSize"] + first["spillFillBufferSize"] +
                 second["ioTensorSize"] + (first["vtcmSize"] << 20) + second["sharedWeightsSize"])
        result, = asked(tool, demo, "--graph", graph["info"]["graphName"])["results"]
        assert result["peak_memory_bytes"] == total
        assert result["binary_bytes"] == demo.stat().st_size
        assert result["precision"] == "as stored"


def test_the_model_card_comes_with_the_results(tool, convolutions):
    results = qairt.simulate(convolutions, soc="SM8650")
    assert results.model_card == asked(tool, convolutions, "--soc", "SM8650")["model_card"]
    assert results.refused == []


def test_a_sweep_in_python(tool, convolutions):
    by_tool = asked(tool, convolutions, "--soc", "SM8650", "--sweep", "vtcm_mb=2,8", "--sweep", "O=1,2")["results"]
    assert qairt.simulate(convolutions, soc="SM8650", sweep={"vtcm_mb": [2, 8], "O": [1, 2]}) == by_tool
    fixed = qairt.simulate(convolutions, soc="SM8650", options={"O": 1}, sweep={"vtcm_mb": [2, 8]})
    assert [(r["options"]["O"], r["options"]["vtcm_mb"], r["latency_us"]) for r in fixed] == [
        (1, vtcm, by_tool[place]["latency_us"]) for vtcm, place in ((2, 0), (8, 2))]


def test_what_is_refused_leaves_the_others(convolutions):
    with pytest.warns(UserWarning, match="SM8650 has 8388608"):
        results = qairt.simulate(convolutions, soc="SM8650", sweep={"vtcm_mb": [64, 4]})
    assert [r["options"]["vtcm_mb"] for r in results] == [4]
    refused, = results.refused
    assert (refused["soc"], refused["precision"], refused["options"]) == ("SM8650", "w8a8", {"vtcm_mb": 64})
    assert "SM8650 has 8388608" in refused["why"]


@pytest.mark.parametrize("arguments, words", [
    ({"level": "roofline"}, ["--level", "roofline"]),
    ({"perf_profile": "balanced"}, ["--perf_profile", "balanced"]),
    ({"image_layout": "model"}, ["--image_layout", "model"]),
    ({"batch": 2}, ["--batch", "2"]),
])
def test_every_flag_acts_as_in_the_tool(tool, convolutions, arguments, words):
    results = qairt.simulate(convolutions, soc="SM8650", **arguments)
    assert results == asked(tool, convolutions, "--soc", "SM8650", *words)["results"]
    assert results[0]["latency_us"] != qairt.simulate(convolutions, soc="SM8650")[0]["latency_us"]


def test_the_votes_of_a_file_are_those_of_the_flag(convolutions, tmp_path):
    config = tmp_path / "htp.json"
    config.write_text(json.dumps({"devices": [{"soc_model": 57, "cores": [{"perf_profile": "power_saver"}]}]}))
    by_file, = qairt.simulate(convolutions, config=config)
    slow, = qairt.simulate(convolutions, soc="SM8650", perf_profile="power_saver")
    assert by_file["accelerator_us"] == slow["accelerator_us"]
    fast, = qairt.simulate(convolutions, config=config, perf_profile="burst")
    assert fast["accelerator_us"] < slow["accelerator_us"]


# feature: D6 (tool)
@pytest.mark.parametrize("soc, words, graph, core", [
    ("SM8650", [], {}, {}),
    ("SM8550", ["--image_layout", "model", "--batch", "2"], {}, {}),
    ("SM8650", ["--perf_profile", "power_saver"], {}, {}),
    ("SM8650", [], {"vtcm_mb": 2, "dlbc": 1, "O": 3, "hvx_threads": 2}, {"perf_profile": "balanced", "rpc_polling_time": 0}),
    ("SM8650", [], {"weights_packing": True, "fold_relu_activation_into_conv_off": True}, {"rpc_control_latency": 20}),
    ("SA8775P", [], {"num_cores": 2, "O": 3}, {}),
])
def test_a_report_takes_as_long_as_a_simulation(tool, convolutions, tmp_path, soc, words, graph, core):
    config = tmp_path / "htp.json"
    config.write_text(json.dumps({"graphs": [{"graph_names": ["convolutions"], **graph}],
                                  "devices": [{"device_id": 0, **({"cores": [core]} if core else {})}]}))
    words = ["--soc", soc, "--config", config, *words]
    simulated, = asked(tool, convolutions, *words)["results"]
    subprocess.run([tool, "report", convolutions, *words, "--quiet", "-o", tmp_path / "report"], check=True, timeout=120)
    told = json.loads((tmp_path / "report/convolutions_qnn_htp_analysis_summary.json").read_text())["data"]["timing_model"]
    assert {name: told[name] for name in ("accelerator_us", "rpc_us", "client_us")} == {
        "accelerator_us": simulated["accelerator_us"], "rpc_us": simulated["rpc_us"], "client_us": simulated["latency_us"]}
    summary = subprocess.run([tool, "profile", "power", convolutions, *words, "--json"], check=True, capture_output=True, timeout=120)
    assert json.loads(summary.stdout.splitlines()[0])["client_us"] == simulated["latency_us"]


def test_a_binary_takes_level_and_votes(demo):
    plain = qairt.simulate(demo, "demo_float")
    assert qairt.simulate(demo, "demo_float", level="roofline").client_us < plain.client_us
    assert qairt.simulate(demo, "demo_float", perf_profile="power_saver").client_us > plain.client_us
    with pytest.raises(ValueError, match="no level 'exact'"):
        qairt.simulate(demo, "demo_float", level="exact")


@pytest.mark.parametrize("wrong, reason", [
    ({"level": "exact"}, "no level 'exact'"),
    ({"image_layout": "nhwc"}, "no layout 'nhwc'"),
    ({"batch": 0}, "(batch)"),
    ({"perf_profile": "fast"}, "fast"),
    ({"sweep": {"O": [7, 8]}}, "'O' is 7"),
    ({"sweep": {"O": []}}, "no value"),
    ({"sweep": {"O": [1]}, "options": {"O": 2}}, "swept as well"),
    ({"soc": "SM8650", "sweep": {"vtcm_mb": [64, 99]}}, "first of 2 that were all refused"),
    ({"precision": "w8"}, "no precision 'w8'"),
    ({"soc": "SM8651"}, "no part 'SM8651'"),
    ({"options": {"vtcm": 4}}, "no option 'vtcm'"),
    ({"options": {"O": 7}}, "'O' is 7"),
    ({"soc": "SM8550", "options": {"vtcm_mb": 64}}, "SM8550 has 8388608"),
    ({"graph": "convolutions"}, "a model is one graph"),
    ({"clients": 0}, "0 clients"),
    ({"clients": ["high", "higher"]}, "no priority 'higher'"),
])
def test_what_cannot_be_simulated(convolutions, wrong, reason):
    with pytest.raises(ValueError, match=reason):
        qairt.simulate(convolutions, **wrong)


def test_what_is_no_path(convolutions):
    with pytest.raises(TypeError, match="a path is needed.*this is a int"):
        qairt.simulate(3)
    model = qairt.convert(convolutions)
    for ask in (qairt.simulate, qairt.advise):
        with pytest.raises(TypeError, match="save\\(\\) it, and give that; this is a Model"):
            ask(model)


def test_a_binary_has_decided(demo):
    with pytest.raises(ValueError, match="as it was prepared"):
        qairt.simulate(demo, "demo_float", precision="w8a8")


def test_a_model_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        qairt.simulate(tmp_path / "nothing.onnx")


def swept(tool, model, soc, option, *values, fixed=()):
    """The results of one value of an option after the other."""
    sweeps = [part for each in (*fixed, f"{option}={','.join(values)}") for part in ("--sweep", each)]
    return asked(tool, model, "--soc", soc, *sweeps)["results"]


@pytest.fixture(scope="module")
def pruned(tmp_path_factory):
    """A product with 1 M weights, of which three in four are zero."""
    random = numpy.random.default_rng(1)
    weights = random.standard_normal((1024, 1024)) * (random.random((1024, 1024)) < 0.25)
    path = tmp_path_factory.mktemp("models") / "pruned.onnx"
    return onnx_writer.write(path, [("MatMul", ["x", "w"], ["y"])], [("x", "float32", (8, 1024))],
                             [("y", "float32", (8, 1024))], {"w": weights.astype("float32")})


# feature: B9 (tool)
def test_compression_of_activations_is_assumed(tool, convolutions):
    off, on = swept(tool, convolutions, "SM8650", "dlbc", "0", "1", fixed=("vtcm_mb=2",))
    assert on["ddr_bytes"] < off["ddr_bytes"] and on["latency_us"] < off["latency_us"]
    assert any("assumed, not measured" in note for note in on["notes"])
    # Nobody knows the share: the band takes in what the ends of its range would make.
    relative = [(result["band_us"][1] - result["latency_us"]) / result["latency_us"] for result in (off, on)]
    assert relative[1] > relative[0] and any("the band is widened by" in note for note in on["notes"])


def quantized(tool, model, folder, values):
    """The model as a .dlc, quantized on one input."""
    numpy.asarray(values, "float32").tofile(folder / "x.raw")
    (folder / "list.txt").write_text(f"{folder / 'x.raw'}\n", encoding="utf-8")
    programs = tool.parent
    subprocess.run([programs / "qairt-converter", "-i", model, "-o", folder / "float.dlc"], check=True, capture_output=True)
    subprocess.run([programs / "qairt-quantizer", "-i", folder / "float.dlc", "-l", folder / "list.txt", "-o", folder / "fixed.dlc"],
                   check=True, capture_output=True)
    return folder / "fixed.dlc"


# feature: B9 (tool)
def test_compression_of_activations_is_measured_on_samples(tool, convolutions, tmp_path):
    tool = pathlib.Path(tool)
    shape = (1, 64, 66, 66)
    moved = {}
    for name, values in (("noise", numpy.random.default_rng(3).standard_normal(shape)), ("flat", numpy.ones(shape))):
        folder = tmp_path / name
        folder.mkdir()
        on, = asked(tool, quantized(tool, convolutions, folder, values), "--soc", "SM8650", "--sweep", "dlbc=1", "--sweep", "vtcm_mb=2")["results"]
        assert not any("assumed" in note for note in on["notes"])
        assert any("of a sample's" in note for note in on["notes"])
        moved[name] = on["ddr_bytes"]
    assert moved["flat"] < moved["noise"]


# What no device was compared with is told with a wider band, or with a note.
def test_bands_of_what_was_not_measured(tool, convolutions):
    def one(*options):
        result, = asked(tool, convolutions, "--soc", "SM8650", *options)["results"]
        return (result["band_us"][1] - result["latency_us"]) / result["latency_us"], result

    event, plain = one()
    roofline, bound = one("--level", "roofline")
    assert roofline - event == pytest.approx(plain["latency_us"] / bound["latency_us"] - 1, rel=0.05)
    assert any("roofline was compared with no device" in note for note in bound["notes"])
    saver, saving = one("--perf_profile", "power_saver")
    assert saver == pytest.approx(event) and any("the band is that of burst" in note for note in saving["notes"])


# feature: B9 (tool)
def test_compression_of_weights_is_measured(tool, convolutions, pruned):
    off, on = swept(tool, pruned, "SM8650", "dlbc_weights", "0", "1")
    assert on["ddr_bytes"] < 0.6 * off["ddr_bytes"] and on["latency_us"] < off["latency_us"]
    off, on = swept(tool, convolutions, "SM8650", "dlbc_weights", "0", "1")
    assert on["ddr_bytes"] == off["ddr_bytes"] and on["latency_us"] == off["latency_us"]  # noise does not compress


@pytest.fixture(scope="module")
def images(tmp_path_factory):
    """Convolutions on images of two megabytes."""
    weights = {f"w{i}": numpy.full((32, 32, 3, 3), 0.01, "float32") for i in range(3)}
    nodes = [("Conv", ["x" if i == 0 else f"c{i - 1}", f"w{i}"], [f"c{i}"]) for i in range(3)]
    path = tmp_path_factory.mktemp("models") / "images.onnx"
    return onnx_writer.write(path, nodes, [("x", "float32", (1, 32, 256, 256))], [("c2", "float32", (1, 32, 250, 250))], weights)


# feature: B9 (tool)
def test_the_system_level_cache_is_of_one_part(tool, images):
    off, on = swept(tool, images, "SM8750", "slc_alloc_enable", "0", "1", fixed=("vtcm_mb=1", "O=1"))
    assert on["ddr_bytes"] < off["ddr_bytes"] and on["latency_us"] < off["latency_us"]
    off, on = swept(tool, images, "SM8650", "slc_alloc_enable", "0", "1", fixed=("vtcm_mb=1", "O=1"))
    assert on["ddr_bytes"] == off["ddr_bytes"] and on["latency_us"] == off["latency_us"]
    assert any("SLC allocator has no effect" in note for note in on["notes"])


# feature: B9 (tool)
def test_two_cores_share_the_work_of_parts_that_have_them(tool, convolutions):
    one, two = swept(tool, convolutions, "SA8775P", "num_cores", "1", "2", fixed=("O=3",))
    assert two["latency_us"] < one["latency_us"]
    done = subprocess.run([tool, "simulate", convolutions, "--soc", "SM8650", "--sweep", "num_cores=2"], capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 1 and "2 cores asked for, but SM8650 has 1" in done.stderr


# feature: B9 (tool)
@pytest.mark.parametrize("option, reason", [("monolithic_lstm", "Lstm is always one op"),
                                            ("assume_same_quant", "every encoding is computed as it is given")])
def test_what_has_no_effect_says_so(tool, convolutions, option, reason):
    off, on = swept(tool, convolutions, "SM8650", option, "false", "true")
    assert on["latency_us"] == off["latency_us"]
    assert any(reason in note for note in on["notes"]) and not any(reason in note for note in off["notes"])


# feature: B9 (tool)
def test_options_of_a_file_without_a_modelled_effect_say_so(tool, convolutions, tmp_path):
    graph = {"graph_names": ["convolutions"], "O": 3}
    device = {"soc_model": 87, "cores": [{"perf_profile": "burst"}]}

    def result(name, graph_options, context, core):
        text = {"graphs": [graph | graph_options], "context": context, "devices": [device | {"cores": [device["cores"][0] | core]}]}
        (tmp_path / name).write_text(json.dumps(text), encoding="utf-8")
        return asked(tool, convolutions, "--config", tmp_path / name)["results"][0]

    plain = result("plain.json", {}, {}, {})
    full = result("full.json", {"monolithic_lstm": True, "assume_same_quant": True, "finalize_config": {"P": 1}},
                  {"extended_udma": True}, {"hmx_timeout_us": 5})
    assert {key: full[key] for key in full if key not in ("notes", "options")} == {
        key: plain[key] for key in plain if key not in ("notes", "options")}
    said = [note for note in full["notes"] if note not in plain["notes"]]
    for option in ("'monolithic LSTM' has no effect", "'assume same quant' has no effect", "'P point' has no effect",
                   "extended_udma changes nothing", "hmx_timeout_us changes nothing"):
        assert sum(option in note for note in said) == 1, (option, said)
    assert len(said) == 5
