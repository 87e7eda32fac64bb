// SPDX-License-Identifier: BSD-3-Clause
// How the C++ API reports failures: by value, never by an exception.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "openqnn/export.h"

namespace openqnn {

struct Error {
  enum class Kind : uint8_t {
    kInvalid,      // what was asked for breaks a rule
    kUnsupported,  // legal, but not offered
    kExhausted,    // a resource does not suffice
    kCorrupt,      // a file is damaged or hostile
    kSystem,       // the operating system refused
    kInternal,     // a bug of openqnn
  };

  Kind kind = Kind::kInvalid;
  std::string code;     // stable and searchable, e.g. "file-missing"
  std::string message;  // what is wrong, and why
  std::string where;    // a path, a line, an object; may be empty
  std::string fix;      // what to do; empty when no remedy is known
  std::vector<std::string> notes;

  OPENQNN_API std::string to_string() const;  // "message (where); fix"
};

// A value, or the reason why there is none:
//
//   auto binary = openqnn::ContextBinary::open("model.bin");
//   if (!binary) return complain(binary.error());
//   for (const auto& graph : binary->graphs()) …
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit on purpose
  Expected(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }

  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Expected<void> {
 public:
  Expected() = default;
  Expected(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace openqnn
