// SPDX-License-Identifier: BSD-3-Clause
// Which SDK a client was compiled with, where it tells us: structs moved and grew between releases, and most
// calls do not show which one they come from.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace openqnn::api {

struct ClientSdk {
  uint32_t major = 0, minor = 0;
  auto operator<=>(const ClientSdk&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

// From OPENQNN_CLIENT_SDK, e.g. "2.43" or "v2.48.40"; nothing when it is not set or names no version.
std::optional<ClientSdk> client_sdk();
// What it says when that is no version: nothing else would tell that it has no effect.
std::optional<std::string> unreadable_client_sdk();

}  // namespace openqnn::api
