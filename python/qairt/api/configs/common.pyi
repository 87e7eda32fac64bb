# SPDX-License-Identifier: BSD-3-Clause
# Written by python/tools/make_stubs.py from the option tables.
from enum import Enum
from typing import List

class BackendType(str, Enum):
    """Backends of QNN. Only HTP is here; of the others, the settings are kept and nothing more."""
    CPU = 'CPU'
    GPU = 'GPU'
    HTP = 'HTP'
    HTP_MCP = 'HTP_MCP'
    AIC = 'AIC'
    LPAI = 'LPAI'
    @classmethod
    def list_options(cls) -> List[str]: ...

class PerfProfile(str, Enum):
    """Named sets of votes for clocks and voltages."""
    BURST = 'burst'
    SUSTAINED_HIGH_PERFORMANCE = 'sustained_high_performance'
    HIGH_PERFORMANCE = 'high_performance'
    BALANCED = 'balanced'
    LOW_BALANCED = 'low_balanced'
    HIGH_POWER_SAVER = 'high_power_saver'
    POWER_SAVER = 'power_saver'
    LOW_POWER_SAVER = 'low_power_saver'
    EXTREME_POWER_SAVER = 'extreme_power_saver'
    SYSTEM_SETTINGS = 'system_settings'
    LLM_DECODE_BURST = 'llm_decode_burst'
    LLM_DECODE_SUSTAINED_HIGH_PERFORMANCE = 'llm_decode_sustained_high_performance'
    LLM_DECODE_HIGH_PERFORMANCE = 'llm_decode_high_performance'
    LLM_DECODE_BALANCED = 'llm_decode_balanced'
    LLM_DECODE_LOW_BALANCED = 'llm_decode_low_balanced'
    LLM_DECODE_HIGH_POWER_SAVER = 'llm_decode_high_power_saver'
    LLM_DECODE_POWER_SAVER = 'llm_decode_power_saver'
    LLM_DECODE_LOW_POWER_SAVER = 'llm_decode_low_power_saver'
    LLM_DECODE_EXTREME_POWER_SAVER = 'llm_decode_extreme_power_saver'
    LLM_DECODE_DEFAULT = 'llm_decode_default'
    CUSTOM = 'custom'
    @classmethod
    def list_options(cls) -> List[str]: ...

class DspArchitecture(str, Enum):
    """Architectures of the Hexagon NPU."""
    V68 = 'v68'
    V69 = 'v69'
    V73 = 'v73'
    V75 = 'v75'
    V79 = 'v79'
    V81 = 'v81'
    V85 = 'v85'
    V89 = 'v89'
    V66 = 'v66'
    V65 = 'v65'
    NONE = 'NONE'
    @classmethod
    def list_options(cls) -> List[str]: ...
