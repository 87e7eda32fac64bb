// SPDX-License-Identifier: BSD-3-Clause
// A text laid out anew, with its comments. What is laid out already stays as it is: every choice below
// depends only on what it leaves unchanged.
#include <algorithm>
#include <utility>

#include "json/edit.h"
#include "json/scan.h"
#include "json/utf8.h"

namespace openqnn::json {
namespace {

constexpr size_t kWidestLine = 100;  // characters up to which an array of scalars stays on one line

bool is_container(const Value& value) {
  return value.kind() == Value::Kind::kArray || value.kind() == Value::Kind::kObject;
}

std::string_view without_trailing_space(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

class Formatter {
 public:
  Formatter(std::string_view text, std::vector<Span> comments, size_t indent)
      : text_(text),
        comments_(std::move(comments)),
        indent_(std::min<size_t>(indent, kWidestIndent)),
        line_end_(text.find("\r\n") < text.find('\n') ? "\r\n" : "\n") {}

  std::string document(const Value& root) {
    const size_t begin = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    put_lead({begin, root.span().begin, root.span().begin, begin}, 0);
    put_value(root, 0, 0);
    put_comments(comments_.size(), root.span().end, 0);
    out_ += line_end_;
    return std::move(out_);
  }

 private:
  // The way to an item: what stands there besides comments is a comma at most, and a key with its colon.
  struct Gap {
    size_t begin;  // behind the item before, or the bracket
    size_t item;   // where the item begins
    size_t value;  // and its value
    size_t comma;  // comments behind it may belong to the item
  };

  std::string_view slice(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  bool same_line(size_t begin, size_t end) const {
    return text_.substr(begin, end - begin).find('\n') == kNowhere;
  }
  bool is_block(Span comment) const { return text_[comment.begin] == '/' && text_[comment.begin + 1] == '*'; }

  void start_line(size_t depth) {
    if (out_.empty()) return;
    out_ += line_end_;
    out_.append(indent_ * depth, ' ');
  }

  void put_value(const Value& value, size_t depth, size_t key_width) {
    const bool has_comments = next_ < comments_.size() && comments_[next_].begin < value.span().end;
    if (!is_container(value)) {
      out_ += slice(value.span());
    } else if (!has_comments && value.as_array().empty() && value.as_object().empty()) {
      out_ += value.kind() == Value::Kind::kArray ? "[]" : "{}";
    } else if (!has_comments && fits_on_one_line(value, indent_ * depth + key_width)) {
      put_on_one_line(value.as_array());
    } else {
      put_block(value, depth);
    }
  }

  bool fits_on_one_line(const Value& value, size_t column) const {
    if (value.kind() != Value::Kind::kArray) return false;
    for (const Value& element : value.as_array()) {
      if (is_container(element)) return false;
      column += count_characters(slice(element.span())) + 2;  // with ", ", or the brackets
      if (column > kWidestLine) return false;
    }
    return true;
  }

  void put_on_one_line(const Array& array) {
    out_ += '[';
    for (size_t i = 0; i < array.size(); ++i) {
      if (i > 0) out_ += ", ";
      out_ += slice(array[i].span());
    }
    out_ += ']';
  }

  void put_block(const Value& container, size_t depth) {
    const bool is_object = container.kind() == Value::Kind::kObject;
    const size_t count = is_object ? container.as_object().size() : container.as_array().size();
    out_ += is_object ? '{' : '[';
    size_t before = container.span().begin + 1;
    for (size_t i = 0; i < count; ++i) {
      const Member* member = is_object ? &container.as_object()[i] : nullptr;
      const Value& value = is_object ? member->value : container.as_array()[i];
      const size_t begin = is_object ? member->key_span.begin : value.span().begin;
      if (i > 0) out_ += ',';
      const size_t comma = i > 0 ? skip_space_and_comments(text_, before) : before - 1;
      put_lead({before, begin, value.span().begin, comma}, depth + 1);
      size_t key_width = 0;
      if (is_object) {
        out_ += slice(member->key_span);
        out_ += ": ";
        key_width = count_characters(slice(member->key_span)) + 2;
      }
      put_value(value, depth + 1, key_width);
      before = value.span().end;
    }
    size_t last = next_;
    while (last < comments_.size() && comments_[last].begin < container.span().end) ++last;
    put_comments(last, before, depth + 1);
    start_line(depth);
    out_ += is_object ? '}' : ']';
  }

  // The comments before an item, and the beginning of its line. Those between key and value move before the
  // key.
  void put_lead(const Gap& gap, size_t depth) {
    size_t at_item = next_;
    while (at_item < comments_.size() && comments_[at_item].begin < gap.item) ++at_item;
    size_t at_value = at_item;
    while (at_value < comments_.size() && comments_[at_value].begin < gap.value) ++at_value;

    size_t on_items_line = at_item;  // from here on, comments stand directly before the item
    size_t follows = gap.item;
    while (at_value == at_item && on_items_line > next_) {
      const Span comment = comments_[on_items_line - 1];
      if (!is_block(comment) || !same_line(comment.end, follows) || comment.begin < gap.comma) break;
      follows = comment.begin;
      --on_items_line;
    }
    put_comments(on_items_line, gap.begin, depth);
    if (at_value > at_item) {
      start_line(depth);
      put_comment(comments_[next_], depth);
      const size_t end = comments_[next_++].end;
      put_comments(at_value, end, depth);
    }
    start_line(depth);
    for (; next_ < at_item; ++next_) {
      put_comment(comments_[next_], depth);
      out_ += ' ';
    }
  }

  // Comments up to the one with the number `last`; `before` is the end of what stands before them. One that
  // stands on the same line as that stays there.
  void put_comments(size_t last, size_t before, size_t depth) {
    for (; next_ < last; ++next_) {
      const Span comment = comments_[next_];
      if (!same_line(before, comment.begin)) {
        start_line(depth);
      } else if (!out_.empty()) {
        out_ += ' ';
      }
      put_comment(comment, depth);
      before = comment.end;
    }
  }

  // Without blanks at the ends of its lines. The lines of a block move with its first one.
  void put_comment(Span comment, size_t depth) {
    if (same_line(comment.begin, comment.end)) {
      out_ += without_trailing_space(slice(comment));
      return;
    }
    const size_t line = text_.rfind('\n', comment.begin) + 1;  // 0 on the first line
    const size_t begin = line == 0 && text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : line;
    const std::string_view prefix = text_.substr(begin, comment.begin - begin);
    const bool begins_line = prefix.find_first_not_of(' ') == kNowhere;
    std::string_view rest = slice(comment);
    for (bool first = true; true; first = false) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view piece = without_trailing_space(rest.substr(0, end));
      if (!first) {
        out_ += line_end_;
        put_moved(piece, begins_line ? prefix.size() : 0, begins_line ? indent_ * depth : 0);
      } else {
        out_ += piece;
      }
      if (end == rest.size()) return;
      rest.remove_prefix(end + 1);
    }
  }

  // A line that was indented for something at column `from`, for column `to`.
  void put_moved(std::string_view line, size_t from, size_t to) {
    const size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    if (spaces == line.size() || line[spaces] == '\t') {
      out_ += line;
      return;
    }
    out_.append(spaces + to > from ? spaces + to - from : 0, ' ');
    out_ += line.substr(spaces);
  }

  std::string_view text_;
  std::vector<Span> comments_;
  size_t next_ = 0;  // the first comment that is not written yet
  size_t indent_;
  std::string_view line_end_;
  std::string out_;
};

}  // namespace

Result<std::string> format(std::string_view text, std::string_view source, uint32_t indent) {
  LenientNotes notes;
  OPENQNN_ASSIGN(const Value root, parse_lenient(text, source, notes));
  std::vector<Span> comments;
  for (const Liberty& liberty : notes.liberties) {
    if (liberty.kind == Liberty::Kind::kComment) comments.push_back(liberty.span);
  }
  return Formatter(text, std::move(comments), indent).document(root);
}

}  // namespace openqnn::json
