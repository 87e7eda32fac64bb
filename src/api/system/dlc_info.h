// SPDX-License-Identifier: BSD-3-Clause
// What a client is told of the graphs of a .dlc: their inputs and outputs as composed, and what their parts
// were in the model's file.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "System/QnnSystemDlc.h"
#include "api/system/binary_info.h"
#include "frontend/dlc/dlc.h"

namespace openqnn::api {

// The graphs of one composeGraphs. Owns all that the structs point to.
class ComposedInfo {
 public:
  explicit ComposedInfo(const InfoFormat& format) : format_(format) {}
  ComposedInfo(const ComposedInfo&) = delete;
  ComposedInfo& operator=(const ComposedInfo&) = delete;

  Status add(const ir::Graph& graph, const ComposedGraph& composed, uint32_t version);
  // A list for the client to free(); null when there is no memory for it.
  QnnSystemContext_GraphInfo_t* list() const;
  uint32_t count() const { return static_cast<uint32_t>(graphs_.size()); }

 private:
  struct TensorList {
    uint32_t count = 0;
    Qnn_Tensor_t* tensors = nullptr;
  };
  Result<TensorList> describe_all(const ir::Graph& graph, const std::vector<ir::TensorIndex>& tensors,
                                  const std::vector<uint32_t>& ids);

  const InfoFormat format_;  // arrays are walked with the sizes of the client's headers
  std::deque<std::string> names_;
  std::deque<DescribedTensor> tensors_;  // deques keep addresses while they grow
  std::deque<std::vector<std::byte>> arrays_;
  std::vector<QnnSystemContext_GraphInfo_t> graphs_;
};

// Which parts of the model's file the ops and tensors of the graphs stand for. Points into `dlc`.
class OpMappings {
 public:
  explicit OpMappings(const frontend::Dlc& dlc);
  OpMappings(const OpMappings&) = delete;
  OpMappings& operator=(const OpMappings&) = delete;

  const std::vector<Qnn_OpMapping_t>& all() const { return mappings_; }

 private:
  std::deque<std::vector<Qnn_OpMappingPair_t>> pairs_;
  std::deque<std::vector<Qnn_Mapping_t>> lists_;
  std::deque<Qnn_OpMappingV1_t> graphs_;
  std::vector<Qnn_OpMapping_t> mappings_;
};

}  // namespace openqnn::api
