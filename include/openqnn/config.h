// SPDX-License-Identifier: BSD-3-Clause
// Configuration files of QNN's tools: read, ask, change, check, mend, write. Values only: nothing here holds
// a file open or refers to another object.
//
//   auto file = openqnn::ConfigFile::open("htp.json");
//   if (!file) return complain(file.error());
//   for (const auto& finding : file->check({.soc = "SM8650"})) std::cout << finding.to_string();
//   file->set("graphs[0].vtcm_mb", int64_t{8});
//   file->save("htp.json");
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "openqnn/error.h"
#include "openqnn/export.h"

namespace openqnn {

enum class ConfigKind : uint8_t { kHtp, kTool, kLpai, kDataFormat, kOptrace, kThroughput };

// The value of an option. monostate: an object or a list of objects, or null.
using Setting = std::variant<std::monostate, bool, int64_t, double, std::string, std::vector<int64_t>,
                             std::vector<std::string>>;

// What is known beyond the file; all of it may stay empty. The names are those of `openqnn check`.
struct CheckOptions {
  std::string tool;                                // "qnn-net-run"
  std::string stage;                               // "offline", "online", "binary"
  std::string soc;                                 // "SM8650", "57", "Snapdragon 8 Gen 3"
  std::string platform;                            // "aarch64-android"
  std::string sdk;                                 // "2.36"
  std::optional<std::vector<std::string>> graphs;  // the names in the model
  bool strict = false;
};

struct ConfigFinding {
  enum class Severity : uint8_t { kNote, kWarning, kError };

  std::string code;  // `openqnn explain CODE` tells more
  Severity severity = Severity::kWarning;
  std::string message;
  std::string advice;  // may be empty
  std::string path;    // "graphs[1].dlbc"
  uint32_t line = 0;   // 1-based; 0 when the finding is about the file as a whole
  uint32_t column = 0;
  std::string excerpt;  // the line with a mark below it
  std::vector<std::string> notes;
  std::optional<std::string> fix;  // what ConfigFile::fix() would do

  OPENQNN_API std::string to_string() const;  // as `openqnn check` prints it
};

// One option of a kind of file, from the table that the whole product uses.
struct ConfigOption {
  std::string path;         // "graphs[].vtcm_mb"
  std::string python_name;  // "vtcm_size_in_mb"
  std::string type;         // "integer, at least 0 MB"
  std::string default_text;
  std::string summary;
};

class OPENQNN_API ConfigFile {
 public:
  // Fails when there is no file, no JSON in it, or no configuration of a QNN tool.
  static Expected<ConfigFile> open(const std::filesystem::path& path);
  static Expected<ConfigFile> parse(std::string text, std::string name = "configuration");

  ConfigKind kind() const;
  const std::string& name() const;

  // Settings by path: "graphs[0].vtcm_mb", "devices[0].cores[0].perf_profile", "graphs[0].graph_names[1]".
  // Both names of an option are understood. An object that stands alone counts as entry 0 of a list.
  std::vector<std::string> paths() const;  // of everything that is set, in the order of the file
  std::optional<Setting> get(std::string_view path) const;
  // Checks the value against the option's type, range and choices; entries that are missing on the way are
  // made, at the end of their list. Rules across options are left to check(). On failure nothing has changed.
  Expected<void> set(std::string_view path, const Setting& value);
  bool erase(std::string_view path);
  // "htp.json:12:18", a place in to_json(), or "set" for what was set here; empty when it is not set.
  std::string origin(std::string_view path) const;

  std::vector<ConfigFinding> check(const CheckOptions& options = {}) const;

  // What was read and what was set, nothing else. An unchanged file comes back byte for byte.
  std::string to_json() const;
  Expected<void> save(const std::filesystem::path& path) const;  // in one step

  struct Impl;  // opaque
  explicit ConfigFile(std::shared_ptr<const Impl> impl);
  // Moving copies, so that a file that was moved from is still a file.
  ConfigFile(const ConfigFile& other) = default;
  ConfigFile& operator=(const ConfigFile& other) = default;

 private:
  std::shared_ptr<const Impl> impl_;  // copies share it until one of them changes
};

// The text with every safe fix made, comments and order kept; also for texts that cannot be opened yet
// because a comma is missing.
struct FixedConfig {
  std::string text;
  std::vector<std::string> mended;  // codes
};
OPENQNN_API Expected<FixedConfig> fix_config(std::string text, const CheckOptions& options = {});

// The text laid out anew, comments and order kept.
OPENQNN_API Expected<std::string> format_config(std::string_view text, uint32_t indent = 2);

OPENQNN_API std::vector<ConfigOption> config_options(ConfigKind kind);
OPENQNN_API std::string config_schema(ConfigKind kind);  // JSON Schema 2020-12

}  // namespace openqnn
