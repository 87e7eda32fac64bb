// SPDX-License-Identifier: BSD-3-Clause
// Context binaries: made, damaged, loaded, described.
#include "System/QnnSystemContext.h"
#include "api/fuzz/options.h"
#include "api/fuzz/steps.h"
#include "program/container.h"

namespace openqnn::api::fuzz {
namespace {

constexpr uint64_t kMostBinary = 1U << 24;

// The binary of a context; empty when there is none.
std::vector<std::byte> binary_of(void* context) {
  Qnn_ContextBinarySize_t bytes = 0;
  if (QnnContext_getBinarySize(context, &bytes) != QNN_SUCCESS || bytes > kMostBinary) return {};
  std::vector<std::byte> binary(bytes);
  Qnn_ContextBinarySize_t written = 0;
  if (QnnContext_getBinary(context, binary.data(), bytes, &written) != QNN_SUCCESS) return {};
  binary.resize(written);
  return binary;
}

// Damage, sometimes under right checksums.
void damage(Dice& dice, std::vector<std::byte>& binary) {
  for (uint32_t count = 1 + dice.below(4); count > 0; --count) {
    // Most of a small binary is padding: what matters stands at its beginning.
    const size_t reach = dice.one_in(2) ? binary.size() : std::min<size_t>(binary.size(), 2048);
    binary[dice.word() % reach] ^= std::byte{static_cast<uint8_t>(1U << dice.below(8))};
  }
  if (dice.one_in(8)) binary.resize(dice.word() % binary.size());
  if (!dice.one_in(4)) program::seal(binary);
}

std::vector<std::byte> random_binary(Session& session) {
  std::vector<std::byte> binary = binary_of(session.pick(session.contexts));
  if (!binary.empty() && session.dice.one_in(3)) damage(session.dice, binary);
  return binary;
}

}  // namespace

void load_binary(Session& session) {
  Dice& dice = session.dice;
  auto binary = std::make_unique<std::vector<std::byte>>(random_binary(session));
  if (binary->empty()) return;
  ContextOptionList options(session);
  void* backend = session.pick(session.backends);
  void* device = session.devices.empty() ? nullptr : session.pick_or_null(session.devices);
  if (dice.one_in(4))
    QnnContext_validateBinary(backend, device, options.list(), binary->data(), binary->size());
  void* profile = session.profiles.empty() ? nullptr : session.pick_or_null(session.profiles);
  void* signal = session.signals.empty() ? nullptr : session.pick_or_null(session.signals);
  Qnn_ContextHandle_t made = nullptr;
  const Qnn_ErrorHandle_t answer =
      dice.one_in(2) ? QnnContext_createFromBinary(backend, device, options.list(), binary->data(),
                                                   binary->size(), &made, profile)
                     : QnnContext_createFromBinaryWithSignal(backend, device, options.list(), binary->data(),
                                                             binary->size(), &made, profile, signal);
  if (answer == QNN_SUCCESS) session.contexts.push_back(made);
  // Others than persistent ones may go at once.
  if (options.is_persistent) session.persistent_binaries.push_back(std::move(binary));
}

// One or two binaries at once, on the backend's own thread.
void load_list(Session& session) {
  Dice& dice = session.dice;
  ContextOptionList options(session);
  std::vector<std::unique_ptr<QnnContext_Params_t>> params;
  std::vector<const QnnContext_Params_t*> list;
  for (uint32_t count = 1 + dice.below(2); count > 0; --count) {
    auto binary = std::make_unique<std::vector<std::byte>>(random_binary(session));
    if (binary->empty()) break;
    const QnnContext_ParamsV1_t v1 = {options.list(), binary->data(),    binary->size(),
                                      nullptr,        ListLoads::notify, &session.lists};
    params.push_back(std::make_unique<QnnContext_Params_t>(
        QnnContext_Params_t{.version = QNN_CONTEXT_PARAMS_VERSION_1, .v1 = v1}));
    list.push_back(params.back().get());
    session.lists.begin();
    session.persistent_binaries.push_back(std::move(binary));  // the options may say that it is
  }
  list.push_back(nullptr);
  void* signal = session.signals.empty() ? nullptr : session.pick_or_null(session.signals);
  if (QnnContext_createFromBinaryListAsync(session.pick(session.backends), nullptr, list.data(),
                                           dice.one_in(4) ? options.list() : nullptr,
                                           signal) == QNN_SUCCESS) {
    std::ranges::copy(session.lists.wait_for_all(), std::back_inserter(session.contexts));
    return;
  }
  for (size_t i = 0; i < params.size(); ++i) session.lists.refuse();
}

// The updateable tensors of one context, as they are or damaged, into another.
void move_section(Session& session) {
  Dice& dice = session.dice;
  const OwnGraph* graph = dice.one_in(2) ? session.graph() : nullptr;
  Qnn_GraphHandle_t handle = graph ? graph->handle : nullptr;
  void* context = session.pick(session.contexts);
  const auto type = static_cast<QnnContext_SectionType_t>(dice.one_in(8) ? dice.below(4) : 1);
  Qnn_ContextBinarySize_t bytes = 0;
  if (QnnContext_getBinarySectionSize(context, handle, type, &bytes) != QNN_SUCCESS || bytes > kMostBinary)
    return;
  std::vector<std::byte> section(bytes);
  QnnContext_Buffer_t buffer{};
  buffer.version = QNN_CONTEXT_BUFFER_VERSION_1;
  buffer.v1.memType = QNN_CONTEXTMEMTYPE_RAW;
  buffer.v1.binaryBuf = {section.data(), section.size()};
  if (QnnContext_getBinarySection(context, handle, type, &buffer, &bytes, nullptr, nullptr) != QNN_SUCCESS)
    return;
  if (!section.empty() && dice.one_in(2)) section[dice.word() % section.size()] ^= std::byte{1};
  QnnContext_applyBinarySection(session.pick(session.contexts), handle, type, &buffer, nullptr, nullptr);
}

void describe_binary(Session& session) {
  std::vector<std::byte> binary = random_binary(session);
  if (binary.empty()) return;
  QnnSystemContext_Handle_t system = nullptr;
  if (QnnSystemContext_create(&system) != QNN_SUCCESS) return;
  const QnnSystemContext_BinaryInfo_t* info = nullptr;
  Qnn_ContextBinarySize_t bytes = 0;
  QnnSystemContext_getBinaryInfo(system, binary.data(), binary.size(), &info, &bytes);
  QnnSystemContext_getMetadata(system, binary.data(), binary.size(), &info);
  QnnSystemContext_free(system);
}

}  // namespace openqnn::api::fuzz
