// SPDX-License-Identifier: BSD-3-Clause
// Whatever is read becomes reports, and reads back as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "profile/diff/diff.h"
#include "profile/page/page.h"
#include "profile/qhas/model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace openqnn::profile;
  const auto model = qhas::read_qhas({reinterpret_cast<const char*>(data), size}, "fuzzed");
  if (!model) return 0;
  const std::string text = qhas::qhas_json(*model);
  const auto again = qhas::read_qhas(text, "written");
  if (!again || qhas::qhas_json(*again) != text) std::abort();
  if (qhas_page(*model, "fuzzer").empty()) std::abort();
  if (diff_page(diff_of({"a", &*model, {}}, {"b", &*again, {}})).empty()) std::abort();
  return 0;
}
