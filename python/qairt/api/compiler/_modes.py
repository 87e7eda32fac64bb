# SPDX-License-Identifier: BSD-3-Clause
"""Modes of compilation: several fields set together."""

from ... import _native
from ..common.backends.htp.config import HtpContextConfig, HtpDeviceConfig, HtpDeviceCoreConfig, HtpGraphConfig
from ..configs.common import BackendType, _Words
from . import _values


class CompilerModes(_Words):
    """The modes there are."""

    WEIGHT_SHARING = "weight_sharing"


class CompilerModeSetters:
    """Sets what each mode needs."""

    @staticmethod
    def set_weight_sharing(config, *, graph_names=None, soc_model=None, dsp_arch=None, hvx_threads=None,
                           vtcm_size_in_mb=None, fp16=None):
        """Sets context, graph, device and core options so that graphs share their weights on HTP.

        Without `graph_names` the object's `ensure_graphs` is set: whoever compiles takes the names from the model. The
        part comes from `soc_model` and `dsp_arch`, else from the device configs, else from soc_details; a part that
        nobody knows is a ValueError. Objects that are there are changed, not replaced.
        """
        if config.backend != BackendType.HTP:
            raise ValueError(f"weights are shared on HTP, not on {config.backend}")
        names = _names(graph_names)
        options = {"hvx_threads": hvx_threads, "vtcm_size_in_mb": vtcm_size_in_mb,
                   "fp16_relaxed_precision": _switch(fp16)}
        options = {name: value for name, value in options.items() if value is not None}
        config._check_elements()
        part = _part(config, soc_model, dsp_arch)
        for name in names or [""]:
            HtpGraphConfig(name=name, **options)  # raises before anything is changed
        HtpDeviceConfig(soc_model=part[0], dsp_arch=part[1])

        _elements(config, "context_custom_configs", HtpContextConfig)[0].weight_sharing_enabled = True
        _set_device(_elements(config, "device_custom_configs", HtpDeviceConfig)[0], part)
        _set_graphs(config, names, options)
        config._ensure_graphs = names is None
        config._graph_options = options if names is None else {}


def _names(graph_names):
    """The names as a list; None when there are none."""
    if graph_names is None:
        return None
    names = [graph_names] if isinstance(graph_names, str) else graph_names
    if not isinstance(names, (list, tuple, set, frozenset)) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"graph_names should be a list of names, not {graph_names!r}")
    return list(dict.fromkeys(names))


def _switch(fp16):
    if fp16 is None or fp16 in (0, 1):
        return None if fp16 is None else int(fp16)
    raise ValueError(f"fp16 should be True or False, not {fp16!r}")


def _part(config, soc_model, dsp_arch):
    """(soc_model, dsp_arch), as given, else as the device configs tell, else as soc_details tells."""
    if soc_model is not None:
        soc_model = HtpDeviceConfig(soc_model=soc_model).soc_model  # as the field takes it
    for device in config.device_custom_configs or []:
        if soc_model is None and device.soc_model:
            soc_model, dsp_arch = device.soc_model, dsp_arch or device.dsp_arch
    known = None
    if soc_model is not None:
        known = _native.resolved_part(f"soc_model:{soc_model}") if soc_model >= 0 else None
    elif config.soc_details is not None:
        known = _values.resolved_part(config.soc_details)
    model = soc_model if known is None or soc_model is not None else known[1]
    arch = dsp_arch if known is None or dsp_arch is not None else known[2]
    if not model or arch is None or not _is_arch(arch):
        raise ValueError("weight sharing needs the part: give soc_details a chipset that is known, or pass soc_model "
                         f"and dsp_arch (soc_model is {model!r}, dsp_arch is {arch!r}, soc_details is "
                         f"{config.soc_details!r})")
    return model, arch


def _is_arch(arch):
    """Whether it is one such as v79; new ones come every year."""
    text = str(getattr(arch, "value", arch))
    return text[:1] in ("v", "V") and text[1:].isascii() and text[1:].isdigit()


def _elements(config, name, cls):
    """The list that a field holds, with an element at least."""
    if getattr(config, name) is None:
        setattr(config, name, [])
    elements = getattr(config, name)
    if not elements:
        elements.append(cls())
    return elements


def _set_device(device, part):
    if (device.soc_model, device.dsp_arch) != part:
        device.soc_model, device.dsp_arch = part
    if not device.cores:
        device.cores.append(HtpDeviceCoreConfig(perf_profile=HtpDeviceCoreConfig().perf_profile))


def _set_graphs(config, names, options):
    if config.graph_custom_configs is None and names:
        config.graph_custom_configs = []
    graphs = config.graph_custom_configs
    known = {graph.name: graph for graph in graphs or []}
    for name in names or []:
        if name not in known:
            known[name] = HtpGraphConfig(name=name)
            graphs.append(known[name])
    for graph in graphs or [] if names is None else [known[name] for name in names]:
        for option, value in options.items():
            setattr(graph, option, value)
