// SPDX-License-Identifier: BSD-3-Clause
// The interface of an op package, whichever version it has. Only the files that call packages include this:
// the CPU header completes struct tags that other backends' headers complete otherwise.
#pragma once

#include "CPU/QnnCpuOpPackage.h"
#include "QnnOpPackage.h"
#include "base/result.h"
#include "runtime/op_package.h"

namespace openqnn::runtime {

struct OpPackage::Interface {
  QnnOpPackage_Interface_t table = QNN_OP_PACKAGE_INTERFACE_INIT;
  Qnn_OpPackageHandle_t instance = nullptr;  // of interface 2.0

  bool is_v2() const { return table.interfaceVersion.major == 2; }

  // Whether the version is known, and the functions that a host needs are there.
  bool version_is_known() const;
  Status check_functions() const;

  Qnn_ErrorHandle_t start();
  void end() const;
  Qnn_ErrorHandle_t get_info(const QnnOpPackage_Info_t** info) const;
  Qnn_ErrorHandle_t validate(const Qnn_OpConfig_t& config) const;
  Qnn_ErrorHandle_t create(QnnCpuOpPackage_Node_t* node, QnnCpuOpPackage_OpImpl_t** implementation) const;
  void free(QnnCpuOpPackage_OpImpl_t* implementation) const;
};

struct OpPackage::Loaded {
  // The package that this function provides: the one that is running, or a new one, started.
  static Outcome<Loaded*> of(std::unique_ptr<void, void (*)(void*)> opened,
                             QnnOpPackage_InterfaceProvider_t provide, const std::string& path);
  // Ends the package and closes its library.
  static void forget(Loaded& loaded);

  explicit Loaded(std::unique_ptr<void, void (*)(void*)> opened) : library(std::move(opened)) {}
  ~Loaded();

  std::unique_ptr<void, void (*)(void*)> library;
  QnnOpPackage_InterfaceProvider_t provider = nullptr;
  bool started = false;
  uint32_t users = 0;
  Interface interface;
  std::string name;
  std::vector<std::string> operations;
  Loaded* next = nullptr;  // of all that are running
};

}  // namespace openqnn::runtime
