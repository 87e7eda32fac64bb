// SPDX-License-Identifier: BSD-3-Clause
// Checks: each field against its table entry, then the rules across fields, files, part, platform, tool and
// SDK version. A check never changes what it looks at.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "config/finding.h"
#include "config/read.h"
#include "soc/target.h"

namespace openqnn::config {

enum class Platform : uint8_t { kLinuxX86, kWindowsX86, kAndroid, kWindowsArm, kLinuxArm, kQnx };
inline constexpr size_t kPlatformCount = 6;
std::string_view platform_name(Platform platform);  // "x86_64-linux"
std::optional<Tool> find_tool(std::string_view name);
Result<Sdk> parse_sdk(std::string_view text);  // "2.36", "v2.36.1", "2.36.0.250627"

// What is known beyond the files. Everything is optional; a rule that needs what is not known stays silent.
struct Circumstances {
  std::optional<Tool> tool;
  std::optional<Stage> stage;  // implied by the tool where it has only one
  std::optional<soc::SocInfo> soc;
  std::optional<Platform> platform;
  std::optional<Sdk> sdk;
  std::optional<std::vector<std::string>> graphs;  // the names in the model
  bool strict = false;  // liberties and shapes that are not strictly legal are errors
};

// The same as users write it; an empty text is "not known". The failure names the word and what it could be.
struct CircumstanceNames {
  std::string tool;
  std::string stage;
  std::string soc;
  std::string platform;
  std::string sdk;
  std::optional<std::vector<std::string>> graphs;
  bool strict = false;
};
Result<Circumstances> circumstances_of(const CircumstanceNames& names);
// The same from the options of `openqnn check` in one line: --tool, --stage, --soc, --platform, --sdk,
// --graphs A,B and --strict, as "--name value" or "--name=value".
Result<Circumstances> parse_circumstances(std::string_view flags);

// The part that a configuration is for, as far as files and circumstances tell.
struct Part {
  std::shared_ptr<const soc::SocInfo> soc = {};  // null when it is not known
  std::optional<uint32_t> arch = {};             // of the SoC, else as written
  bool arch_as_written = false;                  // the SoC is known, its architecture only from dsp_arch
  std::string told_by = {};                      // "--soc", "devices[0].soc_model"; empty when nothing tells
  std::optional<size_t> device = {};             // the entry of `devices` that tells it
};

// The files that are checked together: at most one of a kind.
class Subject {
 public:
  // Collects the records and finds the part.
  Subject(const std::vector<const Config*>& files, Circumstances known);

  std::array<const Config*, kKindCount> configs = {};
  Circumstances circumstances;
  Part part;                // the first that is told
  std::vector<Part> parts;  // every one that is told: of several devices each has its own

  const Config* of(Kind kind) const { return configs[static_cast<size_t>(kind)]; }
  std::vector<Record> records(Kind kind,
                              const SectionDef& section) const;  // empty when there is no such file
  // Of the HTP file; collected once, because every rule asks for them.
  const std::vector<Record>& graphs() const { return graphs_; }
  const std::vector<Record>& devices() const { return devices_; }
  const std::vector<Record>& cores() const { return cores_; }
  const std::vector<Record>& contexts() const { return contexts_; }

  const Part* part_below(uint32_t arch) const;      // the first part that is older; null when none is
  const Part& part_of_device(size_t device) const;  // `part` when the entry itself tells none
  bool sdk_before(Sdk sdk) const { return circumstances.sdk && *circumstances.sdk < sdk; }
  bool sdk_from(Sdk sdk) const { return circumstances.sdk && *circumstances.sdk >= sdk; }

 private:
  std::vector<Record> graphs_, devices_, cores_, contexts_;
};

// All findings, ordered by file and place. Findings of reading are not repeated.
std::vector<Finding> check(const Subject& subject);

// The same for files that were read, with the findings of reading. Liberties count only in a strict check.
std::vector<Finding> check_documents(const std::vector<const Document*>& documents,
                                     Circumstances circumstances);

// The findings of each field by itself: unknown and misplaced keys, types, ranges, choices, placeholders.
std::vector<Finding> check_fields(const Config& config, const Circumstances& circumstances);

}  // namespace openqnn::config
