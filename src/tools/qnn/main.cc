// SPDX-License-Identifier: BSD-3-Clause
#include "tools/console.h"
#include "tools/qnn/tool.h"

int main(int argc, char** argv) {
  using namespace openqnn::tools;  // NOLINT: the only names of this file
  return guarded([&] { return run_program(this_program(), argc, argv); });
}
