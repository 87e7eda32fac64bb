// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

namespace openqnn::python {

// What the configuration classes are made of; qairt/_model.py and its neighbours use it.
void bind_config(pybind11::module_& m);

}  // namespace openqnn::python
