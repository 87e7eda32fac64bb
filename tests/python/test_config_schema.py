# SPDX-License-Identifier: BSD-3-Clause
"""`openqnn schema`: sound JSON Schemas that take what is legal and refuse what is not."""

import json
import subprocess

import pytest

jsonschema = pytest.importorskip("jsonschema", reason="python3-jsonschema is not installed")

KINDS = ["htp", "tool", "lpai", "data-format", "optrace", "throughput", "compile"]

GRAPHS = {"graph_names": ["g"], "O": 3, "vtcm_mb": 8}

LEGAL = {
    "htp": [
        {},
        {"context": [{"weight_sharing_enabled": True, "lora_weight_sharing": True}],
         "graphs": [{"graph_names": ["a", "b"], "O": 3, "vtcm_mb": 8}, {"graph_names": ["c"], "dlbc": 1}],
         "devices": [{"device_id": 0, "soc_model": 43, "dsp_arch": "v73",
                      "cores": [{"core_id": 0, "perf_profile": "burst"}]}],
         "memory": {"mem_type": "shared_buffer"}, "groupContext": {"share_resources": True}},
        {"graphs": GRAPHS, "context": {"weight_sharing_enabled": False}},
        {"graphs": [{"name": "g", "optimization_type": 3.0, "vtcm_size_in_mb": 0}]},
        {"graphs": [{"dlbc": 1.0, "dlbc_weights": 2.5, "fp16_relaxed_precision": True, "finalize_config": {"P": 3}}]},
        {"devices": [{"core_id": [0, 1], "core_type": 1, "cores": [{"perf_profile": "llm_decode_burst"}]}]},
        {"graphs": [{"num_cores": None}], "devices": [{"dsp_arch": None}]},
        {"$schema": "htp.schema.json", "_comment": "unknown keys are for openqnn check", "vtcm_mb": 8},
    ],
    "tool": [
        {"backend_extensions": {"shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": "htp.json"},
         "context_configs": {"memory_limit_hint": 1, "is_persistent_binary": True, "weights_buffer": -1,
                             "enable_graphs": ["a", "b"], "graphs_retention_order": ["a"]},
         "graph_configs": [{"graph_name": "a", "graph_priority": "high"}]},
    ],
    "lpai": [
        {"lpai_backend": {"target_env": "adsp", "enable_hw_ver": "v6"},
         "lpai_graph": {"prepare": {"exclude_io": True},
                        "execute": {"fps": 1, "ftrt_ratio": 10, "client_type": "real_time", "affinity": "soft"}},
         "lpai_debug": {"force_nhwc": True}},
    ],
    "data-format": [
        {"graphs": [{"graph_name": name, "tensors": [
            {"tensor_name": "t", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"}]}]} for name in ("g", ["g", "h"])
    ],
    "optrace": [{"features": {"htp_json": True, "qhas_json": False}}],
    "throughput": [
        {"backends": [{"backendName": "b", "backendPath": "libQnnHtp.so"}],
         "models": [{"modelName": "m", "modelPath": "m.bin", "loadFromCachedBinary": True}],
         "contexts": [{"contextName": "c", "priority": "HIGH"}],
         "testCase": {"iteration": -1, "threads": [
             {"threadName": "t", "backend": "b", "context": "c", "model": "m", "backendConfig": "htp.json"}]}},
    ],
    "compile": [{"backend": "HTP", "soc_details": "chipset:SM8750", "graph_custom_configs": [GRAPHS]}],
}

WRONG = {
    "htp": [
        [],
        {"graphs": "g"},
        {"graphs": [{"O": 4}]},
        {"graphs": [{"O": 2.5}]},
        {"graphs": [{"vtcm_mb": "8"}]},
        {"graphs": [{"vtcm_mb": -1}]},
        {"graphs": {"vtcm_size_in_mb": -1}},
        {"graphs": [{"dlbc_weights": 0.5}]},
        {"graphs": [{"graph_names": [1]}]},
        {"devices": {}},
        {"devices": [{"pd_session": "unisgned"}]},
        {"devices": [{"core_id": 0}]},
        {"devices": [{"core_type": 2}]},
        {"devices": [{"cores": [{"core_id": [0]}]}]},
        {"devices": [{"cores": [{"rpc_polling_time": 10000}]}]},
        {"devices": [{"cores": [{"perf_profile": "relaxed"}]}]},
        {"context": {"weight_sharing_enabled": 1}},
        {"memory": {"mem_type": "ion"}},
    ],
    "tool": [
        {"context_configs": {"weights_buffer": -2}},
        {"context_configs": {"enable_graphs": "a"}},
        {"graph_configs": [{"graph_priority": "high"}]},
    ],
    "lpai": [{"lpai_graph": {"execute": {"fps": {"type": "integer"}}}}, {"lpai_backend": {"enable_hw_ver": "v2"}}],
    "data-format": [{}, {"graphs": [{"graph_name": "g", "tensors": [{"tensor_name": "t", "dataFormat": "NHWC"}]}]}],
    "optrace": [{"features": {"htp_json": "yes"}}],
    "throughput": [{"backends": []}, {"backends": [], "models": [], "contexts": [], "testCase": {"iteration": 1}}],
    "compile": [{}, {"backend": "HTP", "io_tensor_mem_type": "ion"}],
}


def cases(samples):
    return [pytest.param(kind, sample, id=f"{kind}-{number}")
            for kind in KINDS for number, sample in enumerate(samples[kind])]


@pytest.fixture(scope="module")
def validators(tool):
    def make(kind):
        text = subprocess.run([tool, "schema", kind], check=True, capture_output=True, text=True, timeout=60).stdout
        return jsonschema.Draft202012Validator(json.loads(text))

    return {kind: make(kind) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_schema_is_a_schema(validators, kind):
    jsonschema.Draft202012Validator.check_schema(validators[kind].schema)


@pytest.mark.parametrize(("kind", "sample"), cases(LEGAL))
def test_legal_files_pass(validators, kind, sample):
    assert [error.message for error in validators[kind].iter_errors(sample)] == []


@pytest.mark.parametrize(("kind", "sample"), cases(WRONG))
def test_wrong_files_are_refused(validators, kind, sample):
    assert list(validators[kind].iter_errors(sample))
