// SPDX-License-Identifier: BSD-3-Clause
#include "config/rules/common.h"

#include <iterator>
#include <utility>

#include "soc/nearest.h"

namespace openqnn::config {

// ---- Records ----

std::vector<Record> with(const std::vector<Record>& records, std::string_view option) {
  std::vector<Record> found;
  std::ranges::copy_if(records, std::back_inserter(found),
                       [&](const Record& record) { return record.on(option); });
  return found;
}

std::vector<Record> sections_of(const Subject& subject, Kind kind, std::string_view name) {
  const Config* config = subject.of(kind);
  return config != nullptr ? config->root().records(name) : std::vector<Record>();
}

std::optional<Record> section_of(const Subject& subject, Kind kind, std::string_view name) {
  const auto sections = sections_of(subject, kind, name);
  return sections.empty() ? std::nullopt : std::optional(sections.front());
}

std::vector<std::string_view> graph_names(const Record& graph) {
  return graph.texts("graph_names").value.value_or(std::vector<std::string_view>());
}

bool sets_options(const Record& graph) {
  return std::ranges::any_of(graph.object().as_object(), [&](const json::Member& member) {
    const OptionDef* option = option_of_tag(graph.section(), member.tag);
    return option != nullptr && option->name != "graph_names";
  });
}

std::string quoted_list(const std::vector<std::string_view>& names) {
  constexpr size_t kShown = 4;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += concat(i == 0 ? "'" : ", '", names[i], "'");
  if (names.size() > kShown) text += concat(" and ", names.size() - kShown, " more");
  return text;
}

std::string nearest_graph(const Subject& subject, std::string_view name) {
  const auto& graphs = subject.circumstances.graphs;
  if (!graphs || graphs->empty()) return "give the names that the model has";
  const auto nearest = std::ranges::min_element(
      *graphs, {}, [&](const std::string& each) { return edit_distance(each, name); });
  if (graphs->size() == 1) return concat("the model's only graph is '", *nearest, "'");
  return concat("the model has ", graphs->size(), " graphs; the nearest name is '", *nearest, "'");
}

// ---- Features ----

bool weight_sharing(const Subject& subject) { return any_on(subject.contexts(), "weight_sharing_enabled"); }

bool spill_fill_group(const Subject& subject) {
  return any_on(subject.contexts(), "max_spill_fill_buffer_for_group");
}

bool graph_switching(const Subject& subject) {
  const auto context = section_of(subject, Kind::kTool, "context_configs");
  return context && context->on("memory_limit_hint") && context->on("is_persistent_binary");
}

bool linting(const Subject& subject) {
  return std::ranges::any_of(subject.devices(), [](const Record& device) {
    return device.text("profiling_level").or_else("") == "linting";
  });
}

bool dsp_library(const Subject& subject) {
  const auto extensions = section_of(subject, Kind::kTool, "backend_extensions");
  return extensions &&
         extensions->text("shared_library_path").or_else("").find("QnnDsp") != std::string_view::npos;
}

// ---- The part ----

// A SoC model may stand for several parts; then the number says more than the name of one of them.
static std::string part_name(const Part& part) {
  const bool by_number = part.told_by.ends_with("soc_model") || part.told_by.ends_with("soc_id");
  if (!by_number || !part.soc->soc_model) return part.soc->chipset;
  const uint32_t model = *part.soc->soc_model;
  return Parts().of_model(model).size() == 1 ? part.soc->chipset : concat("SoC model ", model);
}

std::string part_words(const Part& part) {
  const std::string arch =
      part.arch ? concat("v", *part.arch, part.arch_as_written ? " as dsp_arch says" : "") : "";
  const std::string by = part.told_by.empty() ? "" : concat("told by ", part.told_by);
  if (!part.soc) return by.empty() ? arch : concat(arch, " (", by, ")");
  return concat(part_name(part), " (", arch, arch.empty() || by.empty() ? "" : ", ", by, ")");
}

// The table of parts has no column for it: AIC parts are accelerators with a backend of their own, and the
// remarks at a part say where a document lists it without an HTP.
bool lacks_htp(const soc::SocInfo& soc) {
  if (soc.arch) return *soc.arch < soc::kFirstHtpArch;
  return soc.chipset.starts_with("AIC") || std::ranges::any_of(soc.conflicts, [](const std::string& remark) {
           return remark.find("(no HTP)") != std::string::npos;
         });
}

std::vector<CoreOfPart> cores_of_parts(const Subject& subject) {
  std::vector<CoreOfPart> all;
  const bool flat = subject.of(Kind::kHtp) != nullptr && subject.of(Kind::kHtp)->flat;
  if (flat) {
    for (const Record& core : subject.cores()) all.push_back({core, &subject.part});
    return all;
  }
  for (size_t i = 0; i < subject.devices().size(); ++i) {
    const Part& part = subject.part_of_device(i);
    for (const Record& core : subject.devices()[i].records("cores")) all.push_back({core, &part});
  }
  return all;
}

std::string_view soc_key(const Record& device) {
  return device.integer("soc_model").or_else(0) != 0 ? "soc_model" : "soc_id";
}

Option<int64_t> soc_number(const Record& device) {
  const auto number = device.integer(soc_key(device));
  return number.or_else(0) != 0 ? number : Option<int64_t>();
}

Parts::Parts() {
  auto socs = soc::shared_socs();
  socs_ = socs ? *std::move(socs) : std::make_shared<const std::vector<soc::SocInfo>>();
}

std::vector<const soc::SocInfo*> Parts::of_model(int64_t soc_model) const {
  std::vector<const soc::SocInfo*> found;
  for (const soc::SocInfo& soc : *socs_) {
    if (soc.soc_model && *soc.soc_model == soc_model) found.push_back(&soc);
  }
  return found;
}

bool Parts::has(int64_t soc_model) const { return !of_model(soc_model).empty(); }

std::string Parts::names(int64_t soc_model) const {
  std::string text;
  for (const soc::SocInfo* soc : of_model(soc_model)) append_item(text, soc->chipset);
  return text;
}

std::optional<uint32_t> Parts::arch(int64_t soc_model) const {
  return soc::agreed(of_model(soc_model), &soc::SocInfo::arch);
}

bool Parts::any_arch(int64_t soc_model) const {
  const auto same = of_model(soc_model);
  return std::ranges::any_of(same, [](const soc::SocInfo* soc) { return soc->arch.has_value(); });
}

const soc::SocInfo* Parts::of_kernel_id(int64_t id) const {
  const auto found = std::ranges::find_if(*socs_, [&](const soc::SocInfo& soc) {
    return std::ranges::find(soc.kernel_ids, id) != soc.kernel_ids.end();
  });
  return found != socs_->end() ? &*found : nullptr;
}

std::optional<bool> half_on_htp(const Part& named) {
  if (!named.soc) return std::nullopt;
  const soc::SocInfo& soc = *named.soc;
  const bool by_name = named.told_by == "--soc";
  if (by_name || !soc.soc_model) return soc.half_on_htp;
  const Parts parts;
  return soc::agreed(parts.of_model(*soc.soc_model), &soc::SocInfo::half_on_htp);
}

// ---- Shared findings ----

void needs_arch(const Subject& subject, Report& report, const std::vector<Record>& records,
                std::string_view option, uint32_t arch, std::string_view what) {
  const Part* older = subject.part_below(arch);
  if (older == nullptr) return;
  const std::string part = part_words(*older);
  for (const Record& record : with(records, option)) {
    report.at(record, option, concat(what, " needs v", arch, " or later; the part is ", part),
              concat("remove ", option, ", or prepare for a part with v", arch));
  }
}

void needs_linux_host(const Subject& subject, Report& report, const std::vector<Record>& records,
                      std::string_view option, std::string_view what) {
  const Circumstances& known = subject.circumstances;
  const bool online = known.stage == Stage::kOnline;
  const bool other_host =
      known.stage == Stage::kOffline && known.platform && *known.platform != Platform::kLinuxX86;
  if (!online && !other_host) return;
  const std::string here =
      online ? "this prepares online" : concat("this host is ", platform_name(*known.platform));
  for (const Record& record : with(records, option)) {
    report.at(record, option, concat(what, " is only made by offline prepare on x86-64 Linux; ", here),
              "prepare the context binary with qnn-context-binary-generator on x86-64 Linux");
  }
}

}  // namespace openqnn::config
