// SPDX-License-Identifier: BSD-3-Clause
// What a context binary holds, in the structs of System/QnnSystemContext.h.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "HTP/QnnHtpSystemContext.h"
#include "System/QnnSystemContext.h"
#include "api/client_sdk.h"
#include "api/compose.h"
#include "api/platform_info.h"
#include "program/program.h"

namespace openqnn::api {

// The structs as a client knows them: versions, and how far apart the elements of its arrays are. Arrays are
// walked with the sizes of the client's headers, and these grew.
struct InfoFormat {
  uint32_t binary_version = 3;
  uint32_t graph_version = 3;
  size_t graph_stride = sizeof(QnnSystemContext_GraphInfo_t);
  size_t tensor_stride = sizeof(Qnn_Tensor_t);

  // For a client of this SDK; one that does not tell knows what SDK 2.30 knew.
  static InfoFormat of(const std::optional<ClientSdk>& sdk);
};

// Owns every string and list that the struct it hands out points to.
class BinaryInfo {
 public:
  BinaryInfo(const program::ProgramSet& set, uint64_t binary_bytes, const InfoFormat& format);
  BinaryInfo(const BinaryInfo&) = delete;
  BinaryInfo& operator=(const BinaryInfo&) = delete;

  const QnnSystemContext_BinaryInfo_t* get() const { return &info_; }

 private:
  struct TensorList {
    uint32_t count;
    Qnn_Tensor_t* tensors;
  };

  const char* keep(const std::string& text);
  // A copy of the first `stride` bytes of each item, one behind the other.
  template <class T>
  T* pack(const std::vector<T>& items, size_t stride);

  QnnSystemContext_GraphInfo_t describe(const program::Program& program);
  QnnHtpSystemContext_GraphBlobInfo_t& graph_blob(const program::Program& program);
  void describe_hardware(const program::ProgramSet& set);
  Qnn_Tensor_t describe(const program::Tensor& tensor);
  template <class Wanted>
  TensorList tensors_of(const program::Program& program, Wanted&& wanted);

  // Fills what the three versions have in common.
  template <class Info>
  void fill(Info& info, const program::ProgramSet& set, uint64_t binary_bytes);
  template <class Info>
  void fill_hardware_blob(Info& info);

  const InfoFormat format_;
  // Deques keep addresses while they grow.
  std::deque<std::string> strings_;
  std::deque<DescribedTensor> tensors_;
  std::deque<std::vector<std::byte>> arrays_;
  std::deque<QnnHtpSystemContext_GraphBlobInfo_t> graph_blobs_;
  std::vector<QnnSystemContext_GraphInfo_t> graphs_;
  std::unique_ptr<PlatformInfo> platform_;  // null for an empty binary
  QnnHtpSystemContext_HwBlobInfo_t hardware_blob_{};
  QnnHtpSystemContext_ContextBlobInfo_t context_blob_{};
  QnnSystemContext_BinaryInfo_t info_{};
};

}  // namespace openqnn::api
