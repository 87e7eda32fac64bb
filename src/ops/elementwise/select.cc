// SPDX-License-Identifier: BSD-3-Clause
// ElementWiseSelect: one of two numbers by a condition.
#include "ops/elementwise/map.h"

namespace openqnn::ops {
namespace {

// A condition that is not bool8 is true where its real value is not 0 (ours), so that it reads what
// comparisons write.
struct Select {
  double (*apply)(double, double, double) = [](double condition, double a, double b) {
    return condition != 0.0 ? a : b;
  };
  Instructions cost{14, 3};
};
constexpr Select kSelect;

}  // namespace

OpDef element_wise_select() {
  return map_op<3, always<kSelect>>("ElementWiseSelect", {"bool8,bool8,bool8 -> bool8"});
}

}  // namespace openqnn::ops
