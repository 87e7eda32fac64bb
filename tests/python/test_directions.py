# SPDX-License-Identifier: BSD-3-Clause
"""What must get faster, does: simulated latencies of real architectures (bench/models, random weights) under options."""

import json
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("onnx.helper", reason="python3-onnx is not installed")
BENCH = pathlib.Path(__file__).parents[2] / "bench" / "models"
PROFILES = ["burst", "sustained_high_performance", "high_performance", "balanced", "low_balanced", "high_power_saver",
            "power_saver", "low_power_saver", "extreme_power_saver"]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A path for each name."""
    folder = tmp_path_factory.mktemp("networks")
    for name in ("mobilenet_v2", "resnet50", "yolov8_det"):
        subprocess.run([sys.executable, str(BENCH / "build.py"), name, str(folder / f"{name}.onnx")], check=True, timeout=300)
    return lambda name: str(folder / f"{name}.onnx")


def results(tool, model, *arguments):
    done = subprocess.run([tool, "simulate", model, "--soc", "SM8550", "--format", "json", *arguments], check=True,
                          capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout)["results"]


def latencies(tool, model, *arguments):
    return [result["latency_us"] for result in results(tool, model, *arguments)]


@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_more_vtcm_on_large_activations(tool, models, level):
    two, four, eight = latencies(tool, models("yolov8_det"), "--sweep", "vtcm_mb=2,4,8", "--sweep", f"O={level}")
    assert two > four > eight


@pytest.mark.parametrize("level, allowed", [("1", 1.01), ("2", 1.01), ("3", 1)])
def test_more_hvx_threads(tool, models, level, allowed):
    times = latencies(tool, models("mobilenet_v2"), "--sweep", "hvx_threads=1,2,3,4", "--sweep", f"O={level}")
    for fewer, more in zip(times, times[1:]):
        assert more <= allowed * fewer


@pytest.mark.parametrize("precision", ["float", "w8a8"])
@pytest.mark.parametrize("name", ["mobilenet_v2", "resnet50", "yolov8_det"])
def test_a_higher_level_is_never_slower(tool, models, name, precision):
    plain, good, searched = latencies(tool, models(name), "--precision", precision, "--sweep", "O=1,2,3")
    assert plain >= good >= searched


def test_profiles_are_ordered(tool, models):
    times = [latencies(tool, models("mobilenet_v2"), "--perf_profile", profile)[0] for profile in PROFILES]
    assert times == sorted(times)
    assert times[-1] > 2 * times[0]


def test_two_clients_with_batches_of_five(tool, models):
    """The documents print 1500 and 2800 inferences a second for ResNet-50 on SM8550: 1.87 times as many."""
    alone, = latencies(tool, models("resnet50"))
    together, = results(tool, models("resnet50"), "--batch", "5", "--clients", "2")
    ratio = 5 * together["throughput_per_s"] / (1e6 / alone)
    assert 1.67 <= ratio <= 2.07


def test_a_high_priority_takes_the_device_from_a_normal_one(tool, models):
    result, = results(tool, models("resnet50"), "--clients", "high,normal")
    high, normal = result["clients"]
    assert (high["priority"], normal["priority"]) == ("high", "normal")
    assert high["yields"] == 0 < normal["yields"]
    assert high["throughput_per_s"] > normal["throughput_per_s"]
    assert high["latency_us"] < normal["latency_us"]
    assert normal["yielded_us"] + normal["waited_us"] < normal["latency_us"]
