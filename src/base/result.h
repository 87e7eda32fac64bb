// SPDX-License-Identifier: BSD-3-Clause
// Result<T>: a value, or the reason why there is none. No exception crosses a room.
#pragma once

#include <concepts>
#include <optional>
#include <utility>
#include <variant>

#include "base/diagnostic.h"

namespace openqnn {

// `E` is a Diagnostic everywhere but at the C API, where the documented error code comes with it.
template <class T, class E = Diagnostic>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT
  Result(DiagnosticBuilder&& builder)                                    // NOLINT
      requires std::constructible_from<E, Diagnostic> : Result(E(Diagnostic(std::move(builder)))) {}

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

  const E& error() const& { return std::get<1>(state_); }
  E&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, E> state_;
};

// Success, or the reason of the failure.
template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  Result() = default;
  Result(E error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose
  Result(DiagnosticBuilder&& builder)            // NOLINT
      requires std::constructible_from<E, Diagnostic> : Result(E(Diagnostic(std::move(builder)))) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const E& error() const& { return *error_; }
  E&& error() && { return *std::move(error_); }

 private:
  std::optional<E> error_;
};

using Status = Result<void>;

// Returns the failure of `expression` from the enclosing function.
#define OPENQNN_TRY(expression)                                                                        \
  do {                                                                                                 \
    if (auto openqnn_status = (expression); !openqnn_status) return std::move(openqnn_status).error(); \
  } while (false)

// Binds the value of a Result to `declaration`, or returns its failure.
#define OPENQNN_ASSIGN(declaration, expression) \
  OPENQNN_ASSIGN_IMPL(declaration, expression, OPENQNN_CONCAT(openqnn_result_, __LINE__))
// NOLINTBEGIN(bugprone-macro-parentheses): a declaration cannot stand in parentheses
#define OPENQNN_ASSIGN_IMPL(declaration, expression, temporary) \
  auto temporary = (expression);                                \
  if (!temporary) return std::move(temporary).error();          \
  declaration = std::move(temporary).value()
// NOLINTEND(bugprone-macro-parentheses)
#define OPENQNN_CONCAT(a, b) OPENQNN_CONCAT_IMPL(a, b)
#define OPENQNN_CONCAT_IMPL(a, b) a##b

}  // namespace openqnn
