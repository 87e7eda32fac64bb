// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/product.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "openqnn/version.h"
#include "tools/console.h"
#include "tools/program_options.h"

namespace openqnn::tools::convert {
namespace {

namespace fs = std::filesystem;

using Row = std::array<std::string, 5>;  // input or output, name, type, dimensions, layout

std::vector<Row> rows_of(const ir::Graph& graph, ir::TensorRole role, std::string_view title,
                         const IoLayouts& layouts) {
  std::vector<Row> rows;
  for (const ir::Tensor& tensor : graph.tensors()) {
    if (tensor.role != role) continue;
    const auto layout = layouts.find(tensor.name);
    rows.push_back({std::string(title), shown(tensor.name), std::string(ir::name(tensor.desc.type)),
                    tensor.desc.shape.to_string(), layout == layouts.end() ? "" : layout->second});
  }
  return rows;
}

}  // namespace

std::string maker() { return concat("openqnn ", version()); }

Status write_and_tell(const fs::path& path, frontend::Dlc dlc, const IoLayouts& layouts) {
  dlc.made_by = maker();
  const std::string_view verb = written_verb(path);
  OPENQNN_TRY(frontend::write_dlc(path, dlc));
  tell_written(verb, path, dlc.graphs.at(0));
  tell_io(dlc.graphs.at(0).graph, layouts);
  return {};
}

void tell_written(std::string_view verb, const fs::path& path, const frontend::DlcGraph& graph) {
  const size_t ops = graph.graph.nodes().size();
  const size_t encodings = graph.encodings.size();
  print(concat(
      verb, " ", shown(path.string()), ": ", ops, ops == 1 ? " op" : " ops", ", weights ",
      bytes_text(weight_bytes(graph.graph)),
      encodings == 0 ? "" : concat(", ", encodings, encodings == 1 ? " encoding kept" : " encodings kept"),
      "\n"));
}

void tell_io(const ir::Graph& graph, const IoLayouts& layouts) {
  std::vector<Row> rows = rows_of(graph, ir::TensorRole::kInput, "input", layouts);
  for (Row& row : rows_of(graph, ir::TensorRole::kOutput, "output", layouts)) rows.push_back(std::move(row));
  std::array<size_t, std::tuple_size_v<Row>> widths = {};
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string cell = row[i];
      cell.resize(widths[i], ' ');
      line += concat("  ", cell);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    print(line + "\n");
  }
}

}  // namespace openqnn::tools::convert
