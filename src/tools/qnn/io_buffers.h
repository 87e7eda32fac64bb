// SPDX-License-Identifier: BSD-3-Clause
// The memory of one execution: a buffer for every input and output, this program's own or shared with the
// device.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "tools/compose.h"
#include "tools/qnn/client.h"
#include "tools/qnn/graph_io.h"

namespace openqnn::tools {

// libcdsprpc.so, as every client of the device opens it.
class SharedMemoryLibrary {
 public:
  // Beside the backend, then wherever find_library looks. An error names `asked_by`, the option that needs
  // it.
  static Result<std::shared_ptr<const SharedMemoryLibrary>> open(
      const BackendLibrary& backend, const std::string& asked_by = "--shared_buffer");
  ~SharedMemoryLibrary();
  SharedMemoryLibrary(const SharedMemoryLibrary&) = delete;
  SharedMemoryLibrary& operator=(const SharedMemoryLibrary&) = delete;

  void* (*allocate)(int heap, uint32_t flags, int size) = nullptr;
  void (*release)(void* address) = nullptr;
  int (*descriptor_of)(void* address) = nullptr;
  // Also beyond what `allocate` can count; null where there is none.
  void* allocate_large(uint64_t size) const;

 private:
  SharedMemoryLibrary() = default;
  void* handle_ = nullptr;
  void* (*allocate_more_)(int heap, uint32_t flags, size_t size) = nullptr;  // not every release has it
};

// Buffers and the tensors that name them. Must be gone before the context.
class IoBuffers {
 public:
  // Every buffer holds `batches` of its tensor. `shared` is null for memory of this program's own.
  static Result<std::unique_ptr<IoBuffers>> make(const Client& client, const std::vector<IoTensor>& tensors,
                                                 uint32_t batches,
                                                 std::shared_ptr<const SharedMemoryLibrary> shared);
  ~IoBuffers();
  IoBuffers(const IoBuffers&) = delete;
  IoBuffers& operator=(const IoBuffers&) = delete;

  std::span<std::byte> bytes(size_t index) { return buffers_[index].bytes; }
  std::vector<Qnn_Tensor_t>& tensors() { return tensors_; }

 private:
  struct Buffer {
    std::vector<std::byte> own;
    void* shared = nullptr;
    Qnn_MemHandle_t handle = nullptr;
    std::span<std::byte> bytes;
  };
  explicit IoBuffers(const Client& client) : client_(client) {}
  Status add(const IoTensor& tensor, uint32_t batches, DescribedTensor& described);
  Status share(Buffer& buffer, size_t size, Qnn_TensorV1_t& tensor);

  const Client& client_;
  std::shared_ptr<const SharedMemoryLibrary> library_;
  std::vector<DescribedTensor> described_;
  std::vector<Buffer> buffers_;
  std::vector<Qnn_Tensor_t> tensors_;
};

}  // namespace openqnn::tools
