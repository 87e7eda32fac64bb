// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/error.h"

#include "api/cxx/impl.h"

namespace openqnn {

std::string Error::to_string() const {
  std::string text = message;
  if (!where.empty()) text += " (" + where + ")";
  if (!fix.empty()) text += "; " + fix;
  return text;
}

Error to_error(const Diagnostic& diagnostic, const std::string& where) {
  static_assert(static_cast<int>(Error::Kind::kInvalid) == static_cast<int>(Failure::kInvalid) &&
                static_cast<int>(Error::Kind::kInternal) == static_cast<int>(Failure::kInternal));
  return {.kind = static_cast<Error::Kind>(diagnostic.failure),
          .code = diagnostic.code,
          .message = diagnostic.message,
          .where = diagnostic.where.empty() ? where : diagnostic.where.to_string(),
          .fix = diagnostic.fix,
          .notes = diagnostic.notes};
}

}  // namespace openqnn
