// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/persona.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/text.h"

namespace openqnn::runtime {
namespace {

constexpr std::array<std::pair<std::string_view, Platform>, 5> kPlatforms = {
    {{"host", Platform::kHost},
     {"android", Platform::kAndroid},
     {"linux", Platform::kLinux},
     {"qnx", Platform::kQnx},
     {"windows", Platform::kWindows}}};

constexpr std::string_view kForm =
    "write PLATFORM or PLATFORM:CHIPSET, e.g. host, host:SM8750 or android:SM8650";

}  // namespace

Result<Persona> parse_persona(std::string_view text, std::string_view where) {
  if (text.empty()) return Persona{};
  const size_t colon = text.find(':');
  const std::string_view platform = text.substr(0, colon);
  Persona persona;
  const auto* known = std::find_if(kPlatforms.begin(), kPlatforms.end(),
                                   [&](const auto& entry) { return entry.first == platform; });
  if (known == kPlatforms.end())
    return invalid("persona-platform",
                   concat("platform '", platform, "' is not host, android, linux, qnx or windows"))
        .at(std::string(where))
        .fix_by(std::string(kForm));
  persona.platform = known->second;
  if (colon == std::string_view::npos) {
    if (!persona.offline())
      return invalid("persona-soc", concat("platform '", platform, "' plays a device, but names no part"))
          .at(std::string(where))
          .fix_by(std::string(kForm));
    return persona;
  }
  OPENQNN_ASSIGN(persona.target, soc::target_by_chipset(text.substr(colon + 1)));
  return persona;
}

Result<Persona> persona_from_environment() {
  const char* text = std::getenv("OPENQNN_TARGET");
  return parse_persona(text ? text : "", "OPENQNN_TARGET");
}

}  // namespace openqnn::runtime
