// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

const Register kRelu{unary("Relu", [](double x) { return std::max(x, 0.0); })};

}  // namespace
}  // namespace openqnn::oracle
