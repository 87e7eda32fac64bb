// SPDX-License-Identifier: BSD-3-Clause
// Names inside a `.dlc`; the writer and the reader share them, docs/dlc.md explains them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "ir/graph.h"

namespace openqnn::frontend::dlc_format {

inline constexpr std::string_view kHeader = "openqnn-dlc.json";
inline constexpr std::string_view kGraph = "graph.json";  // all graphs
inline constexpr std::string_view kWeights = "weights.bin";
inline constexpr std::string_view kFormat = "openqnn-dlc";
inline constexpr int64_t kVersion = 1;
inline constexpr uint64_t kWeightAlignment = 64;

inline constexpr std::array<std::pair<std::string_view, ir::TensorRole>, 4> kRoles = {{
    {"input", ir::TensorRole::kInput},
    {"output", ir::TensorRole::kOutput},
    {"native", ir::TensorRole::kNative},
    {"static", ir::TensorRole::kStatic},
}};

inline constexpr std::array<std::pair<std::string_view, ir::Quantization::Kind>, 3> kKinds = {{
    {"tensor", ir::Quantization::Kind::kPerTensor},
    {"axis", ir::Quantization::Kind::kPerAxis},
    {"block", ir::Quantization::Kind::kPerBlock},
}};

}  // namespace openqnn::frontend::dlc_format
