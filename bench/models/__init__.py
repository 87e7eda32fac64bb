# SPDX-License-Identifier: BSD-3-Clause
"""Networks of the literature as ONNX models with random weights: `catalogue.py` names them, one module holds a family."""
