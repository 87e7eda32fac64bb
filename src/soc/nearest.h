// SPDX-License-Identifier: BSD-3-Clause
// Names as people write them, and "did you mean …": what somebody who mistyped one may have meant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "soc/target.h"

namespace openqnn::soc {

// ASCII upper case; chipset names are compared in it.
std::string upper(std::string_view text);

// Lower case, letters and digits alone: "SM8750-AC" and "sm8750ac" become the same.
std::string squeezed(std::string_view text);

// The words of a marketing name in lower case, without the brands that all names share; '+' is the word
// "plus".
// "Snapdragon 8+ Gen 1" -> {"8", "plus", "gen", "1"}.
std::vector<std::string> name_words(std::string_view name);
std::string joined_words(const std::vector<std::string>& words);  // without spaces

// The names closest to `name` by edit distance whatever their case, at most `count`, closest first.
std::vector<std::string> nearest_names(std::vector<std::string> names, std::string_view name, size_t count);
std::vector<std::string> nearest_chipsets(const std::vector<SocInfo>& socs, std::string_view name,
                                          size_t count);

// The parts whose chipset or marketing name is closest, closest first; pointers into `socs`.
std::vector<const SocInfo*> nearest_parts(const std::vector<SocInfo>& socs, std::string_view name,
                                          size_t count);

// The SoC models closest to `model` by value, each once.
std::vector<uint32_t> nearest_models(const std::vector<SocInfo>& socs, uint32_t model, size_t count);

}  // namespace openqnn::soc
