# SPDX-License-Identifier: BSD-3-Clause
"""The type that qairt's documents import from here. Nothing else of the vendor's module is here."""

from qairt._model import OpenModel, open_class

__all__ = ["OpPackageIdentifier"]


@open_class
class OpPackageIdentifier(OpenModel):
    """A package of custom ops. The documents only name this class: any field is taken, kept and written."""

    __slots__ = ()
