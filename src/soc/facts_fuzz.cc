// SPDX-License-Identifier: BSD-3-Clause
// The project's own facts with some of their values changed, as a user's OPENQNN_DATA_DIR could have them:
// each file is refused, or what it says can be used. A byte chooses the file, then every three bytes change a
// value.
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/facts.h"
#include "soc/facts_reader.h"
#include "soc/memory_model.h"
#include "soc/power_model.h"
#include "soc/power_profiles.h"

namespace {

using namespace openqnn;

constexpr std::string_view kSource = "fuzz.json";
constexpr uint32_t kArch = 75;
constexpr uint32_t kSocModel = 57;

struct FactsFile {
  std::string_view name;
  void (*read)(std::string_view text);
};

constexpr FactsFile kFiles[] = {
    {"socs.json", [](std::string_view text) { (void)soc::read_soc_table(text, kSource).ok(); }},
    {"timing/v75.json", [](std::string_view text) { (void)soc::read_timing(text, kSource, kArch).ok(); }},
    {"timing/parts.json",
     [](std::string_view text) {
       soc::Timing timing;
       (void)soc::read_part_timing(text, kSource, kSocModel, timing).ok();
     }},
    {"power_profiles.json",
     [](std::string_view text) { (void)soc::read_power_profiles(text, kSource).ok(); }},
    {"power_model.json", [](std::string_view text) { (void)soc::read_power_model(text, kSource).ok(); }},
    {"memory_model.json", [](std::string_view text) { (void)soc::read_memory_model(text, kSource).ok(); }},
};

constexpr std::string_view kValues[] = {
    "0",           "-1",  "1e308",  "1e-308", "4294967296", "18446744073709551616",
    "-2147483649", "0.5", "null",   "true",   "\"\"",       "\"7\"",
    "[]",          "{}",  "[[[]]]", ""};

// Replaces the number, word or text that the place is in, or inserts where it is in none.
void put_value(std::string& text, size_t place, std::string_view value) {
  const auto is_part = [&](size_t at) {
    const auto one = static_cast<unsigned char>(text[at]);
    return std::isalnum(one) != 0 || one == '.' || one == '-' || one == '"' || one == '_';
  };
  size_t begin = place;
  size_t end = place;
  while (begin > 0 && is_part(begin - 1)) --begin;
  while (end < text.size() && is_part(end)) ++end;
  text.replace(begin, end - begin, value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const FactsFile& file = kFiles[data[0] % std::size(kFiles)];
  std::string text = *facts(file.name);
  for (size_t at = 1; at + 3 <= size && !text.empty(); at += 3) {
    const size_t place = (size_t{data[at]} << 8 | data[at + 1]) * text.size() / 65536;
    put_value(text, place, kValues[data[at + 2] % std::size(kValues)]);
  }
  file.read(text);
  return 0;
}
