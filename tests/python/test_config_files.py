# SPDX-License-Identifier: BSD-3-Clause
"""Files and dicts to objects and back: nothing lost, nothing added."""

import json
import random

import pytest
from config_samples import GUIDE_FILE
from qairt.api.common.backends.htp.config import (HtpConfigHelper, HtpContextConfig, HtpDeviceConfig,
                                                  HtpDeviceCoreConfig, HtpGraphConfig, ValidationError)
from qairt.api.compiler.config import CompileConfig


@pytest.fixture
def load(tmp_path):
    def load_text(text):
        path = tmp_path / "extensions.json"
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return CompileConfig.from_backend_extensions("HTP", path)
    return load_text


def saved(config):
    text = config.to_backend_extension_json()
    assert text == json.dumps(config.model_dump(context={"backend_extensions": True}), indent=4)
    return json.loads(text)


# feature: A3 (Python)
def test_the_guides_sample_comes_back(load):
    config = load(GUIDE_FILE)
    assert config.to_backend_extension_json() == json.dumps(json.loads(GUIDE_FILE), indent=4)
    assert [graph.name for graph in config.graph_custom_configs] == ["graphA", "graphB", "graphC"]
    assert config.graph_custom_configs[1].vtcm_size_in_mb == 8
    assert config.device_custom_configs[0].cores[0].perf_profile == "burst"


# feature: A3 (Python)
def test_one_change_changes_one_key(load):
    config = load(GUIDE_FILE)
    config.context_custom_configs[0].extended_udma = True
    before = json.dumps(json.loads(GUIDE_FILE), indent=4).splitlines()
    after = config.to_backend_extension_json().splitlines()
    assert [line for line in after if line not in before] == ['            "lora_weight_sharing": true,',
                                                             '            "extended_udma": true']
    assert len(after) == len(before) + 1


@pytest.mark.parametrize("file", [
    {"graphs": {"graph_names": ["a"], "O": 1}, "context": {"group_id": 0}},
    {"graphs": [{"graph_names": "a", "vtcm_size_in_mb": 8}]},
    {"graphs": [{"name": "a", "optimization_type": 1}]},
    {"graphs": [{"vtcm_mb": 8}]},
    {"graphs": [{"graph_names": []}]},
    {"graphs": []},
    {"graphs": None, "memory": None},
    {"devices": [{"id": 0, "core_ids": [0, 1], "cores": [{"id": 1}]}]},
    {"devices": [{"device_id": 0, "core_id": [0], "cores": {"core_id": 0}}]},
    {"devices": {"soc_model": 43}},
    {"context": {}},
    {"memory": {}, "groupContext": {}},
    {"zeta": 1, "graphs": [], "alpha": {"b": [1, {"c": None}]}},
    {"graphs": [{"graph_names": ["a"], "unknown": {"x": [1.5, "é", None]}, "slc_alloc_enable": 1}]},
    {"devices": [{"use_client_context": True, "cores": [{"custom": [{"a": 1}]}]}]},
    {"graphs": [{"O": 1, "graph_names": ["a"], "optimization_type": 3}]},
    {"devices": [{"soc_model": "43", "pd_session": "signed"}]},
    {"graphs": [{"graph_names": ["a"], "dlbc": 1.0, "fp16_relaxed_precision": True}]},
    {"graphs": [{"graph_names": ["a"], "num_cores": None, "hvx_threads": None}]},
    {"O": 3, "vtcm_mb": 8},
    {}], ids=str)
# feature: A1 (Python)
def test_round_trips(load, file):
    config = load(file)
    assert saved(config) == file
    assert config.to_backend_extension_json() == json.dumps(file, indent=4)
    config.model_dump()  # looking at every field changes nothing
    assert config.to_backend_extension_json() == json.dumps(file, indent=4)


# feature: A3 (Python)
def test_numbers_and_letters_stay_as_written(load):
    text = '{"graphs": [{"graph_names": ["é\U0001f600\\u007f"], "O": 3.0, "x": [1e3, 12345678901234567890, 0.10]}]}'
    config = load(text)
    assert config.graph_custom_configs[0]._extras == {"x": [1000.0, 12345678901234567890, 0.1]}
    assert config.to_backend_extension_json(indent=None) == text.replace("é\U0001f600", "\\u00e9\\ud83d\\ude00")
    config.graph_custom_configs[0].optimization_type = 2
    assert '"O": 2, "x": [1e3, 12345678901234567890, 0.10]' in config.to_backend_extension_json(indent=None)


# feature: A3 (Python)
def test_numbers_beyond_pythons(load):
    text = '{"graphs": [{"graph_names": ["g"], "x": 1e400}], "y": [-1e999]}'
    config = load(text)
    assert config.section_extras == {"y": [float("-inf")]}
    assert config.graph_custom_configs[0]._extras == {"x": float("inf")}
    assert config.to_backend_extension_json(indent=None) == text
    config.section_extras["y"] = float("nan")
    with pytest.raises(ValidationError, match="finite"):
        config.to_backend_extension_json()
    config.section_extras[3] = config.section_extras.pop("y")
    with pytest.raises(ValidationError, match="Keys should be valid strings"):
        config.to_backend_extension_json()


# feature: A3 (Python)
def test_random_files_come_back(load):
    rng = random.Random(7)
    graph_keys = {"O": [1, 2, 3, 3.0], "vtcm_mb": [0, 8], "dlbc": [0, 1], "hvx_threads": [0, 4],
                  "other": ["x", None, {}]}
    for _ in range(60):
        graphs = [{"graph_names": [f"g{rng.randrange(99)}" for _ in range(rng.randrange(1, 4))],
                   **{key: rng.choice(values) for key, values in rng.sample(sorted(graph_keys.items()), 3)}}
                  for _ in range(rng.randrange(4))]
        file = {"graphs": graphs, "extra": rng.random()}
        config = load(file)
        for graph in config.graph_custom_configs:
            rng.choice([lambda g: g.model_dump(), lambda g: g._extras, lambda g: g])(graph)
        assert config.to_backend_extension_json(indent=None) == json.dumps(file)


# feature: A3 (Python)
def test_entries_for_several_graphs(load):
    config = load({"graphs": [{"graph_names": ["a", "b", "c"], "O": 3}]})
    a, b, c = config.graph_custom_configs
    b.optimization_type = 1
    assert saved(config)["graphs"] == [{"graph_names": ["a", "c"], "O": 3}, {"graph_names": ["b"], "O": 1}]
    b.optimization_type = 3
    c.name = "d"
    assert saved(config)["graphs"] == [{"graph_names": ["a", "b", "d"], "O": 3}]
    for graph in (a, b, c):
        graph.vtcm_size_in_mb = 4
    assert saved(config)["graphs"] == [{"graph_names": ["a", "b", "d"], "O": 3, "vtcm_mb": 4}]
    config.graph_custom_configs.append(HtpGraphConfig(name="e", O=3, vtcm_mb=4))
    assert saved(config)["graphs"][1] == {"graph_names": ["e"], "O": 3, "vtcm_mb": 4}
    del config.graph_custom_configs[0]
    assert saved(config)["graphs"][0]["graph_names"] == ["b", "d"]
    a.finalize_config = {"P": 1}  # no longer in the list; still alive
    assert a.finalize_config == {"P": 1} and b.finalize_config is None


# feature: A3 (Python)
def test_the_form_follows_the_number_of_objects(load):
    config = load({"context": {"group_id": 0}})
    config.context_custom_configs.append(HtpContextConfig(extended_udma=True))
    assert saved(config) == {"context": [{"group_id": 0}, {"extended_udma": True}]}
    config.context_custom_configs = None
    assert saved(config) == {}


# feature: A3 (Python)
def test_values_that_are_changed_in_place(load):
    config = load({"devices": [{"core_id": [0], "cores": []}], "graphs": [{"graph_names": ["g"],
                                                                          "finalize_config": {"P": 1}}]})
    config.device_custom_configs[0].core_ids.append(1)
    config.device_custom_configs[0].cores.append(HtpDeviceCoreConfig(perf_profile="burst"))
    config.graph_custom_configs[0].finalize_config["P"] = 2
    config.graph_custom_configs[0]._extras["new"] = True
    config.section_extras["more"] = [1]
    assert saved(config) == {
        "devices": [{"core_id": [0, 1], "cores": [{"perf_profile": "burst"}]}],
        "graphs": [{"graph_names": ["g"], "finalize_config": {"P": 2}, "new": True}], "more": [1]}
    config.device_custom_configs[0].core_ids = None
    assert "core_id" not in saved(config)["devices"][0]
    del config.graph_custom_configs[0]._extras["new"]
    del config.section_extras["more"]
    assert "more" not in saved(config) and "new" not in saved(config)["graphs"][0]


# feature: A3 (Python)
def test_what_does_not_belong_shows_when_written(load):
    config = load({"devices": [{}]})
    device = config.device_custom_configs[0]
    device.cores.append("burst")
    with pytest.raises(ValidationError, match="HtpDeviceCoreConfig"):
        config.to_backend_extension_json()
    device.cores[:] = []
    config.device_custom_configs.append(HtpContextConfig())
    with pytest.raises(ValidationError, match="HtpDeviceConfig"):
        config.to_backend_extension_json()
    config.device_custom_configs.pop()
    device._extras["soc_model"] = 3
    with pytest.raises(ValidationError, match="is a field"):
        config.to_backend_extension_json()


# feature: A3 (Python)
def test_dicts():
    file = json.loads(GUIDE_FILE)
    contexts, graphs, devices, memory, group, extras = HtpConfigHelper.from_backend_extension_dict(
        {**file, "new_section": {"a": 1}})
    assert len(graphs) == 3 and isinstance(devices[0], HtpDeviceConfig) and extras == {"new_section": {"a": 1}}
    assert HtpConfigHelper.to_backend_extension_dict(contexts, graphs, devices, memory, group) == file
    assert HtpConfigHelper.from_backend_extension_dict({}) == ([], [], [], None, None, {})
    assert HtpConfigHelper.to_backend_extension_dict() == {}
    assert HtpConfigHelper.to_backend_extension_dict(graph_configs=[HtpGraphConfig(name="g")]) == {
        "graphs": [{"graph_names": ["g"]}]}
    with pytest.raises(ValidationError):
        HtpConfigHelper.from_backend_extension_dict({"graphs": [3]})
    with pytest.raises(TypeError):
        HtpConfigHelper.from_backend_extension_dict([])


# feature: A9 (Python)
def test_liberties_of_hand_written_files(load):
    config = load('\ufeff{ // the guide\n "context": [{"extended_udma": true,},], /* end */ }')
    assert saved(config) == {"context": [{"extended_udma": True}]}


@pytest.mark.parametrize("text, message", [
    ('{\n  "graphs": [}\n}', r"extensions\.json:2:14: "),
    ("", "empty"),
    ("[]", "object"),
    ('{"graphs": [{"O": 1, "O": 2}]}', r"extensions\.json:1:22: "),
    ("[" * 100, "deep"),
    ('{"backend_extensions": {"config_file_path": "x.json"}}', "tool file")])
# feature: A9 (Python)
def test_files_that_cannot_be_read(load, text, message):
    with pytest.raises(ValueError, match=message):
        load(text)


# feature: A9 (Python)
def test_every_problem_of_a_file_is_listed(load):
    with pytest.raises(ValidationError) as caught:
        load('{"graphs": [{"graph_names": [3], "O": 7}],\n "devices": [{"cores": [{"perf_profile": "fast"}]}],\n'
             ' "context": [{"group_id": 1, "max_spill_fill_buffer_for_group": 4}], "memory": []}')
    found = {error["loc"]: error["type"] for error in caught.value.errors()}
    assert found == {("graphs", 0, "graph_names"): "string_type", ("graphs", 0, "O"): "less_than_equal",
                     ("devices", 0, "cores", 0, "perf_profile"): "enum", ("context", 0): "value_error",
                     ("memory",): "model_type"}
    assert "devices.0.cores.0.perf_profile (" in str(caught.value) and "extensions.json:2:42)" in str(caught.value)


def test_half_a_million_names_share_one_entry(load):
    names = [f"g{i}" for i in range(500_000)]
    config = load({"graphs": [{"graph_names": names, "x": "y" * 1000}]})
    assert len(config.graph_custom_configs) == 500_000  # would be 500 MB were the entry copied for each
    assert saved(config)["graphs"][0]["graph_names"] == names
