# SPDX-License-Identifier: BSD-3-Clause
"""Texts that the tests of the configuration classes share: the guide's sample file and its Python listing."""

GUIDE_FILE = """{
        "context": [
            {
                "weight_sharing_enabled": true,
                "lora_weight_sharing": true
            }
        ],
        "graphs": [
            {
                "graph_names": ["graphA", "graphB"],
                "O": 3,
                "vtcm_mb": 8
            },
            {
                "graph_names": ["graphC"],
                "dlbc": 1
            }
        ],
        "devices": [
            {
                "device_id": 0,
                "soc_model": 43,
                "dsp_arch": "v73",
                "cores": [
                    {
                        "core_id": 0,
                        "perf_profile": "burst"
                    }
                ]
            }
        ],
        "memory": {
            "mem_type": "shared_buffer"
        },
        "groupContext": {
            "share_resources": true
        }
    }
"""

FROM_PYTHON = """
from qairt.api.compiler.config import CompileConfig
from qairt.api.common.backends.htp import (
    HtpGraphConfig,
    HtpDeviceConfig,
    HtpDeviceCoreConfig,
    HtpContextConfig,
    HtpMemoryConfig,
    HtpGroupContextConfig,
)
from qairt.gen_ai_api.gen_ai_builder_factory import GenAIBuilderFactory

builder = GenAIBuilderFactory.create("/path/to/model", "HTP", cache_root="./cache")

config = CompileConfig(
    backend="HTP",
    soc_details="chipset:SM8750",
    graph_custom_configs=[HtpGraphConfig(
        name="placeholder",
        optimization_type=3,
        vtcm_size_in_mb=8,
        fp16_relaxed_precision=0,
    )],
    device_custom_configs=[HtpDeviceConfig(
        pd_session="unsigned",
        cores=[HtpDeviceCoreConfig(
            perf_profile="burst",
            rpc_control_latency=100,
        )],
    )],
    context_custom_configs=[HtpContextConfig(
        weight_sharing_enabled=True,
        extended_udma=True,
    )],
    memory_custom_config=HtpMemoryConfig(mem_type="shared_buffer"),
    group_context_config=HtpGroupContextConfig(share_resources=True),
)
builder.set_compilation_options(config=config)
"""


def without_builder(listing):
    """The listing without the lines that need the Gen AI builder."""
    return "\n".join(line for line in listing.splitlines() if "builder" not in line.lower())
