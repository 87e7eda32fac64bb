# SPDX-License-Identifier: BSD-3-Clause
"""Models and threads: who waits for whom, what is shared, and interrupts."""

import os
import pathlib
import signal
import threading
import time

import numpy
import onnx_writer
import pytest
import qairt
from arrays import random

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def heavy(tmp_path_factory):
    """A model that takes a while to compile and to run."""
    path = tmp_path_factory.mktemp("models") / "heavy.onnx"
    onnx_writer.write_dense(path, rows=128, depth=1024, columns=1024)
    return path


@pytest.fixture(scope="module")
def long_chain(tmp_path_factory):
    """A model that takes a while to convert."""
    path = tmp_path_factory.mktemp("models") / "chain.onnx"
    nodes = [("Sin", [f"t{number}"], [f"t{number + 1}"]) for number in range(2000)]
    return onnx_writer.write(path, nodes, [("t0", "float32", (4, 4))], [("t2000", "float32", (4, 4))], {})


def longest_wait_during(work):
    """(how long another thread had to wait at most, how long the call took), in seconds."""
    ticks, over = [], threading.Event()

    def tick():
        while not over.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)  # gives the interpreter away, and wants it back

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.perf_counter()
    work()
    ended = time.perf_counter()
    over.set()
    thread.join()
    during = [begun, *(tick for tick in ticks if begun < tick < ended), ended]
    return max(later - earlier for earlier, later in zip(during, during[1:])), ended - begun


def test_the_measure_of_waiting_can_tell():
    waited, took = longest_wait_during(lambda: pow(3, 3_000_000))  # one operation, which keeps the interpreter
    assert waited > 0.8 * took > 0.05


def test_other_threads_go_on(heavy, long_chain):
    model = qairt.convert(heavy)
    x = random((128, 1024))
    made = []
    for work in (lambda: qairt.convert(long_chain), lambda: made.append(qairt.compile(model)), lambda: made[0](x),
                 lambda: model.quantize(qairt.CalibrationConfig([x]))):
        waited, took = longest_wait_during(work)
        assert waited < max(0.5 * took, 0.02), f"waited {waited} s of {took} s"


def test_other_threads_go_on_while_reports_are_written(long_chain, tmp_path):
    simulation = qairt.simulate(qairt.compile(qairt.convert(long_chain)).save(tmp_path / "chain.bin"))
    for work in (simulation.to_text, simulation.to_linting, lambda: simulation.save_html(tmp_path / "page.html"),
                 lambda: simulation.to_chrometrace(tmp_path / "trace.json")):
        waited, took = longest_wait_during(work)
        assert waited < max(0.5 * took, 0.02), f"waited {waited} s of {took} s"


def test_threads_run_one_model_at_the_same_time(compiled, expected):
    inputs = [random((4, 32), seed) for seed in range(16)]
    outputs, failures = [None] * len(inputs), []

    def run(number):
        try:
            for _ in range(20):
                outputs[number] = compiled(inputs[number])["y"]
        except Exception as error:  # told by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(inputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    for given, got in zip(inputs, outputs):
        numpy.testing.assert_allclose(got, expected(given), rtol=2e-3, atol=4e-3)


def test_threads_share_the_weights_of_a_model():
    model = qairt.convert(ROOT / "examples/models/small_cnn.onnx")  # whose weights are transposed when they are used
    x = random((1, 3, 32, 32))
    wanted = qairt.compile(model)(x)["probabilities"]
    outputs, failures = [], []

    def work(number):
        try:
            if number % 2:
                model.quantize(qairt.CalibrationConfig([x]))
            outputs.append(qairt.compile(model)(x)["probabilities"])
        except Exception as error:  # told by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and len(outputs) == len(threads)
    for got in outputs:
        numpy.testing.assert_array_equal(got, wanted)


@pytest.fixture(name="interruptible")
def fixture_interruptible():
    """As at a terminal: a test that runs in the background may have been told to ignore the signal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_is_harmless(heavy):
    model = qairt.convert(heavy)
    x = random((128, 1024))

    def many():
        ends = time.monotonic() + 60
        while time.monotonic() < ends:
            yield x

    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.quantize(qairt.CalibrationConfig(many()))
    timer.join()
    assert qairt.compile(model)(x)["y"].shape == (128, 1024)
