// SPDX-License-Identifier: BSD-3-Clause
// From the file's model to a Net: names become values, dynamic dimensions become numbers, functions and
// branches that are decided are inlined, shapes are inferred and constants folded, node by node.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/onnx/model.h"
#include "frontend/onnx/net.h"

namespace openqnn::frontend::onnx {

// What the client calls the options below, for sentences about them.
struct OptionNames {
  std::string input_dims = "--input_dim";
  std::string symbols = "--define_symbol";
  std::string batch = "--batch";
  std::string fixed_numbers = "--fix_input";
};

struct ImportOptions {
  OptionNames names;
  std::map<std::string, Dims> input_dims;  // by input; goes before the next two
  std::map<std::string, int64_t> symbols;  // by the name of a dynamic dimension
  std::optional<int64_t> batch;            // dimension 0 of every input
  // Inputs that are always the same: no longer the client's to pass.
  std::map<std::string, std::shared_ptr<const Constant>> frozen;
  std::map<std::string, double> fixed_numbers;  // the same for inputs all of whose elements are one number
  std::vector<std::string> outputs;             // tensors to give instead of the graph's outputs
};

// A node that cannot be computed, and why.
struct Refusal {
  std::string node;
  std::string type;
  Diagnostic why;
};

// A node whose inputs are not known, because a refused node would make them.
struct Unjudged {
  std::string node;
  std::string type;
  std::string behind;  // the refused node
};

struct Imported {
  Net net;
  std::vector<Refusal> refusals;
  // Behind a refused node, where the file does not say what that one would give.
  std::vector<Unjudged> unjudged;
  std::vector<std::string> notes;  // what was decided where the model leaves a choice
  // Dimensions that the client chose: "input 'x' [1, 3, 8, 8] (--input_dim; [1, 3, 6, 6] in the model)".
  std::vector<std::string> chosen_dims;
};

Result<Imported> import_model(const Model& model, ExternalFiles& files, const ImportOptions& options);

}  // namespace openqnn::frontend::onnx
