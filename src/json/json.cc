// SPDX-License-Identifier: BSD-3-Clause
// What a parsed value answers.
#include "json/json.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace openqnn::json {
namespace {

template <class T>
std::optional<T> read_whole(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

// A number without point and exponent that equals `text`, when it is an integer of at most 19 digits.
std::optional<std::string> plain_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  const size_t point = mantissa.find('.');
  std::string digits(mantissa.substr(0, point));
  if (point != std::string_view::npos) digits += mantissa.substr(point + 1);
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return "0";

  int64_t exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view written = text.substr(e + 1);
    if (written.starts_with('+')) written.remove_prefix(1);
    const auto read = read_whole<int32_t>(written);
    if (!read) return std::nullopt;  // beyond any text we read: huge, or a fraction
    exponent = *read;
  }
  if (point != std::string_view::npos) exponent -= static_cast<int64_t>(mantissa.size() - point - 1);
  while (digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  constexpr int64_t kMostDigits = 19;  // of an int64
  if (exponent < 0 || exponent + static_cast<int64_t>(digits.size()) > kMostDigits) return std::nullopt;
  return (negative ? "-" : "") + digits + std::string(static_cast<size_t>(exponent), '0');
}

}  // namespace

Value::Kind Value::kind() const { return static_cast<Kind>(data_.index()); }

bool Value::as_bool() const {
  const bool* held = std::get_if<bool>(&data_);
  return held != nullptr && *held;
}

std::string_view Value::as_string() const {
  const auto* held = std::get_if<std::string>(&data_);
  return held != nullptr ? std::string_view(*held) : std::string_view();
}

std::string_view Value::number_text() const {
  const auto* held = std::get_if<Number>(&data_);
  return held != nullptr ? std::string_view(held->text) : std::string_view();
}

const Array& Value::as_array() const {
  static const Array none;
  const auto* held = std::get_if<Array>(&data_);
  return held != nullptr ? *held : none;
}

const Object& Value::as_object() const {
  static const Object none;
  const auto* held = std::get_if<Object>(&data_);
  return held != nullptr ? *held : none;
}

std::optional<int64_t> Value::as_int64() const {
  if (kind() != Kind::kNumber) return std::nullopt;
  const auto plain = plain_integer(number_text());
  return plain ? read_whole<int64_t>(*plain) : std::nullopt;
}

std::optional<double> Value::as_double() const {
  if (kind() != Kind::kNumber) return std::nullopt;
  const auto value = read_whole<double>(number_text());
  return value && std::isfinite(*value) ? value : std::nullopt;
}

const Value* Value::find(std::string_view key) const {
  for (const Member& member : as_object()) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

}  // namespace openqnn::json
