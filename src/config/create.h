// SPDX-License-Identifier: BSD-3-Clause
// A file to start from: valid, for a part and a purpose, with a comment at each key.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/option.h"
#include "soc/target.h"

namespace openqnn::config {

enum class Purpose : uint8_t { kLatency, kThroughput, kPower, kMemory, kLlm, kLora, kDebug };
inline constexpr size_t kPurposeCount = 7;
std::string_view purpose_name(Purpose purpose);  // "latency"
std::optional<Purpose> find_purpose(std::string_view name);

struct CreateOptions {
  Kind kind = Kind::kHtp;
  Purpose purpose = Purpose::kLatency;
  std::optional<soc::SocInfo> soc;
  std::optional<Sdk> sdk;           // names that it does not know are left out
  std::vector<std::string> graphs;  // a made-up name when empty
  bool comments = true;             // without: strict JSON
};

// The text. Fails when the part cannot have such a file.
Result<std::string> create(const CreateOptions& options);

}  // namespace openqnn::config
