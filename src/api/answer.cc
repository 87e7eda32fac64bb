// SPDX-License-Identifier: BSD-3-Clause
#include "api/answer.h"

#include "base/text.h"
#include "runtime/last_error.h"

namespace openqnn::api {

namespace {

thread_local CallScope* g_current = nullptr;  // a plain pointer: nothing to destroy when a thread ends

}  // namespace

CallScope::CallScope() : outer_(g_current) { g_current = this; }
CallScope::~CallScope() { g_current = outer_; }
CallScope& CallScope::current() { return *g_current; }

Qnn_ErrorHandle_t CallScope::report(const char* function, const ApiError& error) const {
  const std::string sentence = concat(function, ": ", error.diagnostic.to_string());
  runtime::remember_error(error.code, sentence);
  if (log_)
    log_->error(sentence);
  else
    runtime::log_error_everywhere(sentence);
  return error.code;
}

Qnn_ErrorHandle_t CallScope::report(Qnn_ErrorHandle_t code, const char* sentence) const noexcept {
  runtime::remember_error(code, sentence);
  return code;
}

Qnn_ErrorHandle_t not_supported(const char* function) noexcept {
  return answer(function, []() -> Outcome<> {
    return ApiError(QNN_COMMON_ERROR_NOT_SUPPORTED,
                    unsupported("api-not-supported", "this version of openqnn does not offer this function"));
  });
}

ApiError invalid_handle(Qnn_ErrorHandle_t code, const char* kind, const void* handle) {
  if (!handle) return {code, invalid("handle-null", concat("the ", kind, " handle is null"))};
  return {code, invalid("handle", concat("handle ", handle, " is not a live ", kind, " of this library"))
                    .fix_by("it may have been freed, belong to another library, or be of another kind")};
}

ApiError process_ends() {
  return ApiError(QNN_COMMON_ERROR_GENERAL,
                  invalid("process-exit", "the process ends, and the library's objects are gone")
                      .fix_by("call before exit() destroys static objects"));
}

ApiError null_argument(Qnn_ErrorHandle_t code, const char* name) {
  return {code, invalid("argument-null", concat("argument '", name, "' is null"))};
}

}  // namespace openqnn::api
