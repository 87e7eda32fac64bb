// SPDX-License-Identifier: BSD-3-Clause
// The grammar of RFC 8259 and, on demand, the liberties. What goes wrong is told in slips.cc.
#include "json/parser.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.h"
#include "json/utf8.h"

namespace openqnn::json {
namespace {

// No more is reserved for the next container than this, however many items the last one had.
constexpr size_t kMostExpected = 16;
// Up to this many keys are compared each with each, which needs no memory; more are sorted.
constexpr size_t kFewKeys = 16;

// FNV-1a. Only decides what is compared with what; no result depends on it.
uint64_t hash_of(std::string_view key) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : key) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

// The four digits after \u; nothing when they are not all there.
std::optional<uint32_t> hex4(const char* at, const char* end) {
  if (end - at < 4) return std::nullopt;
  uint32_t code = 0;
  for (const char* stop = at + 4; at != stop; ++at) {
    const char lower = static_cast<char>(*at | 0x20);
    if (is_digit(*at)) {
      code = code * 16 + static_cast<uint32_t>(*at - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      code = code * 16 + static_cast<uint32_t>(lower - 'a' + 10);
    } else {
      return std::nullopt;
    }
  }
  return code;
}

Result<Value> read(std::string_view text, std::string_view source, const ReadOptions& options,
                   LenientNotes* notes) {
  // A span counts bytes in 32 bits.
  const uint64_t most = std::min<uint64_t>(options.max_bytes, std::numeric_limits<uint32_t>::max());
  if (text.size() > most) {
    return invalid("json-size", concat("the text has ", text.size(), " bytes; ", most, " are allowed"))
        .at(std::string(source))
        .fix_by("split the file");
  }
  return Parser(text, source, options, notes).document();
}

}  // namespace

Parser::Parser(std::string_view text, std::string_view source, const ReadOptions& options,
               LenientNotes* notes)
    : begin_(text.data()),
      at_(text.data()),
      end_(text.data() + text.size()),
      notes_(notes),
      max_depth_(std::min(options.max_depth, kDeepest)),
      source_(source) {}

Result<Value> Parser::document() {
  Value value;
  if (read_document(value)) return value;
  return *std::move(failure_);
}

bool Parser::read_document(Value& out) {
  if (text().starts_with(kByteOrderMark)) {
    if (notes_ == nullptr) return no_start();
    at_ += kByteOrderMark.size();
    notes_->liberties.push_back({Liberty::Kind::kByteOrderMark, {0, offset(at_)}});
  }
  skip_space();
  if (at_end()) return no_start();
  if (!read_value(out, 1)) return false;
  skip_space();
  return at_end() || goes_on();
}

// At '/' or '#'. Stays there when it is no comment: then nothing that may stand here is found.
void Parser::skip_comments() {
  while (comment_begins(text(), offset(at_))) {
    const size_t end = comment_end(text(), offset(at_));
    if (end == kNowhere) {
      syntax(end_, "the text ends inside a comment", "close the comment with */", at_);
      return;
    }
    for (const char* c = at_; c != begin_ + end;) {
      const size_t length = static_cast<uint8_t>(*c) < 0x80 ? 1 : utf8_length({c, begin_ + end});
      if (length == 0) {
        no_character(c);
        return;
      }
      c += length;
    }
    notes_->liberties.push_back({Liberty::Kind::kComment, {offset(at_), static_cast<uint32_t>(end)}});
    at_ = begin_ + end;
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
}

bool Parser::read_value(Value& out, uint32_t depth) {
  const char* const start = at_;
  bool read = false;
  switch (peek()) {
    case '{':
      read = read_object(out, depth);
      break;
    case '[':
      read = read_array(out, depth);
      break;
    case '"':
      read = read_string(out.data_.emplace<Text>());
      break;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      read = read_number(out);
      break;
    default:
      read = read_word(out);
      break;
  }
  out.span_ = {offset(start), offset(at_)};
  return read;
}

bool Parser::read_array(Value& out, uint32_t depth) {
  if (depth > max_depth_) return too_deep();
  const char* const open = at_++;
  Array& array = out.data_.emplace<Array>();
  skip_space();
  if (next_is(']')) {
    ++at_;
    return true;
  }
  array.reserve(expected_elements_);
  Next next = Next::kItem;
  while (next == Next::kItem) {
    if (!read_value(array.emplace_back(), depth + 1)) return surplus_comma(array.back());
    next = read_separator(']', open);
  }
  expected_elements_ = std::min(array.size(), kMostExpected);
  return next == Next::kEnd;
}

bool Parser::read_object(Value& out, uint32_t depth) {
  if (depth > max_depth_) return too_deep();
  const char* const open = at_++;
  Object& object = out.data_.emplace<Object>();
  skip_space();
  if (next_is('}')) {
    ++at_;
    return true;
  }
  object.reserve(expected_members_);
  Next next = Next::kItem;
  while (next == Next::kItem) {
    Member& member = object.emplace_back();
    if (!read_key(member) || !read_value(member.value, depth + 1)) return false;
    next = read_separator('}', open);
  }
  expected_members_ = std::min(object.size(), kMostExpected);
  return next == Next::kEnd && check_keys(object);
}

// A key, the colon, and the space up to the value.
bool Parser::read_key(Member& member) {
  if (!next_is('"')) return not_a_key();
  member.key_span.begin = offset(at_);
  if (!read_string(member.key)) return false;
  member.key_span.end = offset(at_);
  skip_space();
  if (!next_is(':')) return no_colon(member.key);
  ++at_;
  skip_space();
  return true;
}

// A comma and the space up to the next item, or the closing bracket.
Parser::Next Parser::read_separator(char bracket, const char* open) {
  const char* const after_value = at_;
  skip_space();
  if (next_is(',')) {
    const uint32_t comma = offset(at_++);
    const size_t liberties = notes_ != nullptr ? notes_->liberties.size() : 0;
    skip_space();
    if (notes_ == nullptr || !next_is(bracket)) return Next::kItem;
    notes_->liberties.insert(notes_->liberties.begin() + static_cast<ptrdiff_t>(liberties),
                             {Liberty::Kind::kTrailingComma, {comma, comma + 1}});
  }
  if (!next_is(bracket)) {
    no_separator(bracket, open, after_value);
    return Next::kFailure;
  }
  ++at_;
  return Next::kEnd;
}

bool Parser::read_word(Value& out) {
  size_t length = 0;
  while (is_word(peek(length))) ++length;
  const std::string_view word(at_, length);
  if (word == "true" || word == "false") {
    out.data_ = word == "true";
  } else if (word != "null") {
    return not_a_value(word);
  }
  at_ += length;
  return true;
}

bool Parser::read_number(Value& out) {
  const char* const start = at_;
  const auto digits = [this] {
    const char* const first = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ - first;
  };
  if (*at_ == '-') ++at_;
  const char* const integer = at_;
  const auto count = digits();
  if (count == 0) {
    return syntax(at_, concat("a digit is expected after '-', not ", describe_next()),
                  "write a finite decimal number");
  }
  if (count > 1 && *integer == '0')
    return syntax(integer, "a number must not start with 0", "remove the leading zeros");
  if (next_is('.')) {
    ++at_;
    if (digits() == 0)
      return syntax(at_, concat("a digit is expected after the point, not ", describe_next()),
                    "write e.g. 1.0");
  }
  if (next_is('e') || next_is('E')) {
    ++at_;
    if (next_is('+') || next_is('-')) ++at_;
    if (digits() == 0)
      return syntax(at_, concat("a digit is expected in the exponent, not ", describe_next()),
                    "write e.g. 1e6");
  }
  if (at_ != end_ && (is_word(*at_) || *at_ == '.')) {
    return syntax(at_, concat("a number must not go on with ", describe_next()),
                  "JSON numbers are decimal, without unit or suffix");
  }
  out.data_.emplace<Value::Number>().text = text_from(start);
  return true;
}

bool Parser::read_string(Text& out) {
  const char* const open = at_++;
  const char* const start = at_;
  at_ = plain_end(at_, end_);
  if (next_is('"')) {
    out = text_from(start);
    ++at_;
    return true;
  }
  std::string text(start, at_);
  if (!read_rest_of_string(text, open)) return false;
  out = Text(text);
  return true;
}

// From the first character that is not plain.
bool Parser::read_rest_of_string(std::string& out, const char* open) {
  while (true) {
    if (at_end()) return not_in_a_string(open);
    const char c = *at_;
    if (c == '"') {
      ++at_;
      return true;
    }
    if (c == '\\') {
      if (!read_escape(out)) return false;
    } else if (is_plain(c)) {
      const char* const run = plain_end(at_, end_);
      out.append(at_, run);
      at_ = run;
    } else {
      const size_t length = utf8_length({at_, end_});
      if (static_cast<uint8_t>(c) < 0x20 || length == 0) return not_in_a_string(open);
      out.append(at_, length);
      at_ += length;
    }
  }
}

bool Parser::read_escape(std::string& out) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char c = peek(1);
  if (c != 'u') {
    const size_t which = c == '\0' ? kNowhere : kNames.find(c);
    if (which == kNowhere) {
      return syntax(at_, "'\\' starts no escape that JSON knows",
                    "write \\\\ for a backslash; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    }
    out += kMeanings[which];
    at_ += 2;
    return true;
  }
  const auto code = hex4(at_ + 2, end_);
  if (!code) return syntax(at_, "\\u needs four hexadecimal digits", "write e.g. \\u00e9");
  const bool high = *code >= 0xd800 && *code < 0xdc00;
  const bool low = *code >= 0xdc00 && *code < 0xe000;
  if (!high && !low) {
    append_utf8(out, *code);
    at_ += 6;
    return true;
  }
  const auto second = high && peek(6) == '\\' && peek(7) == 'u' ? hex4(at_ + 8, end_) : std::nullopt;
  if (!second || *second < 0xdc00 || *second >= 0xe000) {
    return syntax(at_, "half of a surrogate pair stands alone",
                  "write both halves, e.g. \\ud83d\\ude00, or the character itself");
  }
  append_utf8(out, 0x10000 + ((*code - 0xd800) << 10) + (*second - 0xdc00));
  at_ += 12;
  return true;
}

bool Parser::check_keys(const Object& object) {
  if (object.size() > kFewKeys) return check_many_keys(object);
  for (size_t i = 1; i < object.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (object[i].key == object[j].key) return duplicate_key(object[j], object[i]);
    }
  }
  return true;
}

// Sorted once at the end, so that an object with very many keys costs no square. By hash first, which seldom
// needs a look at the keys; keys made to have the same hash only cost that look.
bool Parser::check_many_keys(const Object& object) {
  using Entry = std::pair<uint64_t, const Member*>;
  std::vector<Entry> sorted;
  sorted.reserve(object.size());
  for (const Member& member : object) sorted.emplace_back(hash_of(member.key), &member);
  std::ranges::sort(sorted, [](const Entry& a, const Entry& b) {
    if (a.first != b.first) return a.first < b.first;
    const int order = a.second->key.view().compare(b.second->key);
    return order != 0 ? order < 0 : a.second < b.second;
  });
  const Member* again = nullptr;
  const Member* first = nullptr;
  for (size_t i = 1; i < sorted.size(); ++i) {
    const Member* const member = sorted[i].second;
    if (sorted[i].first != sorted[i - 1].first || member->key != sorted[i - 1].second->key) continue;
    if (again != nullptr && again < member) continue;
    first = sorted[i - 1].second;
    again = member;
  }
  return again == nullptr || duplicate_key(*first, *again);
}

Result<Value> parse(std::string_view text, std::string_view source, const ReadOptions& options) {
  return read(text, source, options, nullptr);
}

Result<Value> parse_lenient(std::string_view text, std::string_view source, LenientNotes& notes,
                            const ReadOptions& options) {
  notes = {};
  return read(text, source, options, &notes);
}

}  // namespace openqnn::json
