// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <set>
#include <vector>

#include "base/text.h"
#include "json/json.h"
#include "profile/report.h"

namespace openqnn::profile {
namespace {

using json::Writer;

// Of a viewer's file, numbers of Qnn_DataType_t and Qnn_TensorType_t.
constexpr std::string_view kUint64 = "356";
constexpr std::string_view kText = "1544";

constexpr std::array<uint32_t, 4> kTensorTypes = {0, 1, 3, 4};  // in the order of ir::TensorRole

// Keys of an object differ: a name that was there already gets a number.
class Names {
 public:
  std::string distinct(const std::string& name) {
    std::string made = name;
    for (uint64_t i = 2; !used_.insert(made).second; ++i) made = concat(name, "#", i);
    return made;
  }

 private:
  std::set<std::string> used_;
};

class Topology {
 public:
  Topology(Writer& out, const Traceback& traceback) : out_(out), traceback_(traceback) {}

  // Answers what each is called in the file.
  std::vector<std::string> tensors(const program::Program& program) {
    std::vector<std::string> names;
    for (const program::Tensor& tensor : program.tensors) {
      names.push_back(tensor_names_.distinct(tensor.name));
      out_.key(names.back()).begin_object(Writer::Style::kInline);
      out_.key("id")
          .unsigned_integer(next_id_++)
          .key("type")
          .unsigned_integer(kTensorTypes[static_cast<size_t>(tensor.role)]);
      out_.key("dataFormat").unsigned_integer(0);
      out_.key("data_type").unsigned_integer(static_cast<uint32_t>(tensor.desc.type));
      dimensions("current_dims", tensor);
      dimensions("max_dims", tensor);
      out_.end_object();
    }
    return names;
  }

  void nodes(const RunView& run, const std::vector<std::string>& names) {
    const std::vector<OpTotals> totals = op_totals(*run.program, *run.timeline);
    for (size_t i = 0; i < run.program->ops.size(); ++i) node(*run.program, totals[i], names);
  }

 private:
  void dimensions(std::string_view key, const program::Tensor& tensor) {
    out_.key(key).begin_array(Writer::Style::kInline);
    for (uint32_t i = 0; i < tensor.desc.shape.rank(); ++i) out_.unsigned_integer(tensor.desc.shape[i]);
    out_.end_array();
  }

  void node(const program::Program& program, const OpTotals& totals, const std::vector<std::string>& names) {
    const program::Op& op = program.ops[totals.op];
    out_.key(node_names_.distinct(op.name)).begin_object();
    out_.key("package").string("qti.aisw").key("type").string(op.type);
    out_.key("tensor_params").begin_object(Writer::Style::kInline).end_object();
    out_.key("scalar_params").begin_object();
    number("cycles", totals.busy.value);
    number("dma_cycles", totals.dma.value);
    number("dominant_path_cycles", totals.dominant.value);
    number("htp_tasks", totals.tiles);
    number("dram_read_bytes", totals.loaded.value);
    number("dram_write_bytes", totals.stored.value);
    text("bound", sim::bound_name(totals.bound));
    text("resources", resources(totals));
    text("qnn_nodes", sources(program, op, false));
    if (!traceback_.empty()) text("framework_nodes", sources(program, op, true));
    out_.end_object();
    operands("input_names", op.inputs, names);
    operands("output_names", op.outputs, names);
    out_.end_object();
  }

  static std::string resources(const OpTotals& totals) {
    std::string names;
    for (const auto& [is_used, name] : {std::pair(totals.hvx, "HVX"),
                                        {totals.hmx, "HMX"},
                                        {totals.scalar, "scalar"},
                                        {totals.dma.value > 0, "DMA"}})
      if (is_used) append_item(names, name);
    return names;
  }

  std::string sources(const program::Program& program, const program::Op& op, bool in_file) const {
    std::string joined;
    for (const uint32_t node : op.source_nodes) {
      const std::string& name = program.source_nodes[node];
      if (!in_file) {
        append_item(joined, name);
      } else if (const auto found = traceback_.find(name); found != traceback_.end()) {
        for (const std::string& source : found->second) append_item(joined, source);
      }
    }
    return joined;
  }

  void operands(std::string_view key, const std::vector<ir::TensorIndex>& list,
                const std::vector<std::string>& names) {
    out_.key(key).begin_array(Writer::Style::kInline);
    for (const ir::TensorIndex tensor : list)
      if (tensor != ir::kNoTensor) out_.string(names[tensor]);
    out_.end_array();
  }

  void number(std::string_view key, uint64_t value) {
    out_.key(key).begin_object(Writer::Style::kInline).key(kUint64).unsigned_integer(value).end_object();
  }
  void text(std::string_view key, std::string_view value) {
    out_.key(key).begin_object(Writer::Style::kInline).key(kText).string(value).end_object();
  }

  Writer& out_;
  const Traceback& traceback_;
  Names tensor_names_;
  Names node_names_;
  uint64_t next_id_ = 0;
};

}  // namespace

std::string htp_json(std::span<const RunView> runs, const Traceback& traceback) {
  Writer out;
  Topology topology(out, traceback);
  out.begin_object();
  out.key("model.cpp")
      .string(runs.empty() ? "" : runs[0].program->graph);  // by which readers know the layout
  out.key("model.bin").string("");
  out.key("generator").string("openqnn; cycles are simulated");
  out.key("graph").begin_object().key("tensors").begin_object();
  std::vector<std::vector<std::string>> names;
  for (const RunView& run : runs) names.push_back(topology.tensors(*run.program));
  out.end_object().key("nodes").begin_object();
  for (size_t i = 0; i < runs.size(); ++i) topology.nodes(runs[i], names[i]);
  out.end_object().end_object().end_object();
  return out.take();
}

}  // namespace openqnn::profile
