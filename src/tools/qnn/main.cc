// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/tool.h"

int main(int argc, char** argv) {
  using namespace openqnn::tools;  // NOLINT: the only two names of this file
  return run_program(this_program(), argc, argv);
}
