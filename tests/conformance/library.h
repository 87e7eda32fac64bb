// SPDX-License-Identifier: BSD-3-Clause
// The libraries under test, opened the way clients open them: dlopen, one symbol, a copy of the table.
#pragma once

#include <dlfcn.h>

#include <string>

#include "QnnInterface.h"
#include "System/QnnSystemInterface.h"

namespace conformance {

using Api = QNN_INTERFACE_VER_TYPE;
using SystemApi = QNN_SYSTEM_INTERFACE_VER_TYPE;

std::string from_environment(const char* name);  // "" where it is not set
// From OPENQNN_BACKEND_LIB; the System library from OPENQNN_SYSTEM_LIB, else from the backend's folder.
std::string backend_path();
std::string system_path();
// From OPENQNN_TWIN_LIB: the same backend under another provider name. Empty when there is none.
std::string twin_path();

// An open library. Every failure of this class throws std::runtime_error, which fails the running test.
class SharedObject {
 public:
  explicit SharedObject(const std::string& path, int flags = RTLD_NOW | RTLD_LOCAL);
  SharedObject(SharedObject&& other) noexcept;
  SharedObject& operator=(SharedObject&& other) = delete;
  ~SharedObject() { close(); }

  void close();
  void* find(const char* symbol) const;  // null when there is none
  void* symbol(const char* name) const;  // throws when there is none

 private:
  void* handle_;
};

// Whether some path of this process maps the file.
bool is_mapped(const std::string& path);

// A backend library with its one provider.
struct BackendLibrary {
  explicit BackendLibrary(const std::string& path = backend_path(), int flags = RTLD_NOW | RTLD_LOCAL);

  SharedObject object;
  QnnInterface_t provider;  // a copy, as clients keep it

  const Api& api() const { return provider.QNN_INTERFACE_VER_NAME; }
};

struct SystemLibrary {
  explicit SystemLibrary(const std::string& path = system_path(), int flags = RTLD_NOW | RTLD_LOCAL);

  SharedObject object;
  QnnSystemInterface_t provider;

  const SystemApi& api() const { return provider.QNN_SYSTEM_INTERFACE_VER_NAME; }
};

// True in programs built with a sanitizer, whose libraries need its runtime.
constexpr bool built_with_sanitizer() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
  return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
  return false;
#endif
}

// Sets a variable for the libraries to read, and puts the old value back.
class ScopedEnvironment {
 public:
  ScopedEnvironment(const char* name, const char* value);
  ~ScopedEnvironment();
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool was_set_;
};

}  // namespace conformance
