// SPDX-License-Identifier: BSD-3-Clause
// What a context binary holds, in the structs of System/QnnSystemContext.h.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "System/QnnSystemContext.h"
#include "program/program.h"

namespace openqnn::api {

// Owns every string and list that the struct it hands out points to.
class BinaryInfo {
 public:
  BinaryInfo(const program::ProgramSet& set, uint64_t binary_bytes);
  BinaryInfo(const BinaryInfo&) = delete;
  BinaryInfo& operator=(const BinaryInfo&) = delete;

  const QnnSystemContext_BinaryInfo_t* get() const { return &info_; }

 private:
  const char* keep(const std::string& text);
  Qnn_Tensor_t describe(const program::Tensor& tensor);
  std::vector<Qnn_Tensor_t>& tensors_of(const program::Program& program, ir::TensorRole role);
  Qnn_QuantizeParams_t encoding_of(const ir::Quantization& quantization);

  // Deques keep addresses while they grow.
  std::deque<std::string> strings_;
  std::deque<std::vector<uint32_t>> dimensions_;
  std::deque<std::vector<Qnn_ScaleOffset_t>> encodings_;
  std::deque<std::vector<Qnn_Tensor_t>> tensors_;
  std::vector<QnnSystemContext_GraphInfo_t> graphs_;
  QnnSystemContext_BinaryInfo_t info_{};
};

}  // namespace openqnn::api
