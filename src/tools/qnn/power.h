// SPDX-License-Identifier: BSD-3-Clause
// --perf_profile: the votes of a power profile, cast while this lives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "tools/qnn/client.h"

namespace openqnn::tools {

class PowerVotes {
 public:
  static Result<std::unique_ptr<PowerVotes>> cast(const Client& client, const std::string& profile);
  ~PowerVotes();
  PowerVotes(const PowerVotes&) = delete;
  PowerVotes& operator=(const PowerVotes&) = delete;

 private:
  PowerVotes() = default;
  Qnn_ErrorHandle_t (*withdraw_)(uint32_t id) = nullptr;
  uint32_t id_ = 0;
};

}  // namespace openqnn::tools
