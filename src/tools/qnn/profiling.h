// SPDX-License-Identifier: BSD-3-Clause
// --profiling_level: what the backend measured, call by call, into qnn-profiling-data_0.log, which has the
// name qnn-profiling-data.log as well.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/args.h"
#include "tools/qnn/client.h"
#include "tools/qnn/tool_config.h"

namespace openqnn::tools {

// The log's name that does not change from run to run.
inline constexpr std::string_view kProfileLogName = "qnn-profiling-data.log";

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
  Status choose_level(const Args& args, const ToolConfig& config);
  Status open_log(const std::string& output_dir);
  Status set_config(const QnnProfile_Config_t& config) const;
  // Objects that are meant for files become these, in the working folder.
  Status write_objects(std::span<const QnnSystemProfile_ProfileEventV1_t> events) const;
  void free_profile();

  const Client& client_;
  std::optional<uint32_t> level_;  // none: this program's times alone
  bool traces_ops_ = false;
  std::optional<uint64_t> most_events_;
  std::string path_;
  std::string_view verb_;  // whether it took the place of an older one
  QnnSystemProfile_SerializationTargetHandle_t target_ = nullptr;
  Qnn_ProfileHandle_t profile_ = nullptr;
};

// --profiling_level and --profiling_option.
std::vector<OptionSpec> profiling_options(std::string_view levels);
// Refuses what cannot be profiled together, before anything is prepared.
Status check_profiling(const Args& args);

}  // namespace openqnn::tools
