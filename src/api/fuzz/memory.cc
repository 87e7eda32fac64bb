// SPDX-License-Identifier: BSD-3-Clause
// Registered memory of every kind.
#include "HTP/QnnHtpMem.h"
#include "api/fuzz/steps.h"

namespace openqnn::api::fuzz {
namespace {

const MemoryFile& file_of(Session& session) {
  if (session.files.empty() || session.dice.one_in(4))
    session.files.push_back(std::make_unique<MemoryFile>(session.dice.one_in(8) ? 16 : 4 * kMostBytes));
  return *session.dice.of(session.files);
}

// A descriptor and what it points to.
struct Registration {
  Qnn_MemDescriptor_t descriptor = QNN_MEM_DESCRIPTOR_INIT;
  QnnMemHtp_Descriptor_t custom{};
  std::vector<uint32_t> dims;
};

void describe_shape(Session& session, Registration& made) {
  const OwnGraph* graph = session.graph();
  const bool is_known = graph && !graph->tensors.empty() && !session.dice.one_in(4);
  const OwnTensor* tensor = is_known ? session.dice.of(graph->tensors).get() : nullptr;
  made.dims = tensor ? tensor->dims : random_shape(session.dice);
  made.descriptor.memShape = {static_cast<uint32_t>(made.dims.size()), made.dims.data(), nullptr};
  made.descriptor.dataType = tensor ? tensor->tensor.v1.dataType : QNN_DATATYPE_UFIXED_POINT_8;
}

void describe_place(Session& session, Registration& made) {
  Dice& dice = session.dice;
  const MemoryFile& file = file_of(session);
  const int fd = dice.one_in(32) ? static_cast<int>(1000 + dice.number()) : file.fd();
  made.descriptor.memType = QNN_MEM_TYPE_ION;
  made.descriptor.ionInfo.fd = fd;
  if (dice.one_in(3)) return;
  made.descriptor.memType = dice.one_in(32) ? QNN_MEM_TYPE_DMA_BUF : QNN_MEM_TYPE_CUSTOM;
  made.custom.type = static_cast<QnnHtpMem_Type_t>(dice.one_in(2) ? dice.below(6) : 1);
  made.custom.size = dice.one_in(16) ? dice.number() : file.bytes();
  made.custom.sharedBufferConfig = {fd, dice.one_in(16) ? dice.number() : 64 * dice.byte()};
  made.descriptor.customInfo = &made.custom;
}

}  // namespace

void register_memory(Session& session) {
  std::vector<std::unique_ptr<Registration>> made;
  std::vector<Qnn_MemDescriptor_t> list;
  for (uint32_t count = 1 + session.dice.below(3); count > 0; --count) {
    Registration& each = *made.emplace_back(std::make_unique<Registration>());
    describe_shape(session, each);
    describe_place(session, each);
    list.push_back(each.descriptor);
  }
  std::vector<Qnn_MemHandle_t> handles(list.size());
  if (QnnMem_register(session.pick(session.contexts), list.data(), static_cast<uint32_t>(list.size()),
                      handles.data()) == QNN_SUCCESS)
    session.memories.insert(session.memories.end(), handles.begin(), handles.end());
}

void deregister_memory(Session& session) {
  std::vector<Qnn_MemHandle_t> handles(1 + session.dice.below(2));
  for (Qnn_MemHandle_t& handle : handles) handle = session.pick(session.memories);
  QnnMem_deRegister(handles.data(), static_cast<uint32_t>(handles.size()));
}

}  // namespace openqnn::api::fuzz
