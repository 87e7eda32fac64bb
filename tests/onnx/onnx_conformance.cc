// SPDX-License-Identifier: BSD-3-Clause
// Runs ONNX's test sets and tells, case by case, what came of them.
//
//   onnx_conformance DATA [--only TEXT] [--page]
//
// DATA holds the folders node, simple, pytorch-converted and pytorch-operator. --only: cases whose name
// contains TEXT. --page: the table as a docs page. The exit code is 1 when a case failed, 77 when DATA is not
// there.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "onnx/onnx_case.h"

namespace openqnn::test {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string set;
  std::string name;
  Outcome outcome;
};

std::vector<Case> run_sets(const fs::path& data, const std::string& only) {
  std::vector<Case> cases;
  for (const char* set : {"node", "simple", "pytorch-converted", "pytorch-operator"}) {
    if (!fs::exists(data / set)) continue;
    std::vector<fs::path> folders;
    for (const fs::directory_entry& entry : fs::directory_iterator(data / set))
      if (fs::exists(entry.path() / "model.onnx")) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    for (const fs::path& folder : folders) {
      const std::string name = folder.filename();
      if (name.find(only) != std::string::npos) cases.push_back({set, name, run_onnx_case(folder)});
    }
  }
  return cases;
}

size_t count(const std::vector<Case>& cases, Verdict verdict) {
  return static_cast<size_t>(std::count_if(cases.begin(), cases.end(),
                                           [&](const Case& one) { return one.outcome.verdict == verdict; }));
}

void print_list(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    if (one.outcome.verdict == Verdict::kPassed) continue;
    std::cout << (one.outcome.verdict == Verdict::kFailed ? "FAILED  " : "refused ") << one.set << "/"
              << one.name << ": " << one.outcome.reason << "\n";
  }
  std::cout << cases.size() << " cases: " << count(cases, Verdict::kPassed) << " passed, "
            << count(cases, Verdict::kRefused) << " refused, " << count(cases, Verdict::kFailed)
            << " failed\n";
}

}  // namespace
}  // namespace openqnn::test

int main(int argc, char** argv) {
  using namespace openqnn::test;
  if (argc < 2) {
    std::cerr << "usage: onnx_conformance DATA [--only TEXT]\n";
    return 2;
  }
  const fs::path data = argv[1];
  std::string only;
  for (int i = 2; i + 1 < argc; ++i)
    if (std::string(argv[i]) == "--only") only = argv[i + 1];
  if (!fs::exists(data / "node")) {
    std::cout << "skipped: no test sets at " << data << "; the Debian package libonnx-testdata has them\n";
    return 77;
  }
  const std::vector<Case> cases = run_sets(data, only);
  print_list(cases);
  return count(cases, Verdict::kFailed) == 0 ? 0 : 1;
}
