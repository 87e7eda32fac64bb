// SPDX-License-Identifier: BSD-3-Clause
// QnnError.h
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "QnnError.h"
#include "api/answer.h"
#include "base/text.h"
#include "runtime/error_catalogue.h"
#include "runtime/last_error.h"

namespace openqnn::api {
namespace {

// Code to text, from data/errors.json.
const std::map<Qnn_ErrorHandle_t, std::string>& error_texts() {
  static const auto texts = [] {
    std::map<Qnn_ErrorHandle_t, std::string> table;
    const auto catalogue = runtime::error_catalogue();
    if (!catalogue) return table;
    for (const runtime::ErrorEntry& entry : catalogue->entries) {
      if (entry.primary) table[entry.code] = concat(entry.name, " (", entry.code, "): ", entry.meaning);
    }
    return table;
  }();
  return texts;
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

HeldMessages& held_messages() {
  static HeldMessages instance;
  return instance;
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnError_getMessage(Qnn_ErrorHandle_t errorHandle, const char** errorMessage) {
  return answer_quietly([&]() -> Qnn_ErrorHandle_t {
    if (!errorMessage) return QNN_ERROR_INVALID_ARGUMENT;
    const auto found = error_texts().find(QNN_GET_ERROR_CODE(errorHandle));
    if (found == error_texts().end()) return QNN_ERROR_INVALID_ERROR_HANDLE;
    *errorMessage = found->second.c_str();
    return QNN_SUCCESS;
  });
}

Qnn_ErrorHandle_t QnnError_getVerboseMessage(Qnn_ErrorHandle_t errorHandle, const char** errorMessage) {
  return answer_quietly([&]() -> Qnn_ErrorHandle_t {
    if (!errorMessage) return QNN_ERROR_INVALID_ARGUMENT;
    std::string sentence(runtime::last_error(QNN_GET_ERROR_CODE(errorHandle)));
    if (sentence.empty()) {
      const auto found = error_texts().find(QNN_GET_ERROR_CODE(errorHandle));
      if (found == error_texts().end()) return QNN_ERROR_INVALID_ERROR_HANDLE;
      sentence = found->second;
    }
    auto copy = std::make_unique<char[]>(sentence.size() + 1);
    sentence.copy(copy.get(), sentence.size());
    const std::lock_guard lock(held_messages().mutex);
    held_messages().messages.insert(copy.get());
    *errorMessage = copy.release();
    return QNN_SUCCESS;
  });
}

Qnn_ErrorHandle_t QnnError_freeVerboseMessage(const char* errorMessage) {
  return answer_quietly([&]() -> Qnn_ErrorHandle_t {
    const std::lock_guard lock(held_messages().mutex);
    if (held_messages().messages.erase(errorMessage) == 0) return QNN_ERROR_INVALID_ARGUMENT;
    delete[] errorMessage;
    return QNN_SUCCESS;
  });
}
