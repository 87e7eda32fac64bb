// SPDX-License-Identifier: BSD-3-Clause
// Models as JSON: what would be written now, and what is wrong with what was read.
#include <algorithm>

#include "base/text.h"
#include "config/config.h"
#include "model/model.h"

namespace openqnn::python {
namespace {

using json::Array;
using json::Member;
using json::Object;
using json::Value;

[[noreturn]] void raise_value(const ClassInfo& info, std::string_view field, py::handle value,
                              Problem problem) {
  problem.location.insert(problem.location.begin(), std::string(field));
  problem.input = py::reinterpret_borrow<py::object>(value);
  raise_problems(info.section->python_class, {std::move(problem)});
}

void write_models(const Model& model, const Field& field, py::handle list, Object& members) {
  if (!PyList_Check(list.ptr()))
    raise_value(*model.info, field.option->python_name(), list,
                {"list_type", "Input should be a valid list"});
  Array items;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.ptr()); ++i) {
    const auto item = py::reinterpret_borrow<py::object>(PyList_GET_ITEM(list.ptr(), i));
    const Model* below = model_or_null(item);
    if (below == nullptr || below->info->section != field.option->section)
      raise_value(*model.info, field.option->python_name(), item,
                  {"model_type",
                   concat("Element should be an instance of ", field.option->section->python_class),
                   {static_cast<int64_t>(i)}});
    items.push_back(to_record(*below));
  }
  const Member* member = last_member(members, field.tag);
  if ((member == nullptr || member->value.is_null()) && items.empty()) return;  // only looked at
  const bool as_object =
      member != nullptr && member->value.kind() == Value::Kind::kObject && items.size() == 1;
  member_for(members, field).value = as_object ? std::move(items.front()) : Value::of(std::move(items));
}

// A list or dict that was handed out: written anew only when it changed.
void write_plain(const Model& model, const Field& field, py::handle value, Object& members) {
  const auto check = [&](std::variant<Value, Problem> made) {
    if (auto* problem = std::get_if<Problem>(&made))
      raise_value(*model.info, field.option->python_name(), value, std::move(*problem));
    return std::get<Value>(std::move(made));
  };
  Value now = check(coerce(*model.info, field, check(to_json(value))));
  const Member* held = last_member(members, field.tag);
  if ((held == nullptr || held->value.is_null()) && now.same_as(field.fallback)) return;  // only looked at
  Member& member = member_for(members, field);
  const auto before = coerce(*model.info, field, member.value, Origin::kFile);
  const auto* read = std::get_if<Value>(&before);
  if (read == nullptr || !read->same_as(now)) member.value = std::move(now);
}

void write_live(const Model& model, const Live& live, Object& members) {
  const Field& field = model.info->field(live.tag);
  const py::handle value = live.value;
  if (value.is_none()) {
    std::erase_if(members, [&](const Member& member) { return member.tag == live.tag; });
  } else if (const Model* below = model_or_null(value)) {
    member_for(members, field).value = to_record(*below);
  } else if (field.option->is_container()) {
    write_models(model, field, value, members);
  } else {
    write_plain(model, field, value, members);
  }
}

void write_extras(const Model& model, Object& members) {
  const py::dict extras = copy_of(model.extras);
  const std::string_view title = model.info->section->python_class;
  std::erase_if(members, [&](const Member& member) {
    return !model.is_field(member) && !extras.contains(to_str(member.key));
  });
  for (const auto& [key, item] : extras) {
    const std::string name = key_or_raise(key, title, "_extras");
    if (model.info->find(name) != nullptr)
      raise_value(*model.info, "_extras", key,
                  {"value_error", concat("Value error, '", name, "' is a field")});
    const auto at =
        std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == name; });
    if (at == members.end()) {
      members.push_back({.key = name, .value = json_or_raise(item, title, name)});
    } else {
      at->value = to_json_unless_same(item, at->value, title, name);
    }
  }
}

// ---- Reading ----

Location to_location(const Place& place, std::string_view key) {
  Location location =
      place.above != nullptr ? to_location(*place.above, place.key) : Location{std::string(place.key)};
  if (place.index >= 0) location.emplace_back(place.index);
  if (!key.empty()) location.emplace_back(std::string(key));
  return location;
}

void report(const Place& at, std::string_view key, const Value& value, Problem problem, Problems& problems) {
  Location location = to_location(at, key);
  location.insert(location.end(), problem.location.begin(), problem.location.end());
  problem.location = std::move(location);
  problem.input = to_python(value);
  problem.span = value.span();
  problems.push_back(std::move(problem));
}

void check_names(const Value& value, std::string_view key, const Place& at, Problems& problems) {
  if (value.kind() == Value::Kind::kString) return;
  if (value.kind() != Value::Kind::kArray)
    return report(at, key, value, {"list_type", "Input should be a list of names"}, problems);
  for (const Value& name : value.as_array()) {
    if (name.kind() != Value::Kind::kString)
      report(at, key, name, {"string_type", "Input should be a valid string"}, problems);
  }
}

void check_member(const ClassInfo& info, const Field& field, const Member& member, const Place& at,
                  Problems& problems) {
  if (member.value.is_null()) return;  // the same as not set
  if (field.option->is_container()) {
    return check_records(class_of(*field.option->section), member.value, {member.key, -1, &at}, problems);
  }
  if (field.tag == info.names_tag) return check_names(member.value, member.key, at, problems);
  auto coerced = coerce(info, field, member.value, Origin::kFile);
  auto* problem = std::get_if<Problem>(&coerced);
  if (problem == nullptr) return;
  if (member.value.kind() != Value::Kind::kArray || !is_list(field))
    return report(at, member.key, member.value, std::move(*problem), problems);
  int64_t index = 0;
  for (const Value& item : member.value.as_array()) {
    auto one = coerce_item(field, item);
    if (auto* wrong = std::get_if<Problem>(&one)) {
      wrong->location = {index};
      report(at, member.key, item, std::move(*wrong), problems);
    }
    ++index;
  }
}

}  // namespace

Value to_record(const Model& model) {
  const RecursionGuard guard;
  Value out = *model.data;
  Object& members = *out.object();
  if (model.name_index >= 0)
    last_member(members, model.info->names_tag)->value = Value::of(Array{*model.name()});
  const std::vector<Live> live = model.live;  // converting runs Python code, which may look at more fields
  for (const Live& held : live) write_live(model, held, members);
  if (model.extras) write_extras(model, members);
  return out;
}

const Value& record_of(const Model& model, Value& kept) {
  if (model.name_index < 0 && model.live.empty() && !model.extras) return *model.data;
  kept = to_record(model);
  return kept;
}

void check_record(const ClassInfo& info, const Value& record, const Place& at, Problems& problems) {
  if (record.kind() != Value::Kind::kObject)
    return report(at, "", record,
                  {"model_type", concat("Input should be an object for ", info.section->python_class)},
                  problems);
  for (const Member& member : record.as_object()) {
    if (member.tag == 0) continue;
    const Field& field = info.field(member.tag);
    if (field.in_python()) check_member(info, field, member, at, problems);
  }
  Problems whole;
  check_whole(info, record, whole);
  for (Problem& problem : whole) report(at, "", record, std::move(problem), problems);
}

void check_records(const ClassInfo& info, const Value& value, Place at, Problems& problems) {
  if (value.kind() != Value::Kind::kArray) return check_record(info, value, at, problems);
  for (const Value& item : value.as_array()) {
    ++at.index;
    check_record(info, item, at, problems);
  }
}

}  // namespace openqnn::python
