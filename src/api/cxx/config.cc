// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/config.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "api/cxx/impl.h"
#include "base/files.h"
#include "base/text.h"
#include "config/address.h"
#include "config/check.h"
#include "config/fix.h"
#include "config/render.h"
#include "config/schema.h"
#include "json/utf8.h"

namespace openqnn {

struct ConfigFile::Impl {
  config::Document document;
  std::set<std::string> set_here;  // addresses, spelled out
};

namespace {

using config::Kind;
using json::Value;

static_assert(static_cast<int>(ConfigKind::kThroughput) == static_cast<int>(Kind::kThroughput));
static_assert(static_cast<int>(ConfigFinding::Severity::kError) == static_cast<int>(Severity::kError));

Kind room_kind(ConfigKind kind) { return static_cast<Kind>(kind); }

Result<config::Circumstances> to_circumstances(const CheckOptions& options) {
  return config::circumstances_of({.tool = options.tool,
                                   .stage = options.stage,
                                   .soc = options.soc,
                                   .platform = options.platform,
                                   .sdk = options.sdk,
                                   .graphs = options.graphs,
                                   .strict = options.strict});
}

ConfigFinding to_finding(const config::Document& document, const json::LineIndex& lines,
                         const config::Finding& from) {
  ConfigFinding finding;
  finding.code = from.code;
  finding.severity = static_cast<ConfigFinding::Severity>(from.severity);
  finding.message = from.message;
  finding.advice = from.advice;
  finding.path = from.path;
  finding.notes = from.notes;
  if (from.fix) finding.fix = from.fix->title;
  if (!from.span.empty() && !document.text.empty()) {
    const json::Position position = lines.position(from.span.begin);
    finding.line = position.line;
    finding.column = position.column;
    finding.excerpt = json::excerpt(lines, from.span);
  }
  return finding;
}

// The first thing that keeps a document from being a configuration.
Error why_no_config(const config::Document& document) {
  for (const config::Finding& finding : document.findings) {
    if (finding.severity != Severity::kError) continue;
    const json::Position position = json::LineIndex(document.text).position(finding.span.begin);
    Where where{document.name, finding.span.empty() ? 0 : position.line, position.column};
    const bool system = finding.code == "file-unreadable";
    return {.kind = system ? Error::Kind::kSystem : Error::Kind::kInvalid,
            .code = std::string(finding.code),
            .message = finding.message,
            .where = where.to_string(),
            .fix = finding.advice,
            .notes = finding.notes};
  }
  return {.kind = Error::Kind::kInternal,
          .code = "config-unread",
          .message = "the file gave no configuration",
          .where = document.name,
          .fix = {},
          .notes = {}};
}

Expected<ConfigFile> to_file(config::Document document) {
  if (!document.config) return why_no_config(document);
  return ConfigFile(std::make_shared<const ConfigFile::Impl>(ConfigFile::Impl{std::move(document), {}}));
}

// ---- Settings and JSON ----

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Setting list_setting(const json::Array& items) {
  std::vector<int64_t> numbers;
  std::vector<std::string> texts;
  for (const Value& item : items) {
    if (const auto number = item.as_int64()) numbers.push_back(*number);
    if (item.kind() == Value::Kind::kString) texts.emplace_back(item.as_string());
  }
  if (texts.size() == items.size()) return texts;
  if (numbers.size() == items.size()) return numbers;
  return std::monostate();
}

Setting to_setting(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kBool:
      return value.as_bool();
    case Value::Kind::kNumber:
      if (const auto whole = value.as_int64()) return *whole;
      return value.as_double().value_or(value.number_text().front() == '-' ? -kInfinity : kInfinity);
    case Value::Kind::kString:
      return std::string(value.as_string());
    case Value::Kind::kArray:
      return list_setting(value.as_array());
    case Value::Kind::kNull:
    case Value::Kind::kObject:
      break;
  }
  return std::monostate();
}

template <class Item>
Value to_array(const std::vector<Item>& items) {
  json::Array array;
  for (const Item& item : items) array.push_back(Value::of(item));
  return Value::of(std::move(array));
}

Value to_value(const Setting& setting) {
  struct Visitor {
    Value operator()(std::monostate) const { return {}; }
    Value operator()(bool value) const { return Value::of(value); }
    Value operator()(int64_t value) const { return Value::of(value); }
    Value operator()(double value) const { return Value::of(value); }
    Value operator()(const std::string& value) const { return Value::of(value); }
    Value operator()(const std::vector<int64_t>& value) const { return to_array(value); }
    Value operator()(const std::vector<std::string>& value) const { return to_array(value); }
  };
  return std::visit(Visitor(), setting);
}

// ---- Changing the text ----

constexpr json::WriteStyle kOneLine{.indent = -1};

// What must stand under the first missing step so that the last one holds `value`.
Value nest(const std::vector<config::AddressStep>& steps, size_t from, const config::SectionDef& section,
           Value value) {
  if (from == steps.size()) return value;
  const config::OptionDef* option = config::find_option(section, steps[from].name);
  const bool is_container = option != nullptr && option->is_container();
  const bool is_list = is_container && (option->type == config::Type::kSections ||
                                        (option->type == config::Type::kOneOrMore && steps[from].index));
  json::Member member;
  member.key = steps[from].name;
  member.value = is_container ? nest(steps, from + 1, *option->section, std::move(value)) : std::move(value);
  if (is_list) {
    json::Array list;
    list.push_back(std::move(member.value));
    member.value = Value::of(std::move(list));
  }
  json::Object object;
  object.push_back(std::move(member));
  return Value::of(std::move(object));
}

Diagnostic no_such_entry(std::string_view path, std::string_view step) {
  return invalid("config-path", concat("'", path, "' leads to an entry that does not exist"))
      .at(std::string(step))
      .fix_by("entries can only be added at the end of their list, one after the other");
}

// Adds `entry` at the end of a list.
json::Edit append_to(const Value& list, const std::string& entry) {
  const json::Array& items = list.as_array();
  const uint32_t at = items.empty() ? list.span().begin + 1 : items.back().span().end;
  return {{at, at}, items.empty() ? entry : concat(", ", entry)};
}

// The edit that makes `value` stand at `path`.
Result<json::Edit> edit_for(const config::Document& document, std::string_view path, const Value& value) {
  OPENQNN_ASSIGN(const auto steps, config::parse_address(path));
  const config::Place place = config::find_place(*document.config, steps);
  if (place.value != nullptr) return json::Edit{place.value->span(), json::write(value, kOneLine)};

  const config::AddressStep& step = steps[place.steps];
  if (place.member == nullptr || place.member->value.is_null()) {
    if (step.index.value_or(0) != 0) return no_such_entry(path, step.name);
    const Value object = nest(steps, place.steps, place.record.section(), value);
    const json::Member& made = object.as_object().front();
    const std::string text = json::write(made.value, kOneLine);
    if (place.member != nullptr) return json::Edit{place.member->value.span(), text};
    return json::insert_member(document.text, place.record.object().span(), made.key, text);
  }
  const Value& list = place.member->value;
  if (list.kind() != Value::Kind::kArray || step.index != list.as_array().size())
    return no_such_entry(path, step.name);
  const config::OptionDef* option = config::find_option(place.record.section(), step.name);
  if (option == nullptr || !option->is_container()) return append_to(list, json::write(value, kOneLine));
  return append_to(list, json::write(nest(steps, place.steps + 1, *option->section, value), kOneLine));
}

// A new value must be one that the option takes.
Status accepted(const config::Document& document, std::string_view path) {
  OPENQNN_ASSIGN(const auto steps, config::parse_address(path));
  const config::Place place = config::find_place(*document.config, steps);
  if (place.value == nullptr) return invalid("config-path", concat("'", path, "' names no option"));
  const std::string written = place.record.path().to_string(place.member->key);
  for (const config::Finding& finding : config::check_fields(*document.config, {})) {
    if (finding.path == written && finding.severity != Severity::kNote && finding.code != "repeated-option")
      return invalid(std::string(finding.code), finding.message).at(written).fix_by(finding.advice);
  }
  return {};
}

void collect_paths(const config::Record& record, std::vector<std::string>& out) {
  for (const json::Member& member : record.object().as_object()) {
    const config::OptionDef* option = config::option_of_tag(record.section(), member.tag);
    if (option == nullptr || !option->is_container()) {
      out.push_back(record.path().to_string(member.key));
      continue;
    }
    for (const config::Record& child : record.records(option->name)) collect_paths(child, out);
  }
}

std::optional<config::Place> place_of(const config::Document& document, std::string_view path) {
  const auto steps = config::parse_address(path);
  if (!steps) return std::nullopt;
  config::Place place = config::find_place(*document.config, *steps);
  if (place.value == nullptr) return std::nullopt;
  return place;
}

// One address for all ways to write it.
std::string spelled_out(const config::Place& place) {
  const config::OptionDef* option = config::option_of_tag(place.record.section(), place.member->tag);
  std::string out =
      place.record.path().to_string(option != nullptr ? option->name : place.member->key.view());
  if (place.value != &place.member->value)
    out += concat("[", place.value - place.member->value.as_array().data(), "]");
  return out;
}

// JSON has neither NaN and infinity nor bytes that are not UTF-8.
Status writable(const Setting& setting) {
  if (const double* number = std::get_if<double>(&setting); number != nullptr && !std::isfinite(*number))
    return invalid("not-finite", "JSON has no such number").fix_by("use a finite one");
  const auto is_text = [](std::string_view text) {
    while (!text.empty()) {
      const size_t length = json::utf8_length(text);
      if (length == 0) return false;
      text.remove_prefix(length);
    }
    return true;
  };
  const auto* text = std::get_if<std::string>(&setting);
  const auto* texts = std::get_if<std::vector<std::string>>(&setting);
  if ((text != nullptr && !is_text(*text)) ||
      (texts != nullptr && !std::all_of(texts->begin(), texts->end(), is_text)))
    return invalid("json-utf8", "the text is not UTF-8").fix_by("convert it first");
  return {};
}

}  // namespace

// ---- ConfigFile ----

ConfigFile::ConfigFile(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Expected<ConfigFile> ConfigFile::open(const std::filesystem::path& path) {
  return to_file(config::read_file(path.string()));
}

Expected<ConfigFile> ConfigFile::parse(std::string text, std::string name) {
  return to_file(config::read(std::move(name), std::move(text)));
}

ConfigKind ConfigFile::kind() const { return static_cast<ConfigKind>(impl_->document.config->kind); }
const std::string& ConfigFile::name() const { return impl_->document.name; }

std::vector<std::string> ConfigFile::paths() const {
  std::vector<std::string> out;
  collect_paths(impl_->document.config->root(), out);
  return out;
}

std::optional<Setting> ConfigFile::get(std::string_view path) const {
  const auto place = place_of(impl_->document, path);
  if (!place) return std::nullopt;
  return to_setting(*place->value);
}

Expected<void> ConfigFile::set(std::string_view path, const Setting& value) {
  const config::Document& now = impl_->document;
  if (const Status status = writable(value); !status) return to_error(status.error(), now.name);
  const auto edit = edit_for(now, path, to_value(value));
  if (!edit) return to_error(edit.error(), now.name);
  config::Document changed = config::read(now.name, json::apply_edits(now.text, {*edit}), room_kind(kind()));
  if (!changed.config) return why_no_config(changed);
  if (const Status status = accepted(changed, path); !status) return to_error(status.error(), now.name);
  std::set<std::string> set_here = impl_->set_here;
  set_here.insert(spelled_out(*place_of(changed, path)));
  impl_ = std::make_shared<const Impl>(Impl{std::move(changed), std::move(set_here)});
  return {};
}

bool ConfigFile::erase(std::string_view path) {
  const config::Document& now = impl_->document;
  const auto place = place_of(now, path);
  if (!place) return false;
  const bool is_element = place->value != &place->member->value;
  const json::Span item =
      is_element ? place->value->span() : json::Span{place->member->key_span.begin, place->value->span().end};
  const json::Edit edit = json::remove_item(now.text, item);
  std::set<std::string> set_here = impl_->set_here;
  set_here.erase(spelled_out(*place));
  impl_ = std::make_shared<const Impl>(Impl{
      config::read(now.name, json::apply_edits(now.text, {edit}), room_kind(kind())), std::move(set_here)});
  return true;
}

std::string ConfigFile::origin(std::string_view path) const {
  const auto place = place_of(impl_->document, path);
  if (!place) return {};
  if (impl_->set_here.contains(spelled_out(*place))) return "set";
  const json::Position position = json::LineIndex(impl_->document.text).position(place->value->span().begin);
  return Where{impl_->document.name, position.line, position.column}.to_string();
}

std::vector<ConfigFinding> ConfigFile::check(const CheckOptions& options) const {
  std::vector<ConfigFinding> out;
  auto circumstances = to_circumstances(options);
  if (!circumstances) {
    ConfigFinding& finding = out.emplace_back();
    finding.code = circumstances.error().code;
    finding.severity = ConfigFinding::Severity::kError;
    finding.message = circumstances.error().message;
    finding.advice = circumstances.error().fix;
    return out;
  }
  const json::LineIndex lines(impl_->document.text);
  for (const config::Finding& finding :
       config::check_documents({&impl_->document}, std::move(*circumstances)))
    out.push_back(to_finding(impl_->document, lines, finding));
  return out;
}

std::string ConfigFile::to_json() const { return impl_->document.text; }

Expected<void> ConfigFile::save(const std::filesystem::path& path) const {
  if (const Status status = write_file(path, impl_->document.text); !status) return to_error(status.error());
  return {};
}

std::string ConfigFinding::to_string() const {
  std::string out =
      concat(severity_name(static_cast<openqnn::Severity>(severity)), ": ", message, " [", code, "]\n");
  if (line > 0) out = concat(line, ":", column, ": ", out, excerpt);
  for (const std::string& note : notes) out += concat("  note: ", note, "\n");
  if (!advice.empty()) out += concat("  help: ", advice, "\n");
  return out;
}

// ---- Whole texts ----

Expected<FixedConfig> fix_config(std::string text, const CheckOptions& options) {
  const auto circumstances = to_circumstances(options);
  if (!circumstances) return to_error(circumstances.error());
  config::Fixed fixed = config::fix_all(std::move(text), [&](const std::string& now) {
    const config::Document document = config::read("configuration", now);
    return config::check_documents({&document}, *circumstances);
  });
  FixedConfig out{std::move(fixed.text), {}};
  for (const config::Finding& finding : fixed.mended) out.mended.emplace_back(finding.code);
  return out;
}

Expected<std::string> format_config(std::string_view text, uint32_t indent) {
  auto formatted = json::format(text, "configuration", indent);
  if (!formatted) return to_error(formatted.error());
  return std::move(*formatted);
}

std::vector<ConfigOption> config_options(ConfigKind kind) {
  std::vector<ConfigOption> out;
  if (kind > ConfigKind::kThroughput) return out;
  for (const config::PlacedSection& place : config::sections_of(room_kind(kind))) {
    for (const config::OptionDef& option : place.section->options) {
      if (option.is_container()) continue;
      const std::string prefix = place.path.empty() ? "" : concat(place.path, ".");
      out.push_back({.path = concat(prefix, option.name),
                     .python_name = std::string(option.python_name()),
                     .type = config::type_text(option),
                     .default_text = std::string(option.default_json.empty() ? option.default_words
                                                                             : option.default_json),
                     .summary = std::string(option.summary)});
    }
  }
  return out;
}

std::string config_schema(ConfigKind kind) {
  return kind > ConfigKind::kThroughput ? std::string() : config::json_schema(room_kind(kind));
}

}  // namespace openqnn
