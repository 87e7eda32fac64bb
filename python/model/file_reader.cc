// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "config/read.h"
#include "model/file.h"

namespace openqnn::python {
namespace {

using json::Value;
using Form = Layout::Form;

std::string in_words(const config::Document& document, const config::Finding& finding) {
  std::string where = document.name;
  if (!finding.span.empty() || finding.span.begin > 0) {  // the end of the text is a place, too
    const json::Position position = json::LineIndex(document.text).position(finding.span.begin);
    where += concat(":", position.line, ":", position.column);
  }
  std::string out = concat(where, ": ", finding.message, " [", finding.code, "]");
  if (!finding.advice.empty()) out += concat(" (", finding.advice, ")");
  return out;
}

// What keeps a file from being read. Unknown keys do not: they become extras.
void raise_unless_readable(const config::Document& document) {
  for (const config::Finding& finding : document.findings) {
    if (!document.config ? finding.severity == Severity::kError : finding.code == "wrong-kind")
      raise_value_error(in_words(document, finding));
  }
  if (!document.config) raise_value_error(concat(document.name, ": this is no backend extensions file"));
}

config::Document parsed(const std::string& name, std::string text) {
  py::gil_scoped_release release;
  return config::read(name, std::move(text), config::Kind::kHtp);
}

// ---- Objects ----

uint64_t next_origin() {
  static uint64_t last = 0;  // under the GIL
  return ++last;
}

// One object per name: they share the entry until one of them is changed.
void append_models(const ClassInfo& info, Value item, Standing standing, py::list& out) {
  Model model(info, std::make_shared<Value>(std::move(item)));
  model.standing = standing;
  const json::Member* names = info.names_tag != 0 ? model.member(info.names_tag) : nullptr;
  const size_t count = names != nullptr ? names->value.as_array().size() : 0;
  if (count <= 1) {
    out.append(new_model(std::move(model)));
    return;
  }
  if (count + out.size() > config::kMostGraphs)
    raise_value_error(concat("more than ", config::kMostGraphs, " graphs are named"));
  model.origin = next_origin();
  for (size_t i = 0; i < count; ++i) {
    model.name_index = static_cast<int64_t>(i);
    out.append(new_model(model));
  }
}

py::object to_objects(const config::OptionDef& option, Value value) {
  const ClassInfo& info = class_of(*option.section);
  if (value.is_null()) return py::none();
  json::Array* items = value.array();
  if (option.type == config::Type::kSection) {
    Model model(info, std::make_shared<Value>(std::move(items != nullptr ? items->front() : value)));
    if (items != nullptr) model.standing = Standing::kListed;
    return new_model(std::move(model));
  }
  py::list out;
  if (items == nullptr) append_models(info, std::move(value), Standing::kAlone, out);
  for (size_t i = 0; items != nullptr && i < items->size(); ++i)
    append_models(info, std::move((*items)[i]), Standing::kUsual, out);
  return out;
}

Form form_of(const Value& value) {
  if (value.is_null()) return Form::kNull;
  return value.kind() == Value::Kind::kArray ? Form::kList : Form::kObject;
}

// Which section each key of the file is; nothing for an extra. Of two spellings the first is the section.
std::vector<std::optional<size_t>> sections_of_keys(const json::Object& members) {
  const auto options = config::kHtpFile.options;
  std::vector<bool> taken(options.size());
  std::vector<std::optional<size_t>> out;
  for (const json::Member& member : members) {
    const config::OptionDef* option = config::find_option(config::kHtpFile, member.key);
    const auto index = option != nullptr ? static_cast<size_t>(option - options.data()) : 0;
    const bool section = option != nullptr && !taken[index];
    if (section) taken[index] = true;
    out.push_back(section ? std::optional(index) : std::nullopt);
  }
  return out;
}

void check_section(const config::OptionDef& option, const json::Member& member, Problems& problems) {
  if (member.value.is_null()) return;
  const bool one = option.type == config::Type::kSection;
  const bool listed = member.value.as_array().size() == 1;  // `check` warns of it
  if (one && !listed) {
    check_record(class_of(*option.section), member.value, {member.key}, problems);
  } else {
    check_records(class_of(*option.section), member.value, {member.key}, problems);
  }
}

Parts to_parts(Value tree, std::string_view name, const json::LineIndex* lines) {
  const auto options = config::kHtpFile.options;
  json::Object& members = *tree.object();
  const auto sections = sections_of_keys(members);
  Problems problems;
  for (size_t i = 0; i < members.size(); ++i) {
    if (sections[i]) check_section(options[*sections[i]], members[i], problems);
  }
  if (!problems.empty()) raise_problems("backend extensions", problems, name, lines);

  Parts parts;
  for (size_t i = 0; i < options.size(); ++i) parts.sections.append(py::none());
  for (size_t i = 0; i < members.size(); ++i) {
    json::Member& member = members[i];
    if (sections[i]) {
      parts.layout.entries.push_back({member.key.str(), form_of(member.value), *sections[i]});
      parts.sections[*sections[i]] = to_objects(options[*sections[i]], std::move(member.value));
    } else {
      parts.extras[to_str(member.key)] = to_python(member.value);
      parts.layout.entries.push_back({member.key.str(), Form::kExtra, 0, std::move(member.value)});
    }
  }
  return parts;
}

}  // namespace

Parts read_file_text(const std::string& name, std::string text) {
  config::Document document = parsed(name, std::move(text));
  raise_unless_readable(document);
  const json::LineIndex lines(document.text);
  return to_parts(std::move(document.config->tree), name, &lines);
}

Parts read_dict(py::handle dict) {
  if (!PyDict_Check(dict.ptr())) throw py::type_error("the backend extensions should be a dict");
  Value tree = json_or_raise(dict, "backend extensions", "");
  config::bind(config::kHtpFile, tree);
  Parts parts = to_parts(std::move(tree), {}, nullptr);
  for (const Layout::Entry& entry : parts.layout.entries) {
    if (entry.form == Form::kExtra) continue;
    const py::object section = parts.sections[entry.section];
    const bool empty =
        section.is_none() || (PyList_Check(section.ptr()) && PyList_GET_SIZE(section.ptr()) == 0);
    if (empty) parts.extras[to_str(entry.key)] = section;
  }
  return parts;
}

Parts read_raw(const std::string& name, const std::string& text) {
  json::LenientNotes notes;
  auto tree = json::parse_lenient(text, name, notes);
  if (!tree) raise_value_error(tree.error().to_string());
  if (tree->kind() != Value::Kind::kObject)
    raise_value_error(concat(name, ": a backend extensions file is a JSON object"));
  Parts parts;
  for (json::Member& member : *tree->object()) {
    parts.extras[to_str(member.key)] = to_python(member.value);
    parts.layout.entries.push_back({member.key.str(), Form::kExtra, 0, std::move(member.value)});
  }
  return parts;
}

}  // namespace openqnn::python
