# SPDX-License-Identifier: BSD-3-Clause
"""The AIC backend's configuration, as far as it is known."""

from ....._model import OpenModel, open_class

__all__ = ["AicCompilerConfig"]


@open_class
class AicCompilerConfig(OpenModel):
    """Settings of the AIC compiler. This backend is not here: any field is taken, kept and written, none is checked."""

    __slots__ = ()
