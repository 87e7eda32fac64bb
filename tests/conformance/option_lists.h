// SPDX-License-Identifier: BSD-3-Clause
// One option in a null-terminated list, for each kind of object. Payloads are zero until a test fills them
// in.
#pragma once

#include <cstring>

#include "HTP/QnnHtpContext.h"
#include "HTP/QnnHtpGraph.h"
#include "QnnContext.h"
#include "QnnGraph.h"

namespace conformance {

struct GraphOption {
  QnnHtpGraph_CustomConfig_t custom;
  QnnGraph_Config_t config = QNN_GRAPH_CONFIG_INIT;
  const QnnGraph_Config_t* entries[2] = {&config, nullptr};

  explicit GraphOption(QnnHtpGraph_ConfigOption_t option) {
    std::memset(&custom, 0, sizeof custom);
    std::memcpy(&custom.option, &option, sizeof option);
    config.option = QNN_GRAPH_CONFIG_OPTION_CUSTOM;
    config.customConfig = &custom;
  }
  explicit GraphOption(uint32_t priority) {
    config.option = QNN_GRAPH_CONFIG_OPTION_PRIORITY;
    std::memcpy(&config.priority, &priority, sizeof priority);
  }
  GraphOption(const GraphOption&) = delete;
  GraphOption& operator=(const GraphOption&) = delete;
  const QnnGraph_Config_t** list() { return entries; }
};

struct ContextOption {
  QnnHtpContext_CustomConfig_t custom;
  QnnContext_Config_t config = QNN_CONTEXT_CONFIG_INIT;
  const QnnContext_Config_t* entries[2] = {&config, nullptr};

  explicit ContextOption(QnnHtpContext_ConfigOption_t option) {
    std::memset(&custom, 0, sizeof custom);
    std::memcpy(&custom.option, &option, sizeof option);
    config.option = QNN_CONTEXT_CONFIG_OPTION_CUSTOM;
    config.customConfig = &custom;
  }
  explicit ContextOption(QnnContext_ConfigOption_t option) {
    std::memset(&config, 0, sizeof config);
    config.option = option;
  }
  ContextOption(const ContextOption&) = delete;
  ContextOption& operator=(const ContextOption&) = delete;
  const QnnContext_Config_t** list() { return entries; }
};

}  // namespace conformance
