# SPDX-License-Identifier: BSD-3-Clause
"""The listings of the documents run as printed; those of a page share one namespace."""

import json
import pathlib
import re

import pytest
from config_samples import FROM_PYTHON, GUIDE_FILE, without_builder

GUIDE = [
    """
from qairt.api.compiler.config import CompileConfig

config = CompileConfig.from_backend_extensions("HTP", "/path/to/backend_extensions.json")
""",
    """
config = CompileConfig(backend="HTP")
config.populate_from_backend_extensions("/path/to/backend_extensions.json")
""",
    without_builder(FROM_PYTHON),
    """
from qairt.api.common.backends.htp import list_options
list_options()
""",
    """
from pathlib import Path

json_str = config.to_backend_extension_json()
Path("backend_extensions.json").write_text(json_str)

# Custom indentation
json_str = config.to_backend_extension_json(indent=2)
""",
    """
from qairt.api.compiler.config import CompileConfig

# Load, modify, save
config = CompileConfig.from_backend_extensions("HTP", "original.json")
config.context_custom_configs[0].extended_udma = True
Path("modified.json").write_text(config.to_backend_extension_json())
""",
]

HTP_REFERENCE = """
context_configs = [HtpContextConfig(weight_sharing_enabled=True)]
graph_configs = [HtpGraphConfig(name="graph1")]
HtpConfigHelper.to_backend_extension_dict(context_configs, graph_configs)
"""

COMPILER_REFERENCE = [
    """
config_sm8550 = CompileConfig(backend="HTP", soc_details="chipset:SM8550")

htp_graph_config = HtpGraphConfig(name="graph_A", optimization_type=3)
config_O3 = CompileConfig(backend="HTP", graph_custom_configs=[htp_graph_config])
""",
    """
config = CompileConfig.from_backend_extensions("HTP", "htp_extensions.json")

# With additional options:
config = CompileConfig.from_backend_extensions(
    "HTP", "htp_extensions.json", log_level="debug"
)
""",
    """
config = CompileConfig(backend="HTP", soc_details="chipset:SM8550")
config.populate_from_backend_extensions("htp_extensions.json")

# Passthrough mode (no mapping, raw dict passed to backend):
config = CompileConfig(backend="HTP")
config.populate_from_backend_extensions("htp_extensions.json", passthrough=True)
""",
    """
from qairt.api.compiler.config import CompilerConfig

# to dump the entire config
config_dict = config.model_dump()

# to dump just the backend extensions
config_dict = config.model_dump(context={"backend_extensions": True})
""",
    """
cfg = CompileConfig.from_backend_extensions("HTP", "backend_extensions.json")
Path("new_backend_ext.json").write_text(cfg.to_backend_extension_json())
""",
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("backend_extensions.json", "original.json", "htp_extensions.json"):
        (tmp_path / name).write_text(GUIDE_FILE)
    return tmp_path


def run(listings, folder, namespace):
    for listing in listings:
        exec(listing.replace("/path/to", str(folder)), namespace)
    return namespace


# feature: A5 (Python)
def test_the_guides_listings(folder):
    page = run(GUIDE, folder, {})
    changed = json.loads(GUIDE_FILE)
    changed["context"][0]["extended_udma"] = True
    assert json.loads((folder / "modified.json").read_text()) == changed
    assert page["json_str"].startswith('{\n  "')


# feature: A5 (Python)
def test_the_listing_of_the_htp_reference():
    from qairt.api.common.backends.htp import config
    page = run([HTP_REFERENCE], "", dict(vars(config)))
    assert config.HtpConfigHelper.to_backend_extension_dict(page["context_configs"], page["graph_configs"]) == {
        "graphs": [{"graph_names": ["graph1"]}], "context": [{"weight_sharing_enabled": True}]}


# feature: A4, A5 (Python)
def test_the_listings_of_the_compiler_reference(folder):
    from qairt.api.common.backends.htp import HtpGraphConfig
    from qairt.api.compiler.config import CompileConfig
    page = run(COMPILER_REFERENCE, folder,
               {"CompileConfig": CompileConfig, "HtpGraphConfig": HtpGraphConfig, "Path": pathlib.Path})
    assert page["CompilerConfig"] is CompileConfig
    assert page["config_dict"] == json.loads(GUIDE_FILE)
    assert json.loads((folder / "new_backend_ext.json").read_text()) == json.loads(GUIDE_FILE)
    assert page["config_O3"].graph_custom_configs[0] is page["htp_graph_config"]


# feature: A4, A10 (Python)
def test_the_quick_tour_of_our_own_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/python.md").read_text()
    exec(re.search(r"```python\n(.*?)```", page, re.S).group(1), {})
    assert "[dlbc-weight-sharing]" in capsys.readouterr().out
