// SPDX-License-Identifier: BSD-3-Clause
#include "golden.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/files.h"

namespace openqnn::profile {
namespace {

std::string first_difference(const std::string& expected, const std::string& actual) {
  std::istringstream a(expected);
  std::istringstream b(actual);
  std::string line_a;
  std::string line_b;
  for (int number = 1;; ++number) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "the ends of the files differ";
    if (more_a && more_b && line_a == line_b) continue;
    std::ostringstream out;
    out << "line " << number << "\n  golden: " << (more_a ? line_a : "(end)")
        << "\n  now:    " << (more_b ? line_b : "(end)");
    return out.str();
  }
}

}  // namespace

testing::AssertionResult matches_golden(std::string_view name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(OPENQNN_GOLDEN_DIR) / name;
  const char* update = std::getenv("OPENQNN_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    const Status written = write_file(path, text);
    if (!written) return testing::AssertionFailure() << written.error().to_string();
    return testing::AssertionSuccess();
  }
  const Result<std::string> golden = read_text_file(path);
  const std::string hint =
      "\nWhen the new text is right: OPENQNN_UPDATE_GOLDEN=1 trace_test, then look at git diff.";
  if (!golden) return testing::AssertionFailure() << golden.error().to_string() << hint;
  if (*golden == text) return testing::AssertionSuccess();
  return testing::AssertionFailure() << path.string() << ": " << first_difference(*golden, text) << hint;
}

}  // namespace openqnn::profile
