// SPDX-License-Identifier: BSD-3-Clause
// What the front end knows of one ONNX op: the shapes it gives, its values when its inputs are constants, and
// the backend's ops that compute it. The rules stand in rules/, one file a family; the list is
// rules/families.inc.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "frontend/onnx/inference.h"
#include "frontend/onnx/lowering.h"

namespace openqnn::frontend::onnx {

struct Rule {
  std::string_view type;  // as NetNode::type
  // Gives every output its type and dimensions; may give constants.
  Status (*infer)(Inference& node);
  // Gives the outputs as constants; called when every input is one. Null: computed by the backend even then.
  Status (*fold)(Inference& node) = nullptr;
  // Null: the backend has nothing like it, so that it must fold.
  Status (*lower)(Lowering& node) = nullptr;
  // `infer` refuses every node of the type, and looks at nothing else: said also of nodes whose inputs are
  // not known.
  bool refuses_type = false;
};

const Rule* find_rule(std::string_view type);
std::span<const Rule* const> all_rules();

}  // namespace openqnn::frontend::onnx
