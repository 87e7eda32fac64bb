// SPDX-License-Identifier: BSD-3-Clause
// The checks of the config room for Python: of files, and of objects.
#pragma once

#include <pybind11/pybind11.h>

namespace openqnn::python {

void bind_findings(pybind11::module_& m);

}  // namespace openqnn::python
