# SPDX-License-Identifier: BSD-3-Clause
"""Lists are live and safe: elements outlive them, nothing leaks."""

import gc
import json
import pathlib
import re
import weakref

import pytest
from qairt.api.common.backends.htp.config import (HtpConfigHelper, HtpContextConfig, HtpDeviceConfig,
                                                  HtpDeviceCoreConfig, HtpGraphConfig)
from qairt.api.compiler.config import CompileConfig


# feature: A2 (Python)
def test_elements_outlive_their_list():
    device = HtpDeviceConfig(cores=[HtpDeviceCoreConfig(id=7)])
    first, cores = device.cores[0], device.cores
    for number in range(1000):
        device.cores.append(HtpDeviceCoreConfig(id=number))
    assert first.id == 7 and cores is device.cores and len(cores) == 1001
    del device.cores[0]
    device.cores = [{"id": 1}]
    first.id = 8
    assert first.id == 8 and len(cores) == 1000 and cores[999].id == 999
    assert device.model_dump(exclude_unset=True) == {"cores": [{"id": 1}]}
    del device
    gc.collect()
    assert cores[0].id == 0 and first.model_dump()["id"] == 8


# feature: A2 (Python)
def test_elements_outlive_their_configuration(tmp_path):
    path = tmp_path / "f.json"
    path.write_text(json.dumps({"graphs": [{"graph_names": ["a", "b"], "finalize_config": {"P": 1}}],
                                "devices": [{"cores": [{"core_id": 1}]}]}))
    config = CompileConfig.from_backend_extensions("HTP", path)
    graph, core = config.graph_custom_configs[1], config.device_custom_configs[0].cores[0]
    preset = graph.finalize_config
    del config
    gc.collect()
    preset["P"] = 2
    core.id = 3
    assert graph.name == "b" and graph.finalize_config == {"P": 2} and core.id == 3


def test_lists_and_dicts_that_change_while_they_are_written():
    class Path:
        def __fspath__(self):
            device.cores.clear()
            for core in cores:
                core._extras.clear()
            return "x"

    cores = [HtpDeviceCoreConfig(id=n) for n in range(100)]
    device = HtpDeviceConfig(cores=cores)
    for core in cores:
        core._extras = {"x": {"p": Path(), "q": [Path()]}, "y": Path()}
    del core
    cores = cores[-1:]  # the others live in the list alone
    assert HtpConfigHelper.to_backend_extension_dict(device_configs=[device])["devices"][0]["cores"][0]["y"] == "x"
    assert device.cores == []


def test_cycles_are_collected():
    class Marker:
        pass

    marker = Marker()
    alive = weakref.ref(marker)
    device = HtpDeviceConfig()
    device.cores.append(device)
    device._extras["marker"] = marker
    del device, marker
    gc.collect()
    assert alive() is None


def test_lists_that_hold_themselves():
    device = HtpDeviceConfig()
    device.cores.append(device.cores)
    device._extras["loop"] = device.cores
    for call in (device.model_dump, lambda: HtpConfigHelper.to_backend_extension_dict(device_configs=[device])):
        with pytest.raises((RecursionError, ValueError)):
            call()


def test_what_is_not_a_model_is_refused():
    from qairt import _native
    for call in (lambda: _native.get(3, 1), lambda: _native.get(HtpContextConfig(), 99),
                 lambda: _native.get(HtpContextConfig(), 0), lambda: _native.Model(),
                 lambda: _native.dump(None, False, False, False, False, False),
                 lambda: _native.write_dict([None], None, None)):
        with pytest.raises((TypeError, IndexError, ValueError)):
            call()


def resident_bytes():
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path("/proc/self/status").read_text()).group(1)) * 1024


def exercise(path):
    config = CompileConfig.from_backend_extensions("HTP", path, soc_details="chipset:SM8550")
    config.device_custom_configs[0].cores.append(HtpDeviceCoreConfig(id=1))
    config.graph_custom_configs[0].finalize_config = {"P": 1}
    with pytest.raises(ValueError):
        config.graph_custom_configs[0].dlbc = "x"
    with pytest.raises(ValueError):
        HtpGraphConfig(dlbc=5)
    copied = config.model_copy()
    assert copied == config and copied.model_dump() == config.model_dump()
    return config.to_backend_extension_json()


@pytest.mark.skipif("libasan" in pathlib.Path("/proc/self/maps").read_text(), reason="it keeps freed memory")
def test_nothing_leaks(tmp_path):
    path = tmp_path / "f.json"
    path.write_text(json.dumps({"graphs": [{"graph_names": ["a", "b"], "x": "y" * 20_000}],
                                "devices": [{"cores": [{}]}]}))
    for _ in range(50):
        exercise(path)
    gc.collect()
    before = resident_bytes()
    for _ in range(400):
        exercise(path)
    gc.collect()
    assert resident_bytes() - before < 6 << 20  # a leak of one entry a round would be 8 MB
