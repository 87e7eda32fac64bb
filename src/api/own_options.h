// SPDX-License-Identifier: BSD-3-Clause
// Options of graphs that our programs pass to our backend, and that no document of the vendor's has: custom
// options (QnnHtpGraph_CustomConfig_t) whose number is one of these and whose `reserved` points to what is
// said. Another backend refuses them and does without.
#pragma once

#include <cstdint>

#include "HTP/QnnHtpGraph.h"

namespace openqnn::api {

// What is known of the model beside its graph: `reserved` points to a FactsText.
inline constexpr uint32_t kModelFactsOption = 0x4F510001;
struct FactsText {
  const char* text;  // as model_facts.h writes it
  uint64_t bytes;
};

// A wish to stop: `reserved` points to an std::atomic<bool>, which must outlive finalize. Once it is true,
// finalize gives up with QNN_GRAPH_ERROR_ABORTED.
inline constexpr uint32_t kStopOption = 0x4F510002;

// One of them, for QnnGraph_create and QnnGraph_setConfig. Not to be moved once made.
class OwnOption {
 public:
  OwnOption(uint32_t option, const void* value) {
    custom_.option = static_cast<QnnHtpGraph_ConfigOption_t>(option);
    custom_.reserved = const_cast<void*>(value);
    config_.option = QNN_GRAPH_CONFIG_OPTION_CUSTOM;
    config_.customConfig = &custom_;
  }
  OwnOption(const OwnOption&) = delete;
  OwnOption& operator=(const OwnOption&) = delete;
  const QnnGraph_Config_t** list() { return list_; }

 private:
  QnnHtpGraph_CustomConfig_t custom_ = QNN_HTP_GRAPH_CUSTOM_CONFIG_INIT;
  QnnGraph_Config_t config_ = QNN_GRAPH_CONFIG_INIT;
  const QnnGraph_Config_t* list_[2] = {&config_, nullptr};
};

}  // namespace openqnn::api
