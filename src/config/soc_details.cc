// SPDX-License-Identifier: BSD-3-Clause
#include "config/soc_details.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/text.h"
#include "soc/nearest.h"

namespace openqnn::config {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

DiagnosticBuilder bad_spec(std::string_view spec, std::string message) {
  return invalid("soc-details", std::move(message))
      .at(concat("soc_details '", spec, "'"))
      .fix_by("write e.g. chipset:SM8750, or dsp_arch:v79;soc_model:69, with | between parts");
}

Status take(SocDetails& details, std::string_view spec, std::string_view field) {
  const size_t colon = field.find(':');
  if (colon == std::string_view::npos) return bad_spec(spec, concat("'", field, "' is not key:value"));
  const std::string_view key = trimmed(field.substr(0, colon));
  const std::string_view value = trimmed(field.substr(colon + 1));
  if (value.empty()) return bad_spec(spec, concat("'", key, "' has no value"));
  const bool again = (key == "chipset" && details.chipset) || (key == "dsp_arch" && details.dsp_arch) ||
                     (key == "soc_model" && details.soc_model) || (key == "cores" && details.cores);
  if (again) return bad_spec(spec, concat("'", key, "' is given twice"));
  if (key == "chipset") {
    details.chipset = value;
    return {};
  }
  if (key == "dsp_arch") {
    if (!soc::arch_number(value))
      return bad_spec(spec, concat("'", value, "' is no architecture such as v79"));
    details.dsp_arch = value;
    return {};
  }
  if (key != "soc_model" && key != "cores")
    return bad_spec(spec,
                    concat("there is no key '", key, "'; known are chipset, dsp_arch, soc_model, cores"));
  int64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [stopped, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stopped != end || number < 0)
    return bad_spec(spec, concat("'", key, "' must be a whole number, not '", value, "'"));
  (key == "cores" ? details.cores : details.soc_model) = number;
  return {};
}

std::shared_ptr<const soc::SocInfo> first_soc(const auto& wanted) {
  const auto socs = soc::shared_socs();
  if (!socs) return nullptr;
  const auto found = std::ranges::find_if(**socs, wanted);
  if (found == (*socs)->end()) return nullptr;
  return {*socs, &*found};
}

}  // namespace

std::shared_ptr<const soc::SocInfo> soc_of_model(int64_t model) {
  return first_soc([&](const soc::SocInfo& soc) { return soc.soc_model && *soc.soc_model == model; });
}

std::shared_ptr<const soc::SocInfo> SocDetails::resolve() const {
  if (chipset) {
    const std::string name = soc::upper(*chipset);
    return first_soc([&](const soc::SocInfo& soc) { return soc::upper(soc.chipset) == name; });
  }
  return soc_model ? soc_of_model(*soc_model) : nullptr;
}

std::optional<std::string> lpai_version_of(const soc::SocInfo& soc) {
  if (soc.lpai_version || !soc.soc_model) return soc.lpai_version;
  const auto variant = first_soc(
      [&](const soc::SocInfo& other) { return other.soc_model == soc.soc_model && other.lpai_version; });
  return variant ? variant->lpai_version : std::nullopt;
}

std::string lpai_versions_text() {
  const auto socs = soc::shared_socs();
  if (!socs) return {};
  std::map<std::string, std::string> parts;
  for (const soc::SocInfo& soc : **socs) {
    if (soc.lpai_version) append_item(parts[*soc.lpai_version], soc.chipset);
  }
  std::string text;
  for (const auto& [version, names] : parts) text += concat(text.empty() ? "" : "; ", version, ": ", names);
  return text;
}

Result<std::vector<SocDetails>> parse_soc_details(std::string_view spec) {
  std::vector<SocDetails> parts;
  for (const std::string_view part : split(spec, "|")) {
    SocDetails& details = parts.emplace_back();
    for (const std::string_view field : split(part, ";")) {
      if (!trimmed(field).empty()) OPENQNN_TRY(take(details, spec, trimmed(field)));
    }
    if (!details.chipset && !details.dsp_arch && !details.soc_model && !details.cores)
      return bad_spec(spec, "a part says nothing");
  }
  return parts;
}

}  // namespace openqnn::config
