// SPDX-License-Identifier: BSD-3-Clause
// openqnn validate: is this context binary whole?
#include "base/text.h"
#include "openqnn/context_binary.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/file_kind.h"

namespace openqnn::tools {
namespace {

int run_validate(const Args& args) {
  constexpr std::string_view kWhat = "the context binary is not valid";
  if (const Status fine = expect_known_kind(args.positional(0), {FileKind::kContextBinary}); !fine)
    return fail("cannot validate", fine.error());
  const auto binary = ContextBinary::open(args.positional(0));
  if (!binary) return fail(kWhat, binary.error());
  if (const auto status = binary->validate(); !status) return fail(kWhat, status.error());
  print(concat(shown(binary->path()), ": valid (format ", binary->format().major, ".", binary->format().minor,
               ", ", binary->graphs().size(), binary->graphs().size() == 1 ? " graph, " : " graphs, ",
               bytes_text(binary->file_bytes()), ", all checksums match)\n"));
  return kOk;
}

}  // namespace

Command validate_command() {
  return {.spec = {.name = "validate",
                   .summary = "Check a context binary completely, the checksums of its data included",
                   .details = R"(
Checks the header, the section table, every checksum, and that each graph's operations and
schedule are sound. Exit status 1 and one line on stderr when something is wrong.)",
                   .positionals = {{"FILE", "a context binary of openqnn"}},
                   .examples = {"openqnn validate model.bin"}},
          .run = run_validate};
}

}  // namespace openqnn::tools
