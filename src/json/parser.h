// SPDX-License-Identifier: BSD-3-Clause
// The reader behind parse() and parse_lenient(). Only this room includes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/json.h"
#include "json/scan.h"

namespace openqnn::json {

// One function per grammar rule. A rule that fails has told why by fail() and answers false: the many that
// succeed carry no Status around. Lines are counted only for the message.
class Parser {
 public:
  // With `notes` the liberties pass, without them the text is strict.
  Parser(std::string_view text, std::string_view source, const ReadOptions& options, LenientNotes* notes);

  Result<Value> document();

 private:
  enum class Next : uint8_t { kItem, kEnd, kFailure };

  // parser.cc: the grammar.
  bool read_document(Value& out);
  bool read_value(Value& out, uint32_t depth);
  bool read_array(Value& out, uint32_t depth);
  bool read_object(Value& out, uint32_t depth);
  bool read_key(Member& member);
  Next read_separator(char bracket, const char* open);
  bool read_number(Value& out);
  bool read_word(Value& out);
  bool read_string(Text& out);
  bool read_rest_of_string(std::string& out, const char* open);
  bool read_escape(std::string& out);
  bool check_keys(const Object& object);
  bool check_many_keys(const Object& object);
  void skip_comments();

  // slips.cc: what went wrong, where, and how to mend it.
  bool fail(Diagnostic diagnostic);
  bool syntax(const char* place, std::string message, std::string fix, const char* open = nullptr);
  bool no_start();
  bool goes_on();
  bool too_deep();
  bool not_a_value(std::string_view word);
  bool surplus_comma(const Value& element);
  bool not_a_key();
  bool no_colon(std::string_view key);
  bool no_separator(char bracket, const char* open, const char* after_value);
  bool not_in_a_string(const char* open);
  bool no_character(const char* place);
  bool duplicate_key(const Member& first, const Member& again);
  std::string describe_next() const;
  std::string comment_fix() const;
  Position position(const char* place) const;
  Where where(const char* place) const;
  void offer(std::optional<Edit> repair);

  bool at_end() const { return at_ == end_; }
  bool next_is(char c) const { return at_ != end_ && *at_ == c; }
  char peek(size_t ahead = 0) const { return ahead < static_cast<size_t>(end_ - at_) ? at_[ahead] : '\0'; }
  uint32_t offset(const char* place) const { return static_cast<uint32_t>(place - begin_); }
  Text text_from(const char* start) const {
    return {{start, static_cast<size_t>(end_ - start)}, static_cast<size_t>(at_ - start)};
  }
  std::string_view text() const { return {begin_, static_cast<size_t>(end_ - begin_)}; }

  void skip_space() {
    while (at_ != end_ && is_space(*at_)) ++at_;
    if (notes_ != nullptr && at_ != end_ && (*at_ == '/' || *at_ == '#')) skip_comments();
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  LenientNotes* notes_;  // nullptr: strict
  uint32_t max_depth_;
  // As many items as the container before had: lists of alike things are the rule.
  size_t expected_members_ = 1;
  size_t expected_elements_ = 1;
  std::string_view source_;
  std::optional<Diagnostic> failure_;
};

}  // namespace openqnn::json
