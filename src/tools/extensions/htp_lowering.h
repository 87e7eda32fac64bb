// SPDX-License-Identifier: BSD-3-Clause
// The HTP backend file as options of the C API. One table says what becomes of every option of the file.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "HTP/QnnHtpContext.h"
#include "HTP/QnnHtpDevice.h"
#include "HTP/QnnHtpGraph.h"
#include "base/result.h"
#include "config/config.h"
#include "tools/extensions/backend_file.h"
#include "tools/extensions/htp_power.h"
#include "tools/extensions/option_list.h"

namespace openqnn::tools {

using HtpGraphOptions = GraphOptions<QnnHtpGraph_CustomConfig_t>;

// Not to be moved once filled: options point into it.
struct HtpOptions {
  DeviceOptions<QnnHtpDevice_CustomConfig_t> device;
  ContextOptions<QnnHtpContext_CustomConfig_t> context;
  std::map<std::string, HtpGraphOptions, std::less<>> graphs;  // by name
  std::vector<CoreVotes> cores;
  uint32_t profile_level = 0;
  bool shared_buffers = false;
  std::vector<std::string> warnings;  // options that are set and have no effect, with the reason
  std::deque<std::string> texts;      // that options point at
};

// Where the options of a record go.
struct HtpSink {
  HtpOptions& options;
  HtpGraphOptions* graph = nullptr;  // of an entry of `graphs`
  CoreVotes* core = nullptr;         // of an entry of `cores`
};

// What becomes of one option of the file: exactly one of the last three.
struct HtpLowering {
  const config::SectionDef* section;
  std::string_view option;
  void (*lower)(const Setting& setting, const HtpSink& sink) = nullptr;
  std::string_view read_with = {};  // the option whose lowering reads it as well
  std::string_view no_effect = {};  // why it has none here, wherever it is set
};
std::span<const HtpLowering> htp_lowerings();

// Everything that the file says for this run. `file` may be null: then the profile of the command line alone
// counts.
Status lower_htp(const config::Config* file, const ExtensionRun& run, HtpOptions& out);

}  // namespace openqnn::tools
