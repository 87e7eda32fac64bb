// SPDX-License-Identifier: BSD-3-Clause
// The messages of onnx.proto, one function each. Field numbers are those of the public schema.
#include <bit>
#include <charconv>

#include "base/text.h"
#include "frontend/onnx/model.h"

namespace openqnn::frontend::onnx {
namespace {

// Graphs within attributes of nodes within graphs. Deeper ones are no models, and each level is a recursion.
constexpr uint32_t kDeepest = 32;

// One function per message. A message that makes no sense leaves its reason and answers false.
class ModelReader {
 public:
  ModelReader(Bytes file, std::string_view source) : file_(file), source_(source) {}

  Result<Model> read() {
    Model model;
    if (!read_model(file_, model)) return std::move(*failure_);
    if (!model.graph) {
      return invalid("onnx-no-graph", "the file has no graph, so it is no ONNX model")
          .at(std::string(source_))
          .fix_by("give a file that an ONNX exporter wrote");
    }
    return model;
  }

  Result<Tensor> read_alone() {
    Tensor tensor;
    if (!read_tensor(file_, tensor)) return std::move(*failure_);
    return tensor;
  }

 private:
  // Calls `take(field)` for each field; a fault of the bytes ends the walk.
  template <class Take>
  bool each_field(Bytes message, std::string_view what, Take&& take) {
    FieldReader fields(message);
    Field field;
    while (fields.next(field))
      if (!take(field))
        return fail_once(what, message.data(), concat("field ", field.number, " is of another kind"));
    return fields.broken_at() == nullptr || fail_once(what, fields.broken_at(), fields.reason());
  }

  // The innermost reason is the one to tell.
  bool fail_once(std::string_view what, const std::byte* place, std::string_view reason) {
    if (failure_) return false;
    failure_ = invalid("onnx-format", concat("in ", what, ": ", reason))
                   .at(concat(source_, ", byte ", place - file_.data()))
                   .fix_by("the file is cut off or is no ONNX model; export it again");
    return false;
  }

  static bool take_text(const Field& field, std::string_view& out) {
    if (field.type != WireType::kBytes) return false;
    out = field.text();
    return true;
  }
  static bool take_text(const Field& field, std::vector<std::string_view>& out) {
    return take_text(field, out.emplace_back());
  }
  static bool take_int(const Field& field, int64_t& out) {
    if (field.type != WireType::kVarint) return false;
    out = static_cast<int64_t>(field.value);
    return true;
  }
  template <class Enum>
  static bool take_enum(const Field& field, Enum& out) {
    int64_t number = 0;
    if (!take_int(field, number)) return false;
    // Numbers that do not fit name nothing, like any other that is not known.
    out = number >= 0 && number <= INT32_MAX ? static_cast<Enum>(number) : Enum{};
    return true;
  }
  static bool take_float(const Field& field, float& out) {
    if (field.type != WireType::kFixed32) return false;
    out = std::bit_cast<float>(static_cast<uint32_t>(field.value));
    return true;
  }
  // Repeated numbers come packed or one by one, and a reader takes both.
  static bool take_ints(const Field& field, std::vector<int64_t>& out) {
    if (field.type != WireType::kBytes) return take_int(field, out.emplace_back());
    for (Bytes rest = field.bytes; !rest.empty();) {
      const auto value = take_varint(rest);
      if (!value) return false;
      out.push_back(static_cast<int64_t>(*value));
    }
    return true;
  }
  static bool take_floats(const Field& field, std::vector<float>& out) {
    if (field.type != WireType::kBytes) return take_float(field, out.emplace_back());
    if (field.bytes.size() % sizeof(float) != 0) return false;
    for (size_t at = 0; at < field.bytes.size(); at += sizeof(float)) {
      uint32_t bits = 0;
      for (size_t i = 0; i < sizeof(float); ++i)
        bits |= std::to_integer<uint32_t>(field.bytes[at + i]) << (8 * i);
      out.push_back(std::bit_cast<float>(bits));
    }
    return true;
  }
  template <class Message>
  bool take(const Field& field, bool (ModelReader::*read_message)(Bytes, Message&), Message& out) {
    return field.type == WireType::kBytes && (this->*read_message)(field.bytes, out);
  }

  bool read_model(Bytes message, Model& out) {
    return each_field(message, "the model", [&](const Field& field) {
      switch (field.number) {
        case 1:
          return take_int(field, out.ir_version);
        case 2:
          return take_text(field, out.producer);
        case 3:
          return take_text(field, out.producer_version);
        case 7:
          return take(field, &ModelReader::read_graph, out.graph.emplace());
        case 8:
          return take(field, &ModelReader::read_operator_set, out.operator_sets.emplace_back());
        case 25:
          return take(field, &ModelReader::read_function, out.functions.emplace_back());
        default:
          return true;
      }
    });
  }

  bool read_operator_set(Bytes message, OperatorSet& out) {
    return each_field(message, "an operator set", [&](const Field& field) {
      if (field.number == 1) return take_text(field, out.domain);
      return field.number != 2 || take_int(field, out.version);
    });
  }

  bool read_graph(Bytes message, Graph& out) {
    if (depth_ == kDeepest)
      return fail_once("a graph", message.data(), concat("graphs are nested more than ", kDeepest, " deep"));
    ++depth_;
    const bool is_read = each_field(message, "a graph", [&](const Field& field) {
      switch (field.number) {
        case 1:
          return take(field, &ModelReader::read_node, out.nodes.emplace_back());
        case 2:
          return take_text(field, out.name);
        case 5:
          return take(field, &ModelReader::read_tensor, out.initializers.emplace_back());
        case 11:
          return take(field, &ModelReader::read_value_info, out.inputs.emplace_back());
        case 12:
          return take(field, &ModelReader::read_value_info, out.outputs.emplace_back());
        case 13:
          return take(field, &ModelReader::read_value_info, out.value_infos.emplace_back());
        case 15:
          out.has_sparse_initializers = true;
          return true;
        default:
          return true;
      }
    });
    --depth_;
    return is_read;
  }

  bool read_node(Bytes message, Node& out) {
    return each_field(message, "a node", [&](const Field& field) {
      switch (field.number) {
        case 1:
          return take_text(field, out.inputs);
        case 2:
          return take_text(field, out.outputs);
        case 3:
          return take_text(field, out.name);
        case 4:
          return take_text(field, out.op_type);
        case 5:
          return take(field, &ModelReader::read_attribute, out.attributes.emplace_back());
        case 7:
          return take_text(field, out.domain);
        default:
          return true;
      }
    });
  }

  bool read_attribute(Bytes message, Attribute& out) {
    const bool is_read = each_field(message, "an attribute", [&](const Field& field) {
      switch (field.number) {
        case 1:
          return take_text(field, out.name);
        case 2:
          return take_float(field, out.f);
        case 3:
          return take_int(field, out.i);
        case 4:
          return take_text(field, out.s);
        case 5:
        case 10:
          return take(field, &ModelReader::read_tensor, out.tensors.emplace_back());
        case 6:
        case 11:
          return take(field, &ModelReader::read_graph, out.graphs.emplace_back());
        case 7:
          return take_floats(field, out.floats);
        case 8:
          return take_ints(field, out.ints);
        case 9:
          return take_text(field, out.strings);
        case 20:
          return take_enum(field, out.type);
        case 21:
          return take_text(field, out.refers_to);
        default:
          return true;
      }
    });
    if (!is_read) return false;
    // A tensor or a graph that is promised is there, so that nobody needs to look twice.
    const bool empty = (out.type == Attribute::Type::kTensor && out.tensors.empty()) ||
                       (out.type == Attribute::Type::kGraph && out.graphs.empty());
    return !empty || fail_once("an attribute", message.data(), concat("'", out.name, "' has no value"));
  }

  bool read_tensor(Bytes message, Tensor& out) {
    bool external = false;
    ExternalData data;
    const bool is_read = each_field(message, "a tensor", [&](const Field& field) {
      switch (field.number) {
        case 1:
          return take_ints(field, out.dims);
        case 2:
          return take_enum(field, out.type);
        case 4:
        case 5:
        case 7:
        case 10:
        case 11:
          out.typed.push_back(field);
          return true;
        case 6:
          return take_text(field, out.texts);
        case 8:
          return take_text(field, out.name);
        case 9:
          out.raw = field.bytes;
          return field.type == WireType::kBytes;
        case 13:
          return take(field, &ModelReader::read_external_entry, data);
        case 14:
          external = field.value == 1;
          return field.type == WireType::kVarint;
        default:
          return true;
      }
    });
    if (external) out.external = data;
    return is_read;
  }

  bool read_external_entry(Bytes message, ExternalData& out) {
    std::string_view key;
    std::string_view value;
    const bool is_read = each_field(message, "a tensor's external data", [&](const Field& field) {
      if (field.number == 1) return take_text(field, key);
      return field.number != 2 || take_text(field, value);
    });
    if (!is_read) return false;
    if (key == "location") out.location = value;
    if (key != "offset" && key != "length") return true;
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size())
      return fail_once("a tensor's external data", message.data(), concat(key, " is no number"));
    if (key == "offset") {
      out.offset = number;
    } else {
      out.length = number;
    }
    return true;
  }

  bool read_value_info(Bytes message, ValueInfo& out) {
    return each_field(message, "a value", [&](const Field& field) {
      if (field.number == 1) return take_text(field, out.name);
      return field.number != 2 || take(field, &ModelReader::read_type, out);
    });
  }

  bool read_type(Bytes message, ValueInfo& out) {
    return each_field(message, "a type", [&](const Field& field) {
      if (field.number != 1) return true;  // a sequence, a map, an optional: no tensor
      out.is_tensor = true;
      return take(field, &ModelReader::read_tensor_type, out);
    });
  }

  bool read_tensor_type(Bytes message, ValueInfo& out) {
    return each_field(message, "a tensor's type", [&](const Field& field) {
      if (field.number == 1) return take_enum(field, out.type);
      return field.number != 2 || take(field, &ModelReader::read_shape, out.shape.emplace());
    });
  }

  bool read_shape(Bytes message, std::vector<Dimension>& out) {
    return each_field(message, "a shape", [&](const Field& field) {
      return field.number != 1 || take(field, &ModelReader::read_dimension, out.emplace_back());
    });
  }

  bool read_dimension(Bytes message, Dimension& out) {
    return each_field(message, "a dimension", [&](const Field& field) {
      if (field.number == 1) return take_int(field, out.value.emplace());
      return field.number != 2 || take_text(field, out.name);
    });
  }

  bool read_function(Bytes message, Function& out) {
    return each_field(message, "a function", [&](const Field& field) {
      switch (field.number) {
        case 1:
          return take_text(field, out.name);
        case 4:
          return take_text(field, out.inputs);
        case 5:
          return take_text(field, out.outputs);
        case 6:
          return take_text(field, out.attributes);
        case 7:
          return take(field, &ModelReader::read_node, out.nodes.emplace_back());
        case 9:
          return take(field, &ModelReader::read_operator_set, out.operator_sets.emplace_back());
        case 10:
          return take_text(field, out.domain);
        case 11:
          return take(field, &ModelReader::read_attribute, out.defaults.emplace_back());
        default:
          return true;
      }
    });
  }

  Bytes file_;
  std::string_view source_;
  uint32_t depth_ = 0;
  std::optional<Diagnostic> failure_;
};

}  // namespace

Result<Model> read_model(Bytes bytes, std::string_view source) { return ModelReader(bytes, source).read(); }
Result<Tensor> read_tensor(Bytes bytes, std::string_view source) {
  return ModelReader(bytes, source).read_alone();
}

const Attribute* Node::find(std::string_view attribute) const {
  for (const Attribute& candidate : attributes)
    if (candidate.name == attribute) return &candidate;
  return nullptr;
}

int64_t Model::opset() const {
  for (const OperatorSet& set : operator_sets)
    if (set.domain.empty() || set.domain == "ai.onnx") return set.version;
  return 0;
}

}  // namespace openqnn::frontend::onnx
