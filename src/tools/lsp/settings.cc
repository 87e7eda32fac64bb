// SPDX-License-Identifier: BSD-3-Clause

#include "tools/lsp/features.h"

namespace openqnn::tools::lsp {
namespace {

// Users write soc 57 and sdk 2.36 with and without quotes.
std::string word(const Value& options, std::string_view key) {
  const Value& value = at(options, {key});
  return std::string(value.kind() == Value::Kind::kNumber ? value.number_text() : value.as_string());
}

// The first of the client's list, which is in the order of its preference; UTF-16 is what everybody knows.
Encoding preferred_encoding(const Value& offered) {
  for (const Value& name : offered.as_array()) {
    for (const Encoding encoding : {Encoding::kUtf8, Encoding::kUtf16, Encoding::kUtf32}) {
      if (name.as_string() == encoding_name(encoding)) return encoding;
    }
  }
  return Encoding::kUtf16;
}

}  // namespace

Result<config::Circumstances> read_circumstances(const Value& options) {
  const Value& own = at(options, {"openqnn"});
  if (own.kind() == Value::Kind::kObject) return read_circumstances(own);
  config::CircumstanceNames names;
  names.tool = word(options, "tool");
  names.stage = word(options, "stage");
  names.soc = word(options, "soc");
  names.platform = word(options, "platform");
  names.sdk = word(options, "sdk");
  names.strict = at(options, {"strict"}).as_bool();
  if (const Value& graphs = at(options, {"graphs"}); graphs.kind() == Value::Kind::kArray) {
    names.graphs.emplace();
    for (const Value& name : graphs.as_array()) names.graphs->emplace_back(name.as_string());
  }
  return config::circumstances_of(names);
}

void read_capabilities(const Value& params, Settings& settings) {
  const Value& client = at(params, {"capabilities"});
  settings.encoding = preferred_encoding(at(client, {"general", "positionEncodings"}));
  settings.markdown = lists(at(client, {"textDocument", "hover", "contentFormat"}), "markdown");
  settings.symbols_in_trees =
      at(client, {"textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"}).as_bool();
}

Value server_capabilities(const Settings& settings) {
  constexpr int64_t kIncremental = 2;  // TextDocumentSyncKind
  const Value sync = object({{"openClose", Value::of(true)},
                             {"change", number(kIncremental)},
                             {"save", object({{"includeText", Value::of(false)}})}});
  return object({{"positionEncoding", text(encoding_name(settings.encoding))},
                 {"textDocumentSync", sync},
                 {"hoverProvider", Value::of(true)},
                 {"completionProvider", object({{"triggerCharacters", texts({"\"", ":"})}})},
                 {"codeActionProvider", object({{"codeActionKinds", texts({kQuickFix, kFixAll})}})},
                 {"documentFormattingProvider", Value::of(true)},
                 {"documentSymbolProvider", Value::of(true)}});
}

}  // namespace openqnn::tools::lsp
