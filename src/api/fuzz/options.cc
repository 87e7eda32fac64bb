// SPDX-License-Identifier: BSD-3-Clause
#include "api/fuzz/options.h"

#include <cstring>

#include "api/fuzz/steps.h"

namespace openqnn::api::fuzz {
namespace {

// A number in the place of an enumerator, whether or not it is one.
template <class Enum>
void set_number(Enum& place, uint32_t number) {
  static_assert(sizeof place == sizeof number);
  std::memcpy(&place, &number, sizeof number);
}

// An option struct of this size: its number, and sensible or arbitrary bytes behind it.
template <class Custom>
Custom random_custom(Dice& dice, uint32_t most) {
  Custom custom{};
  set_number(custom.option, dice.one_in(32) ? dice.word() : dice.below(most + 1));
  std::byte* payload = reinterpret_cast<std::byte*>(&custom) + sizeof custom.option;
  const size_t padding = alignof(Custom) > sizeof custom.option ? alignof(Custom) - sizeof custom.option : 0;
  const size_t bytes = sizeof custom - sizeof custom.option - padding;
  if (dice.one_in(4)) {
    dice.fill({payload + padding, bytes});
  } else {
    const uint32_t value = dice.number();
    std::memcpy(payload + padding, &value, sizeof value);
  }
  return custom;
}

}  // namespace

GraphOptionList::GraphOptionList(Session& session) {
  Dice& dice = session.dice;
  for (uint32_t count = 1 + dice.below(2); count > 0; --count) {
    QnnGraph_Config_t& config = configs.emplace_back(QnnGraph_Config_t QNN_GRAPH_CONFIG_INIT);
    uint32_t option = QNN_GRAPH_CONFIG_OPTION_CUSTOM;
    if (dice.one_in(4)) option = dice.one_in(8) ? dice.word() : 1 + dice.below(8);
    set_number(config.option, option);
    if (option == QNN_GRAPH_CONFIG_OPTION_PROFILE_HANDLE)
      config.profileHandle = session.pick(session.profiles);
    else
      set_number(config.priority, dice.one_in(2) ? dice.number() : 100);
    if (option == QNN_GRAPH_CONFIG_OPTION_CUSTOM)
      config.customConfig = &customs.emplace_back(random_custom<QnnHtpGraph_CustomConfig_t>(
          dice, QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION_COMPENSATION + 1));
  }
  close();
}

ContextOptionList::ContextOptionList(Session& session)
    : name(session.graph_name()), names{name.c_str(), nullptr} {
  Dice& dice = session.dice;
  for (uint32_t count = dice.below(3); count > 0; --count) {
    QnnContext_Config_t& config = configs.emplace_back(QnnContext_Config_t QNN_CONTEXT_CONFIG_INIT);
    const uint32_t option = dice.one_in(32) ? dice.word() : dice.below(12);
    set_number(config.option, option);
    switch (option) {
      case QNN_CONTEXT_CONFIG_OPTION_CUSTOM:
        config.customConfig = &customs.emplace_back(random_custom<QnnHtpContext_CustomConfig_t>(dice, 24));
        break;
      case QNN_CONTEXT_CONFIG_OPTION_OEM_STRING:
        config.oemString = dice.one_in(2) ? nullptr : name.c_str();
        break;
      case QNN_CONTEXT_CONFIG_ENABLE_GRAPHS:
      case QNN_CONTEXT_CONFIG_GRAPH_RETENTION_ORDER:
        config.enableGraphs = dice.one_in(4) ? nullptr : names;
        break;
      case QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH:
        config.asyncExeQueueDepth.type = QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_NUMERIC;
        config.asyncExeQueueDepth.depth = dice.number();
        break;
      case QNN_CONTEXT_CONFIG_PERSISTENT_BINARY:
        config.isPersistentBinary = dice.byte();
        is_persistent = true;
        break;
      default:
        config.memoryLimitHint = dice.one_in(2) ? dice.number() : 100;
    }
  }
  close();
}

DeviceOptionList::DeviceOptionList(Session& session) {
  Dice& dice = session.dice;
  for (uint32_t count = dice.below(3); count > 0; --count) {
    QnnDevice_Config_t& config = configs.emplace_back(QnnDevice_Config_t QNN_DEVICE_CONFIG_INIT);
    const uint32_t option = dice.one_in(16) ? dice.below(4) : uint32_t{QNN_DEVICE_CONFIG_OPTION_CUSTOM};
    set_number(config.option, option);
    config.hardwareInfo = nullptr;
    if (option != QNN_DEVICE_CONFIG_OPTION_CUSTOM) continue;
    std::vector<uint32_t>& words =
        customs.emplace_back(sizeof(QnnHtpDevice_CustomConfig_t) / sizeof(uint32_t));
    words[0] = dice.one_in(32) ? dice.word() : dice.below(6);
    static constexpr uint32_t kParts[] = {57, 75, 69, 43, 0};  // SM8650 and v75 among them
    for (size_t i = 1; i < words.size(); ++i) words[i] = dice.one_in(4) ? dice.word() : kParts[dice.below(5)];
    config.customConfig = words.data();
  }
  close();
}

void set_graph_options(Session& session) {
  const OwnGraph* graph = session.graph();
  if (!graph) return;
  GraphOptionList options(session);
  QnnGraph_setConfig(graph->handle, options.list());
}

void set_context_options(Session& session) {
  ContextOptionList options(session);
  QnnContext_setConfig(session.pick(session.contexts), options.list());
}

void set_device_options(Session& session) {
  DeviceOptionList options(session);
  QnnDevice_setConfig(session.pick(session.devices), options.list());
}

}  // namespace openqnn::api::fuzz
