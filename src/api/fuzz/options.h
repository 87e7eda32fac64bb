// SPDX-License-Identifier: BSD-3-Clause
// Random lists of options: the right size, any contents.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "HTP/QnnHtpContext.h"
#include "HTP/QnnHtpDevice.h"
#include "HTP/QnnHtpGraph.h"
#include "api/fuzz/session.h"

namespace openqnn::api::fuzz {

// A null-terminated list, and what its entries point to.
template <class Config, class Custom>
struct OptionList {
  OptionList() = default;
  OptionList(const OptionList&) = delete;
  OptionList& operator=(const OptionList&) = delete;

  std::deque<Custom> customs;
  std::deque<Config> configs;
  std::vector<const Config*> pointers;

  void close() {
    for (const Config& config : configs) pointers.push_back(&config);
    pointers.push_back(nullptr);
  }
  const Config** list() { return pointers.data(); }
};

struct GraphOptionList : OptionList<QnnGraph_Config_t, QnnHtpGraph_CustomConfig_t> {
  explicit GraphOptionList(Session& session);
};

struct ContextOptionList : OptionList<QnnContext_Config_t, QnnHtpContext_CustomConfig_t> {
  explicit ContextOptionList(Session& session);
  bool is_persistent = false;
  const std::string name;
  const char* const names[2];
};

// In the layout of old or new SDKs: the option, then words that are read by the one or the other.
struct DeviceOptionList : OptionList<QnnDevice_Config_t, std::vector<uint32_t>> {
  explicit DeviceOptionList(Session& session);
};

}  // namespace openqnn::api::fuzz
