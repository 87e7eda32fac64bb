# SPDX-License-Identifier: BSD-3-Clause
"""Reports and profile logs as columns."""

import ast
import html
import inspect
import pathlib
import re
import subprocess

import numpy
import pytest
import qairt

GRAPH = "demo_ufixed8"


@pytest.fixture
def report(demo):
    return qairt.profile.report(demo, GRAPH)


def lengths(columns):
    return {len(column) for column in columns.values()}


# feature: D6 (Python)
def test_tables_are_columns_that_add_up(report):
    ops, tasks, simulation = report.ops, report.tasks, report.simulation
    assert ops["qnn_op"] == [row.name for row in simulation.rows]
    assert numpy.array(ops["cycles"]).tolist() == [row.busy_cycles for row in simulation.rows]
    assert lengths(ops) == {len(simulation.rows)} and len(lengths(tasks)) == 1
    assert sum(report.op_types["instances"]) == len(simulation.rows)
    assert {"HMX", "HVX", "DMA"} <= set(report.units["type"])
    of_vectors = numpy.array(tasks["hvx"])
    threads = numpy.array(tasks["threads"])
    assert (threads[of_vectors] > 1).all() and (threads[~of_vectors] == 1).all()


def test_columns_of_numbers_are_arrays_of_numbers(report):
    for name in ("cycles", "dma_cycles", "dram_read"):
        assert numpy.asarray(report.ops[name]).dtype.kind == "i", name


def test_pandas_takes_them(report):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(report.ops)
    assert frame["cycles"].sum() == sum(row.busy_cycles for row in report.simulation.rows)


# feature: D6 (Python)
def test_a_notebook_shows_the_page_in_a_frame(report):
    shown = report._repr_html_()
    frame = re.fullmatch(r'<iframe srcdoc="([^"]*)" title="[^"]*" style="[^"]*height: 720px[^"]*"></iframe>', shown)
    assert frame and html.unescape(frame[1]) == report.html
    assert report.html.startswith("<!doctype html>") and "SIMULATED" not in repr(report)
    assert "simulated" in repr(report)


def test_the_page_is_saved_in_one_step(report, tmp_path):
    path = tmp_path / "page.html"
    path.write_text("an older page")
    report.save(path)
    assert path.read_text() == report.html
    assert list(tmp_path.glob("*page*")) == [path]
    with pytest.raises(OSError, match="no-such-folder"):
        report.save(tmp_path / "no-such-folder" / "page.html")


def test_reports_of_everything_that_can_be_simulated(demo, dense_path):
    binary = qairt.ContextBinary(demo)
    cycles = qairt.simulate(binary, GRAPH).cycles
    for source in (binary, demo, str(demo)):
        assert qairt.profile.report(source, GRAPH).simulation.cycles == cycles
    assert qairt.profile.report(qairt.simulate(binary, GRAPH)).simulation.cycles == cycles
    compiled = qairt.compile(qairt.convert(dense_path))
    assert qairt.profile.report(compiled).ops["qnn_op"]
    assert qairt.profile.report(demo, GRAPH, name="my net").data["timing_model"]["graph"] == GRAPH
    assert "my net" in qairt.profile.report(demo, GRAPH, name="my net").html


def test_what_is_not_compiled_has_no_report(demo, dense_path):
    for model in (dense_path, str(dense_path), qairt.convert(dense_path)):
        with pytest.raises(ValueError, match="not compiled.*qairt.compile"):
            qairt.profile.report(model)
    with pytest.raises(TypeError):
        qairt.profile.report(None, name="m")
    with pytest.raises(ValueError, match="a simulation has them already"):
        qairt.profile.report(qairt.simulate(demo, GRAPH), soc="SM8650")


def test_linting_text(demo):
    simulation = qairt.simulate(demo, GRAPH)
    assert f"time (cycles)): {simulation.cycles}  cycles\n" in simulation.to_linting()


# ---- Logs


@pytest.fixture(scope="module")
def log_path(tool, dense_path, tmp_path_factory):
    folder = tmp_path_factory.mktemp("log")
    binary = qairt.compile(qairt.convert(dense_path)).save(folder / "dense.bin")
    shape = qairt.convert(dense_path).inputs[0].shape
    numpy.zeros(shape, "float32").tofile(folder / "x.raw")
    (folder / "list.txt").write_text(f"{folder / 'x.raw'}\n")
    backend = tool.parent.parent / "lib/libQnnHtp.so"
    subprocess.run([tool.with_name("qnn-net-run"), "--retrieve_context", binary, "--backend", backend, "--input_list",
                    folder / "list.txt", "--output_dir", folder, "--num_inferences", "3", "--profiling_level", "detailed"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    return folder / "qnn-profiling-data_0.log"


# feature: D3 (Python)
def test_a_log_is_columns(log_path):
    log = qairt.profile.read_log(log_path)
    assert log.sessions[0]["application"] == "qnn-net-run" and log.cut_at is None
    assert len(lengths(log.records)) == 1 and len(lengths(log.events)) == 1
    executes = [i for i, method in enumerate(log.records["method"]) if method == "execute"]
    assert len(executes) == 3
    events = {key: numpy.array(column, dtype=object) for key, column in log.events.items()}
    cycles = events["identifier"] == "Accelerator (execute) time (cycles)"
    assert events["record"][cycles].tolist() == executes and set(events["unit"][cycles]) == {"cycles"}
    nodes = numpy.isin(events["parent"].astype(int), numpy.flatnonzero(cycles))
    assert nodes.any() and set(events["depth"][nodes]) == {1} and set(events["type"][nodes]) == {404}


def test_a_log_that_was_cut_keeps_what_is_before(log_path, tmp_path):
    whole = log_path.read_bytes()
    cut = tmp_path / "cut.log"
    cut.write_bytes(whole[:-5])
    log, full = qairt.profile.read_log(cut), qairt.profile.read_log(log_path)
    assert 0 < log.cut_at < len(whole) and len(log.records["method"]) == len(full.records["method"]) - 1


def test_what_is_no_log(demo, tmp_path):
    with pytest.raises(ValueError, match="demo.bin"):
        qairt.profile.read_log(demo)
    with pytest.raises(FileNotFoundError):
        qairt.profile.read_log(tmp_path / "no.log")


def test_the_stub_names_what_there_is():
    stub = ast.parse((pathlib.Path(qairt.__file__).parent / "profile.pyi").read_text())
    stated = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert set(stated) == set(qairt.profile.__all__)
    for name in ("read_log", "report"):
        listed = stated[name].args
        real = inspect.signature(getattr(qairt.profile, name)).parameters
        assert [each.arg for each in (*listed.args, *listed.kwonlyargs)] == list(real)
    public = {name for name in vars(qairt.profile.Report) if not name.startswith("_")}
    assert public <= {node.name for node in stated["Report"].body if isinstance(node, ast.FunctionDef)}
