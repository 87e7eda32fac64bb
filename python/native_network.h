// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

namespace openqnn::python {

// Converting, quantizing, compiling and running models; qairt/_models.py and its neighbours use it.
void bind_network(pybind11::module_& m);

}  // namespace openqnn::python
