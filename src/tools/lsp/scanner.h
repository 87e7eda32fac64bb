// SPDX-License-Identifier: BSD-3-Clause
// JSON that is still being typed: tokens, and what each is in its place, without ever giving up on the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "json/json.h"

namespace openqnn::tools::lsp {

struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kString,
    kWord,  // a number, true, or whatever else is no string and no punctuation
    kOpenObject,
    kOpenArray,
    kCloseObject,
    kCloseArray,
    kColon,
    kComma,
    kComment,
  };
  Kind kind = Kind::kEnd;
  json::Span span;
  bool closed = true;  // of strings and block comments; an open string ends with its line
};

// The token that begins at `at` or behind the space there.
Token next_token(std::string_view text, uint32_t at);

// What a token says: the inside of a string, escapes as they are written, or a word as it is. People who are
// about to type the quotes of a key have a bare word there.
std::string_view token_text(std::string_view text, const Token& token);

// Follows the tokens of a text and knows which containers are open.
class Walker {
 public:
  enum class Expects : uint8_t { kKey, kColon, kValue, kComma };

  struct Frame {
    bool is_object = true;
    Token key = {};  // under which the container stands in an object; kEnd elsewhere
    Expects expects = Expects::kKey;
    Token current = {};      // the key whose value comes or has come
    uint32_t value_end = 0;  // where the last value ends
    std::vector<Token> keys = {};
  };

  // Deeper than any configuration; what is nested deeper is not followed.
  static constexpr size_t kDeepest = 64;

  void take(const Token& token);

  const std::vector<Frame>& frames() const { return frames_; }
  bool too_deep() const { return too_deep_; }
  // Whether the last token was a key.
  bool took_key() const { return took_key_; }

 private:
  void open(bool is_object);
  void close(bool is_object, uint32_t end);
  void take_scalar(const Token& token);
  void finish_value(uint32_t end);

  std::vector<Frame> frames_;
  bool too_deep_ = false;
  bool took_key_ = false;
};

}  // namespace openqnn::tools::lsp
