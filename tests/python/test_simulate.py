# SPDX-License-Identifier: BSD-3-Clause
import dataclasses
import inspect
import json
import pathlib
import re

import pytest
import qairt


def test_rows_follow_the_ops_and_add_up(demo):
    graph = next(g for g in qairt.ContextBinary(demo).graphs if g.name == "demo_ufixed8")
    simulation = qairt.simulate(demo, graph="demo_ufixed8")
    assert [row.name for row in simulation.rows] == [op.name for op in graph.ops]
    assert 0 < sum(row.share_cycles for row in simulation.rows) <= simulation.cycles
    assert simulation.accelerator_us == pytest.approx(simulation.cycles / simulation.clock_hz * 1e6, abs=0.001)
    assert simulation.accelerator_us < simulation.rpc_us < simulation.client_us
    assert any("HMX" in row.units for row in simulation.rows)
    assert simulation.error_band > 0 and simulation.model


def test_the_same_binary_gives_the_same_numbers(demo):
    binary = qairt.ContextBinary(demo)
    first = qairt.simulate(binary, "demo_float")
    second = qairt.simulate(str(demo), "demo_float")
    assert first.cycles == second.cycles
    assert first.to_text() == second.to_text()


def test_text_says_that_it_is_simulated(demo):
    assert "SIMULATED" in qairt.simulate(demo, "demo_float").to_text()


def test_chrometrace(demo, tmp_path):
    path = tmp_path / "trace.json"
    path.write_text("an older trace")
    simulation = qairt.simulate(demo, "demo_ufixed8")
    simulation.to_chrometrace(path)
    trace = json.loads(path.read_text())
    slices = [event for event in trace["traceEvents"] if event.get("ph") == "X"]
    assert slices and trace["otherData"]["clock"] == "simulated"
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(("trace", "."))] == ["trace.json"]


def test_a_trace_that_cannot_be_written(demo, tmp_path):
    with pytest.raises(OSError, match="no-such-folder"):
        qairt.simulate(demo, "demo_float").to_chrometrace(tmp_path / "no-such-folder" / "trace.json")


def test_another_part(demo):
    simulation = qairt.simulate(demo, "demo_float", soc="sm8750")
    assert (simulation.soc, simulation.arch, simulation.prepared_for) == ("SM8750", 79, "SM8650")


def test_an_older_part_cannot_run_it(demo):
    with pytest.raises(ValueError, match="SM8550.*cannot run"):
        qairt.simulate(demo, "demo_float", soc="SM8550")


def test_an_unknown_part(demo):
    with pytest.raises(ValueError, match="SM8651"):
        qairt.simulate(demo, "demo_float", soc="SM8651")


def test_graphs_must_be_named_when_there_are_several(demo):
    with pytest.raises(ValueError, match="demo_ufixed8"):
        qairt.simulate(demo)
    with pytest.raises(ValueError, match="no graph 'nothing'"):
        qairt.simulate(demo, graph="nothing")


def test_models_are_told_by_their_bytes(dense_path, tmp_path):
    model = tmp_path / "dense.ONNX"
    model.write_bytes(dense_path.read_bytes())
    by_suffix, = qairt.simulate(dense_path, soc="SM8650", precision="float")
    assert qairt.simulate(model, soc="SM8650", precision="float") == [by_suffix]
    with pytest.raises(ValueError, match="not compiled"):
        qairt.profile.report(model)


def test_stubs_name_what_there_is():
    stub = (pathlib.Path(qairt.__file__).parent / "__init__.pyi").read_text()
    for name in qairt.__all__:
        assert re.search(rf"^(class {name}[:(]|def {name}\(|{name}: |from .* as {name}$)", stub, re.M), name
        member = getattr(qairt, name)
        if not inspect.isclass(member) or issubclass(member, (tuple, Exception)) or dataclasses.is_dataclass(member):
            continue
        found = re.search(rf"^class {name}(?:\(\w+\))?:\n((?:    .*\n|\n)+)", stub, re.M)
        if found is None:  # one with a stub of its own
            continue
        stated = set(re.findall(r"^    (?:def )?([a-z]\w*)(?=\(|: )", found.group(1), re.M))
        assert stated == {n for n in vars(member) if not n.startswith("_")}, name
