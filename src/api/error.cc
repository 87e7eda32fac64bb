// SPDX-License-Identifier: BSD-3-Clause
// QnnError.h
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "QnnError.h"
#include "api/answer.h"
#include "base/text.h"
#include "base/until_exit.h"
#include "runtime/error_catalogue.h"
#include "runtime/last_error.h"

namespace openqnn::api {
namespace {

// From data/errors.json.
class ErrorTexts {
 public:
  ErrorTexts() {
    const auto catalogue = runtime::error_catalogue();
    if (!catalogue) return;
    for (const runtime::ErrorEntry& entry : catalogue->entries)
      if (entry.primary) texts_[entry.code] = concat(entry.name, " (", entry.code, "): ", entry.meaning);
  }
  const char* find(Qnn_ErrorHandle_t code) const {
    const auto found = texts_.find(code);
    return found == texts_.end() ? nullptr : found->second.c_str();
  }

 private:
  std::map<Qnn_ErrorHandle_t, std::string> texts_;
};

// Null where there is none, and at exit.
const char* error_text(Qnn_ErrorHandle_t error) {
  const ErrorTexts* texts = UntilExit<ErrorTexts>::get();
  return texts ? texts->find(QNN_GET_ERROR_CODE(error)) : nullptr;
}

// These functions are asked about other failures, so their own leave no sentence behind.
template <class Body>
Qnn_ErrorHandle_t answer_quietly(Body&& body) noexcept {
  try {
    return body();
  } catch (...) {
    return QNN_COMMON_ERROR_MEM_ALLOC;
  }
}

// Verbose messages that a client holds and has to give back.
struct HeldMessages {
  std::mutex mutex;
  std::set<const char*> messages;
  ~HeldMessages() {
    for (const char* message : messages) delete[] message;
  }
};

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnError_getMessage(Qnn_ErrorHandle_t errorHandle, const char** errorMessage) {
  return answer_quietly([&]() -> Qnn_ErrorHandle_t {
    if (!errorMessage) return QNN_ERROR_INVALID_ARGUMENT;
    const char* text = error_text(errorHandle);
    if (!text) return QNN_ERROR_INVALID_ERROR_HANDLE;
    *errorMessage = text;
    return QNN_SUCCESS;
  });
}

Qnn_ErrorHandle_t QnnError_getVerboseMessage(Qnn_ErrorHandle_t errorHandle, const char** errorMessage) {
  return answer_quietly([&]() -> Qnn_ErrorHandle_t {
    if (!errorMessage) return QNN_ERROR_INVALID_ARGUMENT;
    std::string sentence(runtime::last_error(QNN_GET_ERROR_CODE(errorHandle)));
    if (sentence.empty()) {
      const char* text = error_text(errorHandle);
      if (!text) return QNN_ERROR_INVALID_ERROR_HANDLE;
      sentence = text;
    }
    auto copy = std::make_unique<char[]>(sentence.size() + 1);
    sentence.copy(copy.get(), sentence.size());
    HeldMessages* held = UntilExit<HeldMessages>::get();
    if (!held) return QNN_ERROR_INVALID_ERROR_HANDLE;
    const std::lock_guard lock(held->mutex);
    held->messages.insert(copy.get());
    *errorMessage = copy.release();
    return QNN_SUCCESS;
  });
}

Qnn_ErrorHandle_t QnnError_freeVerboseMessage(const char* errorMessage) {
  return answer_quietly([&]() -> Qnn_ErrorHandle_t {
    HeldMessages* held = UntilExit<HeldMessages>::get();
    if (!held) return QNN_ERROR_INVALID_ARGUMENT;
    const std::lock_guard lock(held->mutex);
    if (held->messages.erase(errorMessage) == 0) return QNN_ERROR_INVALID_ARGUMENT;
    delete[] errorMessage;
    return QNN_SUCCESS;
  });
}
