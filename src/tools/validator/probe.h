// SPDX-License-Identifier: BSD-3-Clause
// One backend: is it here, which versions has it, does it work?
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tools/session.h"

namespace openqnn::tools::validator {

struct Backend {
  std::string_view word;     // as --backend takes it: "dsp"
  std::string_view name;     // in reports: "DSP"
  std::string_view library;  // "libQnnHtp.so"
};
std::span<const Backend> all_backends();

struct ProbeRequest {
  std::filesystem::path folder;  // where the library is; empty: where programs look for it
  DeviceChoice device;
  bool library_version = false;
  bool core_version = false;
  bool unit_test = false;
  bool verbose = false;
};

// What was asked and what it gave; nothing where it was not asked.
struct ProbeResult {
  bool found = false;      // the library
  bool supported = false;  // it could be opened, and a device of it
  std::string why;         // when not
  std::optional<std::string> library_version;
  std::optional<std::string> core_version;
  std::string part;  // with it, unless the architecture was chosen: "SM8350 (SoC model 30), 4 MB of VTCM"
  std::optional<bool> unit_test;

  bool fine() const { return supported && unit_test.value_or(true); }
};
ProbeResult probe(const Backend& backend, const ProbeRequest& request);

// A graph with a known answer, composed, prepared, executed and compared.
Status run_unit_test(Session& session);

}  // namespace openqnn::tools::validator
