// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

const Register kSigmoid{unary("Sigmoid", [](double x) { return 1.0 / (1.0 + std::exp(-x)); })};

}  // namespace
}  // namespace openqnn::oracle
