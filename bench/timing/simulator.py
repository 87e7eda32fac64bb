# SPDX-License-Identifier: BSD-3-Clause
"""The simulator as a function of its coefficients: what `openqnn simulate` would answer with others than those in data/timing."""

import concurrent.futures
import os
import subprocess
import tempfile

import numpy as np

from .measurements import UNSTABLE_WEIGHT

TASK_CYCLES = 100        # start of a tile; no public number
DMA_SETUP_CYCLES = 600   # a descriptor and one round trip to DDR of some hundred nanoseconds; no public number
VECTOR_KINDS = ("elementwise", "activation", "depthwise_tap", "quotient", "softmax", "norm", "layout", "concat", "pack", "batch_norm")


def line_of(chip, shared, rates):
    """The coefficients as the evaluator reads them."""
    clock = rates["vector"] / chip.threads * 1e6
    eight = shared["vector8_old" if chip.old else "vector8"]
    half = shared["half_old"] if chip.old else 1.0
    numbers = [shared["passes16"], shared["stride"], shared["ragged8"], shared["ragged16"],
               *(shared[kind] for kind in VECTOR_KINDS), eight, half, shared["op"], shared["matrix"], TASK_CYCLES, DMA_SETUP_CYCLES,
               clock, rates["macs8"] * 1e6 / clock, rates["macs16"] * 1e6 / clock, rates["ddr"] * 1e6, rates["call"]]
    return f"{chip.threads} {chip.arch.removeprefix('v')} " + " ".join(f"{number:.9g}" for number in numbers)


def image_names(path):
    """Inputs and outputs of four dimensions, which the measured models have channel-last."""
    import onnx  # here, because saved schedules need no models

    graph = onnx.load(str(path), load_external_data=False).graph

    def images(values):
        return ",".join(value.name for value in values if len(value.type.tensor_type.shape.dim) == 4) or "-"

    constants = {initializer.name for initializer in graph.initializer}
    return f"{images(value for value in graph.input if value.name not in constants)} {images(graph.output)}"


class Simulator:
    """Running evaluators, one for each processor. `model_file(name)` is the ONNX file of a network."""

    def __init__(self, program, rows, model_file, saved):
        graphs = sorted({(row.model, row.precision, row.chip.vtcm_bytes) for row in rows})
        self.places = {graph: place for place, graph in enumerate(graphs)}
        if not saved.exists():
            self.prepare(program, graphs, model_file, saved)
        self.processes = [start(program, "--load", saved) for _ in range(os.cpu_count())]
        self.threads = concurrent.futures.ThreadPoolExecutor(len(self.processes))

    @staticmethod
    def prepare(program, graphs, model_file, saved):
        images = {model: image_names(model_file(model)) for model, _, _ in graphs}
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
            wanted.writelines(f"{model_file(model)} {precision} {vtcm} {images[model]}\n" for model, precision, vtcm in graphs)
            wanted.flush()
            unfinished = saved.with_suffix(".part")
            start(program, wanted.name, unfinished).communicate()
            unfinished.rename(saved)

    def ask(self, lines, worker=0):
        process = self.processes[worker or 0]
        process.stdin.writelines(line + "\n" for line in lines)
        process.stdin.flush()
        return [[float(number) for number in process.stdout.readline().split()] for _ in lines]

    def map(self, function, points):
        """function(point, worker) of all points, those of different workers at the same time."""
        workers = len(self.processes)

        def of_worker(worker):
            return [function(point, worker) for point in points[worker::workers]]

        answers = list(self.threads.map(of_worker, range(workers)))
        return [answers[place % workers][place // workers] for place in range(len(points))]

    def table(self, rows, chips):
        return Table(self, rows, chips)


def start(program, *arguments):
    process = subprocess.Popen([str(program), *map(str, arguments)], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    if process.stdout.readline() != "ready\n":
        raise SystemExit("error: the evaluator could not prepare the graphs")
    return process


class Table:
    """Rows beside what the simulator says of them, for fit.py."""

    def __init__(self, simulator, rows, chips):
        self.simulator, self.chips = simulator, chips
        self.map = simulator.map
        self.chip_of_row = np.array([chips.index(row.chip) for row in rows])
        self.logs = np.log([row.microseconds for row in rows])
        self.weights = np.array([1.0 if row.stable else UNSTABLE_WEIGHT for row in rows])
        self.rows_of_chip = [np.flatnonzero(self.chip_of_row == index) for index in range(len(chips))]
        self.asked = [" : " + " ".join(str(simulator.places[rows[row].model, rows[row].precision, chip.vtcm_bytes])
                                       for row in self.rows_of_chip[index]) for index, chip in enumerate(chips)]

    def errors(self, model, shared_logs, chip_logs, worker=0):
        """log(predicted / measured) of every row."""
        shared = dict(zip(model.shared, np.exp(shared_logs)))
        lines = [line_of(chip, shared, dict(zip(model.chip, np.exp(logs)))) + asked
                 for chip, logs, asked in zip(self.chips, chip_logs, self.asked)]
        predicted = np.empty(len(self.logs))
        for rows, answer in zip(self.rows_of_chip, self.simulator.ask(lines, worker)):
            predicted[rows] = answer
        return np.log(predicted) - self.logs
