// SPDX-License-Identifier: BSD-3-Clause
// What the parser says when it stops: the usual slips (a trailing comma, a comment, single quotes) are
// recognised to name them and, for parse_lenient, to mend them.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "json/parser.h"
#include "json/utf8.h"

namespace openqnn::json {
namespace {

std::string hex_byte(char c) {
  constexpr char kHex[] = "0123456789abcdef";
  const auto byte = static_cast<uint8_t>(c);
  return {'0', 'x', kHex[byte >> 4], kHex[byte & 15]};
}

std::string to_string(Position position) {
  return concat("line ", position.line, ", column ", position.column);
}

// ---- Edits that mend a text, where only one thing can have been meant ----

// Nothing but what may stand behind a string: an apostrophe inside a word closes nothing.
bool ends_string(std::string_view text, size_t at) {
  at = skip_space_and_comments(text, at);
  return at == text.size() || text[at] == ',' || text[at] == ':' || text[at] == ']' || text[at] == '}';
}

// The string in single quotes at `at` in double ones.
std::optional<Edit> double_quotes(std::string_view text, size_t at) {
  std::string mended = "\"";
  size_t end = at + 1;
  for (; end < text.size() && text[end] != '\'' && text[end] != '\n'; ++end) {
    if (text[end] == '"') {
      mended += "\\\"";
    } else if (text[end] != '\\' || end + 1 == text.size()) {
      mended += text[end];
    } else if (text[++end] == '\'') {
      mended += '\'';
    } else {
      mended += {'\\', text[end]};
    }
  }
  if (end >= text.size() || text[end] != '\'' || !ends_string(text, end + 1)) return std::nullopt;
  mended += '"';
  if (!parse(mended, "")) return std::nullopt;  // wrong in another way, too
  return Edit{Span::of(at, end + 1), mended};
}

// true for True, false for False, null for None.
std::optional<Edit> python_word(size_t at, std::string_view word) {
  const char* meant = word == "True" ? "true" : word == "False" ? "false" : word == "None" ? "null" : nullptr;
  if (meant == nullptr) return std::nullopt;
  return Edit{Span::of(at, at + word.size()), meant};
}

// Also what the next repair would make one.
bool begins_value(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  const char c = text[at];
  if (c == '"' || c == '{' || c == '[' || c == '-' || is_digit(c)) return true;
  if (c == '\'') return double_quotes(text, at).has_value();
  size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  const std::string_view word = text.substr(at, end - at);
  return word == "true" || word == "false" || word == "null" || python_word(at, word).has_value();
}

// A quote that was meant to stand inside the value before looks like a key, but no colon follows.
bool begins_member(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  size_t end = 0;
  if (text[at] == '"') {
    end = string_end(text, at);
  } else if (const auto mended = text[at] == '\'' ? double_quotes(text, at) : std::nullopt) {
    end = mended->span.end;
  } else {
    return false;
  }
  const size_t colon = skip_space_and_comments(text, end);
  return colon < text.size() && text[colon] == ':';
}

// A comma behind the value that ends at `after_value`, when an item of the container stands at `next`.
std::optional<Edit> insert_comma(std::string_view text, size_t after_value, size_t next, bool in_object) {
  if (in_object ? !begins_member(text, next) : !begins_value(text, next)) return std::nullopt;
  return Edit{Span::of(after_value, after_value), ","};
}

// Without the bracket at `at`, when only brackets, space and comments follow.
std::optional<Edit> remove_closing_bracket(std::string_view text, size_t at) {
  for (size_t rest = at; rest < text.size(); rest = skip_space_and_comments(text, rest + 1)) {
    if (text[rest] != ']' && text[rest] != '}') return std::nullopt;
  }
  return Edit{Span::of(at, at + 1), ""};
}

}  // namespace

// The first failure is the cause; what follows from it is not told.
bool Parser::fail(Diagnostic diagnostic) {
  if (!failure_) failure_ = std::move(diagnostic);
  return false;
}

// Only for the failure just told, and only to those who read leniently.
void Parser::offer(std::optional<Edit> repair) {
  if (notes_ != nullptr && !notes_->repair) notes_->repair = std::move(repair);
}

Position Parser::position(const char* place) const { return LineIndex(text()).position(offset(place)); }

Where Parser::where(const char* place) const {
  const Position found = position(place);
  return {std::string(source_), found.line, found.column};
}

// `open`: where the thing that stays open began.
bool Parser::syntax(const char* place, std::string message, std::string fix, const char* open) {
  Diagnostic diagnostic = invalid("json-syntax", std::move(message)).at(where(place)).fix_by(std::move(fix));
  if (open != nullptr) diagnostic.notes.push_back(concat("it begins at ", to_string(position(open))));
  return fail(std::move(diagnostic));
}

// The next character or word, as a message names it.
std::string Parser::describe_next() const {
  if (at_end()) return "the end of the text";
  const std::string_view rest(at_, static_cast<size_t>(end_ - at_));
  const char c = rest.front();
  const size_t length = utf8_length(rest);
  if (length == 0 || static_cast<uint8_t>(c) < 0x20 || c == 0x7f) return concat("byte ", hex_byte(c));
  if (length > 1) return concat("'", rest.substr(0, length), "'");
  size_t word = 0;
  while (word < rest.size() && word < 24 && is_word(rest[word])) ++word;
  return concat("'", rest.substr(0, std::max<size_t>(word, 1)), "'");
}

std::string Parser::comment_fix() const {
  return notes_ == nullptr ? "JSON has no comments; remove it" : "begin a comment with // or /*";
}

bool Parser::no_start() {
  if (!at_end() && notes_ == nullptr)
    return syntax(at_, "the text starts with a byte order mark", "save the file as UTF-8 without BOM");
  return syntax(at_, "there is no value: the text is empty", "write at least {}");
}

bool Parser::goes_on() {
  syntax(at_, concat(describe_next(), " after the end of the value"),
         "a JSON text holds one value; remove the rest");
  offer(remove_closing_bracket(text(), offset(at_)));
  return false;
}

bool Parser::too_deep() {
  return fail(invalid("json-depth", concat("values are nested more than ", max_depth_, " deep"))
                  .at(where(at_))
                  .fix_by("flatten the structure"));
}

bool Parser::not_a_value(std::string_view word) {
  if (failure_) return false;
  std::string fix = "write a string in double quotes, a number, true, false, null, [...] or {...}";
  const char c = peek();
  if (word == "NaN" || word == "Infinity" || word == "nan" || word == "inf")
    fix = "JSON has no such number; use null or a finite one";
  if (word == "True" || word == "False" || word == "None") fix = "write true, false or null, in lower case";
  if (c == '\'') fix = "use double quotes";
  if (c == '/' || c == '#') fix = comment_fix();
  if (c == '+') fix = "remove the plus sign";
  if (c == '.') fix = "write a digit before the point";
  if (c == ',') fix = "write the missing value, or remove this comma";
  if (c == ']' || c == '}') fix = "remove the comma before it, or write the missing value";
  syntax(at_, concat("a value is expected here, not ", describe_next()), std::move(fix));
  offer(c == '\'' ? double_quotes(text(), offset(at_)) : python_word(offset(at_), word));
  return false;
}

// When what could not be read as an element is a comma, one too many was written.
bool Parser::surplus_comma(const Value& element) {
  if (next_is(',') && element.span().begin == offset(at_)) offer(Edit{{offset(at_), offset(at_) + 1}, ""});
  return false;
}

bool Parser::not_a_key() {
  if (failure_) return false;
  const char c = peek();
  std::string fix = "write the key in double quotes";
  if (c == '}') fix = "remove the comma before it";
  if (c == ',') fix = "remove this comma";
  if (c == '/' || c == '#') fix = comment_fix();
  syntax(at_, concat("a key is expected here, not ", describe_next()), std::move(fix));
  if (c == ',') offer(Edit{{offset(at_), offset(at_) + 1}, ""});
  if (c == '\'') offer(double_quotes(text(), offset(at_)));
  return false;
}

bool Parser::no_colon(std::string_view key) {
  return syntax(at_, concat("':' is expected after the key \"", key, "\", not ", describe_next()),
                "write \"key\": value");
}

// A missing comma is best shown where it belongs, behind the value, not at the next line's first character.
bool Parser::no_separator(char bracket, const char* open, const char* after_value) {
  if (failure_) return false;
  std::string fix = concat("write ',' or '", bracket, "'");
  if (next_is('/') || next_is('#')) fix = comment_fix();
  syntax(at_end() ? at_ : after_value,
         concat("',' or '", bracket, "' is expected here, before ", describe_next()), std::move(fix), open);
  offer(insert_comma(text(), offset(after_value), offset(at_), bracket == '}'));
  return false;
}

bool Parser::not_in_a_string(const char* open) {
  if (at_end()) return syntax(at_, "the text ends inside a string", "close the string with \"", open);
  const char c = *at_;
  if (c == '\n' || c == '\r') {
    return syntax(at_, "the line ends inside a string",
                  "close the string with \", or write \\n for a line end", open);
  }
  if (static_cast<uint8_t>(c) < 0x20) {
    return syntax(at_, concat("a string must not hold the control character ", hex_byte(c)),
                  concat("write it as \\u00", hex_byte(c).substr(2)));
  }
  return no_character(at_);
}

bool Parser::no_character(const char* place) {
  return fail(invalid("json-utf8", concat("byte ", hex_byte(*place), " starts no UTF-8 character"))
                  .at(where(place))
                  .fix_by("save the file as UTF-8"));
}

bool Parser::duplicate_key(const Member& first, const Member& again) {
  return fail(invalid("json-duplicate-key", concat("the key \"", again.key, "\" occurs twice in this object"))
                  .at(where(begin_ + again.key_span.begin))
                  .note(concat("it stands first at ", to_string(position(begin_ + first.key_span.begin))))
                  .fix_by("keep one of them"));
}

}  // namespace openqnn::json
