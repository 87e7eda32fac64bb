// SPDX-License-Identifier: BSD-3-Clause
// Options of one object of the C API that are the backend's own, with the memory that they point into.
#pragma once

#include <cstring>
#include <deque>
#include <vector>

#include "QnnBackend.h"
#include "QnnContext.h"
#include "QnnDevice.h"
#include "QnnGraph.h"

namespace openqnn::tools {

// `kCustom` is the enumerator that says "the backend's own"; `Custom` is what the backend reads then.
template <class Config, auto kCustom, class Custom>
class OptionList {
 public:
  OptionList() = default;
  OptionList(const OptionList&) = delete;  // the entries point at each other
  OptionList& operator=(const OptionList&) = delete;

  // One more option, all bytes 0.
  Custom& add() {
    Custom& custom = customs_.emplace_back();
    std::memset(&custom, 0, sizeof custom);
    Config& config = configs_.emplace_back();
    std::memset(&config, 0, sizeof config);
    config.option = kCustom;
    config.customConfig = &custom;
    pointers_.insert(pointers_.end() - 1, &config);
    return custom;
  }

  Custom& add(auto option) {
    Custom& custom = add();
    custom.option = option;
    return custom;
  }
  // Those of somebody else, who keeps them; the list ends with null, and null is none.
  void append(const Config** others) {
    for (; others != nullptr && *others != nullptr; ++others) pointers_.insert(pointers_.end() - 1, *others);
  }

  size_t size() const { return configs_.size(); }
  const std::deque<Custom>& customs() const { return customs_; }

  // Ends with null; good until the next call of add() or append().
  const Config** list() noexcept { return pointers_.data(); }

 private:
  std::deque<Custom> customs_;
  std::deque<Config> configs_;
  std::vector<const Config*> pointers_ = {nullptr};
};

template <class Custom>
using BackendOptions = OptionList<QnnBackend_Config_t, QNN_BACKEND_CONFIG_OPTION_CUSTOM, Custom>;
template <class Custom>
using DeviceOptions = OptionList<QnnDevice_Config_t, QNN_DEVICE_CONFIG_OPTION_CUSTOM, Custom>;
template <class Custom>
using ContextOptions = OptionList<QnnContext_Config_t, QNN_CONTEXT_CONFIG_OPTION_CUSTOM, Custom>;
template <class Custom>
using GraphOptions = OptionList<QnnGraph_Config_t, QNN_GRAPH_CONFIG_OPTION_CUSTOM, Custom>;

}  // namespace openqnn::tools
