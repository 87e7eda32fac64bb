// SPDX-License-Identifier: BSD-3-Clause
// What a value answers, and how one is made.
#include "json/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/until_exit.h"

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

// A number as digits times a power of ten; without zeros at either end, so that equal numbers look equal.
struct Decimal {
  bool negative = false;
  std::string digits;  // empty: zero
  int64_t exponent = 0;
  bool operator==(const Decimal&) const = default;
};

// Nothing when the exponent is beyond any that a text could make up for.
std::optional<Decimal> to_decimal(std::string_view text) {
  Decimal number;
  number.negative = text.starts_with('-');
  if (number.negative) text.remove_prefix(1);
  const size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, e);
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::string_view fraction = mantissa.substr(std::min(point + 1, mantissa.size()));
  number.digits = mantissa.substr(0, point);
  number.digits += fraction;
  number.digits.erase(0, number.digits.find_first_not_of('0'));
  if (number.digits.empty()) return Decimal{};

  if (e != text.size()) {
    std::string_view written = text.substr(e + 1);
    if (written.starts_with('+')) written.remove_prefix(1);
    const auto read = read_whole<int64_t>(written);
    constexpr int64_t kFarBeyond = int64_t{1} << 62;
    if (!read || *read > kFarBeyond || *read < -kFarBeyond) return std::nullopt;
    number.exponent = *read;
  }
  const size_t kept = number.digits.find_last_not_of('0') + 1;
  number.exponent += static_cast<int64_t>(number.digits.size() - kept);
  number.exponent -= static_cast<int64_t>(fraction.size());
  number.digits.resize(kept);
  return number;
}

bool same_number(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto left = to_decimal(a);
  return left && left == to_decimal(b);
}

bool same_members(const Object& a, const Object& b) {
  if (a.size() != b.size()) return false;
  const auto same = [](const Member& x, const Member& y) {
    return x.key == y.key && x.value.same_as(y.value);
  };
  // In the same order, as a rule; sorted where that ends.
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(),
                                           [](const Member& x, const Member& y) { return x.key == y.key; });
  if (left == a.end()) return std::equal(a.begin(), a.end(), b.begin(), same);
  const auto sorted = [](const Object& object) {
    std::vector<const Member*> members;
    members.reserve(object.size());
    for (const Member& member : object) members.push_back(&member);
    std::ranges::stable_sort(members, [](const Member* x, const Member* y) { return x->key < y->key; });
    return members;
  };
  const auto ours = sorted(a);
  const auto theirs = sorted(b);
  return std::equal(ours.begin(), ours.end(), theirs.begin(),
                    [&](const Member* x, const Member* y) { return same(*x, *y); });
}

bool is_number(std::string_view text) {
  const auto digits = [&] {
    const size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool zero = text.starts_with('0');
  const size_t count = digits();
  if (count == 0 || (zero && count > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

}  // namespace

static_assert(sizeof(Value) <= 40 && sizeof(Member) <= 64, "a large file becomes very many of them");

Value::Value(Data data) : data_(std::move(data)) {}

Value Value::of(bool value) { return Value(Data(value)); }

Value Value::of(int64_t value) { return of_number_text(std::to_string(value)); }

Value Value::of(double value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof(digits), value);
  if (!std::isfinite(value) || error != std::errc()) return {};
  return of_number_text(std::string(digits, end));
}

Value Value::of(std::string_view value) { return Value(Data(Text(value))); }

Value Value::of(const std::string& value) { return of(std::string_view(value)); }

Value Value::of(const char* value) { return of(std::string_view(value)); }

Value Value::of(Array value) { return Value(Data(std::move(value))); }

Value Value::of(Object value) { return Value(Data(std::move(value))); }

// What is no number becomes null, so that whatever is written can be read again.
Value Value::of_number_text(std::string_view text) {
  return is_number(text) ? Value(Data(Number{text})) : Value();
}

bool Value::as_bool() const {
  const bool* held = std::get_if<bool>(&data_);
  return held != nullptr && *held;
}

std::string_view Value::as_string() const {
  const auto* held = std::get_if<Text>(&data_);
  return held != nullptr ? held->view() : std::string_view();
}

std::string_view Value::number_text() const {
  const auto* held = std::get_if<Number>(&data_);
  return held != nullptr ? held->text.view() : std::string_view();
}

const Array& Value::as_array() const {
  static KeptAtExit<Array> none;
  const auto* held = std::get_if<Array>(&data_);
  return held != nullptr ? *held : *none;
}

const Object& Value::as_object() const {
  static KeptAtExit<Object> none;
  const auto* held = std::get_if<Object>(&data_);
  return held != nullptr ? *held : *none;
}

Array* Value::array() { return std::get_if<Array>(&data_); }

Object* Value::object() { return std::get_if<Object>(&data_); }

std::optional<int64_t> Value::as_int64() const {
  if (kind() != Kind::kNumber) return std::nullopt;
  if (const auto plain = read_whole<int64_t>(number_text())) return plain;
  const auto number = to_decimal(number_text());
  constexpr int64_t kMostDigits = 19;  // of an int64
  if (!number || number->exponent < 0 || number->exponent > kMostDigits ||
      number->exponent + static_cast<int64_t>(number->digits.size()) > kMostDigits) {
    return std::nullopt;
  }
  const std::string zeros(static_cast<size_t>(number->exponent), '0');
  return read_whole<int64_t>((number->negative ? "-" : "") + (number->digits.empty() ? "0" : number->digits) +
                             zeros);
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

bool Value::same_as(const Value& other) const {
  if (kind() != other.kind()) return false;
  switch (kind()) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return as_bool() == other.as_bool();
    case Kind::kNumber:
      return same_number(number_text(), other.number_text());
    case Kind::kString:
      return as_string() == other.as_string();
    case Kind::kArray:
      return std::equal(as_array().begin(), as_array().end(), other.as_array().begin(),
                        other.as_array().end(), [](const Value& a, const Value& b) { return a.same_as(b); });
    case Kind::kObject:
      break;
  }
  return same_members(as_object(), other.as_object());
}

}  // namespace openqnn::json
