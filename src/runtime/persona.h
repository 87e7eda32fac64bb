// SPDX-License-Identifier: BSD-3-Clause
// Who this process plays: a host that prepares offline and models a device, or that device itself.
#pragma once

#include <optional>

#include "base/result.h"
#include "soc/target.h"

namespace openqnn::runtime {

enum class Platform : uint8_t { kHost, kAndroid, kLinux, kQnx, kWindows };

struct Persona {
  Platform platform = Platform::kHost;
  std::optional<soc::Target> target;  // the part played; nothing for a host without a named one

  bool offline() const { return platform == Platform::kHost; }
};

// Reads "host", "host:SM8650", "android:SM8650" …; an empty text is the host. `where` names the text in
// diagnostics.
Result<Persona> parse_persona(std::string_view text, std::string_view where);

// From OPENQNN_TARGET.
Result<Persona> persona_from_environment();

}  // namespace openqnn::runtime
