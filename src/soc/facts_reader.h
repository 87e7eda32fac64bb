// SPDX-License-Identifier: BSD-3-Clause
// From the text of data/ to the structs of target.h. Only this room includes it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "soc/target.h"

namespace openqnn::soc {

struct SocTable {
  std::vector<SocInfo> socs;
  std::vector<Source> sources;
};

// `source` names the text in diagnostics.
Result<SocTable> read_soc_table(std::string_view text, std::string_view source);
Result<Timing> read_timing(std::string_view text, std::string_view source, uint32_t arch);
// The rates of a part in place of its architecture's, where parts.json has it; says whether it has.
Result<bool> read_part_timing(std::string_view text, std::string_view source, uint32_t soc_model,
                              Timing& timing);

// data/socs.json, read once per process (and once more when OPENQNN_DATA_DIR changes).
Result<std::shared_ptr<const SocTable>> cached_soc_table();

}  // namespace openqnn::soc
