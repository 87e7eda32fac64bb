// SPDX-License-Identifier: BSD-3-Clause
// openqnn schema: the JSON Schema of a kind of configuration file, for editors.
#include "config/schema.h"

#include "base/text.h"
#include "tools/commands.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

int unknown_kind(std::string_view name) {
  std::string known;
  for (const config::KindDef& kind : config::kinds()) append_item(known, kind.name);
  return fail("cannot write a schema",
              invalid("option-value", concat("there is no kind of file '", name, "'"))
                  .fix_by(concat("KIND is one of ", known)));
}

int run_schema(const Args& args) {
  const std::string name = args.positional(0);
  const config::KindDef* kind = config::find_kind(name);
  if (kind == nullptr) return unknown_kind(name);
  print(config::json_schema(kind->kind));
  return kOk;
}

}  // namespace

Command schema_command() {
  return {.spec = {.name = "schema",
                   .summary = "Print the JSON Schema of a kind of configuration file, for editors",
                   .details = R"(
Draft 2020-12: names, types, ranges, values, defaults and help of every option. It accepts
unknown keys, which openqnn check explains better than an editor can. Save it, and name
it in the settings of the editor or under "$schema" in the file.)",
                   .positionals = {{"KIND", "htp, tool, lpai, data-format, optrace, throughput or compile",
                                    true, false, "htp tool lpai data-format optrace throughput compile"}},
                   .examples = {"openqnn schema htp > htp.schema.json"}},
          .run = run_schema};
}

}  // namespace openqnn::tools
