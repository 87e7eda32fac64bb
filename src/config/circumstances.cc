// SPDX-License-Identifier: BSD-3-Clause
// The names by which users tell what is known beyond the files.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>

#include "base/text.h"
#include "config/check.h"
#include "soc/lookup.h"

namespace openqnn::config {
namespace {

constexpr std::string_view kPlatformNames[kPlatformCount] = {
    "x86_64-linux", "x86_64-windows", "aarch64-android", "aarch64-windows", "aarch64-linux", "aarch64-qnx"};

template <class Thing>
struct Named {
  std::string_view name;
  Thing thing;
};

// As the SDK's library folders and users call them.
constexpr Named<Platform> kAliases[] = {
    {"x86_64-linux-clang", Platform::kLinuxX86},
    {"linux", Platform::kLinuxX86},
    {"host", Platform::kLinuxX86},
    {"x86_64-windows-msvc", Platform::kWindowsX86},
    {"windows-x86_64", Platform::kWindowsX86},
    {"android", Platform::kAndroid},
    {"windows", Platform::kWindowsArm},
    {"aarch64-windows-msvc", Platform::kWindowsArm},
    {"arm64x-windows-msvc", Platform::kWindowsArm},
    {"aarch64-oe-linux-gcc11.2", Platform::kLinuxArm},
    {"aarch64-oe-linux-gcc9.3", Platform::kLinuxArm},
    {"aarch64-oe-linux", Platform::kLinuxArm},
    {"aarch64-ubuntu-gcc9.4", Platform::kLinuxArm},
    {"qnx", Platform::kQnx},
};

constexpr Named<Stage> kStages[] = {
    {"offline", Stage::kOffline}, {"online", Stage::kOnline},   {"load", Stage::kLoad},
    {"binary", Stage::kLoad},     {"execute", Stage::kExecute}, {"report", Stage::kReport},
};

DiagnosticBuilder no_such(std::string_view what, std::string_view name, std::string_view known) {
  return invalid(concat("unknown-", what), concat("there is no ", what, " '", name, "'"))
      .fix_by(concat("known are ", known));
}

std::string tool_list() {
  std::string out;
  for (size_t i = 0; i < kToolCount; ++i) append_item(out, tool_name(static_cast<Tool>(i)));
  return out;
}

std::string platform_list() {
  std::string out;
  for (const std::string_view name : kPlatformNames) append_item(out, name);
  return out;
}

// The part a name means. Parts that share a SoC model are variants of one design, so any of them will do;
// different designs are not ours to choose from.
Result<soc::SocInfo> the_soc(std::string_view name) {
  OPENQNN_ASSIGN(soc::SocMatches matches, soc::find_socs(name));
  const soc::SocInfo& first = matches.socs.front();
  const auto is_variant = [&](const soc::SocInfo& other) {
    return other.soc_model == first.soc_model && first.soc_model.has_value();
  };
  if (matches.socs.size() == 1 || std::ranges::all_of(matches.socs, is_variant)) return first;
  std::string candidates;
  for (const soc::SocInfo& soc : matches.socs) append_item(candidates, soc.chipset);
  return invalid("ambiguous-soc", concat("'", name, "' may be any of ", candidates))
      .fix_by("name one chipset");
}

template <class Thing>
std::optional<Thing> find_named(std::span<const Named<Thing>> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Named<Thing>::name);
  return found != table.end() ? std::optional(found->thing) : std::nullopt;
}

// ---- Flags in one line ----

std::vector<std::string> pieces(std::string_view text, std::string_view separators) {
  std::vector<std::string> out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of(separators, begin), text.size());
    if (end > begin) out.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// Puts a value where it belongs; false when no option has that name.
bool set(CircumstanceNames& names, std::string_view option, const std::string& value) {
  constexpr struct {
    std::string_view option;
    std::string CircumstanceNames::*field;
  } kFields[] = {{"--tool", &CircumstanceNames::tool},
                 {"--stage", &CircumstanceNames::stage},
                 {"--soc", &CircumstanceNames::soc},
                 {"--platform", &CircumstanceNames::platform},
                 {"--sdk", &CircumstanceNames::sdk}};
  for (const auto& row : kFields) {
    if (row.option != option) continue;
    names.*row.field = value;
    return true;
  }
  if (option != "--graphs") return false;
  names.graphs = pieces(value, ",");
  return true;
}

// And by common other spellings.
std::optional<Platform> find_platform(std::string_view name) {
  const auto* own = std::ranges::find(kPlatformNames, name);
  if (own != std::end(kPlatformNames)) return static_cast<Platform>(own - std::begin(kPlatformNames));
  return find_named<Platform>(kAliases, name);
}

// "offline", "online", "binary" (= load), …
std::optional<Stage> find_stage(std::string_view name) { return find_named<Stage>(kStages, name); }

}  // namespace

std::string_view platform_name(Platform platform) { return kPlatformNames[static_cast<size_t>(platform)]; }

std::optional<Tool> find_tool(std::string_view name) {
  for (size_t i = 0; i < kToolCount; ++i) {
    const auto tool = static_cast<Tool>(i);
    const std::string_view full = tool_name(tool);
    if (name == full || (full.starts_with("qnn-") && name == full.substr(4))) return tool;
  }
  return std::nullopt;
}

Result<Sdk> parse_sdk(std::string_view text) {
  std::string_view rest = text;
  if (rest.starts_with('v')) rest.remove_prefix(1);
  Sdk sdk;
  const char* end = rest.data() + rest.size();
  const auto [dot, error] = std::from_chars(rest.data(), end, sdk.major);
  const bool has_minor = error == std::errc() && dot != end && *dot == '.';
  if (has_minor) {
    const auto [stopped, minor_error] = std::from_chars(dot + 1, end, sdk.minor);
    if (minor_error == std::errc() && (stopped == end || *stopped == '.') && sdk.major > 0) return sdk;
  }
  return invalid("sdk-version", concat("'", text, "' is no SDK version")).fix_by("write e.g. 2.36");
}

Result<Circumstances> circumstances_of(const CircumstanceNames& names) {
  Circumstances out;
  out.graphs = names.graphs;
  out.strict = names.strict;
  if (!names.tool.empty()) {
    out.tool = find_tool(names.tool);
    if (!out.tool) return no_such("tool", names.tool, tool_list());
  }
  if (!names.stage.empty()) {
    out.stage = find_stage(names.stage);
    if (out.tool == Tool::kContextBinaryGenerator && out.stage && out.stage != Stage::kOffline)
      return invalid("option-value", "qnn-context-binary-generator only prepares offline")
          .fix_by("leave --stage out");
    if (!out.stage) return no_such("stage", names.stage, "offline, online, binary, execute, report");
  }
  if (!names.platform.empty()) {
    out.platform = find_platform(names.platform);
    if (!out.platform) return no_such("platform", names.platform, platform_list());
  }
  if (!names.sdk.empty()) {
    OPENQNN_ASSIGN(out.sdk, parse_sdk(names.sdk));
  }
  if (!names.soc.empty()) {
    OPENQNN_ASSIGN(out.soc, the_soc(names.soc));
  }
  return out;
}

Result<Circumstances> parse_circumstances(std::string_view flags) {
  CircumstanceNames names;
  const std::vector<std::string> words = pieces(flags, " \t\n");
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--strict") {
      names.strict = true;
      continue;
    }
    const size_t equals = words[i].find('=');
    const std::string option = words[i].substr(0, equals);
    const bool inline_value = equals != std::string::npos;
    if (!inline_value && i + 1 == words.size())
      return invalid("flag-value", concat("'", option, "' has no value")).fix_by("write it after the option");
    const std::string value = inline_value ? words[i].substr(equals + 1) : words[++i];
    if (!set(names, option, value))
      return invalid("flag-unknown", concat("there is no option '", option, "' for circumstances"))
          .fix_by("known are --tool, --stage, --soc, --platform, --sdk, --graphs and --strict");
  }
  return circumstances_of(names);
}

}  // namespace openqnn::config
