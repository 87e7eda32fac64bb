// SPDX-License-Identifier: BSD-3-Clause
// The border of the C API: nothing is thrown across it, every failure leaves its sentence behind.
#pragma once

#include <cstring>
#include <new>
#include <optional>

#include "QnnBackend.h"
#include "QnnContext.h"
#include "QnnDevice.h"
#include "QnnGraph.h"
#include "QnnLog.h"
#include "QnnProfile.h"
#include "runtime/backend.h"
#include "runtime/context.h"
#include "runtime/graph.h"
#include "runtime/handles.h"
#include "runtime/log.h"
#include "runtime/outcome.h"
#include "runtime/profile.h"

namespace openqnn::api {

using runtime::ApiError;
using runtime::Outcome;
using runtime::Ref;

// One call of the C API, while it runs: whose log its failure belongs to. Calls nest when a log callback
// calls back.
class CallScope {
 public:
  CallScope();
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  // The calling thread's innermost call.
  static CallScope& current();

  void belongs_to(const Logger& log) { log_ = log; }
  // Remembers and logs the sentence; returns the code. Without an owner, every live log gets it: a failing
  // call may not know which one its client reads.
  Qnn_ErrorHandle_t report(const char* function, const ApiError& error) const;
  // The same for failures that leave no room for a sentence of their own.
  Qnn_ErrorHandle_t report(Qnn_ErrorHandle_t code, const char* sentence) const noexcept;

 private:
  std::optional<Logger> log_;
  CallScope* const outer_;
};

// Runs the body of a C API function and turns its outcome into a return value.
template <class Body>
Qnn_ErrorHandle_t answer(const char* function, Body&& body) noexcept {
  CallScope call;
  try {
    const Outcome<> outcome = body();
    return outcome ? QNN_SUCCESS : call.report(function, outcome.error());
  } catch (const std::bad_alloc&) {
    return call.report(QNN_COMMON_ERROR_MEM_ALLOC, "memory could not be allocated");
  } catch (...) {
    return call.report(QNN_COMMON_ERROR_GENERAL, "an unexpected exception was caught");
  }
}

// What a function of the API that is not offered answers.
Qnn_ErrorHandle_t not_supported(const char* function) noexcept;

ApiError invalid_handle(Qnn_ErrorHandle_t code, const char* kind, const void* handle);

// The object behind a handle. `code` replaces the kind's own code where a function documents another one.
template <class T>
Outcome<Ref<T>> find(void* handle, Qnn_ErrorHandle_t code = T::kInvalidHandle) {
  Ref<T> object = runtime::HandleTable::instance().acquire<T>(handle);
  if (!object) return invalid_handle(code, T::kName, handle);
  if constexpr (requires { object->log(); }) CallScope::current().belongs_to(object->log());
  return object;
}

// For handles a client may leave out: nothing for null.
template <class T>
Outcome<Ref<T>> find_optional(void* handle, Qnn_ErrorHandle_t code = T::kInvalidHandle) {
  if (!handle) return Ref<T>();
  return find<T>(handle, code);
}

// What a call of a client's static object gets that outlives the library's.
ApiError process_ends();

// Puts a new object behind a handle.
template <class T>
Outcome<void*> publish(std::unique_ptr<T> object) {
  runtime::HandleTable& handles = runtime::HandleTable::instance();
  if (void* handle = handles.insert(T::kKind, std::move(object))) return handle;
  if (!handles.is_open()) return process_ends();
  return ApiError(QNN_COMMON_ERROR_MEM_ALLOC, exhausted("handles", "every handle of this library is in use"));
}

template <class T>
Outcome<> free_handle(void* handle) {
  if (!runtime::HandleTable::instance().remove<T>(handle))
    return invalid_handle(T::kInvalidHandle, T::kName, handle);
  return {};
}

// The number behind an enumerator that a client wrote. It may name no enumerator, and loading such a value as
// its enum type is undefined.
template <class Enum>
uint32_t number_of(const Enum& value) {
  static_assert(sizeof(Enum) == sizeof(uint32_t));
  uint32_t number = 0;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

// An argument that may not be null.
ApiError null_argument(Qnn_ErrorHandle_t code, const char* name);

// Calls body(entry) for each entry of a null-terminated list of pointers; a null list is empty.
template <class Config, class Body>
Outcome<> for_each_config(const Config** list, Body&& body) {
  for (; list && *list; ++list) OPENQNN_TRY(body(**list));
  return {};
}

}  // namespace openqnn::api
