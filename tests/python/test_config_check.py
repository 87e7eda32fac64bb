# SPDX-License-Identifier: BSD-3-Clause
"""Findings: of files, and of objects."""

import json

import pytest
import qairt
from config_samples import FROM_PYTHON, GUIDE_FILE, without_builder
from qairt.api.common.backends.htp.config import HtpContextConfig, HtpGraphConfig
from qairt.api.compiler.config import CompileConfig


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "extensions.json"
    path.write_text(GUIDE_FILE)
    return path


# feature: A12 (Python)
def test_the_guides_file_has_one_finding(file):
    findings = qairt.check(file)
    assert [finding.code for finding in findings] == ["dlbc-weight-sharing"]
    finding = findings[0]
    assert (finding.path, finding.line, finding.file) == ("graphs[1].dlbc", 16, str(file))
    assert finding.severity in ("error", "warning") and finding.message and finding.advice
    assert str(finding).startswith(f"{file}:16:") and "[dlbc-weight-sharing]" in str(finding)
    config = CompileConfig.from_backend_extensions("HTP", file)
    assert [(f.code, f.path) for f in config.check()] == [("dlbc-weight-sharing", "graphs[1].dlbc")]


# feature: A12 (Python)
def test_the_guides_listing_has_two():
    page = {}
    exec(without_builder(FROM_PYTHON), page)
    found = page["config"].check()
    assert sorted(finding.code for finding in found) == ["extended-udma-arch", "soc-details-ignored"]


# feature: A10 (Python)
def test_what_rules_find_never_raises():
    config = CompileConfig(backend="HTP", soc_details="chipset:SM8550",
                           graph_custom_configs=[HtpGraphConfig(name="a", vtcm_size_in_mb=512, dlbc=1)],
                           context_custom_configs=[HtpContextConfig(extended_udma=True, weight_sharing_enabled=True)])
    before = config.to_backend_extension_json()
    codes = {finding.code for finding in config.check(tool="qnn-context-binary-generator", platform="x86_64-linux")}
    assert {"dlbc-weight-sharing", "extended-udma-arch"} <= codes
    assert config.to_backend_extension_json() == before
    assert all(finding.fix is None for finding in config.check())


# feature: A10 (Python)
def test_circumstances(file):
    file.write_text('{"context": [{"extended_udma": true}]}')
    assert [f.code for f in qairt.check(file, soc="SM8550")] == ["extended-udma-arch"]
    assert qairt.check(file) == []
    for wrong in ({"soc": "SM0000"}, {"tool": "qnn-nothing"}, {"platform": "amiga"}, {"sdk": "new"}):
        with pytest.raises(ValueError):
            qairt.check(file, **wrong)
    with pytest.raises(FileNotFoundError):
        qairt.check(file.parent / "none.json")


# feature: A9 (Python)
def test_broken_files_are_findings(file):
    file.write_text('{"context": [}')
    found = qairt.check(file)
    assert [finding.severity for finding in found] == ["error"] and found[0].line == 1
    file.write_text('{"context": [{"extended_udma": false,}]}')
    assert qairt.check(file) == [] and [f.severity for f in qairt.check(file, strict=True)] == ["error"]


# feature: A10 (Python)
def test_a_passed_through_file_is_checked(file):
    config = CompileConfig.from_backend_extensions("HTP", file, passthrough=True)
    assert [finding.code for finding in config.check()] == ["dlbc-weight-sharing"]


# feature: A10 (Python)
def test_a_tool_file_brings_its_backend_file(file):
    outer = file.parent / "run.json"
    outer.write_text(json.dumps({"backend_extensions": {
        "shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": str(file)}}))
    assert "dlbc-weight-sharing" in [finding.code for finding in qairt.check(outer)]
