// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/op_package.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <filesystem>

#include "QnnBackend.h"
#include "base/text.h"
#include "runtime/op_package_interface.h"

namespace openqnn::runtime {
namespace {

// More ops than any package has; a count beyond it is a mistake.
constexpr uint32_t kMostOperations = 1 << 16;

// Where packages write their lines. Their callbacks take no argument of ours, so all loggers hear all
// packages. Plain pointers and a trivial mutex: packages may end after this library's static objects.
struct Listener {
  const Logger* log;
  Listener* next;
};
constinit std::mutex g_listeners_mutex;
constinit Listener* g_listeners = nullptr;

void add_listener(const Logger& log) {
  const std::lock_guard lock(g_listeners_mutex);
  g_listeners = new Listener{&log, g_listeners};
}

void remove_listener(const Logger& log) {
  const std::lock_guard lock(g_listeners_mutex);
  for (Listener** at = &g_listeners; *at; at = &(*at)->next) {
    if ((*at)->log != &log) continue;
    delete std::exchange(*at, (*at)->next);
    return;
  }
}

void write_line(LogLevel level, const char* format, va_list arguments) {
  char line[1024];
  std::vsnprintf(line, sizeof line, format, arguments);
  std::vector<Logger> listeners;  // a log callback may call back: none is called under the lock
  {
    const std::lock_guard lock(g_listeners_mutex);
    for (const Listener* at = g_listeners; at; at = at->next) listeners.push_back(*at->log);
  }
  for (const Logger& log : listeners) log(level, concat("op package: ", static_cast<const char*>(line)));
}

void log_callback(const char* format, QnnLog_Level_t level, uint64_t /*timestamp*/, va_list arguments) {
  const auto number = std::clamp<uint32_t>(level, QNN_LOG_LEVEL_ERROR, QNN_LOG_LEVEL_DEBUG);
  if (format) write_line(static_cast<LogLevel>(number), format, arguments);
}

void report_message(QnnCpuOpPackage_MsgType_t type, const char* format, ...) {
  if (!format) return;
  va_list arguments;
  va_start(arguments, format);
  write_line(type == QNN_CPU_MSG_ERROR ? LogLevel::kError : LogLevel::kVerbose, format, arguments);
  va_end(arguments);
}

void report_text(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(LogLevel::kVerbose, format, arguments);
  va_end(arguments);
}

void report_profile(QnnCpuOpPackage_ProfileType_t type, QnnCpuOpPackage_ProfileData_t data) {
  report_text("profile data %g (type %u)", data, static_cast<unsigned>(type));
}

constinit QnnCpuOpPackage_GlobalInfra_t g_infrastructure = {report_message, report_profile};

// Every package of the process. The mutex is held while a package starts and ends, so that neither happens
// during the other.
constinit std::mutex g_running_mutex;

ApiError failed(Qnn_ErrorHandle_t code, const char* reason, std::string message, const std::string& path) {
  return {code, invalid(reason, std::move(message)).at(concat("op package '", path, "'"))};
}

Outcome<void*> open_library(const std::string& path) {
  if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  const char* reason = dlerror();
  std::error_code ignored;
  const bool is_there = std::filesystem::exists(path, ignored);
  return failed(
      is_there ? QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED : QNN_BACKEND_ERROR_OP_PACKAGE_NOT_FOUND,
      is_there ? "op-package-load" : "op-package-missing",
      concat("the library could not be opened: ", reason ? reason : "no reason was given"), path);
}

using Library = std::unique_ptr<void, void (*)(void*)>;
void close_library(void* library) { dlclose(library); }

Status read_info(const QnnOpPackage_Info_t* info, std::string& name, std::vector<std::string>& operations) {
  if (!info || !info->packageName || !*info->packageName)
    return invalid("op-package-info", "the package does not say its name");
  if (info->numOperations == 0 || info->numOperations > kMostOperations || !info->operationNames)
    return invalid("op-package-info", concat("the package lists ", info->numOperations, " operations"));
  name = info->packageName;
  for (uint32_t i = 0; i < info->numOperations; ++i) {
    if (!info->operationNames[i] || !*info->operationNames[i])
      return invalid("op-package-info", concat("operation ", i, " of the package has no name"));
    operations.emplace_back(info->operationNames[i]);
  }
  return {};
}

}  // namespace

// ---- The two versions of the interface ----

bool OpPackage::Interface::version_is_known() const {
  const Qnn_Version_t& version = table.interfaceVersion;
  return (version.major == 1 && version.minor <= 4) || (version.major == 2 && version.minor == 0);
}

Status OpPackage::Interface::check_functions() const {
  const auto need = [](bool is_there, const char* function) -> Status {
    if (is_there) return {};
    return invalid("op-package-interface", concat("the interface has no ", function))
        .fix_by("packages run on this host: code for the DSP alone is not enough (docs/op_packages.md)");
  };
  const auto need_others = [&](const auto& functions) -> Status {
    OPENQNN_TRY(need(functions.getInfo, "getInfo"));
    OPENQNN_TRY(need(functions.validateOpConfig, "validateOpConfig"));
    OPENQNN_TRY(need(functions.createOpImpl, "createOpImpl"));
    return need(functions.freeOpImpl, "freeOpImpl");
  };
  OPENQNN_TRY(is_v2() ? need(table.v2_0.create, "create") : need(table.v1_4.init, "init"));
  return is_v2() ? need_others(table.v2_0) : need_others(table.v1_4);
}

Qnn_ErrorHandle_t OpPackage::Interface::start() {
  if (is_v2()) return table.v2_0.create(&g_infrastructure, log_callback, QNN_LOG_LEVEL_DEBUG, &instance);
  if (table.v1_4.logInitialize) table.v1_4.logInitialize(log_callback, QNN_LOG_LEVEL_DEBUG);
  return table.v1_4.init(&g_infrastructure);
}

void OpPackage::Interface::end() const {
  if (is_v2()) {
    if (table.v2_0.free) table.v2_0.free(instance);
    return;
  }
  if (table.v1_4.terminate) table.v1_4.terminate();
  if (table.v1_4.logTerminate) table.v1_4.logTerminate();
}

Qnn_ErrorHandle_t OpPackage::Interface::get_info(const QnnOpPackage_Info_t** info) const {
  return is_v2() ? table.v2_0.getInfo(info) : table.v1_4.getInfo(info);
}

Qnn_ErrorHandle_t OpPackage::Interface::validate(const Qnn_OpConfig_t& config) const {
  return is_v2() ? table.v2_0.validateOpConfig(instance, config) : table.v1_4.validateOpConfig(config);
}

Qnn_ErrorHandle_t OpPackage::Interface::create(QnnCpuOpPackage_Node_t* node,
                                               QnnCpuOpPackage_OpImpl_t** implementation) const {
  return is_v2() ? table.v2_0.createOpImpl(instance, nullptr, node, implementation)
                 : table.v1_4.createOpImpl(nullptr, node, implementation);
}

void OpPackage::Interface::free(QnnCpuOpPackage_OpImpl_t* implementation) const {
  if (is_v2())
    table.v2_0.freeOpImpl(instance, implementation);
  else
    table.v1_4.freeOpImpl(implementation);
}

// ---- One package ----

// Guarded by g_running_mutex.
constinit OpPackage::Loaded* OpPackage::running_ = nullptr;

OpPackage::Loaded::~Loaded() {
  if (started) interface.end();
}

Outcome<OpPackage::Loaded*> OpPackage::Loaded::of(Library opened, QnnOpPackage_InterfaceProvider_t provide,
                                                  const std::string& path) {
  for (Loaded* running = running_; running; running = running->next)
    if (running->provider == provide) return running;
  auto loaded = std::make_unique<Loaded>(std::move(opened));
  loaded->provider = provide;
  const auto refused = [&path](const char* step, Qnn_ErrorHandle_t answer) {
    return failed(QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED, "op-package-start",
                  concat("the package's ", step, " answers error ", answer), path);
  };
  Interface& interface = loaded->interface;
  if (const Qnn_ErrorHandle_t answer = provide(&interface.table); answer != QNN_SUCCESS)
    return refused("interface provider", answer);
  const Qnn_Version_t& version = interface.table.interfaceVersion;
  if (!interface.version_is_known())
    return failed(QNN_BACKEND_ERROR_OP_PACKAGE_UNSUPPORTED_VERSION, "op-package-version",
                  concat("the package has interface ", version.major, ".", version.minor,
                         "; up to 1.4, and 2.0, are supported"),
                  path);
  OPENQNN_TRY_AS(QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED, interface.check_functions());
  if (const Qnn_ErrorHandle_t answer = interface.start(); answer != QNN_SUCCESS)
    return refused(interface.is_v2() ? "create" : "init", answer);
  loaded->started = true;
  const QnnOpPackage_Info_t* info = nullptr;
  if (const Qnn_ErrorHandle_t answer = interface.get_info(&info); answer != QNN_SUCCESS)
    return refused("getInfo", answer);
  OPENQNN_TRY_AS(QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED,
                 read_info(info, loaded->name, loaded->operations));
  loaded->next = running_;
  running_ = loaded.get();
  return loaded.release();
}

void OpPackage::Loaded::forget(Loaded& loaded) {
  Loaded** at = &running_;
  while (*at != &loaded) at = &(*at)->next;
  *at = loaded.next;
  delete &loaded;
}

OpPackage::OpPackage(Loaded& loaded, Logger log)
    : loaded_(loaded), log_(std::move(log)), name_(loaded.name), operations_(loaded.operations) {
  add_listener(log_);
}

OpPackage::~OpPackage() { remove_listener(log_); }

bool OpPackage::offers(std::string_view type) const {
  return std::find(operations_.begin(), operations_.end(), type) != operations_.end();
}

Status OpPackage::validate(const Qnn_OpConfig_t& config) const {
  const Qnn_ErrorHandle_t answer = loaded_.interface.validate(config);
  if (answer == QNN_SUCCESS) return {};
  return invalid("op-package-refuses", concat("package '", name_, "' refuses the op with error ", answer));
}

Outcome<std::shared_ptr<OpPackage>> OpPackage::open(const std::string& path, const std::string& provider,
                                                    const Logger& log) {
  const std::lock_guard lock(g_running_mutex);
  OPENQNN_ASSIGN(void* const opened, open_library(path));
  Library library(opened, close_library);
  const auto provide = reinterpret_cast<QnnOpPackage_InterfaceProvider_t>(dlsym(opened, provider.c_str()));
  if (!provide)
    return failed(QNN_BACKEND_ERROR_OP_PACKAGE_IF_PROVIDER_NOT_FOUND, "op-package-provider",
                  concat("the library exports no function '", provider, "'"), path);
  OPENQNN_ASSIGN(Loaded* const loaded, Loaded::of(std::move(library), provide, path));
  ++loaded->users;
  return std::shared_ptr<OpPackage>(new OpPackage(*loaded, log), [](OpPackage* package) {
    const std::lock_guard last_user_lock(g_running_mutex);
    Loaded& used = package->loaded_;
    if (--used.users == 0) Loaded::forget(used);
    delete package;
  });
}

// ---- A backend's packages ----

Outcome<> OpPackages::add(const std::string& path, const std::string& provider, std::string_view built_in) {
  OPENQNN_ASSIGN(auto package, OpPackage::open(path, provider, log_));
  const std::lock_guard lock(mutex_);
  if (package->name() == built_in || packages_.contains(package->name()))
    return failed(QNN_BACKEND_ERROR_OP_PACKAGE_DUPLICATE, "op-package-duplicate",
                  concat("a package of the name '", package->name(), "' is registered already"), path);
  log_.info(concat("op package '", package->name(), "' with ", package->operations().size(),
                   " operations is registered: its ops run on this host and take no modelled time"));
  packages_.emplace(package->name(), package);
  return {};
}

std::shared_ptr<OpPackage> OpPackages::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = packages_.find(name);
  return found == packages_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<OpPackage>> OpPackages::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<OpPackage>> packages;
  for (const auto& [name, package] : packages_) packages.push_back(package);
  return packages;
}

std::string OpPackages::names() const {
  std::string names;
  for (const auto& package : all()) append_item(names, "'" + package->name() + "'");
  return names;
}

}  // namespace openqnn::runtime
