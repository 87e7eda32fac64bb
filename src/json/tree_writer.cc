// SPDX-License-Identifier: BSD-3-Clause
#include "json/tree_writer.h"

#include <algorithm>
#include <cstring>

#include "json/scan.h"
#include "json/utf8.h"

namespace openqnn::json {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
constexpr int32_t kWidestIndent = 64;                      // spaces a level; more serves nobody

// Grows a string in large steps and writes into it without asking each time whether there is room.
class Sink {
 public:
  explicit Sink(std::string& out) : out_(out), start_(out.size()), at_(out.size()) {}
  ~Sink() { out_.resize(at_); }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // Room for `bytes` more; what is then put must not exceed it.
  void need(size_t bytes) {
    if (out_.size() - at_ < bytes) grow(bytes);
  }
  void put(char c) { out_[at_++] = c; }
  void put(std::string_view text) { at_ += text.copy(out_.data() + at_, text.size()); }
  void fill(size_t count, char c) {
    std::memset(out_.data() + at_, c, count);
    at_ += count;
  }

 private:
  // By what this sink has written so far, not by the whole string: many small appends to a long one must not
  // each pay for its length.
  void grow(size_t bytes) { out_.resize(at_ + bytes + (at_ - start_) + 64); }

  std::string& out_;
  const size_t start_;
  size_t at_;
};

// How many bytes of UTF-8 `text` starts with, and how they are written; a byte that is none is replaced.
size_t put_special(Sink& sink, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  constexpr std::string_view kMeanings = "\"\\\b\f\n\r\t";
  constexpr std::string_view kNames = "\"\\bfnrt";
  const char c = text.front();
  const size_t length = utf8_length(text);
  sink.need(6);
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
  sink.need(text.size() + 2);
  sink.put('"');
  while (true) {
    const char* const run = plain_end(at, end);
    sink.need(static_cast<size_t>(end - at) + 1);
    sink.put({at, static_cast<size_t>(run - at)});
    if (run == end) break;
    at = run + put_special(sink, {run, static_cast<size_t>(end - run)});
  }
  sink.need(1);
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
        return put_word("null");
      case Value::Kind::kBool:
        return put_word(value.as_bool() ? "true" : "false");
      case Value::Kind::kNumber:
        return put_word(value.number_text());
      case Value::Kind::kString:
        return put_quoted(sink_, value.as_string());
      case Value::Kind::kArray:
        return put_array(value.as_array(), depth);
      case Value::Kind::kObject:
        return put_object(value.as_object(), depth);
    }
  }

 private:
  void put_word(std::string_view text) {
    sink_.need(text.size());
    sink_.put(text);
  }

  void put_array(const Array& array, size_t depth) {
    if (array.empty()) return put_word("[]");
    put_word("[");
    bool first = true;
    for (const Value& element : array) {
      separate(first, depth + 1);
      put_value(element, depth + 1);
      first = false;
    }
    close(']', depth);
  }

  void put_object(const Object& object, size_t depth) {
    if (object.empty()) return put_word("{}");
    put_word("{");
    bool first = true;
    for (const Member& member : object) {
      separate(first, depth + 1);
      put_quoted(sink_, member.key);
      sink_.need(2);
      sink_.put(':');
      sink_.put(' ');
      put_value(member.value, depth + 1);
      first = false;
    }
    close('}', depth);
  }

  void separate(bool first, size_t depth) {
    sink_.need(2 + indent_ * depth);
    if (!first) sink_.put(',');
    if (!one_line_) {
      new_line(depth);
    } else if (!first) {
      sink_.put(' ');
    }
  }

  void close(char bracket, size_t depth) {
    sink_.need(2 + indent_ * depth);
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

}  // namespace

void append_tree(std::string& out, const Value& value, const WriteStyle& style, size_t depth) {
  Sink sink(out);
  sink.need(value.span().end - value.span().begin);  // a fair guess, when it was read from a text
  TreeWriter(sink, style).put_value(value, depth);
}

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

}  // namespace openqnn::json
