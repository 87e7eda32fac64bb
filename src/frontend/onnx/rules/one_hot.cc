// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rules/one_hot.h"

#include <algorithm>

#include "frontend/onnx/rules/fit.h"

namespace openqnn::frontend::onnx {

TensorRef one_hot(Lowering& node, TensorRef indices, int64_t depth, const Constant& values) {
  if (node.refusal()) return kNoTensorRef;
  const Dims cells = node.lies_as(indices);
  Params params;
  params.u32("depth", static_cast<uint32_t>(std::min<int64_t>(depth, UINT32_MAX))).u32("axis", 1);
  if (is_real(values.type())) {
    params.f32("on_value", values.real(1)).f32("off_value", values.real(0));
  } else {
    auto in_range = [](int64_t value) {
      return static_cast<int32_t>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX));
    };
    params.i32("on_value", in_range(values.integer(1))).i32("off_value", in_range(values.integer(0)));
  }
  const ir::DataType type = backend_type(values.type());
  return emit_fitting(node, "OneHot", {indices}, params, {{type, {cells[0], depth, cells[1]}}}, type).front();
}

}  // namespace openqnn::frontend::onnx
