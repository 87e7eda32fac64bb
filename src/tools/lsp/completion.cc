// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "tools/lsp/describe.h"
#include "tools/lsp/features.h"

namespace openqnn::tools::lsp {
namespace {

using config::OptionDef;
using config::SectionDef;
using config::Type;
using json::quoted;

constexpr int64_t kFieldItem = 5, kModuleItem = 9, kValueItem = 12,
                  kEnumMemberItem = 20;  // CompletionItemKind
constexpr int64_t kDeprecatedItem = 1;   // CompletionItemTag

// Collects the items for one cursor; each replaces what is being typed there.
class Items {
 public:
  Items(const Analysis& analysis, const Settings& settings, const Cursor& cursor, uint32_t offset)
      : analysis_(analysis), settings_(settings), cursor_(cursor), replaced_{offset, offset} {
    const Token& token = cursor.token;
    if (token.kind == Token::Kind::kEnd) return;
    // An open string goes on to the end of its line, but what stands there was not meant to be part of it.
    replaced_ = {token.span.begin, token.closed ? token.span.end : offset};
  }

  struct Item {
    std::string label;
    int64_t kind = kValueItem;
    std::string detail = {};
    std::string new_text = {};
    std::string filter = {};  // what the typed text is compared with; the label when empty
    std::string documentation = {};
    bool deprecated = false;
    bool last = false;  // behind the others
  };

  void add(const Item& item) {
    Value out = object({{"label", text(item.label)}, {"kind", number(item.kind)}});
    if (!item.detail.empty()) lsp::add(out, "detail", text(item.detail));
    if (!item.documentation.empty()) {
      lsp::add(out, "documentation",
               object({{"kind", text(settings_.markdown ? "markdown" : "plaintext")},
                       {"value", Value::of(item.documentation)}}));
    }
    if (item.deprecated) lsp::add(out, "tags", Value::of(json::Array{number(kDeprecatedItem)}));
    lsp::add(out, "sortText", text(sort_text(item.deprecated || item.last)));
    lsp::add(out, "filterText", text(filter_text(item)));
    lsp::add(out, "textEdit", edit_json(analysis_.text(), analysis_.lines, {replaced_, item.new_text}));
    if (cursor_.missing_comma) {
      const uint32_t at = *cursor_.missing_comma;
      lsp::add(out, "additionalTextEdits",
               Value::of(json::Array{edit_json(analysis_.text(), analysis_.lines, {{at, at}, ","})}));
    }
    items_.push_back(std::move(out));
  }

  Value take() {
    return object({{"isIncomplete", Value::of(false)}, {"items", Value::of(std::move(items_))}});
  }

  Markup markup() const { return Markup(settings_.markdown); }
  const Cursor& cursor() const { return cursor_; }

 private:
  // The order of the tables, which put the important first.
  std::string sort_text(bool last) const {
    const std::string digits = concat(items_.size());
    return concat(last ? "1" : "0", std::string(4 - std::min<size_t>(4, digits.size()), '0'), digits);
  }

  // Clients compare it with the text that the edit replaces, quote included.
  std::string filter_text(const Item& item) const {
    const std::string& plain = item.filter.empty() ? item.label : item.filter;
    return cursor_.token.kind == Token::Kind::kString ? concat('"', plain, '"') : plain;
  }

  const Analysis& analysis_;
  const Settings& settings_;
  const Cursor& cursor_;
  json::Span replaced_;
  json::Array items_;
};

// ---- Keys ----

bool read_by(const OptionDef& option, const Settings& settings) {
  const auto& tool = settings.circumstances.tool;
  return !tool || option.tools.empty() || option.tools.has(*tool);
}

bool is_there(const Cursor& cursor, const SectionDef& section, const OptionDef& option) {
  return std::any_of(cursor.other_keys.begin(), cursor.other_keys.end(),
                     [&](std::string_view key) { return config::find_option(section, key) == &option; });
}

void add_key(Items& items, const Settings& settings, const SectionDef& section, const OptionDef& option,
             std::string_view of_file = {}) {
  if (is_there(items.cursor(), section, option)) return;
  Markup documentation = items.markup();
  describe_option(documentation, section, option);
  items.add({.label = std::string(option.name),
             .kind = option.is_container() ? kModuleItem : kFieldItem,
             .detail = of_file.empty() ? config::type_text(option) : std::string(of_file),
             .new_text = concat(quoted(option.name), items.cursor().colon_follows ? "" : ": "),
             .documentation = documentation.text(),
             .deprecated = option.is_deprecated(),
             .last = option.unconfirmed || !read_by(option, settings)});
}

void add_keys(Items& items, const Analysis& analysis, const Settings& settings) {
  const Cursor& cursor = items.cursor();
  if (analysis.kind) {
    const SectionDef* section = section_at(*analysis.kind, cursor.path);
    if (section == nullptr) return;
    for (const OptionDef& option : section->options) add_key(items, settings, *section, option);
    return;
  }
  // A file that says nothing yet may become any kind.
  if (!cursor.path.empty()) return;
  for (const config::KindDef& kind : config::kinds()) {
    if (kind.kind == config::Kind::kCompile) continue;
    for (const OptionDef& option : kind.root->options)
      add_key(items, settings, *kind.root, option, kind.title);
  }
}

// ---- Values ----

bool is_text(const OptionDef& option) {
  return option.type == Type::kString || option.type == Type::kPath || option.type == Type::kStrings;
}

void add_choices(Items& items, const OptionDef& option) {
  for (const config::Choice& choice : option.choices) {
    Markup documentation = items.markup();
    describe_value(documentation, option, choice.value);
    items.add({.label = std::string(choice.value),
               .kind = kEnumMemberItem,
               .detail = std::string(choice.help),
               .new_text = is_text(option) ? quoted(choice.value) : std::string(choice.value),
               .documentation = documentation.text()});
  }
}

// One item per number: parts that share one are variants of a design.
void add_soc_models(Items& items) {
  const auto socs = soc::all_socs();
  if (!socs) return;
  std::map<uint32_t, std::vector<soc::SocInfo>> by_model;
  for (const soc::SocInfo& soc : *socs) {
    if (soc.soc_model && soc.arch.value_or(0) >= soc::kFirstHtpArch) by_model[*soc.soc_model].push_back(soc);
  }
  for (const auto& [model, parts] : by_model) {
    const std::string names = parts_text(parts);
    items.add({.label = concat(model),
               .detail = concat(names, " (v", *parts.front().arch, ")"),
               .new_text = concat(model),
               .filter = concat(model, " ", names)});  // so that a part's name finds its number
  }
}

void add_small_range(Items& items, const OptionDef& option) {
  constexpr int64_t kMostValues = 8;
  if (option.max == config::kNoLimit || option.min < 0 || option.max - option.min >= kMostValues) return;
  for (int64_t value = option.min; value <= option.max; ++value)
    items.add({.label = concat(value), .new_text = concat(value)});
}

void add_literal(Items& items, std::string_view value, std::string_view detail) {
  items.add({.label = std::string(value), .detail = std::string(detail), .new_text = std::string(value)});
}

void add_graph_names(Items& items, const Settings& settings) {
  if (!settings.circumstances.graphs) return;
  for (const std::string& name : *settings.circumstances.graphs)
    items.add({.label = name, .detail = "a graph of the model", .new_text = quoted(name)});
}

bool names_graphs(const OptionDef& option) {
  constexpr std::string_view kNames[] = {"graph_names", "graph_name", "enable_graphs",
                                         "graph_retention_order"};
  return std::find(std::begin(kNames), std::end(kNames), option.name) != std::end(kNames);
}

void add_values(Items& items, const Settings& settings, const OptionDef& option) {
  if (names_graphs(option)) return add_graph_names(items, settings);
  if (!option.choices.empty()) return add_choices(items, option);
  if (takes_soc_model(option)) return add_soc_models(items);
  switch (option.type) {
    case Type::kBool:
      for (const std::string_view value : {"true", "false"})
        add_literal(items, value, value == option.default_json ? "default" : "");
      return;
    case Type::kInteger:
    case Type::kNumber:
      add_small_range(items, option);
      if (option.max == config::kNoLimit && !option.default_json.empty() && !items.cursor().in_list)
        add_literal(items, option.default_json, "default");
      return;
    case Type::kSection:
      return add_literal(items, "{}", "object");
    case Type::kSections:
      return add_literal(items, items.cursor().in_list ? "{}" : "[{}]", config::type_text(option));
    default:
      return;
  }
}

}  // namespace

Value completion(const Analysis& analysis, const Settings& settings, Position position) {
  const uint32_t offset = analysis.lines.offset(position);
  const Cursor cursor = cursor_at(analysis.text(), offset);
  Items items(analysis, settings, cursor, offset);
  if (cursor.at == Cursor::At::kKey) add_keys(items, analysis, settings);
  if (cursor.at == Cursor::At::kValue) {
    const MeaningAt meaning = meaning_at(analysis, cursor);
    if (meaning.option != nullptr) add_values(items, settings, *meaning.option);
  }
  return items.take();
}

}  // namespace openqnn::tools::lsp
