// SPDX-License-Identifier: BSD-3-Clause
// What a configuration amounts to: the value of every option, set or by default, and where it comes from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/check.h"

namespace openqnn::config {

struct EffectiveOption {
  enum class Origin : uint8_t { kFile, kDefault, kOverride };

  const OptionDef* option = nullptr;
  json::Value value;  // null when no JSON value says it: then `words` do
  std::string words;
  Origin origin = Origin::kDefault;
  std::string document;  // whose default it is, where documents differ; or the override, "--soc"
  const json::Member* member = nullptr;  // of kFile
  std::string no_effect;                 // why the chosen tool or stage ignores it; empty when it counts

  std::string text() const;  // the value as JSON on one line, or the words
};

struct EffectiveRecord {
  const SectionDef* section = nullptr;
  std::string title;     // "graph 'encoder'", "device 0, core 1"
  std::string path;      // "graphs[0]"; empty when the file has no such entry
  bool is_entry = true;  // false: not in the file, what is shown are the defaults
  std::vector<EffectiveOption> options;
  std::vector<const json::Member*> unknown;  // keys that no table knows, kept for comparing
};

// Graph by graph, device by device. `kind` must be one of the subject's files.
std::vector<EffectiveRecord> effective(const Subject& subject, Kind kind);

// A record of a section with nothing set.
EffectiveRecord defaults_of(const SectionDef& section, const Subject& subject);

std::string_view origin_name(EffectiveOption::Origin origin);  // "file"

}  // namespace openqnn::config
