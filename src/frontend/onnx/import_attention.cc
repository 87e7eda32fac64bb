// SPDX-License-Identifier: BSD-3-Clause
// Attention and RotaryEmbedding (opset 23) in the ops that they are made of: the layout, the fusions and the
// quantizer know those.
#include <cmath>

#include "base/text.h"
#include "frontend/onnx/importer.h"
#include "frontend/onnx/inference.h"

namespace openqnn::frontend::onnx {
namespace {

// What is added to a score that is not to count. Ours: nothing is left of it behind the exponential, and
// half holds it, as it does not hold ONNX's own infinities once they meet a scale.
constexpr double kMasked = -10000.0;
constexpr int64_t kMostCausalScores = int64_t{1} << 26;

// Zero where a query sees a key, which is where the key does not come after it.
Constant causal_mask(ElementType type, int64_t queries, int64_t keys) {
  ConstantBuilder mask(type, {queries, keys});
  for (int64_t q = 0; q < queries; ++q)
    for (int64_t k = 0; k < keys; ++k) mask.put(static_cast<uint64_t>(q * keys + k), k > q ? kMasked : 0.0);
  return mask.take();
}

}  // namespace

// Short forms for the nodes that stand for one.
class Importer::Parts {
 public:
  Parts(Importer& importer, const NetNode& node, const Surroundings& around)
      : importer_(importer), node_(node), around_(around) {}

  bool is_known(ValueId value) const { return importer_.result_.net.values[value].known(); }
  const Dims& dims(ValueId value) const { return importer_.result_.net.values[value].dims; }
  ElementType type(ValueId value) const { return importer_.result_.net.values[value].type; }

  ValueId make(std::string type, std::vector<ValueId> inputs, Attributes attributes = {}) {
    return importer_.make_node(std::move(type), node_, std::move(inputs), std::move(attributes), around_);
  }
  ValueId constant(Constant values) {
    return importer_.new_constant(node_.name + "_constant", std::move(values));
  }
  ValueId integers(const std::vector<int64_t>& values) {
    return constant(
        Constant::of_integers(ElementType::kInt64, {static_cast<int64_t>(values.size())}, values));
  }
  ValueId number(ElementType type, double value) { return constant(Constant::of_reals(type, {}, {value})); }

  ValueId scaled(ValueId value, double factor) { return make("Mul", {value, number(type(value), factor)}); }
  ValueId reshaped(ValueId value, const Dims& dims) { return make("Reshape", {value, integers(dims)}); }
  ValueId transposed(ValueId value, std::vector<int64_t> perm) {
    return make("Transpose", {value}, Attributes().set("perm", std::move(perm)));
  }
  ValueId unsqueezed(ValueId value, int64_t axis) { return make("Unsqueeze", {value, integers({axis})}); }
  ValueId joined(std::vector<ValueId> values, int64_t axis) {
    return make("Concat", std::move(values), along(axis));
  }
  // Of the last of four dimensions.
  ValueId sliced(ValueId value, int64_t begin, int64_t end, int64_t step = 1) {
    return make("Slice", {value, integers({begin}), integers({end}), integers({3}), integers({step})});
  }

  // As [batch, heads, length, size]; three dimensions hold the heads side by side.
  Result<ValueId> by_heads(ValueId value, std::string_view attribute) {
    const Dims from = dims(value);
    if (from.size() == 4) return value;
    const int64_t heads = node_.attributes.integer(attribute, 0);
    if (from.size() != 3 || heads < 1 || from[2] < heads || from[2] % heads != 0) {
      return wrong_node(node_, concat(text_of(from), " does not consist of ", heads, " heads (", attribute,
                                      "), nor has it four dimensions"));
    }
    const ValueId made =
        transposed(reshaped(value, {from[0], from[1], heads, from[2] / heads}), {0, 2, 1, 3});
    if (!is_known(made)) return not_offered_node(node_, "its heads are not computed");
    return made;
  }
  ValueId heads_side_by_side(ValueId value) {
    const Dims from = dims(value);
    if (!is_known(value)) return value;  // what makes it is refused
    return reshaped(transposed(value, {0, 2, 1, 3}), {from[0], from[2], from[1] * from[3]});
  }
  // Each head as often as there are queries' heads to one of it, one copy behind the other.
  ValueId repeated_heads(ValueId value, int64_t heads) {
    const Dims from = dims(value);
    if (from[1] == heads) return value;
    const ValueId copies = make(
        "Expand", {unsqueezed(value, 2), integers({from[0], from[1], heads / from[1], from[2], from[3]})});
    return reshaped(copies, {from[0], heads, from[2], from[3]});
  }

 private:
  Importer& importer_;
  const NetNode& node_;
  const Surroundings& around_;
};

bool Importer::is_attention_op(std::string_view type) {
  return type == "Attention" || type == "RotaryEmbedding";
}

Importer::Values Importer::import_attention(const NetNode& node, const Surroundings& around) {
  for (size_t i = 0; i < 3; ++i)
    if (node.input(i) == kNoValue) return wrong_node(node, concat("input ", i, " is absent"));
  Parts parts(*this, node, around);
  for (const ValueId input : node.inputs)
    if (input != kNoValue && !parts.is_known(input))
      return not_offered_node(node, "it depends on a node that is not computed");
  for (size_t i = 0; i < 3; ++i)
    if (!is_real(parts.type(node.inputs[i]))) return wrong_node(node, concat("input ", i, " is not real"));
  return node.type == "Attention" ? import_dot_products(node, parts) : import_rotary(node, parts);
}

// ---- Attention ----

Importer::Values Importer::import_dot_products(const NetNode& node, Parts& parts) {
  enum : size_t { kMask = 3, kPastKey = 4, kPastValue = 5, kValidKeys = 6 };
  const ValueId past_key = node.input(kPastKey);
  const ValueId past_value = node.input(kPastValue);
  const bool causal = node.attributes.integer("is_causal", 0) != 0;
  const bool masked = causal || node.input(kMask) != kNoValue;
  const double cap = node.attributes.real("softcap", 0);
  if ((past_key == kNoValue) != (past_value == kNoValue))
    return wrong_node(node, "it has past keys or past values, but not both");
  if (node.input(kValidKeys) != kNoValue)
    return not_offered_node(node, "lengths that are known only when the model runs are not computed");
  // Versions of ONNX differ in which comes first, and in where the diagonal lies.
  if (masked && cap != 0) return not_offered_node(node, "a softcap together with a mask is not computed");
  if (causal && past_key != kNoValue)
    return not_offered_node(node, "a causal mask together with past keys is not computed")
        .fix_by("pass the mask as an input");

  OPENQNN_ASSIGN(const ValueId query, parts.by_heads(node.inputs[0], "q_num_heads"));
  OPENQNN_ASSIGN(ValueId key, parts.by_heads(node.inputs[1], "kv_num_heads"));
  OPENQNN_ASSIGN(ValueId value, parts.by_heads(node.inputs[2], "kv_num_heads"));
  if (past_key != kNoValue) {
    key = parts.joined({past_key, key}, 2);
    value = parts.joined({past_value, value}, 2);
  }
  if (!parts.is_known(key) || !parts.is_known(value))
    return not_offered_node(node, "its past does not fit its keys and values");
  const Dims q = parts.dims(query);
  const Dims k = parts.dims(key);
  const Dims v = parts.dims(value);
  const bool fits = q[0] == k[0] && k[0] == v[0] && k[1] == v[1] && k[2] == v[2] && q[3] == k[3] &&
                    k[1] > 0 && q[1] % k[1] == 0 && q[3] > 0;
  if (!fits) {
    return wrong_node(node, concat("queries ", text_of(q), ", keys ", text_of(k), " and values ", text_of(v),
                                   " do not fit"));
  }
  if (causal && q[2] > kMostCausalScores / std::max<int64_t>(k[2], 1))
    return not_offered_node(node, "its causal mask is larger than constants are made");

  const double scale = node.attributes.real("scale", 1.0 / std::sqrt(static_cast<double>(q[3])));
  const ValueId keys = parts.transposed(parts.repeated_heads(key, q[1]), {0, 1, 3, 2});
  const ValueId products = parts.make("MatMul", {parts.scaled(query, scale), keys});
  ValueId scores = products;
  if (const ValueId mask = node.input(kMask); mask != kNoValue) {
    const ElementType type = parts.type(query);
    const bool chooses = parts.type(mask) == ElementType::kBool;
    const ValueId added =
        chooses ? parts.make("Where", {mask, parts.number(type, 0.0), parts.number(type, kMasked)}) : mask;
    scores = parts.make("Add", {scores, added});
  }
  if (causal)
    scores = parts.make("Add", {scores, parts.constant(causal_mask(parts.type(query), q[2], k[2]))});
  if (!parts.is_known(scores) || parts.dims(scores) != parts.dims(products))
    return wrong_node(node, "its mask does not fit its scores");
  const ValueId with_mask = scores;
  if (cap != 0) scores = parts.scaled(parts.make("Tanh", {parts.scaled(scores, 1.0 / cap)}), cap);
  const ValueId weights = parts.make("Softmax", {scores}, along(-1));
  ValueId result = parts.make("MatMul", {weights, parts.repeated_heads(value, q[1])});
  if (parts.dims(node.inputs[0]).size() == 3) result = parts.heads_side_by_side(result);

  const ValueId given_out[] = {products, with_mask, scores, weights};
  const int64_t mode = node.attributes.integer("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3)
    return wrong_node(node, concat("qk_matmul_output_mode is ", mode, ", not 0 to 3"));
  return std::vector<ValueId>{result, key, value, given_out[mode]};
}

// ---- RotaryEmbedding ----

Importer::Values Importer::import_rotary(const NetNode& node, Parts& parts) {
  constexpr size_t kPositions = 3;
  OPENQNN_ASSIGN(const ValueId x, parts.by_heads(node.inputs[0], "num_heads"));
  const Dims dims = parts.dims(x);
  const int64_t said = node.attributes.integer("rotary_embedding_dim", 0);
  const int64_t rotated = said == 0 ? dims[3] : said;
  if (rotated < 2 || rotated % 2 != 0 || rotated > dims[3])
    return wrong_node(node, concat("rotary_embedding_dim is ", rotated, " of ", dims[3]));
  // [batch, 1, length, rotated / 2].
  const auto angles = [&](size_t input) -> Result<ValueId> {
    ValueId cache = node.inputs[input];
    if (const ValueId positions = node.input(kPositions); positions != kNoValue)
      cache = parts.make("Gather", {cache, positions}, along(0));
    if (!parts.is_known(cache) || parts.dims(cache) != Dims{dims[0], dims[2], rotated / 2})
      return wrong_node(node, concat("input ", input, " does not have the angles of ", text_of(dims)));
    return parts.unsqueezed(cache, 1);
  };
  OPENQNN_ASSIGN(const ValueId cosine, angles(1));
  OPENQNN_ASSIGN(const ValueId sine, angles(2));

  const bool interleaved = node.attributes.integer("interleaved", 0) != 0;
  const int64_t half = rotated / 2;
  const ValueId a = interleaved ? parts.sliced(x, 0, rotated, 2) : parts.sliced(x, 0, half);
  const ValueId b = interleaved ? parts.sliced(x, 1, rotated, 2) : parts.sliced(x, half, rotated);
  const auto product = [&](ValueId one, ValueId other) { return parts.make("Mul", {one, other}); };
  const ValueId real = parts.make("Sub", {product(a, cosine), product(b, sine)});
  const ValueId imaginary = parts.make("Add", {product(a, sine), product(b, cosine)});
  ValueId result = kNoValue;
  if (interleaved) {
    result = parts.joined({parts.unsqueezed(real, 4), parts.unsqueezed(imaginary, 4)}, 4);
    result = parts.reshaped(result, {dims[0], dims[1], dims[2], rotated});
  } else {
    result = parts.joined({real, imaginary}, 3);
  }
  if (rotated < dims[3]) result = parts.joined({result, parts.sliced(x, rotated, dims[3])}, 3);
  if (parts.dims(node.inputs[0]).size() == 3) result = parts.heads_side_by_side(result);
  return std::vector<ValueId>{result};
}

}  // namespace openqnn::frontend::onnx
