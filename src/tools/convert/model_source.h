// SPDX-License-Identifier: BSD-3-Clause
// A graph as C++ source that tells it to a backend through the C API, and the values of its constants as an
// archive: what a model library is built from.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/dlc/dlc.h"

namespace openqnn::tools::convert {

// What the parts of a graph are called in the files.
struct SourceNames {
  std::vector<std::string> tensors;  // in the graph, by index
  std::vector<std::string> files;    // of a constant's values and of a list of encodings, without extension
};
// With `numbered`, tensors that a client does not see are called by a number.
SourceNames source_names(const ir::Graph& graph, bool numbered);

struct SourceTexts {
  std::string prefix;   // of the functions: "QnnModel"
  std::string made_by;  // "qnn-onnx-converter of openqnn 0.1.0"
  std::string command;  // the call as it was made
  std::string copyright;
};

// The .cpp.
std::string model_source(const frontend::DlcGraph& model, const SourceNames& names, const SourceTexts& texts);

// What the names of files in the .bin end with.
inline constexpr std::string_view kValuesFile = ".raw";
inline constexpr std::string_view kEncodingsFile = ".encodings";

// The .bin: a tar archive with NAME.raw for each constant, and NAME.encodings (scale and offset in turn) for
// each tensor that has several encodings. Nobody may be looking at the graph's values meanwhile.
Status write_model_bin(const std::filesystem::path& path, const ir::Graph& graph, const SourceNames& names);

// The files that a .bin holds. Refuses what is no tar archive, and one that is cut off.
Result<std::set<std::string>> files_in_model_bin(const std::filesystem::path& path);
// Those that a .cpp of model_source() reads.
std::vector<std::string> files_read_by(std::string_view source);

// Parts of the .cpp that are the same for all models.
extern const std::string_view kModelSourceHead;
extern const std::string_view kModelSourceTail;

// NAME_net.json: the tensors and nodes for readers, without the values of constants. `stem` names the other
// two files. Fields are documented in docs/model_libraries.md.
Result<std::string> net_json(const std::string& stem, const ir::Graph& graph, const SourceNames& names,
                             const SourceTexts& texts);

}  // namespace openqnn::tools::convert
