# SPDX-License-Identifier: BSD-3-Clause
"""Networks of the literature as ONNX models with random weights: `catalogue.py` names them, one module holds a family."""

import sys

try:
    import onnx.helper  # not onnx alone: package libonnx-testdata leaves an empty one of that name
except ImportError:
    sys.exit("error: networks are built with the Debian package python3-onnx, which is not installed for " + sys.executable)
