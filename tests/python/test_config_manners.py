# SPDX-License-Identifier: BSD-3-Clause
"""The manners of pydantic: construction, validation, assignment, dumping, copying."""

import copy
import json
import pickle

import pytest
import qairt
from qairt.api.common.backends.htp.config import (HtpContextConfig, HtpDeviceConfig, HtpDeviceCoreConfig,
                                                  HtpGraphConfig, HtpMemoryConfig, ValidationError)
from qairt.api.configs.common import PerfProfile


def problems(cls, **values):
    with pytest.raises(ValidationError) as caught:
        cls(**values)
    return {error["loc"]: error["type"] for error in caught.value.errors()}


# feature: A2 (Python)
def test_every_problem_is_listed():
    with pytest.raises(ValidationError) as caught:
        HtpGraphConfig(dlbk=1, optimization_type=5, hvx_threads=3.5, dlbc=2, weights_packing="maybe")
    error = caught.value
    assert isinstance(error, ValueError) and error is not None and qairt.ValidationError is ValidationError
    assert {e["loc"]: e["type"] for e in error.errors()} == {
        ("dlbk",): "extra_forbidden", ("optimization_type",): "less_than_equal", ("hvx_threads",): "int_from_float",
        ("dlbc",): "literal_error", ("weights_packing",): "bool_parsing", ("name",): "missing"}
    assert error.error_count() == 6 and len(json.loads(error.json())) == 6
    text = str(error)
    assert text.startswith("6 validation errors for HtpGraphConfig\ndlbk\n") and "did you mean 'dlbc'?" in text
    assert [e["input"] for e in error.errors()][:2] == [1, 5]
    assert str(pickle.loads(pickle.dumps(error))) == text


@pytest.mark.parametrize("given, kept", [("60", 60), (" 60 ", 60), (3.0, 3), (True, 1), ("3.0", 3), (2**40, 2**40)])
# feature: A2 (Python)
def test_lax_integers(given, kept):
    graph = HtpGraphConfig(name="g", hvx_threads=given)
    assert graph.hvx_threads == kept and type(graph.hvx_threads) is int


@pytest.mark.parametrize("given", [3.5, "x", "", None, [1], {}, 2**70, float("nan"), -1, object()])
# feature: A2 (Python)
def test_what_is_no_integer(given):
    assert list(problems(HtpGraphConfig, name="g", hvx_threads=given)) == [("hvx_threads",)]


@pytest.mark.parametrize("given, kept", [(0, False), (1, True), (1.0, True), ("true", True), ("Off", False),
                                         ("y", True)])
# feature: A2 (Python)
def test_lax_bools(given, kept):
    assert HtpContextConfig(extended_udma=given).extended_udma is kept


@pytest.mark.parametrize("cls, values, kind", [
    (HtpContextConfig, {"extended_udma": 2}, "bool_parsing"),
    (HtpContextConfig, {"extended_udma": None}, "bool_type"),
    (HtpContextConfig, {"max_spill_fill_buffer_for_group": -1}, "greater_than_equal"),
    (HtpDeviceConfig, {"pd_session": "neither"}, "literal_error"),
    (HtpDeviceConfig, {"dsp_arch": 73}, "string_type"),
    (HtpDeviceConfig, {"core_ids": 3}, "list_type"),
    (HtpDeviceConfig, {"cores": {}}, "list_type"),
    (HtpDeviceConfig, {"cores": [3]}, "model_type"),
    (HtpDeviceCoreConfig, {"perf_profile": "fast"}, "enum"),
    (HtpDeviceCoreConfig, {"perf_profile": None}, "string_type"),
    (HtpMemoryConfig, {"mem_type": "heap"}, "literal_error"),
    (HtpGraphConfig, {"name": 3}, "string_type"),
    (HtpGraphConfig, {"graph_names": ["a", "b"]}, "string_type"),
    (HtpGraphConfig, {"name": "g", "finalize_config": []}, "dict_type"),
    (HtpGraphConfig, {"name": "g", "optimization_type": 0}, "greater_than_equal"),
    (HtpGraphConfig, {"name": "g", "optimization_type": 2.5}, "int_from_float"),
    (HtpGraphConfig, {"name": "\ud800"}, "json_type")])
# feature: A2 (Python)
def test_refused(cls, values, kind):
    assert list(problems(cls, **values).values()) == [kind]


# feature: A2 (Python)
def test_problems_below_a_field_say_where():
    found = problems(HtpDeviceConfig, soc_model="x", cores=[{"perf_profile": "burst"}, {"perf": 1, "id": "a"}])
    assert found == {("soc_model",): "int_parsing", ("cores", 1, "perf"): "extra_forbidden",
                     ("cores", 1, "id"): "int_parsing"}


# feature: A2 (Python)
def test_the_object_is_unchanged_after_a_refused_assignment():
    graph = HtpGraphConfig(name="g", optimization_type=3)
    before = graph.model_copy()
    for name, value in {"optimization_type": 4, "dlbc": 7, "finalize_config": 3, "num_cores": 0, "name": None}.items():
        with pytest.raises(ValidationError):
            setattr(graph, name, value)
    assert graph == before and graph.model_fields_set == {"name", "optimization_type"}
    graph.optimization_type = "2"
    assert graph.optimization_type == 2


# feature: A10 (Python)
def test_the_validator_of_the_context():
    assert HtpContextConfig(max_spill_fill_buffer_for_group=5).group_id == 0
    assert problems(HtpContextConfig, max_spill_fill_buffer_for_group=5, group_id=1) == {(): "value_error"}
    context = HtpContextConfig(group_id=1)
    with pytest.raises(ValidationError, match="group_id"):
        context.max_spill_fill_buffer_for_group = 5
    assert context.max_spill_fill_buffer_for_group == 0 and context.model_fields_set == {"group_id"}
    context.group_id = 0
    context.max_spill_fill_buffer_for_group = 5
    with pytest.raises(ValueError):
        context.group_id = 2
    assert context.group_id == 0


# feature: A2 (Python)
def test_misspelt_attributes():
    graph = HtpGraphConfig(name="g")
    with pytest.raises(AttributeError, match="did you mean 'dlbc'"):
        graph.dlbk = 1
    with pytest.raises(AttributeError, match="did you mean 'vtcm_size_in_mb'"):
        graph.vtcm_size_mb
    with pytest.raises(AttributeError, match="did you mean 'vtcm_size_in_mb'"):
        graph.vtcm_mb = 8
    with pytest.raises(AttributeError):
        graph.zzz


# feature: A2 (Python)
def test_dumping():
    core = HtpDeviceCoreConfig(perf_profile="burst", id=2)
    device = HtpDeviceConfig(soc_model=43, cores=[core], profiling_level=None)
    assert device.model_dump(exclude_unset=True) == {
        "soc_model": 43, "profiling_level": None, "cores": [{"id": 2, "perf_profile": PerfProfile.BURST}]}
    assert device.model_dump(exclude_unset=True, exclude_none=True, by_alias=True, mode="json") == {
        "soc_model": 43, "cores": [{"core_id": 2, "perf_profile": "burst"}]}
    assert type(device.model_dump(mode="json")["cores"][0]["perf_profile"]) is str
    assert core.model_dump(exclude_defaults=True) == {"id": 2}
    assert device.model_dump(include={"soc_model", "id"}) == {"id": 0, "soc_model": 43}
    assert "cores" not in device.model_dump(exclude={"cores"})
    assert core.model_dump_json(exclude_unset=True) == '{"id":2,"perf_profile":"burst"}'
    assert json.loads(device.model_dump_json(indent=2)) == device.model_dump(mode="json")
    assert dict(core)["id"] == 2 and [name for name, _ in core] == list(HtpDeviceCoreConfig.model_fields)


# feature: A2 (Python)
def test_validating():
    device = HtpDeviceConfig(soc_model=43, cores=[HtpDeviceCoreConfig(id=1)])
    assert HtpDeviceConfig.model_validate(device.model_dump()) == device
    assert HtpDeviceConfig.model_validate(device.model_dump(by_alias=True)) == device
    assert HtpDeviceConfig.model_validate_json(device.model_dump_json()) == device
    assert HtpDeviceConfig.model_validate(device) is device
    for text in ("{", "[]", '{"socmodel": 1}'):
        with pytest.raises(ValidationError):
            HtpDeviceConfig.model_validate_json(text)
    with pytest.raises(ValidationError):
        HtpDeviceConfig.model_validate({3: 4})


# feature: A2 (Python)
def test_describing():
    field = HtpGraphConfig.model_fields["vtcm_size_in_mb"]
    assert (field.alias, field.default, field.is_required()) == ("vtcm_mb", 0, False)
    assert HtpGraphConfig.model_fields["name"].is_required()
    schema = HtpDeviceConfig.model_json_schema()
    assert schema["properties"]["cores"]["items"] == {"$ref": "#/$defs/HtpDeviceCoreConfig"}
    assert schema["$defs"]["HtpDeviceCoreConfig"]["properties"]["rpc_polling_time"]["maximum"] == 9999
    assert HtpGraphConfig.model_json_schema()["required"] == ["graph_names"]
    json.dumps(schema)


# feature: A2 (Python)
def test_equality_repr_and_hash():
    one, two = HtpGraphConfig(name="g"), HtpGraphConfig(name="g", optimization_type=2)
    assert one == two and one != HtpGraphConfig(name="h") and one != "g"
    assert HtpContextConfig() != HtpMemoryConfig()
    assert eval(repr(HtpContextConfig(extended_udma=True))) == HtpContextConfig(extended_udma=True)
    assert str(HtpMemoryConfig()) == "mem_type='shared_buffer'"
    with pytest.raises(TypeError):
        hash(one)


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda m: m.model_copy(), lambda m: m.model_copy(deep=True),
                                  lambda m: pickle.loads(pickle.dumps(m))])
# feature: A2 (Python)
def test_copies_share_nothing(make):
    device = HtpDeviceConfig(soc_model=43, core_ids=[0], cores=[HtpDeviceCoreConfig(id=1)], dsp_arch=None)
    device._extras["new"] = {"a": [1]}
    made = make(device)
    assert made == device and made.model_fields_set == device.model_fields_set
    made.soc_model = 1
    made.core_ids.append(1)
    made.cores[0].id = 7
    made.cores.append(HtpDeviceCoreConfig())
    made._extras["new"]["a"].append(2)
    assert (device.soc_model, device.core_ids, device.cores[0].id, len(device.cores)) == (43, [0], 1, 1)
    assert device._extras == {"new": {"a": [1]}}


# feature: A2 (Python)
def test_copy_with_updates_and_construct():
    graph = HtpGraphConfig(name="g", optimization_type=3)
    renamed = graph.model_copy(update={"name": "h"})
    assert renamed.model_dump(exclude_unset=True) == {"name": "h", "optimization_type": 3}
    made = HtpGraphConfig.model_construct(hvx_threads="many")
    assert made.hvx_threads == "many" and made.name is None
    with pytest.raises(ValidationError):
        graph.model_copy(update={"dlbc": 9})


# feature: A2 (Python)
def test_fields_can_be_taken_back():
    graph = HtpGraphConfig(name="g", optimization_type=3)
    del graph.optimization_type
    assert graph.optimization_type == 2 and graph.model_fields_set == {"name"}
    with pytest.raises(AttributeError):
        del graph.name
