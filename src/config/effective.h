// SPDX-License-Identifier: BSD-3-Clause
// What a configuration amounts to: the value of every option, set or by default, and where it comes from.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "config/check.h"

namespace openqnn::config {

struct EffectiveOption {
  enum class Origin : uint8_t { kFile, kDefault, kOverride };

  const OptionDef* option = nullptr;
  json::Value value;  // null when no JSON value says it: then `words` do
  std::string words;
  Origin origin = Origin::kDefault;
  std::string
      document;  // whose default it is, where documents differ; what decided it; the override, "--soc"
  const json::Member* member = nullptr;  // of kFile
  std::string no_effect;                 // why the chosen tool or stage ignores it; empty when it counts
  bool said_by_another = false;  // another option says the same (soc_id and soc_model): not to be compared

  std::string text() const;  // the value as JSON on one line, or the words
};

// All options of a record, in the order of the table. What is not set is shared between records. Movable: the
// options stay where they are.
class EffectiveOptions {
 public:
  explicit EffectiveOptions(const std::vector<EffectiveOption>& defaults);
  EffectiveOptions(EffectiveOptions&&) = default;
  EffectiveOptions& operator=(EffectiveOptions&&) = default;
  EffectiveOptions(const EffectiveOptions&) = delete;
  EffectiveOptions& operator=(const EffectiveOptions&) = delete;
  ~EffectiveOptions() = default;

  size_t size() const { return all_.size(); }
  const EffectiveOption& operator[](size_t index) const { return *all_[index]; }
  bool is_default(size_t index) const { return all_[index] == &(*defaults_)[index]; }
  const EffectiveOption& at(std::string_view name) const { return *all_[index_of(name)]; }  // must be there
  EffectiveOption& edit(size_t index);  // the record's own from now on
  EffectiveOption& edit(std::string_view name) { return edit(index_of(name)); }

 private:
  size_t index_of(std::string_view name) const;

  const std::vector<EffectiveOption>* defaults_;
  std::vector<const EffectiveOption*> all_;
  std::deque<EffectiveOption> own_;
};

// One graph, device, …, however many entries of the file are about it. Its options are worked out when asked
// for (Effective::options), so that a file of many graphs costs little.
struct EffectiveRecord {
  const SectionDef* section = nullptr;
  std::string title = {};            // "graph 'encoder'", "device 0, core 1"
  std::vector<Record> entries = {};  // in the file; of an option in two of them the later value counts
  std::vector<const json::Member*> unknown = {};  // keys that no table knows, kept for comparing
  std::string_view note = {};                     // what to know about all of it

  bool is_entry() const { return !entries.empty(); }  // else not in the file: what applies are the defaults
  std::string path() const;                           // "graphs[0]", "graphs[0], graphs[2]"
};

// Graph by graph, device by device. The subject must outlive it.
class Effective {
 public:
  Effective(const Subject& subject, Kind kind);  // `kind` must be one of the subject's files

  const std::vector<EffectiveRecord>& records() const { return records_; }
  const EffectiveRecord* find(const std::string& title) const;  // nullptr when there is none
  EffectiveOptions options(const EffectiveRecord& record) const;
  EffectiveOptions defaults_of(const SectionDef& section) const;  // nothing set
  std::string_view note() const;                                  // about the whole file; often empty

 private:
  class Walk;
  void set_options(const EffectiveRecord& record, EffectiveOptions& options) const;

  const Subject* subject_;
  const Config* config_;
  std::vector<EffectiveRecord> records_;
  std::unordered_map<std::string, size_t> by_title_;
  std::map<const SectionDef*, std::vector<EffectiveOption>> defaults_;
  std::map<std::string, std::string, std::less<>> ignored_;  // why, by path; true of all that stands below
};

inline Effective effective(const Subject& subject, Kind kind) { return {subject, kind}; }

std::string_view origin_name(EffectiveOption::Origin origin);  // "file"

}  // namespace openqnn::config
