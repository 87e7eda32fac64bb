// SPDX-License-Identifier: BSD-3-Clause
// A node of a graph that an op package computes.
#pragma once

#include <memory>
#include <mutex>
#include <span>

#include "ir/graph.h"
#include "runtime/op_package.h"

namespace openqnn::runtime {

class PackageOp {
 public:
  // Describes the node to its package and asks for the implementation.
  static Result<std::unique_ptr<PackageOp>> make(std::shared_ptr<OpPackage> package, const ir::Node& node,
                                                 const ir::Graph& graph);
  ~PackageOp();
  PackageOp(const PackageOp&) = delete;
  PackageOp& operator=(const PackageOp&) = delete;

  // Computes the node on these operands, in the node's order; null where one is absent. An implementation
  // reads its tensors from one place, so that executions in parallel take turns here.
  Status run(std::span<std::byte* const> inputs, std::span<std::byte* const> outputs);

 private:
  struct Description;  // the node in the package's structs, and its implementation

  PackageOp(std::shared_ptr<OpPackage> package, std::unique_ptr<Description> description);

  const std::shared_ptr<OpPackage> package_;
  const std::unique_ptr<Description> description_;
  std::mutex mutex_;  // guards the tensors' data pointers
};

}  // namespace openqnn::runtime
