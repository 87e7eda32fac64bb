// SPDX-License-Identifier: BSD-3-Clause
// The outline: sections, and the entries of those that are lists (graphs, devices, cores).
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "config/meaning.h"
#include "tools/lsp/features.h"

namespace openqnn::tools::lsp {
namespace {

using config::OptionDef;
using config::Record;

constexpr int64_t kNamespace = 3, kObject = 19;  // SymbolKind
constexpr size_t kMostSymbols = 10'000;

struct Symbol {
  std::string name;
  std::string detail;
  int64_t kind = kNamespace;
  json::Span span;       // all of it
  json::Span name_span;  // what is selected when the user goes there
  std::vector<Symbol> children = {};
};

// An entry may be for many graphs; the first ones tell it apart.
std::string name_of(const std::vector<std::string>& titles) {
  constexpr size_t kEnough = 5;
  std::string name;
  for (size_t i = 0; i < std::min(titles.size(), kEnough); ++i) name += concat(i == 0 ? "" : ", ", titles[i]);
  return titles.size() > kEnough ? concat(name, ", …") : name;
}

class Outline {
 public:
  std::vector<Symbol> sections_of(const Record& record) {
    std::vector<Symbol> out;
    for (const OptionDef& option : record.section().options) {
      const json::Member* member = option.is_container() ? record.find(option.name) : nullptr;
      if (member == nullptr || ++count_ > kMostSymbols) continue;
      Symbol symbol{.name = member->key.str(),
                    .detail = "",
                    .span = {member->key_span.begin, member->value.span().end},
                    .name_span = member->key_span};
      const std::vector<Record> entries = record.records(option.name);
      if (member->value.kind() == Value::Kind::kObject && entries.size() == 1) {
        symbol.children = sections_of(entries.front());
      } else {
        symbol.children = entries_of(option, entries);
      }
      out.push_back(std::move(symbol));
    }
    return out;
  }

 private:
  std::vector<Symbol> entries_of(const OptionDef& option, const std::vector<Record>& entries) {
    std::vector<Symbol> out;
    for (size_t i = 0; i < entries.size() && ++count_ <= kMostSymbols; ++i) {
      const json::Span span = entries[i].object().span();
      out.push_back({.name = name_of(config::titles_of(entries[i], option, i)),
                     .detail = entries[i].path().to_string(),
                     .kind = kObject,
                     .span = span,
                     .name_span = {span.begin, span.begin + 1},
                     .children = sections_of(entries[i])});
    }
    return out;
  }

  size_t count_ = 0;
};

Value tree_json(const Analysis& analysis, const std::vector<Symbol>& symbols) {
  json::Array out;
  for (const Symbol& symbol : symbols) {
    Value item = object({{"name", text(symbol.name)},
                         {"kind", number(symbol.kind)},
                         {"range", range_json(analysis.lines.range(symbol.span))},
                         {"selectionRange", range_json(analysis.lines.range(symbol.name_span))}});
    if (!symbol.detail.empty()) add(item, "detail", text(symbol.detail));
    if (!symbol.children.empty()) add(item, "children", tree_json(analysis, symbol.children));
    out.push_back(std::move(item));
  }
  return Value::of(std::move(out));
}

// For clients that know no symbols in symbols.
void append_flat(const Analysis& analysis, std::string_view uri, const std::vector<Symbol>& symbols,
                 std::string_view container, json::Array& out) {
  for (const Symbol& symbol : symbols) {
    Value item =
        object({{"name", text(symbol.name)},
                {"kind", number(symbol.kind)},
                {"location",
                 object({{"uri", text(uri)}, {"range", range_json(analysis.lines.range(symbol.span))}})}});
    if (!container.empty()) add(item, "containerName", text(container));
    out.push_back(std::move(item));
    append_flat(analysis, uri, symbol.children, symbol.name, out);
  }
}

}  // namespace

Value symbols(const Analysis& analysis, const Settings& settings, std::string_view uri) {
  if (!analysis.document.config) return Value::of(json::Array{});
  const std::vector<Symbol> found = Outline().sections_of(analysis.document.config->root());
  if (settings.symbols_in_trees) return tree_json(analysis, found);
  json::Array flat;
  append_flat(analysis, uri, found, "", flat);
  return Value::of(std::move(flat));
}

}  // namespace openqnn::tools::lsp
