// SPDX-License-Identifier: BSD-3-Clause
// From the text of an encodings file to what it says of each tensor.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "json/json.h"
#include "quant/overrides.h"

namespace openqnn::quant {
namespace {

using json::Value;
using Kind = StatedEncoding::Kind;

constexpr uint32_t kWidths[] = {4, 8, 16, 32};
constexpr json::ReadOptions kLimits = {.max_depth = 16, .max_bytes = uint64_t{1} << 30};

bool says_true(const Value& value) {
  return value.as_bool() || value.as_string() == "True" || value.as_string() == "true";
}

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view source) : source_(source), lines_(text) {}

  Result<EncodingsFile> read(const Value& root) {
    if (root.kind() != Value::Kind::kObject) return wrong(root, "the file is no JSON object");
    const Value* const version = root.find("version");
    file_.version = version == nullptr ? "0.4.0" : std::string(version->as_string());
    if (file_.version.starts_with("2."))
      return unsupported("encodings-version", concat("files of version ", file_.version, " are not read"))
          .at(where(*version))
          .fix_by("write version 0.6.1 or 1.0.0");
    // Told apart by their shape, as files of 1.0.0 with dictionaries and the reverse are not around.
    for (const char* const section : {"activation_encodings", "param_encodings"}) {
      const Value* const entries = root.find(section);
      if (entries == nullptr) {
        return wrong(root, concat("there is no \"", section, "\""))
            .fix_by("both sections must be there; they may be empty");
      }
      const bool is_param = std::string_view(section) == "param_encodings";
      if (entries->kind() == Value::Kind::kObject) {
        OPENQNN_TRY(read_dictionary(*entries, is_param));
      } else if (entries->kind() == Value::Kind::kArray) {
        OPENQNN_TRY(read_list(*entries, is_param));
      } else {
        return wrong(*entries, concat("\"", section, "\" is neither an object nor a list"));
      }
    }
    return std::move(file_);
  }

 private:
  Where where(const Value& value) const {
    const json::Position position = lines_.position(value.span().begin);
    return {std::string(source_), position.line, position.column};
  }
  DiagnosticBuilder wrong(const Value& value, std::string what) const {
    return invalid("encodings", std::move(what)).at(where(value));
  }

  // ---- Numbers ----

  Result<uint32_t> whole(const Value& entry, std::string_view key, uint32_t most) const {
    const Value* const value = entry.find(key);
    const auto number = value == nullptr ? std::nullopt : value->as_int64();
    if (!number || *number < 1 || *number > most)
      return wrong(value == nullptr ? entry : *value,
                   concat("\"", key, "\" is no whole number of 1 to ", most));
    return static_cast<uint32_t>(*number);
  }

  Result<uint32_t> width(const Value& entry, std::string_view key) const {
    OPENQNN_ASSIGN(const uint32_t bits, whole(entry, key, 32));
    if (std::ranges::find(kWidths, bits) == std::end(kWidths)) {
      return wrong(entry, concat("integers of ", bits, " bits cannot be stored"))
          .fix_by("4, 8, 16 or 32 bits");
    }
    return bits;
  }

  Result<float> scale_of(const Value& value) const {
    const auto number = value.as_double();
    const float scale = number ? static_cast<float>(*number) : 0.0F;
    if (!(scale > 0.0F) || !std::isfinite(scale)) return wrong(value, "a scale is a number above 0");
    return scale;
  }

  // Files write the integer that stands for 0 with either sign; ours: both mean the same, because 0 must be
  // one of the steps, so that only one of the two can be meant.
  Result<int32_t> offset_of(const Value& value, uint32_t bits) const {
    const auto number = value.as_double();
    if (!number || *number != std::nearbyint(*number)) return wrong(value, "an offset is a whole number");
    const double magnitude = std::abs(*number);
    if (magnitude >= std::ldexp(1.0, static_cast<int>(bits)) || magnitude > 2147483648.0)
      return wrong(value, concat("offset ", value.number_text(), " is not among the integers of ", bits,
                                 " bits, so that 0 cannot be stored"));
    return static_cast<int32_t>(-magnitude);
  }

  static int32_t middle(uint32_t bits) {
    return static_cast<int32_t>(-std::ldexp(1.0, static_cast<int>(bits) - 1));
  }

  // ---- 0.4.0 to 0.6.1: {"tensor": [{bitwidth, scale, offset, ...}, ...]} ----

  Status read_dictionary(const Value& section, bool is_param) {
    for (const json::Member& member : section.as_object()) {
      const json::Array& entries = member.value.as_array();
      const auto name = std::string_view(member.key);
      if (entries.empty()) return wrong(member.value, concat("'", name, "' has no list of encodings"));
      StatedEncoding stated = begin(name, member.value, is_param);
      const Value* const dtype = entries[0].find("dtype");
      if (dtype != nullptr && same_word(dtype->as_string(), "float")) {
        OPENQNN_ASSIGN(stated.bits, float_width(entries[0], "bitwidth"));
        file_.stated.push_back(std::move(stated));
        continue;
      }
      OPENQNN_ASSIGN(stated.bits, width(entries[0], "bitwidth"));
      stated.kind = entries.size() == 1 ? Kind::kPerTensor : Kind::kPerChannel;
      stated.symmetric = true;
      for (const Value& entry : entries) OPENQNN_TRY(add_entry(entry, stated));
      OPENQNN_TRY(finish(member.value, stated));
    }
    return {};
  }

  Status add_entry(const Value& entry, StatedEncoding& stated) const {
    OPENQNN_ASSIGN(const uint32_t bits, width(entry, "bitwidth"));
    if (bits != stated.bits) return wrong(entry, "the channels of a tensor have different bit widths");
    const Value* const symmetric = entry.find("is_symmetric");
    const Value* const scale = entry.find("scale");
    const Value* const offset = entry.find("offset");
    stated.symmetric = stated.symmetric && symmetric != nullptr && says_true(*symmetric);
    if (scale == nullptr || offset == nullptr) return add_range(entry, stated);
    OPENQNN_ASSIGN(const float step, scale_of(*scale));
    OPENQNN_ASSIGN(int32_t zero, offset_of(*offset, bits));
    // Offset 0 with values below it is that of signed integers.
    const Value* const low = entry.find("min");
    if (zero == 0 && low != nullptr && low->as_double().value_or(0.0) < 0.0) zero = middle(bits);
    stated.encodings.push_back({step, zero});
    return {};
  }

  // Some files give the range alone.
  Status add_range(const Value& entry, StatedEncoding& stated) const {
    const Value* const low = entry.find("min");
    const Value* const high = entry.find("max");
    // What is not there is NaN, which no comparison lets pass.
    const Range range{low == nullptr ? NAN : low->as_double().value_or(NAN),
                      high == nullptr ? NAN : high->as_double().value_or(NAN)};
    const bool sound = range.low <= range.high && std::abs(range.low) < 1e37 && std::abs(range.high) < 1e37;
    if (!sound) return wrong(entry, "an encoding needs \"scale\" and \"offset\", or \"min\" and \"max\"");
    const Scheme scheme = stated.symmetric ? Scheme::kSymmetric : Scheme::kAsymmetric;
    const bool has_offset = stated.bits < 32 || stated.symmetric || -range.low <= std::max(range.high, 0.0);
    if (!has_offset)
      return wrong(entry, "more of the range lies below 0 than an offset of 32 bits tells")
          .fix_by("state it as symmetric, or with fewer bits");
    stated.encodings.push_back(unsigned_encoding(range, stated.bits, scheme));
    return {};
  }

  // ---- 1.0.0: [{name, enc_type, bw, scale: [...], offset: [...], ...}] ----

  Status read_list(const Value& section, bool is_param) {
    for (const Value& entry : section.as_array()) {
      const Value* const name = entry.find("name");
      if (name == nullptr || name->as_string().empty()) return wrong(entry, "an entry has no \"name\"");
      StatedEncoding stated = begin(name->as_string(), entry, is_param);
      const Value* const dtype = entry.find("dtype");
      if (dtype != nullptr && same_word(dtype->as_string(), "float")) {
        OPENQNN_ASSIGN(stated.bits, float_width(entry, "bw"));
        file_.stated.push_back(std::move(stated));
        continue;
      }
      OPENQNN_ASSIGN(stated.kind, kind_of(entry));
      OPENQNN_ASSIGN(stated.bits, width(entry, "bw"));
      const Value* const symmetric = entry.find("is_sym");
      stated.symmetric = symmetric != nullptr && says_true(*symmetric);
      OPENQNN_TRY(read_pairs(entry, stated));
      if (stated.kind == Kind::kPerBlock || stated.kind == Kind::kExpanded) {
        OPENQNN_ASSIGN(stated.block_size, whole(entry, "block_size", UINT32_MAX));
      }
      if (stated.kind == Kind::kExpanded) OPENQNN_TRY(expand(entry, stated));
      OPENQNN_TRY(finish(entry, stated));
    }
    return {};
  }

  Result<Kind> kind_of(const Value& entry) const {
    const Value* const type = entry.find("enc_type");
    const std::string_view word = type == nullptr ? "" : type->as_string();
    if (word == "PER_TENSOR") return Kind::kPerTensor;
    if (word == "PER_CHANNEL") return Kind::kPerChannel;
    if (word == "PER_BLOCK") return Kind::kPerBlock;
    if (word == "LPBQ") return Kind::kExpanded;
    if (word == "VECTOR") {
      return unsupported("encodings", "vector quantization has no op in the backend")
          .at(where(*type))
          .fix_by("use PER_CHANNEL, PER_BLOCK or LPBQ");
    }
    return wrong(type == nullptr ? entry : *type, "\"enc_type\" is no kind of encoding")
        .fix_by("PER_TENSOR, PER_CHANNEL, PER_BLOCK or LPBQ");
  }

  Status read_pairs(const Value& entry, StatedEncoding& stated) const {
    const Value* const scales = entry.find("scale");
    if (scales == nullptr || scales->as_array().empty())
      return wrong(entry, "\"scale\" is no list of numbers");
    const Value* const offsets = entry.find("offset");
    const size_t count = scales->as_array().size();
    if (offsets != nullptr && offsets->as_array().size() != count)
      return wrong(*offsets,
                   concat("there are ", offsets->as_array().size(), " offsets for ", count, " scales"));
    if (offsets == nullptr && !stated.symmetric)
      return wrong(entry, "an encoding that is not symmetric needs \"offset\"");
    for (size_t i = 0; i < count; ++i) {
      OPENQNN_ASSIGN(const float step, scale_of(scales->as_array()[i]));
      int32_t zero = middle(stated.bits);
      if (offsets != nullptr) {
        OPENQNN_ASSIGN(zero, offset_of(offsets->as_array()[i], stated.bits));
      }
      stated.encodings.push_back({step, zero});
    }
    return {};
  }

  // The blocks' own scales. Their integers have the compressed width; `bw` is that of the finer grid that
  // they are multiples of.
  Status expand(const Value& entry, StatedEncoding& stated) const {
    const Value* const multiples = entry.find("per_block_int_scale");
    OPENQNN_ASSIGN(const uint32_t bits, width(entry, "compressed_bw"));
    if (bits >= stated.bits) return wrong(entry, "\"compressed_bw\" is not below \"bw\"");
    if (multiples == nullptr || multiples->as_array().empty())
      return wrong(entry, "\"per_block_int_scale\" is no list of numbers");
    std::vector<const Value*> flat;  // one list, or one per channel
    for (const Value& value : multiples->as_array()) {
      if (value.kind() != Value::Kind::kArray) flat.push_back(&value);
      for (const Value& inner : value.as_array()) flat.push_back(&inner);
    }
    const size_t channels = stated.encodings.size();
    if (flat.empty() || flat.size() % channels != 0)
      return wrong(*multiples,
                   concat(flat.size(), " integer scales do not divide among ", channels, " channels"));
    std::vector<ir::ScaleOffset> blocks;
    for (size_t i = 0; i < flat.size(); ++i) {
      const auto multiple = flat[i]->as_int64();
      if (!multiple || *multiple < 1 || *multiple > 65536)
        return wrong(*flat[i], "an integer scale is a whole number of 1 to 65536");
      const double base = stated.encodings[i / (flat.size() / channels)].scale;
      const auto scale = static_cast<float>(base * static_cast<double>(*multiple));
      if (!std::isfinite(scale)) return wrong(*flat[i], "the scale of this block is beyond float");
      blocks.push_back({scale, middle(bits)});
    }
    stated.encodings = std::move(blocks);
    stated.bits = bits;
    stated.symmetric = true;
    return {};
  }

  // ---- Both ----

  StatedEncoding begin(std::string_view name, const Value& entry, bool is_param) const {
    StatedEncoding stated;
    stated.name = name;
    stated.where = where(entry);
    stated.is_param = is_param;
    return stated;
  }

  Result<uint32_t> float_width(const Value& entry, std::string_view key) const {
    OPENQNN_ASSIGN(const uint32_t bits, whole(entry, key, 32));
    if (bits != 16 && bits != 32)
      return wrong(entry, concat("there is no float of ", bits, " bits")).fix_by("16 or 32");
    return bits;
  }

  Status finish(const Value& entry, StatedEncoding& stated) {
    if (stated.kind == Kind::kPerTensor && stated.encodings.size() != 1)
      return wrong(entry, concat("one encoding per tensor, but ", stated.encodings.size(), " scales"));
    if (!stated.is_param && stated.kind != Kind::kPerTensor)
      return wrong(entry, "an activation has one encoding for the whole tensor");
    if (!stated.is_param && stated.bits != 8 && stated.bits != 16)
      return wrong(entry, concat("an activation of ", stated.bits, " bits")).fix_by("8 or 16 bits");
    // Ours: weights that are symmetric around offset 0 are signed integers, as QNN states them.
    if (stated.is_param && stated.symmetric)
      for (ir::ScaleOffset& pair : stated.encodings)
        if (pair.offset == 0) pair.offset = middle(stated.bits);
    const bool centred = std::ranges::all_of(
        stated.encodings, [&](const ir::ScaleOffset& pair) { return pair.offset == middle(stated.bits); });
    if (stated.is_param && !centred && (stated.kind != Kind::kPerTensor || stated.bits == 32)) {
      return wrong(entry, concat("these encodings must be symmetric, with offset ", middle(stated.bits)))
          .fix_by("train with symmetric weights, or with one encoding for the tensor");
    }
    stated.symmetric = centred;
    file_.stated.push_back(std::move(stated));
    return {};
  }

  std::string_view source_;
  json::LineIndex lines_;
  EncodingsFile file_;
};

}  // namespace

Result<EncodingsFile> read_encodings(std::string_view text, std::string_view source) {
  OPENQNN_ASSIGN(const Value root, json::parse(text, source, kLimits));
  return Reader(text, source).read(root);
}

}  // namespace openqnn::quant
