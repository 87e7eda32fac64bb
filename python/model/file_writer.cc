// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "base/text.h"
#include "config/option.h"
#include "model/file.h"

namespace openqnn::python {
namespace {

using json::Array;
using json::Member;
using json::Value;
using Form = Layout::Form;

constexpr std::string_view kTitle = "backend extensions";

const Model& element(const ClassInfo& info, py::handle item, std::string_view key, Py_ssize_t index) {
  const Model* model = model_or_null(item);
  if (model != nullptr && (model->info == &info || model->info->open)) return *model;
  Location at = {std::string(key)};
  if (index >= 0) at.emplace_back(static_cast<int64_t>(index));
  raise_problems(
      kTitle,
      {{"model_type",
        concat(index < 0 ? "Input" : "Element", " should be an instance of ", info.section->python_class),
        std::move(at), py::reinterpret_borrow<py::object>(item)}});
}

// ---- Entries for several graphs ----

// Objects that came from one entry and still agree become one entry again.
class Merger {
 public:
  explicit Merger(const ClassInfo& info) : info_(info) {}

  void add(const Model& model) {
    if (model.origin == 0) {
      Value kept;
      out_.push_back(record_of(model, kept));
      return;
    }
    size_t& place = place_of(model);
    Array* together = place != kNew ? names(out_[place]) : nullptr;
    if (together != nullptr && model.name() != nullptr) {
      together->push_back(*model.name());
    } else {
      place = out_.size();
      out_.push_back(to_record(model));
    }
  }
  Array take() { return std::move(out_); }

 private:
  static constexpr size_t kNew = SIZE_MAX;
  // What must be the same: the entry itself while nobody changed it, else its text without the names.
  using Key = std::tuple<uint64_t, const Value*, std::string>;

  size_t& place_of(const Model& model) {
    const bool untouched = model.name_index >= 0 && model.live.empty() && !model.extras;
    if (!untouched) return by_text(model);
    const auto [at, is_new] = places_.try_emplace(Key(model.origin, model.data.get(), ""), nullptr);
    if (is_new) at->second = &by_text(model);  // one that was changed and changed back agrees, too
    return *at->second;
  }

  size_t& by_text(const Model& model) {
    Value record = to_record(model);
    if (Array* list = names(record)) list->clear();
    return texts_.try_emplace({model.origin, json::write(record, {.indent = -1})}, kNew).first->second;
  }

  Array* names(Value& record) {
    Member* member = info_.names_tag != 0 ? last_member(*record.object(), info_.names_tag) : nullptr;
    return member != nullptr ? member->value.array() : nullptr;
  }

  const ClassInfo& info_;
  Array out_;
  std::map<Key, size_t*> places_;
  std::map<std::pair<uint64_t, std::string>, size_t> texts_;
};

// ---- Sections ----

std::optional<Value> section_value(const config::OptionDef& option, std::string_view key, py::handle object,
                                   const Layout::Entry* read) {
  if (object.is_none())
    return read != nullptr && read->form == Form::kNull ? std::optional(Value()) : std::nullopt;
  const ClassInfo& info = class_of(*option.section);
  if (option.type == config::Type::kSection) {
    const Model& model = element(info, object, key, -1);
    const bool listed = read != nullptr ? read->form == Form::kList : model.standing == Standing::kListed;
    return listed ? Value::of(Array{to_record(model)}) : to_record(model);
  }
  if (!PyList_Check(object.ptr()) && !PyTuple_Check(object.ptr()))
    throw py::type_error(concat("'", key, "' should be a list of ", info.section->python_class));
  const auto items = py::reinterpret_steal<py::object>(PySequence_Fast(object.ptr(), ""));
  Merger merger(info);
  bool alone = read != nullptr && read->form == Form::kObject;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i) {
    const auto item = py::reinterpret_borrow<py::object>(PySequence_Fast_GET_ITEM(items.ptr(), i));
    const Model& model = element(info, item, key, i);
    if (read == nullptr) alone = model.standing == Standing::kAlone;
    merger.add(model);
  }
  Array records = merger.take();
  if (records.empty() && (read == nullptr || read->form != Form::kList)) return std::nullopt;
  if (records.size() == 1 && alone) return std::move(records.front());
  return Value::of(std::move(records));
}

class TreeBuilder {
 public:
  TreeBuilder(const py::list& sections, py::handle extras) : sections_(sections), written_(sections.size()) {
    if (!extras.is_none()) extras_ = copy_of(extras);
    if (sections.size() != config::kHtpFile.options.size()) throw py::value_error("one entry per section");
  }

  void section(size_t index, const Layout::Entry* read) {
    written_[index] = true;
    const config::OptionDef& option = config::kHtpFile.options[index];
    const std::string key = read != nullptr ? read->key : std::string(option.name);
    if (auto value = section_value(option, key, sections_[index], read))
      members_.push_back({.key = key, .value = std::move(*value)});
  }

  // Text as read, when the value is still the same.
  void extra(const Layout::Entry& read) {
    const py::str key = to_str(read.key);
    if (!extras_.contains(key)) return;
    members_.push_back(
        {.key = read.key, .value = to_json_unless_same(extras_[key], read.raw, kTitle, read.key)});
    extras_.attr("pop")(key);
  }

  Value finish() {
    for (size_t i = 0; i < written_.size(); ++i) {
      if (!written_[i]) section(i, nullptr);
    }
    for (const auto& [key, item] : extras_) {
      const std::string name = key_or_raise(key, kTitle, "section_extras");
      if (!is_covered(name, item))
        members_.push_back({.key = name, .value = json_or_raise(item, kTitle, name)});
    }
    return Value::of(std::move(members_));
  }

 private:
  // Sections have fields of their own. Only an empty one may be an extra, and counts when no object is there.
  bool is_covered(const std::string& name, py::handle item) const {
    const config::OptionDef* section = config::find_option(config::kHtpFile, name);
    if (section == nullptr) return false;
    const bool empty = item.is_none() || (PyList_Check(item.ptr()) && PyList_GET_SIZE(item.ptr()) == 0);
    if (!empty)
      raise_problems(kTitle, {{"value_error",
                               concat("Value error, '", name, "' is a section with a field of its own"),
                               {"section_extras", name},
                               py::reinterpret_borrow<py::object>(item)}});
    return std::any_of(members_.begin(), members_.end(), [&](const Member& member) {
      return config::find_option(config::kHtpFile, member.key) == section;
    });
  }

  const py::list& sections_;
  py::dict extras_;
  std::vector<bool> written_;
  json::Object members_;
};

// ---- Text ----

void append_escaped(std::string& out, uint32_t unit) {
  constexpr char kHex[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[unit >> shift & 15u];
}

// Characters beyond ASCII stand only inside strings, where they may be escaped; json.dumps() does.
std::string ascii_only(std::string text) {
  const auto special = [](char c) { return static_cast<unsigned char>(c) >= 0x7f; };
  if (std::none_of(text.begin(), text.end(), special)) return text;
  const py::str decoded = to_str(text);
  std::string out;
  const Py_ssize_t length = PyUnicode_GET_LENGTH(decoded.ptr());
  for (Py_ssize_t i = 0; i < length; ++i) {
    const uint32_t c = PyUnicode_READ_CHAR(decoded.ptr(), i);
    if (c < 0x7f) {
      out += static_cast<char>(c);
    } else if (c < 0x10000) {
      append_escaped(out, c);
    } else {  // as a pair of surrogates
      append_escaped(out, 0xd800 + ((c - 0x10000) >> 10));
      append_escaped(out, 0xdc00 + ((c - 0x10000) & 0x3ff));
    }
  }
  return out;
}

}  // namespace

Value write_parts(const py::list& sections, py::handle extras, const Layout* layout) {
  TreeBuilder builder(sections, extras);
  if (layout != nullptr) {
    for (const Layout::Entry& entry : layout->entries) {
      if (entry.form == Form::kExtra) {
        builder.extra(entry);
      } else {
        builder.section(entry.section, &entry);
      }
    }
  }
  return builder.finish();
}

std::string dumps(const Value& value, int indent) {
  return ascii_only(json::write(value, {.indent = indent}));
}

}  // namespace openqnn::python
