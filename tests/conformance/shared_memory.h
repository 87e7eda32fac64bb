// SPDX-License-Identifier: BSD-3-Clause
// What tests of shared memory have in common: memory files, descriptors, and a graph to run with them.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <utility>

#include "HTP/QnnHtpMem.h"
#include "client.h"
#include "samples.h"

namespace conformance {

// A memory file of the client's own, with a view of it.
class MemoryFile {
 public:
  explicit MemoryFile(size_t bytes) : fd_(memfd_create("client", MFD_CLOEXEC)), bytes_(bytes) {
    if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(bytes)) != 0) throw std::runtime_error("no memory file");
    data_ = static_cast<std::byte*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0));
  }
  ~MemoryFile() {
    munmap(data_, bytes_);
    close_descriptor();
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int fd() const { return fd_; }
  size_t bytes() const { return bytes_; }
  std::byte* data() const { return data_; }
  void close_descriptor() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
  size_t bytes_;
  std::byte* data_ = nullptr;
};

// A descriptor for a tensor with what it points to.
struct Descriptor {
  explicit Descriptor(const Tensor& tensor) : dims(tensor.dims) {
    value.memShape = {static_cast<uint32_t>(dims.size()), dims.data(), nullptr};
    value.dataType = tensor.type;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  Descriptor& ion(int fd) {
    value.memType = QNN_MEM_TYPE_ION;
    value.ionInfo.fd = fd;
    return *this;
  }
  Descriptor& htp(QnnHtpMem_Type_t type, int fd, uint64_t size, uint64_t offset = 0) {
    value.memType = QNN_MEM_TYPE_CUSTOM;
    custom.type = type;
    custom.size = size;
    custom.sharedBufferConfig = {fd, offset};
    value.customInfo = &custom;
    return *this;
  }

  Qnn_MemDescriptor_t value = QNN_MEM_DESCRIPTOR_INIT;
  QnnMemHtp_Descriptor_t custom{};
  std::vector<uint32_t> dims;
};

inline Qnn_ErrorHandle_t register_one(const Api& api, Qnn_ContextHandle_t context,
                                      const Descriptor& descriptor, Qnn_MemHandle_t* handle) {
  return api.memRegister(context, &descriptor.value, 1, handle);
}

inline Owned registered(const Api& api, Qnn_ContextHandle_t context, const Descriptor& descriptor) {
  Qnn_MemHandle_t handle = nullptr;
  check(api, register_one(api, context, descriptor, &handle), "memRegister");
  return {handle, [deregister = api.memDeRegister](void* memory) { return deregister(&memory, 1); }};
}

inline void use_memory(Qnn_Tensor_t& tensor, Qnn_MemHandle_t memory) {
  tensor.v1.memType = QNN_TENSORMEMTYPE_MEMHANDLE;
  tensor.v1.memHandle = memory;
}

// A finalized graph with two inputs and one output, and what a raw execute of it answers.
struct Setting {
  Session session;
  const Api& api = session.api;
  Owned context = session.context();
  Sample sample = add(Kind::kQuantized);
  Graph graph = Graph::built(api, context, sample.model);
  Buffers expected = graph.run(sample.inputs);
  const Tensor& input = *graph.model.with_role(QNN_TENSOR_TYPE_APP_WRITE).front();
  const Tensor& output = *graph.model.with_role(QNN_TENSOR_TYPE_APP_READ).front();

  const Bytes& input_bytes() const { return sample.inputs.at(input.name); }
  const Bytes& output_bytes() const { return expected.at(output.name); }
  Descriptor of(const Tensor& tensor) const { return Descriptor(tensor); }
};

inline bool holds(const std::byte* place, const Bytes& bytes) {
  return std::memcmp(place, bytes.data(), bytes.size()) == 0;
}

}  // namespace conformance
