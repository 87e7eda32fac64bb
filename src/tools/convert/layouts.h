// SPDX-License-Identifier: BSD-3-Clause
// Orders of dimensions by their letters: "NCHW".
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "frontend/onnx/order.h"

namespace openqnn::tools::convert {

inline constexpr std::string_view kLayouts =
    "NCDHW NDHWC NCHW NHWC HWIO OIHW NFC NCF NTF TNF NF NC F NONTRIVIAL";

// How a tensor that the model has in layout `from` lies when it is wanted in layout `to`.
Result<frontend::onnx::Order> order_between(std::string_view from, std::string_view to,
                                            std::string_view option);

// The layout that has the same dimensions with the channels last: NHWC of NCHW; itself where there is none.
std::string_view channels_last(std::string_view layout);
// The layout that a model's tensor of this rank has when nobody says: NCHW, NCDHW; else NONTRIVIAL.
std::string_view usual_layout(size_t rank);

Status check_layout(std::string_view layout, std::string_view option);

}  // namespace openqnn::tools::convert
