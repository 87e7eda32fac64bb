// SPDX-License-Identifier: BSD-3-Clause
// From values and pieces to text: write(), laid out as Python's json.dumps, and Writer.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "json/json.h"
#include "json/scan.h"
#include "json/utf8.h"

namespace openqnn::json {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

// Appends to a string by way of a piece that stays in the cache; the string itself then grows in few, large
// steps, and its new bytes are written once.
class Sink {
 public:
  explicit Sink(std::string& out) : out_(out) {}
  ~Sink() { flush(); }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  void put(char c) {
    if (used_ == kPiece) flush();
    piece_[used_++] = c;
  }
  void put(std::string_view text) {
    if (text.size() > kPiece - used_) flush();
    if (text.size() > kPiece) {
      out_.append(text);
    } else {
      used_ += text.copy(piece_ + used_, text.size());
    }
  }
  void fill(size_t count, char c) {
    if (count > kPiece - used_) flush();
    if (count > kPiece) {
      out_.append(count, c);
    } else {
      std::memset(piece_ + used_, c, count);
      used_ += count;
    }
  }

 private:
  static constexpr size_t kPiece = 4096;

  void flush() {
    out_.append(piece_, used_);
    used_ = 0;
  }

  std::string& out_;
  size_t used_ = 0;
  char piece_[kPiece];  // NOLINT: written before it is read
};

// How many bytes of UTF-8 `text` starts with, and how they are written; a byte that is none is replaced.
size_t put_special(Sink& sink, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  constexpr std::string_view kMeanings = "\"\\\b\f\n\r\t";
  constexpr std::string_view kNames = "\"\\bfnrt";
  const char c = text.front();
  const size_t length = utf8_length(text);
  if (length > 1) {
    sink.put(text.substr(0, length));
  } else if (length == 0) {
    sink.put(kReplacement);
  } else if (const size_t which = kMeanings.find(c); which != kNowhere) {
    sink.put('\\');
    sink.put(kNames[which]);
  } else {
    sink.put("\\u00");
    sink.put(kHex[c >> 4]);
    sink.put(kHex[c & 15]);
  }
  return std::max<size_t>(length, 1);
}

void put_quoted(Sink& sink, std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  sink.put('"');
  while (true) {
    const char* const run = plain_end(at, end);
    sink.put({at, static_cast<size_t>(run - at)});
    if (run == end) break;
    at = run + put_special(sink, {run, static_cast<size_t>(end - run)});
  }
  sink.put('"');
}

// Python's json.dumps in layout.
class TreeWriter {
 public:
  TreeWriter(Sink& sink, const WriteStyle& style)
      : sink_(sink),
        one_line_(style.indent < 0),
        indent_(static_cast<size_t>(std::clamp(style.indent, 0, kWidestIndent))) {}

  void put_value(const Value& value, size_t depth) {
    switch (value.kind()) {
      case Value::Kind::kNull:
        return sink_.put("null");
      case Value::Kind::kBool:
        return sink_.put(value.as_bool() ? "true" : "false");
      case Value::Kind::kNumber:
        return sink_.put(value.number_text());
      case Value::Kind::kString:
        return put_quoted(sink_, value.as_string());
      case Value::Kind::kArray:
        return put_array(value.as_array(), depth);
      case Value::Kind::kObject:
        return put_object(value.as_object(), depth);
    }
  }

 private:
  void put_array(const Array& array, size_t depth) {
    if (array.empty()) return sink_.put("[]");
    sink_.put("[");
    bool first = true;
    for (const Value& element : array) {
      separate(first, depth + 1);
      put_value(element, depth + 1);
      first = false;
    }
    close(']', depth);
  }

  void put_object(const Object& object, size_t depth) {
    if (object.empty()) return sink_.put("{}");
    sink_.put("{");
    bool first = true;
    for (const Member& member : object) {
      separate(first, depth + 1);
      put_quoted(sink_, member.key);
      sink_.put(": ");
      put_value(member.value, depth + 1);
      first = false;
    }
    close('}', depth);
  }

  void separate(bool first, size_t depth) {
    if (!first) sink_.put(',');
    if (!one_line_) {
      new_line(depth);
    } else if (!first) {
      sink_.put(' ');
    }
  }

  void close(char bracket, size_t depth) {
    if (!one_line_) new_line(depth);
    sink_.put(bracket);
  }

  void new_line(size_t depth) {
    sink_.put('\n');
    sink_.fill(indent_ * depth, ' ');
  }

  Sink& sink_;
  const bool one_line_;
  const size_t indent_;
};

// Appends `value` as write() lays it out; `depth` levels of indentation stand before its lines.
void append_tree(std::string& out, const Value& value, const WriteStyle& style, size_t depth) {
  // Room for twice the text it was read from: what is not used is never touched.
  out.reserve(out.size() + 2 * static_cast<size_t>(value.span().end - value.span().begin));
  Sink sink(out);
  TreeWriter(sink, style).put_value(value, depth);
}

}  // namespace

std::string write(const Value& value, const WriteStyle& style) {
  std::string out;
  append_tree(out, value, style, 0);
  return out;
}

void append_quoted(std::string& out, std::string_view text) {
  Sink sink(out);
  put_quoted(sink, text);
}

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

// ---- Piece by piece ----

// Whatever must stand between the last piece and the next one.
void Writer::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) out_ += ',';
  if (level.style == Style::kInline) {
    if (!level.empty) out_ += ' ';
  } else {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
  }
  level.empty = false;
}

Writer& Writer::close(char bracket) {
  if (levels_.empty()) return *this;
  if (std::exchange(after_key_, false)) out_ += "null";  // a key without its value
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && level.style == Style::kBlock) {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
  }
  out_ += bracket;
  return *this;
}

Writer& Writer::open(char bracket, Style style) {
  separate();
  // What stands on one line cannot hold something on several.
  if (!levels_.empty() && levels_.back().style == Style::kInline) style = Style::kInline;
  levels_.push_back({bracket == '{', style, true});
  out_ += bracket;
  return *this;
}

Writer& Writer::key(std::string_view name) {
  separate();
  append_quoted(out_, name);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

Writer& Writer::string(std::string_view value) {
  separate();
  append_quoted(out_, value);
  return *this;
}

Writer& Writer::integer(int64_t value) { return number_text(std::to_string(value)); }

Writer& Writer::unsigned_integer(uint64_t value) { return number_text(std::to_string(value)); }

Writer& Writer::number(double value) {
  if (!std::isfinite(value)) return null();
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof(digits), value);
  return error == std::errc() ? number_text({digits, static_cast<size_t>(end - digits)}) : null();
}

Writer& Writer::number_text(std::string_view text) {
  separate();
  out_ += text;
  return *this;
}

Writer& Writer::boolean(bool value) { return number_text(value ? "true" : "false"); }

Writer& Writer::null() { return number_text("null"); }

Writer& Writer::value(const Value& value) {
  separate();
  const bool one_line = !levels_.empty() && levels_.back().style == Style::kInline;
  append_tree(out_, value, WriteStyle{one_line ? -1 : 2}, levels_.size());
  return *this;
}

std::string Writer::take() {
  while (!levels_.empty()) close(levels_.back().is_object ? '}' : ']');
  after_key_ = false;
  out_ += '\n';
  return std::exchange(out_, {});
}

}  // namespace openqnn::json
