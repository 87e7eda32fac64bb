// SPDX-License-Identifier: BSD-3-Clause
#include "api/client_sdk.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace openqnn::api {

std::optional<ClientSdk> client_sdk() {
  const char* value = std::getenv("OPENQNN_CLIENT_SDK");
  std::string_view text(value ? value : "");
  if (text.starts_with('v')) text.remove_prefix(1);
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  ClientSdk sdk;
  const auto major = std::from_chars(text.data(), text.data() + dot, sdk.major);
  const auto minor = std::from_chars(text.data() + dot + 1, text.data() + text.size(), sdk.minor);
  if (major.ec != std::errc() || major.ptr != text.data() + dot || minor.ec != std::errc() ||
      (minor.ptr != text.data() + text.size() && *minor.ptr != '.'))
    return std::nullopt;
  return sdk;
}

std::optional<std::string> unreadable_client_sdk() {
  const char* value = std::getenv("OPENQNN_CLIENT_SDK");
  if (!value || *value == '\0' || client_sdk()) return std::nullopt;
  return value;
}

}  // namespace openqnn::api
