// SPDX-License-Identifier: BSD-3-Clause
// JSON without a blank in it, for data inside a page: mostly long columns of numbers.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "json/json.h"

namespace openqnn::profile {

class Columns {
 public:
  void begin_object(std::string_view name = {}) { begin(name, '{'); }
  void end_object() { end('}'); }

  void text(std::string_view name, std::string_view value) {
    key(name);
    quote(value);
  }
  void number(std::string_view name, double value) {
    key(name);
    append(value);
  }
  // One value for each of `rows`: a number, a text, or a list of texts.
  template <class Rows, class ValueOf>
  void column(std::string_view name, const Rows& rows, const ValueOf& value_of) {
    begin(name, '[');
    for (const auto& row : rows) {
      separate();
      append(value_of(row));
    }
    end(']');
  }
  // Each value less the one before: what grows or repeats stays short.
  template <class Rows, class ValueOf>
  void differences(std::string_view name, const Rows& rows, const ValueOf& value_of) {
    uint64_t last = 0;
    column(name, rows, [&](const auto& row) {
      const uint64_t value = value_of(row);
      const auto step = static_cast<int64_t>(value - last);
      last = value;
      return step;
    });
  }
  // Texts of which few are different: {"texts": those, "at": which one}.
  template <class Rows, class TextOf>
  void choices(std::string_view name, const Rows& rows, const TextOf& text_of) {
    std::map<std::string, uint32_t, std::less<>> places;
    std::vector<std::string> texts;
    begin_object(name);
    column("at", rows, [&](const auto& row) {
      const auto [at, is_new] = places.try_emplace(text_of(row), static_cast<uint32_t>(texts.size()));
      if (is_new) texts.push_back(at->first);
      return at->second;
    });
    column("texts", texts, [](const std::string& text) { return text; });
    end_object();
  }
  // Names, which begin like the one before: [letters taken from it, the rest, ...]. Only ASCII is taken, so
  // that a letter is a byte here and a unit of JavaScript's text there.
  template <class Rows, class TextOf>
  void names(std::string_view name, const Rows& rows, const TextOf& text_of) {
    std::string last;
    begin(name, '[');
    for (const auto& row : rows) {
      const std::string text = text_of(row);
      size_t shared = 0;
      while (shared < last.size() && shared < text.size() && last[shared] == text[shared] &&
             is_ascii(text[shared]))
        ++shared;
      separate();
      append(uint64_t{shared});
      separate();
      quote(std::string_view(text).substr(shared));
      last = text;
    }
    end(']');
  }
  std::string take() { return std::move(out_); }

 private:
  void begin(std::string_view name, char bracket) {
    name.empty() ? separate() : key(name);
    out_ += bracket;
    first_ = true;
  }
  void end(char bracket) {
    out_ += bracket;
    first_ = false;
  }
  void separate() {
    if (!first_ && !out_.empty()) out_ += ',';
    first_ = false;
  }
  void key(std::string_view name) {
    separate();
    quote(name);
    out_ += ':';
  }
  // "</script>" and "<!--" end or change the element that the data stands in: no '<' is written.
  void quote(std::string_view text) {
    const size_t from = out_.size();
    json::append_quoted(out_, text);
    for (size_t at = out_.find('<', from); at != std::string::npos; at = out_.find('<', at))
      out_.replace(at, 1, "\\u003c");
  }
  void append(std::string_view text) { quote(text); }
  void append(Cycles value) { append(value.value); }
  static bool is_ascii(char letter) { return static_cast<unsigned char>(letter) < 0x80; }
  template <std::integral Integer>
  void append(Integer value) {
    std::array<char, 24> digits{};
    out_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  }
  void append(double value) {
    std::array<char, 40> digits{};
    if (!std::isfinite(value)) value = 0;
    out_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  }
  void append(const std::vector<std::string>& texts) {
    out_ += '[';
    for (size_t i = 0; i < texts.size(); ++i) {
      if (i != 0) out_ += ',';
      quote(texts[i]);
    }
    out_ += ']';
  }

  std::string out_;
  bool first_ = true;
};

}  // namespace openqnn::profile
