// SPDX-License-Identifier: BSD-3-Clause
// What several rules need: who the part is, which records have an option on, and findings that many rules
// share ("needs v81", "only offline on x86-64 Linux").
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "config/rule.h"

namespace openqnn::config {

// ---- Records ----

// The records in which an option is on: true, or a number ≥ 1.
std::vector<Record> with(const std::vector<Record>& records, std::string_view option);
inline bool any_on(const std::vector<Record>& records, std::string_view option) {
  return std::ranges::any_of(records, [&](const Record& record) { return record.on(option); });
}
// The one section of a name in a file, e.g. context_configs of the tool file; nothing when it is not there.
std::optional<Record> section_of(const Subject& subject, Kind kind, std::string_view name);
std::vector<Record> sections_of(const Subject& subject, Kind kind, std::string_view name);

std::vector<std::string_view> graph_names(const Record& graph);  // of an entry of `graphs`
bool sets_options(const Record& graph);                          // anything beside its names
// For looking names up: lists may be long.
using NameIndex = std::unordered_set<std::string_view>;
std::string quoted_list(const std::vector<std::string_view>& names);  // "'a', 'b'"; a long list is cut
// The graph of the model with the most similar name, as advice.
std::string nearest_graph(const Subject& subject, std::string_view name);

// ---- Features that several rules ask for ----

bool weight_sharing(const Subject& subject);
bool spill_fill_group(const Subject& subject);  // contexts registered to share one spill-fill buffer
bool graph_switching(const Subject& subject);   // low memory mode over a persistent binary
bool linting(const Subject& subject);
bool dsp_library(const Subject& subject);  // the tool file names the extensions of the DSP backend

// ---- The part ----

std::string part_words(const Part& part);  // "SM8750 (v79, told by --soc)"; ask once per rule
// Whether a source says that the part has no HTP; a row without an architecture alone does not say so.
bool lacks_htp(const soc::SocInfo& soc);
struct CoreOfPart {
  Record core;
  const Part* part;  // of its device
};
std::vector<CoreOfPart> cores_of_parts(const Subject& subject);
// The SoC model of a device, whichever key it is under; 0 counts as not set.
Option<int64_t> soc_number(const Record& device);
std::string_view soc_key(const Record& device);  // "soc_model", else "soc_id"

// The table of parts, for rules that look numbers up.
class Parts {
 public:
  Parts();
  const std::vector<soc::SocInfo>& all() const { return *socs_; }
  std::vector<const soc::SocInfo*> of_model(int64_t soc_model) const;  // several parts may share a number
  bool has(int64_t soc_model) const;
  std::string names(int64_t soc_model) const;             // "QCS8450, SM8450"
  std::optional<uint32_t> arch(int64_t soc_model) const;  // when they agree
  bool any_arch(int64_t soc_model) const;                 // whether any source states one
  const soc::SocInfo* of_kernel_id(int64_t id) const;     // nullptr when no part has it

 private:
  std::shared_ptr<const std::vector<soc::SocInfo>> socs_;  // never null
};

// Whether floats run on the part's HTP; nothing when unknown, or when parts of one SoC model differ.
std::optional<bool> half_on_htp(const Part& part);

// A limit of the part; when it is not known, that of a part with the same SoC model.
template <class T>
std::optional<T> limit_of(const Part& part, std::optional<T> soc::SocInfo::*field) {
  if (!part.soc) return std::nullopt;
  const soc::SocInfo& soc = *part.soc;
  std::optional<T> limit = soc.*field;
  if (limit || !soc.soc_model) return limit;
  const Parts parts;
  for (const soc::SocInfo* other : parts.of_model(*soc.soc_model)) {
    if (other->*field) limit = std::max(limit.value_or(T{}), *(other->*field));
  }
  return limit;
}

// The lowest limit of all parts, and whose it is; nothing when none is known.
template <class T>
struct LowestLimit {
  T limit;
  const Part* part;
};
template <class T>
std::optional<LowestLimit<T>> lowest_limit(const Subject& subject, std::optional<T> soc::SocInfo::*field) {
  std::optional<LowestLimit<T>> lowest;
  for (const Part& part : subject.parts) {
    const auto limit = limit_of(part, field);
    if (limit && (!lowest || *limit < lowest->limit)) lowest = {*limit, &part};
  }
  return lowest;
}

// ---- Shared findings ----

// For each record with `option` on: a part is older than `arch`.
void needs_arch(const Subject& subject, Report& report, const std::vector<Record>& records,
                std::string_view option, uint32_t arch, std::string_view what);

// For each record with `option` on: this prepare is online, or not on an x86-64 Linux host.
void needs_linux_host(const Subject& subject, Report& report, const std::vector<Record>& records,
                      std::string_view option, std::string_view what);

}  // namespace openqnn::config
