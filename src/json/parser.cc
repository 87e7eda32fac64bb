// SPDX-License-Identifier: BSD-3-Clause
// RFC 8259, and nothing more. The usual slips (a trailing comma, a comment, single quotes) are recognised
// only to name them.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "json/json.h"
#include "json/utf8.h"

namespace openqnn::json {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string hex_byte(char c) {
  constexpr char kHex[] = "0123456789abcdef";
  const auto byte = static_cast<uint8_t>(c);
  return {'0', 'x', kHex[byte >> 4], kHex[byte & 15]};
}

std::string to_string(Position position) {
  return concat("line ", position.line, ", column ", position.column);
}

}  // namespace

class Parser {
 public:
  Parser(std::string_view text, std::string_view source, const ReadOptions& options)
      : text_(text), source_(source), max_depth_(std::min(options.max_depth, kDeepest)) {}

  Result<Value> document() {
    if (text_.starts_with("\xef\xbb\xbf")) {
      return syntax("the text starts with a byte order mark", "save the file as UTF-8 without BOM");
    }
    skip_space();
    if (at_end()) return syntax("there is no value: the text is empty", "write at least {}");
    Value value;
    OPENQNN_TRY(read_value(value, 1));
    skip_space();
    if (!at_end()) {
      return syntax(concat(describe_next(), " after the end of the value"),
                    "a JSON text holds one value; remove the rest");
    }
    return value;
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool next_is(char c) const { return !at_end() && text_[at_] == c; }

  // Past `bytes` bytes that hold one character (not a line end).
  void advance(size_t bytes = 1) {
    at_ += bytes;
    ++position_.column;
  }

  void skip_space() {
    while (!at_end()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++at_;
        ++position_.line;
        position_.column = 1;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        advance();
      } else {
        return;
      }
    }
  }

  Where where(Position position) const { return {source_, position.line, position.column}; }

  Diagnostic syntax(std::string message, std::string fix) const {
    return syntax_at(position_, std::move(message), std::move(fix));
  }
  Diagnostic syntax_at(Position position, std::string message, std::string fix) const {
    return invalid("json-syntax", std::move(message)).at(where(position)).fix_by(std::move(fix));
  }

  // Tells where the thing that stays open began.
  static Diagnostic opened_at(Position open, Diagnostic diagnostic) {
    diagnostic.notes.push_back(concat("it begins at ", to_string(open)));
    return diagnostic;
  }

  // The next character or word, as a message names it.
  std::string describe_next() const {
    if (at_end()) return "the end of the text";
    const std::string_view rest = text_.substr(at_);
    const char c = rest.front();
    const size_t length = utf8_length(rest);
    if (length == 0 || static_cast<uint8_t>(c) < 0x20 || c == 0x7f) return concat("byte ", hex_byte(c));
    if (length > 1) return concat("'", rest.substr(0, length), "'");
    size_t word = 0;
    while (word < rest.size() && word < 24 && is_word(rest[word])) ++word;
    return concat("'", rest.substr(0, std::max<size_t>(word, 1)), "'");
  }

  Status read_value(Value& out, uint32_t depth) {
    out.position_ = position_;
    switch (peek()) {
      case '{':
        return read_object(out, depth);
      case '[':
        return read_array(out, depth);
      case '"': {
        std::string text;
        OPENQNN_TRY(read_string(text));
        out.data_ = std::move(text);
        return {};
      }
      default:
        break;
    }
    if (is_digit(peek()) || peek() == '-') return read_number(out);
    return read_word(out);
  }

  Status read_word(Value& out) {
    size_t length = 0;
    while (is_word(peek(length))) ++length;
    const std::string_view word = text_.substr(at_, length);
    if (word == "null") {
      out.data_ = std::monostate();
    } else if (word == "true" || word == "false") {
      out.data_ = word == "true";
    } else {
      return not_a_value(word);
    }
    at_ += length;
    position_.column += static_cast<uint32_t>(length);
    return {};
  }

  Status not_a_value(std::string_view word) const {
    std::string fix = "write a string in double quotes, a number, true, false, null, [...] or {...}";
    const char c = peek();
    if (word == "NaN" || word == "Infinity" || word == "nan" || word == "inf")
      fix = "JSON has no such number; use null or a finite one";
    if (word == "True" || word == "False" || word == "None") fix = "write true, false or null, in lower case";
    if (c == '\'') fix = "use double quotes";
    if (c == '/' || c == '#') fix = "JSON has no comments; remove it";
    if (c == '+') fix = "remove the plus sign";
    if (c == '.') fix = "write a digit before the point";
    if (c == ']' || c == '}') fix = "remove the comma before it, or write the missing value";
    return syntax(concat("a value is expected here, not ", describe_next()), std::move(fix));
  }

  Status read_number(Value& out) {
    const size_t start = at_;
    const auto digits = [&] {
      const size_t first = at_;
      while (is_digit(peek())) advance();
      return at_ - first;
    };
    if (peek() == '-') advance();
    const Position integer = position_;
    const bool zero = peek() == '0';
    const size_t count = digits();
    if (count == 0)
      return syntax(concat("a digit is expected after '-', not ", describe_next()),
                    "write a finite decimal number");
    if (zero && count > 1)
      return syntax_at(integer, "a number must not start with 0", "remove the leading zeros");
    if (peek() == '.') {
      advance();
      if (digits() == 0)
        return syntax(concat("a digit is expected after the point, not ", describe_next()), "write e.g. 1.0");
    }
    if (peek() == 'e' || peek() == 'E') {
      advance();
      if (peek() == '+' || peek() == '-') advance();
      if (digits() == 0)
        return syntax(concat("a digit is expected in the exponent, not ", describe_next()), "write e.g. 1e6");
    }
    if (is_word(peek()) || peek() == '.') {
      return syntax(concat("a number must not go on with ", describe_next()),
                    "JSON numbers are decimal, without unit or suffix");
    }
    out.data_ = Value::Number{std::string(text_.substr(start, at_ - start))};
    return {};
  }

  Status read_string(std::string& out) {
    const Position open = position_;
    advance();
    while (true) {
      // The common case at once: plain ASCII up to the next special character.
      const size_t start = at_;
      while (!at_end() && static_cast<uint8_t>(text_[at_] - 0x20) < 0x5f && text_[at_] != '"' &&
             text_[at_] != '\\')
        ++at_;
      out.append(text_, start, at_ - start);
      position_.column += static_cast<uint32_t>(at_ - start);

      if (at_end()) {
        return opened_at(open, syntax("the text ends inside a string", "close the string with \""));
      }
      const char c = text_[at_];
      if (c == '"') {
        advance();
        return {};
      }
      if (c == '\\') {
        OPENQNN_TRY(read_escape(out));
        continue;
      }
      if (c == '\n' || c == '\r') {
        return opened_at(open, syntax("the line ends inside a string",
                                      "close the string with \", or write \\n for a line end"));
      }
      if (static_cast<uint8_t>(c) < 0x20) {
        return syntax(concat("a string must not hold the control character ", hex_byte(c)),
                      concat("write it as \\u00", hex_byte(c).substr(2)));
      }
      const size_t length = utf8_length(text_.substr(at_));
      if (length == 0) {
        return invalid("json-utf8", concat("byte ", hex_byte(c), " starts no UTF-8 character"))
            .at(where(position_))
            .fix_by("save the file as UTF-8");
      }
      out.append(text_, at_, length);
      advance(length);
    }
  }

  // The four digits after \u; nothing when they are not all there.
  std::optional<uint32_t> hex4(size_t ahead) const {
    uint32_t code = 0;
    for (size_t i = 0; i < 4; ++i) {
      const char c = peek(ahead + i);
      const char lower = static_cast<char>(c | 0x20);
      if (is_digit(c)) {
        code = code * 16 + static_cast<uint32_t>(c - '0');
      } else if (lower >= 'a' && lower <= 'f') {
        code = code * 16 + static_cast<uint32_t>(lower - 'a' + 10);
      } else {
        return std::nullopt;
      }
    }
    return code;
  }

  void advance_ascii(size_t count) {
    at_ += count;
    position_.column += static_cast<uint32_t>(count);
  }

  Status read_escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char c = peek(1);
    if (c != 'u') {
      const size_t which = c == '\0' ? std::string_view::npos : kNames.find(c);
      if (which == std::string_view::npos) {
        return syntax(
            "'\\' starts no escape that JSON knows",
            "write \\\\ for a backslash; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
      }
      out += kMeanings[which];
      advance_ascii(2);
      return {};
    }
    const auto code = hex4(2);
    if (!code) return syntax("\\u needs four hexadecimal digits", "write e.g. \\u00e9");
    const bool high = *code >= 0xd800 && *code < 0xdc00;
    const bool low = *code >= 0xdc00 && *code < 0xe000;
    if (!high && !low) {
      append_utf8(out, *code);
      advance_ascii(6);
      return {};
    }
    const auto second = high && peek(6) == '\\' && peek(7) == 'u' ? hex4(8) : std::nullopt;
    if (!second || *second < 0xdc00 || *second >= 0xe000) {
      return syntax("half of a surrogate pair stands alone",
                    "write both halves, e.g. \\ud83d\\ude00, or the character itself");
    }
    append_utf8(out, 0x10000 + ((*code - 0xd800) << 10) + (*second - 0xdc00));
    advance_ascii(12);
    return {};
  }

  Status too_deep(uint32_t depth) const {
    if (depth <= max_depth_) return {};
    return invalid("json-depth", concat("values are nested more than ", max_depth_, " deep"))
        .at(where(position_))
        .fix_by("flatten the structure");
  }

  Status read_array(Value& out, uint32_t depth) {
    OPENQNN_TRY(too_deep(depth));
    const Position open = position_;
    advance();
    Array array;
    skip_space();
    if (next_is(']')) {
      advance();
    } else {
      for (bool more = true; more;) {
        OPENQNN_TRY(read_value(array.emplace_back(), depth + 1));
        OPENQNN_TRY(read_separator(']', open, more));
      }
    }
    out.data_ = std::move(array);
    return {};
  }

  Status read_object(Value& out, uint32_t depth) {
    OPENQNN_TRY(too_deep(depth));
    const Position open = position_;
    advance();
    Object object;
    skip_space();
    if (next_is('}')) {
      advance();
    } else {
      for (bool more = true; more;) {
        Member& member = object.emplace_back();
        member.position = position_;
        OPENQNN_TRY(read_key(member.key));
        OPENQNN_TRY(read_value(member.value, depth + 1));
        OPENQNN_TRY(read_separator('}', open, more));
      }
    }
    OPENQNN_TRY(check_keys(object));
    out.data_ = std::move(object);
    return {};
  }

  // A key, the colon, and the space up to the value.
  Status read_key(std::string& key) {
    if (!next_is('"')) {
      std::string fix = "write the key in double quotes";
      if (next_is('}')) fix = "remove the comma before it";
      if (next_is('/') || next_is('#')) fix = "JSON has no comments; remove it";
      return syntax(concat("a key is expected here, not ", describe_next()), std::move(fix));
    }
    OPENQNN_TRY(read_string(key));
    skip_space();
    if (!next_is(':'))
      return syntax(concat("':' is expected after the key \"", key, "\", not ", describe_next()),
                    "write \"key\": value");
    advance();
    skip_space();
    return {};
  }

  // A comma (then `more`) or the closing bracket, and the space up to the next item.
  Status read_separator(char bracket, Position open, bool& more) {
    const Position after_value = position_;
    skip_space();
    more = next_is(',');
    if (!more && !next_is(bracket)) {
      std::string fix = concat("write ',' or '", bracket, "'");
      if (next_is('/') || next_is('#')) fix = "JSON has no comments; remove it";
      // A missing comma is best shown where it belongs, behind the value, not at the next line's first
      // character.
      const Position place = at_end() ? position_ : after_value;
      const std::string message = concat("',' or '", bracket, "' is expected here, before ", describe_next());
      return opened_at(open, syntax_at(place, message, std::move(fix)));
    }
    advance();
    if (more) skip_space();
    return {};
  }

  // Sorted once at the end, so that an object with very many keys costs no square.
  Status check_keys(const Object& object) const {
    std::vector<const Member*> sorted;
    sorted.reserve(object.size());
    for (const Member& member : object) sorted.push_back(&member);
    std::sort(sorted.begin(), sorted.end(), [](const Member* a, const Member* b) {
      return std::pair(std::string_view(a->key), a) < std::pair(std::string_view(b->key), b);
    });
    const Member* again = nullptr;
    const Member* first = nullptr;
    for (size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i]->key == sorted[i - 1]->key && (again == nullptr || sorted[i] < again)) {
        first = sorted[i - 1];
        again = sorted[i];
      }
    }
    if (again == nullptr) return {};
    return invalid("json-duplicate-key", concat("the key \"", again->key, "\" occurs twice in this object"))
        .at(where(again->position))
        .note(concat("it stands first at ", to_string(first->position)))
        .fix_by("keep one of them");
  }

  std::string_view text_;
  std::string source_;
  uint32_t max_depth_;
  size_t at_ = 0;
  Position position_;
};

Result<Value> parse(std::string_view text, std::string_view source, const ReadOptions& options) {
  if (text.size() > options.max_bytes) {
    return invalid("json-size",
                   concat("the text has ", text.size(), " bytes; ", options.max_bytes, " are allowed"))
        .at(std::string(source))
        .fix_by("split the file");
  }
  return Parser(text, source, options).document();
}

}  // namespace openqnn::json
