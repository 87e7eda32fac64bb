// SPDX-License-Identifier: BSD-3-Clause
// --profiling_level: what the backend measured, call by call, into qnn-profiling-data_0.log.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "tools/args.h"
#include "tools/qnn/client.h"
#include "tools/qnn/tool_config.h"

namespace openqnn::tools {

// Microseconds since some moment; 0 where output must not change from run to run.
uint64_t host_microseconds();

class Profiling {
 public:
  // Without --profiling_level nothing is profiled: handle() is null and record() does nothing. A log of an
  // earlier run is left then, which is told.
  static Result<std::unique_ptr<Profiling>> start(const Args& args, const Client& client,
                                                  const ToolConfig& config, const std::string& output_dir);
  ~Profiling();
  Profiling(const Profiling&) = delete;
  Profiling& operator=(const Profiling&) = delete;

  bool on() const { return target_ != nullptr; }
  // To pass to the call that is measured; null when only this program's times are wanted. A profile belongs
  // to one call: what it held before is gone.
  Result<Qnn_ProfileHandle_t> handle();
  // The events of the last handle, as one record of the log.
  Status record(QnnSystemProfile_MethodType_t method, const std::string& graph, uint64_t begun);
  std::string written() const;  // "wrote output/qnn-profiling-data_0.log"

 private:
  explicit Profiling(const Client& client) : client_(client) {}
  Status open_log(const std::string& output_dir);
  void free_profile();

  const Client& client_;
  std::optional<uint32_t> level_;  // none: this program's times alone
  std::optional<uint64_t> most_events_;
  std::string path_;
  std::string_view verb_;  // whether it took the place of an older one
  QnnSystemProfile_SerializationTargetHandle_t target_ = nullptr;
  Qnn_ProfileHandle_t profile_ = nullptr;
};

OptionSpec profiling_option(std::string_view choices);

}  // namespace openqnn::tools
