# SPDX-License-Identifier: BSD-3-Clause
"""The type that qairt's documents import from here. Nothing else of the vendor's module is here."""

from qairt._model import OpenModel, open_class

__all__ = ["SocDetails"]


@open_class
class SocDetails(OpenModel):
    """A part: chipset, dsp_arch, soc_model, cores. The documents only name this class: other fields are kept."""

    __slots__ = ()
