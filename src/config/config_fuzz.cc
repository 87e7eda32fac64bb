// SPDX-License-Identifier: BSD-3-Clause
// Any text as a configuration file, under any circumstances: nothing crashes, what was read survives writing,
// fixing comes to an end and changes nothing the second time, and every format stays well-formed.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "config/compare.h"
#include "config/effective.h"
#include "config/fix.h"
#include "config/render.h"

namespace {

using namespace openqnn;
using namespace openqnn::config;

void require(bool condition) {
  if (!condition) std::abort();  // what a fuzzer counts as a finding
}

// Choices that follow from the text, so that seeds stay plain files and a finding can be repeated.
class Choices {
 public:
  explicit Choices(std::string_view text) {
    for (const char c : text) state_ = (state_ ^ static_cast<unsigned char>(c)) * 1099511628211u;  // FNV-1a
  }
  uint64_t below(uint64_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % limit;
  }
  bool flip() { return below(2) == 1; }

 private:
  uint64_t state_ = 14695981039346656037u;
};

const std::vector<soc::SocInfo>& parts() {
  static const std::vector<soc::SocInfo> all = [] {
    auto socs = soc::all_socs();
    return socs ? *socs : std::vector<soc::SocInfo>();
  }();
  return all;
}

Circumstances any_circumstances(Choices& choices) {
  Circumstances out;
  if (choices.flip()) out.tool = static_cast<Tool>(choices.below(kToolCount));
  if (choices.flip()) out.stage = static_cast<Stage>(choices.below(kStageCount));
  if (choices.flip()) out.platform = static_cast<Platform>(choices.below(kPlatformCount));
  if (choices.flip()) out.sdk = Sdk{2, static_cast<uint16_t>(10 + choices.below(45))};
  if (choices.flip() && !parts().empty()) out.soc = parts()[choices.below(parts().size())];
  if (choices.flip()) out.graphs = std::vector<std::string>{"model", "g"};
  out.strict = choices.flip();
  return out;
}

void render_all(const std::vector<CheckedFile>& files) {
  require(!render_text(files).empty());
  render_text(files, {.colour = true, .brief = true});
  render_github(files);
  require(json::parse(render_json(files), "json").ok());
  require(json::parse(render_sarif(files, "0"), "sarif").ok());
}

void survives_writing(const Config& config) {
  const Document again = read("again.json", json::write(config.tree), config.kind);
  require(again.config && again.config->kind == config.kind && again.config->flat == config.flat);
  require(again.config->tree.same_as(config.tree));
  require(compare(config, *again.config).empty());
}

void fixing_ends(const std::string& text, const CheckOptions& options) {
  const auto check_text = [&](const std::string& changed) {
    const Document document = read_given("fuzz.json", changed, options);
    return check_documents({&document}, options.circumstances);
  };
  const Fixed once = fix_all(text, check_text);
  const Fixed twice = fix_all(once.text, check_text);
  require(twice.text == once.text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Choices choices(text);
  CheckOptions options;
  options.circumstances = any_circumstances(choices);
  if (choices.flip())
    options.kind = static_cast<Kind>(choices.below(kKindCount - 1));  // no file is a CompileConfig

  const Document document = read_given("fuzz.json", text, options);
  CheckedFile file;
  file.name = document.name;
  file.text = text;
  file.findings = check_documents({&document}, options.circumstances);  // files it names are not for a fuzzer
  render_all({file});
  if (document.config) {
    const Config& config = *document.config;
    effective(Subject({&config}, options.circumstances), config.kind);
    require(compare(config, config, options.circumstances).empty());
    survives_writing(config);
  } else {
    require(!document.findings.empty());
  }
  fixing_ends(text, options);
  return 0;
}
