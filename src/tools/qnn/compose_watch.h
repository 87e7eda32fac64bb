// SPDX-License-Identifier: BSD-3-Clause
// Looks on while a model composes its graphs: a function table that a model calls in place of the backend's,
// which notes every input and output, and turns tensors between nodes into outputs where a user asks for it.
// So that works with every model, a .dlc as well as a library.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "QnnInterface.h"
#include "base/result.h"
#include "tools/qnn/data_formats.h"
#include "tools/qnn/graph_io.h"

namespace openqnn::tools {

// Names per graph, "graph0:a,b;graph1:c". With one graph its name may be left out: then the key is "".
using NamesByGraph = std::map<std::string, std::vector<std::string>>;
// The text, or the contents of the `.txt` file that it names. `option` is for messages.
Result<NamesByGraph> parse_names_by_graph(const std::string& text, std::string_view option);

struct ComposeWishes {
  bool all_outputs = false;                      // every tensor becomes one
  std::optional<NamesByGraph> extra_outputs;     // these become outputs, too
  std::optional<Qnn_TensorMemType_t> io_memory;  // as which inputs and outputs are declared
  FormatWishes formats;  // of inputs and outputs; the others are as the model has them
};

// One at a time in a process, the others wait: the C API's functions carry no state of a caller.
class ComposeWatch {
 public:
  ComposeWatch(const QnnInterface_ImplementationV2_39_t& api, ComposeWishes wishes);
  ~ComposeWatch();
  ComposeWatch(const ComposeWatch&) = delete;
  ComposeWatch& operator=(const ComposeWatch&) = delete;

  // Like the backend's table, with the calls that compose replaced.
  const QnnInterface_ImplementationV2_39_t& table() const { return table_; }

  // Which model the graphs that follow come from, for messages.
  void begin_model(const std::string& path) { model_ = path; }

  // When all is composed: the graphs in order, or a wish that was not fulfilled. `composed` is how it went
  // for the model; what was seen here says more of a failure than a model does.
  Result<std::vector<RunnableGraph>> finish(const Status& composed) const;

 private:
  static Qnn_ErrorHandle_t create_graph(Qnn_ContextHandle_t context, const char* name,
                                        const QnnGraph_Config_t** configs, Qnn_GraphHandle_t* graph);
  static Qnn_ErrorHandle_t create_tensor(Qnn_GraphHandle_t graph, Qnn_Tensor_t* tensor);
  void prepare(const RunnableGraph& graph, Qnn_Tensor_t& tensor);
  const FormatWish* format_for(const RunnableGraph& graph, const Qnn_TensorV1_t& fields) const;
  void note_refused_graph(const std::string& name);
  void note_refused_format(const RunnableGraph& graph, const Qnn_Tensor_t& tensor, Qnn_ErrorHandle_t code);
  Status check_outputs() const;
  Status check_formats() const;
  bool wants(const std::string& graph, const std::string& tensor);
  void note(RunnableGraph& graph, const Qnn_Tensor_t& tensor);
  Diagnostic no_tensor(const std::string& name) const;
  std::string name_by_source(const std::string& source) const;

  const std::lock_guard<std::mutex> only_one_;
  const QnnInterface_ImplementationV2_39_t api_;
  QnnInterface_ImplementationV2_39_t table_;
  const ComposeWishes wishes_;
  std::string model_;
  std::vector<RunnableGraph> graphs_;
  std::vector<std::string> models_;  // of the graphs
  NamesByGraph found_;               // of the extra outputs
  std::vector<std::string> seen_;    // tensors between nodes
  std::optional<Diagnostic> failure_;
};

}  // namespace openqnn::tools
