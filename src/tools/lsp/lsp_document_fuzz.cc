// SPDX-License-Identifier: BSD-3-Clause
// Any text and any place in it: every feature must answer, edits must stay within the text, and formatting
// what was formatted changes nothing. The first two bytes choose the place and the encoding.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tools/lsp/features.h"

namespace {

using namespace openqnn::tools::lsp;

void require(bool condition) {
  if (!condition) std::abort();  // what a fuzzer counts as a finding
}

void check_positions(const Analysis& analysis, Encoding encoding, uint32_t place) {
  const Position position = analysis.lines.position(place);
  const uint32_t offset = analysis.lines.offset(position);
  require(offset <= analysis.text().size());
  require(analysis.lines.position(offset) == position);
  require(offset_in(analysis.text(), encoding, position) == offset);
}

void ask_everything(const Analysis& analysis, const Settings& settings, Position place) {
  diagnostics(analysis);
  hover(analysis, settings, place);
  completion(analysis, settings, place);
  symbols(analysis, settings, "u");
  code_actions(analysis, settings, {"u", {{0, 0}, place}});
  format_edits(analysis, 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  Settings settings;
  settings.encoding = static_cast<Encoding>(data[1] % 3);
  settings.markdown = (data[1] & 4) != 0;
  settings.circumstances.strict = (data[1] & 8) != 0;
  const Analysis analysis("u", text, settings);
  const auto place = static_cast<uint32_t>(text.size() * data[0] / 255);
  check_positions(analysis, settings.encoding, place);
  ask_everything(analysis, settings, analysis.lines.position(place));

  OpenDocument document("u", 1, text);
  const Position position = analysis.lines.position(place);
  document.change(2, {{Range{position, position}, "x"}}, settings.encoding);
  require(document.text().size() == text.size() + 1);
  return 0;
}
