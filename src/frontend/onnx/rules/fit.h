// SPDX-License-Identifier: BSD-3-Clause
// Ops in a form that the backend takes. It has many of them for reals and 32-bit integers alone, and for few
// dimensions; so bytes, truth values and unsigned numbers are carried as 32-bit integers, which hold each of
// them exactly, and dimensions that an op treats alike become one.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/onnx/lowering.h"

namespace openqnn::frontend::onnx {

// One op, its operands of type `carried` cast to 32-bit integers and back where the backend does not take
// them as they are. Bytes that overflow keep their low bits, as ONNX's do; 32-bit ones are documented up to
// 2^31 - 1 alone. What fits in no way is emitted as it is, so that the refusal says why.
std::vector<TensorRef> emit_fitting(Lowering& node, std::string_view type, std::vector<TensorRef> inputs,
                                    const Params& params, std::vector<Lowering::OutputSpec> outputs,
                                    ir::DataType carried);

// The same for an op that moves the elements of its first input.
TensorRef emit_moving(Lowering& node, std::string_view type, std::vector<TensorRef> inputs,
                      const Params& params, const Dims& out);

// An op that goes element by element, its operands stretched to one another, in any number of dimensions.
// What is carried is the type of the last operand: the first may be a condition.
TensorRef emit_elementwise(Lowering& node, std::string_view type, std::vector<TensorRef> operands,
                           ir::DataType out, const Params& params = {});

// Neighbouring dimensions joined where every operand has them both, or both as 1; those that are 1 everywhere
// are left out. `operands` have equal ranks.
std::vector<Dims> with_joined_dims(const std::vector<Dims>& operands);

}  // namespace openqnn::frontend::onnx
