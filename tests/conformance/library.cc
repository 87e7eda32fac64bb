// SPDX-License-Identifier: BSD-3-Clause
#include "library.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace conformance {
std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

namespace {

// Without a library there is nothing to test: one clear sentence instead of a hundred failures.
class LibraryIsNamed : public ::testing::Environment {
 public:
  void SetUp() override {
    if (backend_path().empty())
      GTEST_FAIL() << "name the backend library to test: OPENQNN_BACKEND_LIB=/path/libQnnHtp.so";
  }
};
const ::testing::Environment* const g_library_is_named =
    ::testing::AddGlobalTestEnvironment(new LibraryIsNamed);

template <class Provider, class Getter>
Provider only_provider(const SharedObject& object, const char* getter) {
  const Provider** list = nullptr;
  uint32_t count = 0;
  const auto get = reinterpret_cast<Getter>(object.symbol(getter));
  const Qnn_ErrorHandle_t error = get(&list, &count);
  if (error != QNN_SUCCESS || count != 1 || !list || !list[0])
    throw std::runtime_error(std::string(getter) + " answers " + std::to_string(error) + " with " +
                             std::to_string(count) + " providers");
  return *list[0];
}

}  // namespace

std::string backend_path() { return from_environment("OPENQNN_BACKEND_LIB"); }
std::string twin_path() { return from_environment("OPENQNN_TWIN_LIB"); }

std::string system_path() {
  std::string path = from_environment("OPENQNN_SYSTEM_LIB");
  if (!path.empty()) return path;
  const std::string backend = backend_path();
  return backend.substr(0, backend.rfind('/') + 1) + "libQnnSystem.so";
}

SharedObject::SharedObject(const std::string& path, int flags) : handle_(dlopen(path.c_str(), flags)) {
  if (!handle_) throw std::runtime_error(dlerror());
}

SharedObject::SharedObject(SharedObject&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

void SharedObject::close() {
  if (handle_) dlclose(std::exchange(handle_, nullptr));
}

void* SharedObject::find(const char* symbol) const { return dlsym(handle_, symbol); }

void* SharedObject::symbol(const char* name) const {
  void* address = find(name);
  if (!address) throw std::runtime_error(std::string("the library exports no ") + name);
  return address;
}

bool is_mapped(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.size() > name.size() && line.ends_with('/' + name)) return true;
  return false;
}

BackendLibrary::BackendLibrary(const std::string& path, int flags)
    : object(path, flags),
      provider(only_provider<QnnInterface_t, decltype(&QnnInterface_getProviders)>(
          object, "QnnInterface_getProviders")) {}

SystemLibrary::SystemLibrary(const std::string& path, int flags)
    : object(path, flags),
      provider(only_provider<QnnSystemInterface_t, decltype(&QnnSystemInterface_getProviders)>(
          object, "QnnSystemInterface_getProviders")) {}

ScopedEnvironment::ScopedEnvironment(const char* name, const char* value)
    : name_(name), before_(from_environment(name)), was_set_(std::getenv(name) != nullptr) {
  setenv(name, value, 1);
}

ScopedEnvironment::~ScopedEnvironment() {
  if (was_set_)
    setenv(name_, before_.c_str(), 1);
  else
    unsetenv(name_);
}

}  // namespace conformance
