// SPDX-License-Identifier: BSD-3-Clause
// The messages of onnx.proto, one function each. Field numbers are those of the public schema.
#include <bit>
#include <charconv>
#include <type_traits>

#include "base/text.h"
#include "frontend/onnx/model.h"

namespace openqnn::frontend::onnx {
namespace {

// Graphs within attributes of nodes within graphs. Deeper ones are no models, and each level is a recursion.
constexpr uint32_t kDeepestNesting = 32;

// The field of a message by its number, and where its value goes.
template <class T>
struct Into {
  uint32_t number;
  T& out;
};
template <class T>
Into(uint32_t number, T& out) -> Into<T>;

// One function per message. A message that makes no sense leaves its reason and answers false.
class ModelReader {
 public:
  ModelReader(Bytes file, std::string_view source) : file_(file), source_(source) {}

  Result<Model> read() {
    Model model;
    if (!read(file_, model)) return std::move(*failure_);
    if (!model.graph) {
      return invalid("onnx-no-graph", "the file has no graph, so it is no ONNX model")
          .at(std::string(source_))
          .fix_by("give a file that an ONNX exporter wrote");
    }
    return model;
  }

  Result<Tensor> read_alone() {
    Tensor tensor;
    if (!read(file_, tensor)) return std::move(*failure_);
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

  // ---- Fields ----

  // Fields that are not named are passed over.
  template <class... T>
  bool read_fields(Bytes message, std::string_view what, Into<T>... fields) {
    return each_field(message, what, [&](const Field& field) {
      return ((field.number != fields.number || take(field, fields.out)) && ...);
    });
  }

  static bool take(const Field& field, Bytes& out) {
    out = field.bytes;
    return field.type == WireType::kBytes;
  }
  static bool take(const Field& field, std::string_view& out) {
    out = field.text();
    return field.type == WireType::kBytes;
  }
  static bool take(const Field& field, int64_t& out) {
    out = static_cast<int64_t>(field.value);
    return field.type == WireType::kVarint;
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  static bool take(const Field& field, Enum& out) {
    int64_t number = 0;
    if (!take(field, number)) return false;
    // Numbers that do not fit name nothing, like any other that is not known.
    out = number >= 0 && number <= INT32_MAX ? static_cast<Enum>(number) : Enum{};
    return true;
  }
  static bool take(const Field& field, float& out) {
    out = std::bit_cast<float>(static_cast<uint32_t>(field.value));
    return field.type == WireType::kFixed32;
  }
  // As it is: what it means depends on other fields.
  static bool take(const Field& field, std::vector<Field>& out) {
    out.push_back(field);
    return true;
  }
  // Repeated numbers come packed or one by one, and a reader takes both.
  static bool take(const Field& field, std::vector<int64_t>& out) {
    if (field.type != WireType::kBytes) return take(field, out.emplace_back());
    for (Bytes rest = field.bytes; !rest.empty();) {
      const auto value = take_varint(rest);
      if (!value) return false;
      out.push_back(static_cast<int64_t>(*value));
    }
    return true;
  }
  static bool take(const Field& field, std::vector<float>& out) {
    if (field.type != WireType::kBytes) return take(field, out.emplace_back());
    if (field.bytes.size() % sizeof(float) != 0) return false;
    for (size_t at = 0; at < field.bytes.size(); at += sizeof(float)) {
      uint32_t bits = 0;
      for (size_t i = 0; i < sizeof(float); ++i)
        bits |= std::to_integer<uint32_t>(field.bytes[at + i]) << (8 * i);
      out.push_back(std::bit_cast<float>(bits));
    }
    return true;
  }
  template <class T>
  bool take(const Field& field, std::vector<T>& out) {
    return take(field, out.emplace_back());
  }
  template <class T>
  bool take(const Field& field, std::optional<T>& out) {
    return take(field, out.emplace());
  }
  // A message of a type of its own, or what reads it.
  template <class Message>
  requires std::is_class_v<Message>
  bool take(const Field& field, Message& out) {
    if (field.type != WireType::kBytes) return false;
    if constexpr (std::is_invocable_v<Message, Bytes>)
      return out(field.bytes);
    else
      return read(field.bytes, out);
  }

  // ---- Messages ----

  bool read(Bytes message, Model& out) {
    return read_fields(message, "the model", Into{1, out.ir_version}, Into{2, out.producer},
                       Into{3, out.producer_version}, Into{7, out.graph}, Into{8, out.operator_sets},
                       Into{25, out.functions});
  }

  bool read(Bytes message, OperatorSet& out) {
    return read_fields(message, "an operator set", Into{1, out.domain}, Into{2, out.version});
  }

  bool read(Bytes message, Graph& out) {
    if (depth_ == kDeepestNesting)
      return fail_once("a graph", message.data(),
                       concat("graphs are nested more than ", kDeepestNesting, " deep"));
    ++depth_;
    std::vector<Field> sparse_initializers;
    const bool is_read = read_fields(message, "a graph", Into{1, out.nodes}, Into{2, out.name},
                                     Into{5, out.initializers}, Into{11, out.inputs}, Into{12, out.outputs},
                                     Into{13, out.value_infos}, Into{15, sparse_initializers});
    out.has_sparse_initializers = !sparse_initializers.empty();
    --depth_;
    return is_read;
  }

  bool read(Bytes message, Node& out) {
    return read_fields(message, "a node", Into{1, out.inputs}, Into{2, out.outputs}, Into{3, out.name},
                       Into{4, out.op_type}, Into{5, out.attributes}, Into{7, out.domain});
  }

  bool read(Bytes message, Attribute& out) {
    const bool is_read =
        read_fields(message, "an attribute", Into{1, out.name}, Into{2, out.f}, Into{3, out.i},
                    Into{4, out.s}, Into{5, out.tensors}, Into{6, out.graphs}, Into{7, out.floats},
                    Into{8, out.ints}, Into{9, out.strings}, Into{10, out.tensors}, Into{11, out.graphs},
                    Into{20, out.type}, Into{21, out.refers_to});
    if (!is_read) return false;
    // A tensor or a graph that is promised is there, so that nobody needs to look twice.
    const bool empty = (out.type == Attribute::Type::kTensor && out.tensors.empty()) ||
                       (out.type == Attribute::Type::kGraph && out.graphs.empty());
    return !empty || fail_once("an attribute", message.data(), concat("'", out.name, "' has no value"));
  }

  bool read(Bytes message, Tensor& out) {
    constexpr int64_t kExternal = 1;
    int64_t location = 0;
    ExternalData data;
    const bool is_read = read_fields(
        message, "a tensor", Into{1, out.dims}, Into{2, out.type}, Into{4, out.typed}, Into{5, out.typed},
        Into{6, out.texts}, Into{7, out.typed}, Into{8, out.name}, Into{9, out.raw}, Into{10, out.typed},
        Into{11, out.typed}, Into{13, data}, Into{14, location});
    if (location == kExternal) out.external = data;
    return is_read;
  }

  // One entry of it.
  bool read(Bytes message, ExternalData& out) {
    std::string_view key;
    std::string_view value;
    if (!read_fields(message, "a tensor's external data", Into{1, key}, Into{2, value})) return false;
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

  bool read(Bytes message, ValueInfo& out) {
    const auto shape = [&](Bytes of) { return read_fields(of, "a shape", Into{1, out.shape.emplace()}); };
    const auto tensor = [&](Bytes of) {
      out.is_tensor = true;
      return read_fields(of, "a tensor's type", Into{1, out.type}, Into{2, shape});
    };
    // The other types: a sequence, a map, an optional, which are no tensors.
    const auto type = [&](Bytes of) { return read_fields(of, "a type", Into{1, tensor}); };
    return read_fields(message, "a value", Into{1, out.name}, Into{2, type});
  }

  bool read(Bytes message, Dimension& out) {
    return read_fields(message, "a dimension", Into{1, out.value}, Into{2, out.name});
  }

  bool read(Bytes message, Function& out) {
    return read_fields(message, "a function", Into{1, out.name}, Into{4, out.inputs}, Into{5, out.outputs},
                       Into{6, out.attributes}, Into{7, out.nodes}, Into{9, out.operator_sets},
                       Into{10, out.domain}, Into{11, out.defaults});
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
