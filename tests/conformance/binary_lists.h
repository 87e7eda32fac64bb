// SPDX-License-Identifier: BSD-3-Clause
// What tests of lists of binaries share: two binaries, the options of their contexts, and who hears of them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <vector>

#include "HTP/QnnHtpContext.h"
#include "client.h"
#include "samples.h"

namespace conformance {

// Hears of contexts and their graphs, and can hold the thread that tells.
class Listener {
 public:
  struct Notice {
    int number;  // of the context in its list
    Qnn_ContextHandle_t context;
    Qnn_GraphHandle_t graph;
    std::string graph_name;
    bool of_context;
    Qnn_ErrorHandle_t status;
    std::string sentence;
  };

  explicit Listener(const Api& api) : api_(api) {}
  ~Listener() {
    release();  // a test that failed half-way may hold the loading thread still
    for (const Notice& notice : heard_)
      if (notice.of_context && notice.context) api_.contextFree(notice.context, nullptr);
  }

  static void notify(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph, const char* graph_name,
                     QnnContext_createFromBinaryAsyncNotifyType_t type, void* param,
                     Qnn_ErrorHandle_t status) {
    const Param& self = *static_cast<Param*>(param);
    const std::string sentence = status == QNN_SUCCESS ? "" : verbose_message(self.listener->api_, status);
    self.listener->hear({self.number, context, graph, graph_name ? graph_name : "",
                         type == QNN_CONTEXT_NOTIFY_TYPE_CONTEXT_INIT, status, sentence});
  }

  // Parameters that tell this listener about context `number`. They stay valid as long as it.
  QnnContext_Params_t& params(int number, const Bytes& binary, const QnnContext_Config_t** config = nullptr) {
    Param& param = params_.emplace_back(Param{this, number});
    // The sizes are const: such a struct is made whole, or not at all.
    return described_.emplace_back(
        QnnContext_Params_t{QNN_CONTEXT_PARAMS_VERSION_1,
                            {{config, binary.data(), binary.size(), nullptr, Listener::notify, &param}}});
  }

  void hold() { holding_ = true; }
  void release() {
    const std::lock_guard lock(mutex_);
    holding_ = false;
    changed_.notify_all();
  }
  // Until so many contexts were heard of, loaded or not.
  std::vector<Notice> wait_for(size_t contexts) {
    std::unique_lock lock(mutex_);
    const auto ended = [&] {
      return static_cast<size_t>(std::count_if(heard_.begin(), heard_.end(),
                                               [](const Notice& notice) { return notice.of_context; }));
    };
    if (!changed_.wait_for(lock, std::chrono::seconds(60), [&] { return ended() >= contexts; }))
      ADD_FAILURE() << ended() << " contexts were heard of instead of " << contexts;
    return heard_;
  }
  std::vector<Notice> heard() {
    const std::lock_guard lock(mutex_);
    return heard_;
  }

 private:
  struct Param {
    Listener* listener;
    int number;
  };

  void hear(const Notice& notice) {
    std::unique_lock lock(mutex_);
    heard_.push_back(notice);
    changed_.notify_all();
    changed_.wait(lock, [&] { return !holding_; });
  }

  const Api& api_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool holding_ = false;
  std::deque<Param> params_;
  std::deque<QnnContext_Params_t> described_;
  std::vector<Notice> heard_;
};

// A context option of the HTP backend, as a list of one.
struct HtpOptions {
  std::deque<QnnHtpContext_CustomConfig_t> custom;
  std::deque<QnnContext_Config_t> configs;
  std::vector<const QnnContext_Config_t*> entries;

  QnnHtpContext_CustomConfig_t& add(QnnHtpContext_ConfigOption_t option) {
    custom.push_back(QNN_HTP_CONTEXT_CUSTOM_CONFIG_INIT);
    custom.back().option = option;
    configs.push_back(QNN_CONTEXT_CONFIG_INIT);
    configs.back().option = QNN_CONTEXT_CONFIG_OPTION_CUSTOM;
    configs.back().customConfig = &custom.back();
    return custom.back();
  }
  HtpOptions& share(bool on) {
    add(QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES).shareResources = on;
    return *this;
  }
  HtpOptions& type(uint32_t number) {
    auto& option = add(QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES_OPTIMIZATION_TYPE);
    std::memcpy(&option.shareResOptType, &number, sizeof number);
    return *this;
  }
  const QnnContext_Config_t** list() {
    entries.clear();
    for (const QnnContext_Config_t& config : configs) entries.push_back(&config);
    entries.push_back(nullptr);
    return entries.data();
  }
};

// A session with the binaries of two contexts: one of a graph, one of two.
struct Binaries {
  Session session;
  const Api& api = session.api;
  Owned one = session.context();
  Owned two = session.context();
  Sample first = add(Kind::kQuantized);
  Sample second = conv_relu_pool(Kind::kQuantized);
  Sample third = matmul_softmax(Kind::kFloat);
  Graph first_graph = Graph::built(api, one, first.model);
  Graph second_graph = Graph::built(api, two, second.model);
  Graph third_graph = Graph::built(api, two, third.model);
  Bytes small = binary_of(api, one);
  Bytes large = binary_of(api, two);

  Qnn_ErrorHandle_t load(const std::vector<const QnnContext_Params_t*>& params,
                         const QnnContext_Config_t** list_config = nullptr,
                         Qnn_SignalHandle_t signal = nullptr) const {
    std::vector<const QnnContext_Params_t*> list = params;
    list.push_back(nullptr);
    return api.contextCreateFromBinaryListAsync(session.backend, session.device, list.data(), list_config,
                                                signal);
  }
  Owned signal(QnnSignal_ConfigOption_t option, uint64_t us = 0) const {
    QnnSignal_Config_t config = QNN_SIGNAL_CONFIG_INIT;
    config.option = option;
    config.timeoutDurationUs = us;
    const QnnSignal_Config_t* list[] = {&config, nullptr};
    Qnn_SignalHandle_t handle = nullptr;
    check(api, api.signalCreate(session.backend, list, &handle), "signalCreate");
    return {handle, api.signalFree};
  }
};

using Notices = std::vector<Listener::Notice>;

inline Notices of(const Notices& heard, int number) {
  Notices mine;
  for (const Listener::Notice& notice : heard)
    if (notice.number == number) mine.push_back(notice);
  return mine;
}

}  // namespace conformance
