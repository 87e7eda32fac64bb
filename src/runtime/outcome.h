// SPDX-License-Identifier: BSD-3-Clause
// What the state behind the C API answers: a value, or the documented error code together with the sentence.
#pragma once

#include "QnnCommon.h"
#include "base/result.h"

namespace openqnn::runtime {

struct ApiError {
  Qnn_ErrorHandle_t code;
  Diagnostic diagnostic;

  ApiError(Qnn_ErrorHandle_t error_code, Diagnostic reason)
      : code(error_code), diagnostic(std::move(reason)) {}
  ApiError(Qnn_ErrorHandle_t error_code, DiagnosticBuilder&& reason)
      : ApiError(error_code, Diagnostic(std::move(reason))) {}
};

template <class T = void>
using Outcome = Result<T, ApiError>;

// Lifts the failure of a deeper room to the code that the C API documents for it.
#define OPENQNN_TRY_AS(error_code, expression)                                              \
  do {                                                                                      \
    if (auto openqnn_status = (expression); !openqnn_status)                                \
      return ::openqnn::runtime::ApiError((error_code), std::move(openqnn_status).error()); \
  } while (false)
#define OPENQNN_ASSIGN_AS(declaration, error_code, expression) \
  OPENQNN_ASSIGN_AS_IMPL(declaration, error_code, expression, OPENQNN_CONCAT(openqnn_result_, __LINE__))
// NOLINTBEGIN(bugprone-macro-parentheses): a declaration cannot stand in parentheses
#define OPENQNN_ASSIGN_AS_IMPL(declaration, error_code, expression, temporary)                     \
  auto temporary = (expression);                                                                   \
  if (!temporary) return ::openqnn::runtime::ApiError((error_code), std::move(temporary).error()); \
  declaration = std::move(temporary).value()
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace openqnn::runtime
