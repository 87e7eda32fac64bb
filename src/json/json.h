// SPDX-License-Identifier: BSD-3-Clause
// JSON text with positions: every value knows where it stands, so that a diagnostic can point at it and an
// edit can change it and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "json/text.h"

namespace openqnn::json {

// A place in a text: bytes [begin, end). Lines and columns are counted only when somebody asks (LineIndex).
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;

  static Span of(size_t begin, size_t end) {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }
  bool empty() const { return begin == end; }
  bool operator==(const Span&) const = default;
};

struct Position {
  uint32_t line = 1;    // 1-based
  uint32_t column = 1;  // 1-based, in Unicode characters
  bool operator==(const Position&) const = default;
};

class Value;
struct Member;
using Array = std::vector<Value>;
using Object = std::vector<Member>;  // in the order of the text

// A value, read or made. Numbers keep their text, so that nothing is lost between reading and writing.
class Value {
 public:
  enum class Kind : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

  Value() = default;  // null
  static Value of(bool value);
  static Value of(int64_t value);
  static Value of(double value);  // NaN and infinity become null
  static Value of(std::string_view value);
  static Value of(const std::string& value);
  static Value of(const char* value);  // else a literal would become a bool
  static Value of(Array value);
  static Value of(Object value);
  static Value of_number_text(std::string_view text);  // must be a JSON number

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  Span span() const { return span_; }  // empty for a value that was not read from a text

  bool is_null() const { return kind() == Kind::kNull; }
  bool as_bool() const;                  // false unless a bool
  std::string_view as_string() const;    // "" unless a string
  std::string_view number_text() const;  // "" unless a number
  const Array& as_array() const;         // empty unless an array
  const Object& as_object() const;       // empty unless an object
  Array* array();                        // nullptr unless an array
  Object* object();                      // nullptr unless an object

  // The number when it is one that fits. The integer is exact ("1e3" and "8.0" are integers, 2^63 does not
  // fit); the double is the nearest one, and nothing when the number is beyond its range.
  std::optional<int64_t> as_int64() const;
  std::optional<double> as_double() const;

  const Value* find(std::string_view key) const;  // nullptr when absent or not an object

  // By meaning: 3 equals 3.0; neither the order of an object's members counts, nor the place in the text.
  bool same_as(const Value& other) const;

 private:
  friend class Parser;
  struct Number {
    Text text;
  };
  using Data = std::variant<std::monostate, bool, Number, Text, Array, Object>;
  explicit Value(Data data);

  Span span_;
  // Its last bytes are free for what stands behind the value.
  [[no_unique_address]] Data data_;
};

struct Member {
  Text key;
  Span key_span;                      // with its quotes; empty when not read from a text
  [[no_unique_address]] Value value;  // so that the tag fits behind its last byte
  uint16_t tag = 0;  // free for whoever gives the key a meaning; the JSON room neither reads nor writes it
};

// Reading and destroying recurse once per level; this many levels fit into a small thread stack.
inline constexpr uint32_t kDeepest = 256;

struct ReadOptions {
  uint32_t max_depth = 64;  // at most kDeepest
  uint64_t max_bytes = 64u << 20;
};

// Strict JSON (RFC 8259) in UTF-8; duplicate keys are an error. `source` names the text in diagnostics.
Result<Value> parse(std::string_view text, std::string_view source, const ReadOptions& options = {});

// What hand-written files have and RFC 8259 has not.
struct Liberty {
  enum class Kind : uint8_t { kByteOrderMark, kComment, kTrailingComma };
  Kind kind;
  Span span;
};

// A change of a text: the bytes of `span` become `text`.
struct Edit {
  Span span;
  std::string text;
  bool operator==(const Edit&) const = default;
};

struct LenientNotes {
  std::vector<Liberty> liberties;  // in the order of the text
  std::optional<Edit> repair;      // after a failure: the edit that mends it, when there is a safe one
};

// Like parse(), but lets the liberties pass and lists them.
Result<Value> parse_lenient(std::string_view text, std::string_view source, LenientNotes& notes,
                            const ReadOptions& options = {});

// Lines and columns of a text, found by binary search. The text must outlive it. A byte order mark at its
// start takes no column and belongs to no line.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  Position position(uint32_t offset) const;      // offsets beyond the text count as its end
  std::string_view line(uint32_t number) const;  // 1-based, without its line end; "" when there is none
  std::string_view text() const { return text_; }

 private:
  uint32_t characters_before(uint32_t offset) const;

  std::string_view text_;
  std::vector<uint32_t> starts_;      // of the lines
  std::vector<uint32_t> characters_;  // before every block of the text, so that a long line costs no walk
};

// The value as JSON text in one of three layouts; numbers as they were written.
struct WriteStyle {
  int32_t indent = 2;  // spaces a level; negative: everything on one line, ", " and ": " between
};
std::string write(const Value& value, const WriteStyle& style = {});  // no final newline
// Appends a JSON string; bytes that are not UTF-8 become U+FFFD.
void append_quoted(std::string& out, std::string_view text);
std::string quoted(std::string_view text);

// Writes JSON piece by piece; commas, escapes and indentation are its business. A container may be opened
// `kInline` to keep it on one line.
class Writer {
 public:
  enum class Style : uint8_t { kBlock, kInline };

  Writer& begin_object(Style style = Style::kBlock) { return open('{', style); }
  Writer& end_object() { return close('}'); }
  Writer& begin_array(Style style = Style::kBlock) { return open('[', style); }
  Writer& end_array() { return close(']'); }
  Writer& key(std::string_view name);
  Writer& string(std::string_view value);  // bytes that are not UTF-8 become U+FFFD
  Writer& integer(int64_t value);
  Writer& unsigned_integer(uint64_t value);
  Writer& number(double value);  // shortest text that reads back equal; NaN and infinity become null
  Writer& number_text(std::string_view text);  // a Value's number_text(), digit for digit
  Writer& boolean(bool value);
  Writer& null();
  Writer& value(const Value& value);  // a whole tree, in blocks

  std::string take();  // the finished text, with a final newline; what is still open gets closed

 private:
  struct Level {
    bool is_object;
    Style style;
    bool empty;
  };
  void separate();
  Writer& open(char bracket, Style style);
  Writer& close(char bracket);

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace openqnn::json
