// SPDX-License-Identifier: BSD-3-Clause
// What a value means, whatever its spelling: 3.0 is 3, 1 is true where a switch stands, one name is a list of
// one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace openqnn::config {

// The value as its option reads it; values of a wrong type stay as they are.
json::Value meaning_of(const OptionDef& option, const json::Value& value);

// The default of a file, when a JSON value says it.
std::optional<json::Value> default_of(const OptionDef& option);

// What an entry of a list is told from its neighbours by: "graph_names", "device_id", "threadName".
// nullptr when the section has none.
const OptionDef* identity_of(const SectionDef& section);

// Who a record is: "graph 'encoder'", "device 0", "context". Several when a graph entry has several names,
// one in every case. `index` tells entries without an identity apart.
std::vector<std::string> titles_of(const Record& record, const OptionDef& container, size_t index);
// The title of a section that is not in the file; its entries' defaults apply to it.
std::string title_of_absent(const OptionDef& container);

}  // namespace openqnn::config
