// SPDX-License-Identifier: BSD-3-Clause
// Reading and setting the fields of a model.
#include <algorithm>

#include "base/text.h"
#include "config/config.h"
#include "model/model.h"

namespace openqnn::python {
namespace {

using json::Member;
using json::Value;

// What a class of choices answers for a value; new words stay strings.
py::object with_enum(const Field& field, py::object text) {
  if (field.enumeration == nullptr || !PyUnicode_Check(text.ptr())) return text;
  const py::handle choices(field.enumeration);
  const py::object by_value = choices.attr("_value2member_map_").attr("get")(text);
  return by_value.is_none() ? text : by_value;
}

py::object models_of(const ClassInfo& info, const Value& value) {
  py::list out;
  const auto add = [&](const Value& item) {
    out.append(new_model(Model(info, std::make_shared<Value>(item))));
  };
  if (value.kind() == Value::Kind::kObject) add(value);
  for (const Value& item : value.as_array()) add(item);
  return out;
}

py::object container_to_python(const Field& field, const Value& value) {
  if (value.is_null()) return py::none();
  const ClassInfo& below = class_of(*field.option->section);
  if (field.option->type == config::Type::kSection)
    return new_model(Model(below, std::make_shared<Value>(value)));
  return models_of(below, value);
}

py::object to_field_value(const Model& model, const Field& field, const Value& value) {
  if (field.option->is_container()) return container_to_python(field, value);
  auto coerced = coerce(*model.info, field, value, Origin::kFile);
  // What a file holds was checked when it was read; model_construct() takes anything.
  const auto* good = std::get_if<Value>(&coerced);
  return with_enum(field, to_python(good != nullptr ? *good : value));
}

void set_live(Model& model, uint16_t tag, py::object value) {
  if (Live* held = model.find_live(tag)) {
    std::swap(held->value, value);  // the old value goes when the model is consistent again
  } else {
    model.live.push_back({tag, std::move(value)});
  }
}

void drop_live(Model& model, uint16_t tag) {
  const auto at =
      std::find_if(model.live.begin(), model.live.end(), [&](const Live& l) { return l.tag == tag; });
  if (at == model.live.end()) return;
  const py::object kept = std::move(at->value);
  model.live.erase(at);
}

// Its fields also take objects of classes that have no table.
bool is_compilation(const Model& model) { return model.info->section == &config::kCompileConfig; }

// An element of a list of records: an object of the class, or a dict that becomes one.
py::object to_model(const ClassInfo& below, py::handle value, bool open, const Location& at,
                    Problems& problems) {
  if (const Model* given = model_or_null(value)) {
    if (given->info == &below || (open && given->info->open))
      return py::reinterpret_borrow<py::object>(value);
  } else if (PyDict_Check(value.ptr())) {
    try {
      return py::handle(below.type)(**py::reinterpret_borrow<py::dict>(value));
    } catch (py::error_already_set& error) {
      if (!py::hasattr(error.value(), "_problems")) throw;
      for (const py::handle problem : error.value().attr("_problems")) {
        const auto parts = py::reinterpret_borrow<py::tuple>(problem);
        Location location = at;
        for (const py::handle step : py::reinterpret_borrow<py::tuple>(parts[0])) {
          if (PyLong_Check(step.ptr())) {
            location.emplace_back(step.cast<int64_t>());
          } else {
            location.emplace_back(step.cast<std::string>());
          }
        }
        problems.push_back({parts[2].cast<std::string>(), parts[1].cast<std::string>(), std::move(location),
                            py::reinterpret_borrow<py::object>(parts[3])});
      }
      return py::none();
    }
  }
  problems.push_back(
      {"model_type",
       concat("Input should be a valid dictionary or instance of ", below.section->python_class), at,
       py::reinterpret_borrow<py::object>(value)});
  return py::none();
}

py::object to_models(const ClassInfo& below, py::handle value, bool open, const Location& at,
                     Problems& problems) {
  py::list out;
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) {
    problems.push_back(
        {"list_type", "Input should be a valid list", at, py::reinterpret_borrow<py::object>(value)});
    return out;
  }
  int64_t index = 0;
  for (const py::handle item : py::iter(value)) {
    Location place = at;
    place.emplace_back(index++);
    out.append(to_model(below, item, open, place, problems));
  }
  return out;
}

// Whether a field is given the very list that it handed out: that list stays the one that counts.
bool is_own_list(const Model& model, const Field& field, py::handle value) {
  const Live* held = model.find_live(field.tag);
  return held != nullptr && held->value.is(value) && PyList_Check(value.ptr());
}

void refill(py::handle list, py::handle items) {
  if (PyList_SetSlice(list.ptr(), 0, PY_SSIZE_T_MAX, items.ptr()) != 0) throw py::error_already_set();
}

void set_container(Model& model, const Field& field, py::handle value, const Location& at,
                   Problems& problems) {
  const ClassInfo& below = class_of(*field.option->section);
  const size_t before = problems.size();
  const bool open = is_compilation(model);
  py::object held = field.option->type == config::Type::kSection
                        ? to_model(below, value, open, at, problems)
                        : to_models(below, value, open, at, problems);
  if (problems.size() != before) return;
  if (is_own_list(model, field, value)) return refill(value, held);
  member_for(model.writable(), field);  // keeps its value: it shows how the section was written
  set_live(model, field.tag, std::move(held));
}

bool holds_models(py::handle value) {
  if (model_or_null(value) != nullptr) return true;
  if (!PyList_Check(value.ptr()) || PyList_GET_SIZE(value.ptr()) == 0) return false;
  return model_or_null(PyList_GET_ITEM(value.ptr(), 0)) != nullptr;
}

// ---- Plain values ----

bool is_sequence(py::handle value) {
  PyObject* object = value.ptr();
  return PyList_Check(object) != 0 || PyTuple_Check(object) != 0 || PyAnySet_Check(object) != 0;
}

// A value that holds no others. What holds some stands for all of its kind: it is refused whatever it holds,
// and may hold more than there is time for.
std::variant<Value, Problem> scalar_to_json(py::handle value) {
  if (is_sequence(value)) return Value::of(json::Array{});
  return PyDict_Check(value.ptr()) ? Value::of(json::Object{}) : to_json(value);
}

std::variant<Value, Problem> name_to_json(py::handle value) {
  if (!is_sequence(value)) return scalar_to_json(value);
  json::Array names;
  constexpr size_t kEnough = 2;  // to see that it is not one
  for (const py::handle item : py::iter(value)) {
    auto made = scalar_to_json(item);
    if (std::holds_alternative<Problem>(made) || names.size() == kEnough) break;
    names.push_back(std::get<Value>(std::move(made)));
  }
  return Value::of(std::move(names));
}

// The elements that are right; a problem for each that is not.
Value list_to_json(const Field& field, const py::list& list, const Location& at, Problems& problems) {
  json::Array out;
  int64_t index = 0;
  for (const py::handle item : list) {
    auto made = scalar_to_json(item);
    if (const auto* given = std::get_if<Value>(&made)) made = coerce_item(field, *given);
    if (auto* problem = std::get_if<Problem>(&made)) {
      problem->location = at;
      problem->location.emplace_back(index);
      problem->input = py::reinterpret_borrow<py::object>(item);
      problems.push_back(std::move(*problem));
    } else {
      out.push_back(std::get<Value>(std::move(made)));
    }
    ++index;
  }
  return Value::of(std::move(out));
}

std::variant<Value, Problem> plain_to_json(const Model& model, const Field& field, py::handle value) {
  const bool is_name = field.tag == model.info->names_tag;
  const bool whole = field.option->type == config::Type::kAnyObject;
  auto made = is_name ? name_to_json(value) : whole ? to_json(value) : scalar_to_json(value);
  if (const auto* given = std::get_if<Value>(&made))
    return is_name ? coerce_name(*given) : coerce(*model.info, field, *given);
  return made;
}

void store(Model& model, const Field& field, Value good) {
  Member& member = member_for(model.writable(), field);
  const bool as_string = member.value.kind() == Value::Kind::kString;  // a name is written as it was read
  const bool listed = field.tag == model.info->names_tag && !as_string;
  member.value = listed ? Value::of(json::Array{std::move(good)}) : std::move(good);
  drop_live(model, field.tag);
}

void set_list(Model& model, const Field& field, py::handle value, const Location& at, Problems& problems) {
  const size_t before = problems.size();
  // A copy: converting runs Python code, which may change the list.
  const auto items = py::reinterpret_steal<py::list>(PySequence_List(value.ptr()));
  if (!items) throw py::error_already_set();
  Value good = list_to_json(field, items, at, problems);
  if (problems.size() != before) return;
  if (is_own_list(model, field, value)) {
    member_for(model.writable(), field);
    return refill(value, to_python(good));
  }
  store(model, field, std::move(good));
}

}  // namespace

py::object get_field(Model& model, uint16_t tag) {
  if (const Live* held = model.find_live(tag)) return held->value;
  const Field& field = model.info->field(tag);
  const Member* member = model.member(tag);
  if (tag == model.info->names_tag) {
    const Value* name = model.name();
    return name != nullptr ? to_python(*name) : py::none();
  }
  const bool given = member != nullptr && (!member->value.is_null() || field.option->python_optional);
  py::object value = to_field_value(model, field, given ? member->value : field.fallback);
  // What can be changed in place must be the same object next time.
  if (PyList_Check(value.ptr()) || PyDict_Check(value.ptr()) || model_or_null(value) != nullptr)
    model.live.push_back({tag, value});
  return value;
}

bool is_set(const Model& model, uint16_t tag) {
  if (model.member(tag) != nullptr) return true;
  const Live* held = model.find_live(tag);
  if (held == nullptr) return false;
  return !PyList_Check(held->value.ptr()) ||
         PyList_GET_SIZE(held->value.ptr()) > 0;  // a list that was filled
}

void unset_field(Model& model, uint16_t tag) {
  std::erase_if(model.writable(), [&](const Member& member) { return member.tag == tag; });
  drop_live(model, tag);
}

void put_field(Model& model, const Field& field, py::handle value) {
  member_for(model.writable(), field);
  set_live(model, field.tag, py::reinterpret_borrow<py::object>(value));
}

void set_field(Model& model, const Field& field, py::handle value, Problems& problems) {
  const Location at = {std::string(field.option->python_name())};
  if (value.is_none() && field.option->python_optional) return put_field(model, field, value);
  if (field.option->is_container()) return set_container(model, field, value, at, problems);
  if (is_compilation(model) && holds_models(value)) return put_field(model, field, value);
  const bool is_name = field.tag == model.info->names_tag;
  if (is_list(field) && !is_name && is_sequence(value)) return set_list(model, field, value, at, problems);
  auto coerced = plain_to_json(model, field, value);
  if (auto* problem = std::get_if<Problem>(&coerced)) {
    problem->location.insert(problem->location.begin(), at.front());
    problem->input = py::reinterpret_borrow<py::object>(value);
    problems.push_back(std::move(*problem));
    return;
  }
  store(model, field, std::get<Value>(std::move(coerced)));
}

py::dict extras_of(Model& model) {
  if (!model.extras) {
    py::dict extras;
    for (const Member& member : model.data->as_object()) {
      if (!model.is_field(member)) extras[to_str(member.key)] = to_python(member.value);
    }
    model.extras = std::move(extras);
  }
  return model.extras;
}

// The validator that the documents give the context class.
void check_whole(const ClassInfo& info, const Value& object, Problems& problems) {
  if (info.section != &config::kContextSection) return;
  const config::Record record(*info.section, object, config::Path(), config::Kind::kHtp);
  const auto size = record.integer("max_spill_fill_buffer_for_group");
  const auto group = record.integer("group_id");
  if (size.or_else(0) == 0 || group.or_else(0) == 0) return;
  problems.push_back(
      {"value_error", "Value error, max_spill_fill_buffer_for_group can only be used when group_id is 0"});
}

}  // namespace openqnn::python
