// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/backend.h"

#include <utility>

#include "ops/op.h"

namespace openqnn::runtime {
namespace {

// Before the first handle that calls use them through.
void make_what_calls_use() {
  ops::make_tables();
  current_device();
  static const HandleTable::EndAtExit end;
}

}  // namespace

Backend::Backend(Logger log, Persona persona)
    : log_(std::move(log)), persona_(std::move(persona)), packages_(std::make_shared<OpPackages>(log_)) {
  make_what_calls_use();
}

const std::vector<QnnBackend_OperationName_t>& Backend::operations(const char* built_in_package) {
  std::vector<QnnBackend_OperationName_t> names;
  for (const ops::OpDef& op : ops::all_ops()) names.push_back({built_in_package, op.type.data(), nullptr});
  for (const auto& package : packages_->all())
    for (const std::string& operation : package->operations())
      names.push_back({package->name().c_str(), operation.c_str(), nullptr});
  const std::lock_guard lock(mutex_);
  // Packages are only ever added, so that lists of the same length are the same.
  if (lists_.empty() || lists_.back().size() != names.size()) lists_.push_back(std::move(names));
  return lists_.back();
}

}  // namespace openqnn::runtime
