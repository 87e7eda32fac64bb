// SPDX-License-Identifier: BSD-3-Clause
#include "tools/console.h"
#include "tools/convert/program.h"

int main(int argc, char** argv) {
  using namespace openqnn::tools::convert;  // NOLINT: the only names of this file
  return openqnn::tools::guarded([&] { return run_program(this_program(), argc, argv); });
}
