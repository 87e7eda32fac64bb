// SPDX-License-Identifier: BSD-3-Clause
// JSON text with positions: every value knows where it stands, so that a diagnostic can point at it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace openqnn::json {

struct Position {
  uint32_t line = 1;    // 1-based
  uint32_t column = 1;  // 1-based, in Unicode characters
};

class Value;
struct Member;
using Array = std::vector<Value>;
using Object = std::vector<Member>;  // in the order of the text

// A parsed value. Numbers keep their text, so that nothing is lost between reading and writing.
class Value {
 public:
  enum class Kind : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

  Kind kind() const;
  Position position() const { return position_; }

  bool is_null() const { return kind() == Kind::kNull; }
  bool as_bool() const;                  // false unless a bool
  std::string_view as_string() const;    // "" unless a string
  std::string_view number_text() const;  // "" unless a number
  const Array& as_array() const;         // empty unless an array
  const Object& as_object() const;       // empty unless an object

  // The number when it is one that fits. The integer is exact ("1e3" and "8.0" are integers, 2^63 does not
  // fit); the double is the nearest one, and nothing when the number is beyond its range.
  std::optional<int64_t> as_int64() const;
  std::optional<double> as_double() const;

  const Value* find(std::string_view key) const;  // nullptr when absent or not an object

 private:
  friend class Parser;
  struct Number {
    std::string text;
  };
  Position position_;
  std::variant<std::monostate, bool, Number, std::string, Array, Object> data_;
};

struct Member {
  std::string key;
  Position position;  // of the key
  Value value;
};

// Reading and destroying recurse once per level; this many levels fit into a small thread stack.
inline constexpr uint32_t kDeepest = 256;

struct ReadOptions {
  uint32_t max_depth = 64;  // at most kDeepest
  uint64_t max_bytes = 64u << 20;
};

// Strict JSON (RFC 8259) in UTF-8; duplicate keys are an error. `source` names the text in diagnostics.
Result<Value> parse(std::string_view text, std::string_view source, const ReadOptions& options = {});

// Writes JSON piece by piece; commas, escapes and indentation are its business. A container may be opened
// `kInline` to keep it on one line.
class Writer {
 public:
  enum class Style : uint8_t { kBlock, kInline };

  Writer& begin_object(Style style = Style::kBlock);
  Writer& end_object();
  Writer& begin_array(Style style = Style::kBlock);
  Writer& end_array();
  Writer& key(std::string_view name);
  Writer& string(std::string_view value);  // bytes that are not UTF-8 become U+FFFD
  Writer& integer(int64_t value);
  Writer& unsigned_integer(uint64_t value);
  Writer& number(double value);  // shortest text that reads back equal; NaN and infinity become null
  Writer& number_text(std::string_view text);  // a Value's number_text(), digit for digit
  Writer& boolean(bool value);
  Writer& null();

  std::string take();  // the finished text, with a final newline; what is still open gets closed

 private:
  struct Level {
    bool is_object;
    Style style;
    bool empty;
  };
  void separate();
  void close(char bracket);

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace openqnn::json
