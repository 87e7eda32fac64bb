// SPDX-License-Identifier: BSD-3-Clause
// The option tables and the models over them, for the Python side of the configuration classes.
#include "native_config.h"

#include <pybind11/stl.h>

#include <map>

#include "base/text.h"
#include "config/config.h"
#include "model/file.h"
#include "model/findings.h"
#include "model/model.h"

namespace openqnn::python {
namespace {

using config::Kind;
using json::Value;

// ---- Classes ----

ClassInfo& class_by_name(const std::string& name) {
  for (const Kind kind : {Kind::kHtp, Kind::kCompile}) {
    for (const config::PlacedSection& placed : config::sections_of(kind)) {
      if (placed.section->python_class == name) return class_of(*placed.section);
    }
  }
  throw py::value_error(concat("no table is for a class '", name, "'"));
}

std::string_view annotation_name(Annotation annotation) {
  constexpr std::string_view kNames[] = {"bool", "int",         "number", "str",     "literal",
                                         "enum", "enum_or_str", "path",   "strings", "ints",
                                         "dict", "model",       "models"};
  return kNames[static_cast<size_t>(annotation)];
}

py::list choices_of(const config::OptionDef& option) {
  py::list out;
  if (option.type == config::Type::kString) {
    for (const config::Choice& choice : option.choices) out.append(to_str(choice.value));
  } else if (option.python_max != config::kNoLimit) {
    for (int64_t n = option.min; n <= option.python_max; ++n) out.append(n);
  }
  return out;
}

py::object limit(int64_t value) {
  const bool none = value == config::kNoLimit || value == std::numeric_limits<int64_t>::min();
  return none ? py::object(py::none()) : py::int_(value);
}

std::string description(const config::OptionDef& option) {
  return option.help.empty() ? std::string(option.summary) : concat(option.summary, " ", option.help);
}

py::dict describe(const ClassInfo& info, const Field& field) {
  const config::OptionDef& option = *field.option;
  py::dict out;
  out["tag"] = field.tag;
  out["name"] = to_str(option.python_name());
  out["alias"] = to_str(option.name);
  out["kind"] = to_str(annotation_name(annotation_of(info, field)));
  out["choices"] = choices_of(option);
  out["enum"] = to_str(enum_name(option));
  out["minimum"] = limit(option.min);
  out["maximum"] = limit(std::min(option.max, option.python_max));
  out["default"] = to_python(field.fallback);
  out["optional"] = option.python_optional;
  out["required"] = option.python_required;
  out["summary"] = to_str(option.summary);
  out["description"] = to_str(description(option));
  out["deprecated"] = option.is_deprecated();
  out["model"] = option.section != nullptr ? py::object(to_str(option.section->python_class)) : py::none();
  return out;
}

py::list describe_fields(const ClassInfo& info) {
  py::list out;
  for (const Field& field : info.fields) {
    if (field.in_python()) out.append(describe(info, field));
  }
  return out;
}

// The words of an enumeration: (value, what it is for).
py::list enum_words(const std::string& name) {
  py::list out;
  for (const config::PlacedSection& placed : config::sections_of(Kind::kHtp)) {
    for (const config::OptionDef& option : placed.section->options) {
      if (enum_name(option) != name) continue;
      for (const config::Choice& choice : option.choices)
        out.append(py::make_tuple(to_str(choice.value), to_str(choice.help)));
      return out;
    }
  }
  return out;
}

void bind_classes(py::module_& m) {
  using Pointer = std::unique_ptr<ClassInfo, py::nodelete>;
  py::class_<ClassInfo, Pointer>(m, "Class")
      .def_property_readonly("name", [](const ClassInfo& c) { return to_str(c.section->python_class); })
      .def_property_readonly("summary", [](const ClassInfo& c) { return to_str(c.section->summary); })
      .def_readonly("open", &ClassInfo::open)
      .def("fields", &describe_fields)
      .def("bind", [](ClassInfo& c, py::object type) { c.type = type.release().ptr(); })
      .def("bind_enum", [](ClassInfo& c, uint16_t tag, py::object enumeration) {
        c.fields.at(tag - 1u).enumeration = enumeration.release().ptr();
      });
  m.def("class_by_name", &class_by_name, py::return_value_policy::reference);
  m.def("open_class", &new_open_class, py::return_value_policy::reference);
  m.def("enum_words", &enum_words);
  m.def("set_error_class", &set_error_class);
}

// ---- Models ----

const Field& field_of(const Model& model, uint16_t tag) {
  if (tag == 0 || tag > model.info->fields.size()) throw py::index_error("no such field");
  return model.info->field(tag);
}

Problem unknown_key(std::string key, py::handle value) {
  return {"extra_forbidden",
          "Extra inputs are not permitted",
          {std::move(key)},
          py::reinterpret_borrow<py::object>(value)};
}

Problem given_twice(std::string_view first, std::string second, py::handle value) {
  return {"value_error",
          concat("Value error, '", first, "' and '", second, "' are the same field"),
          {std::move(second)},
          py::reinterpret_borrow<py::object>(value)};
}

// Gives a new model the fields of a dict; answers every problem.
py::list fill(py::handle object, const py::dict& data) {
  Model& model = model_of(object);
  Problems problems;
  std::map<uint16_t, std::string> given;  // the spelling of each field
  for (const auto& [key, value] : data) {
    std::string name = text_of(key);
    if (const Field* field = model.info->find(name)) {
      const auto [first, is_new] = given.try_emplace(field->tag, name);
      if (is_new) {
        set_field(model, *field, value, problems);
      } else {
        problems.push_back(given_twice(first->second, std::move(name), value));
      }
    } else if (model.info->open) {
      extras_of(model)[key] = value;
    } else {
      problems.push_back(unknown_key(std::move(name), value));
    }
  }
  const auto named = [&](const Field& field) {
    return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
      return !problem.location.empty() &&
             problem.location.front() ==
                 decltype(problem.location)::value_type(std::string(field.option->python_name()));
    });
  };
  for (const Field& field : model.info->fields) {
    if (field.option->python_required && !is_set(model, field.tag) && !named(field))
      problems.push_back({"missing", "Field required", {std::string(field.option->python_name())}, data});
  }
  if (problems.empty()) {
    check_whole(*model.info, *model.data, problems);
    for (Problem& problem : problems) problem.input = data;
  }
  return to_python(problems);
}

py::list assign(py::handle object, uint16_t tag, py::handle value) {
  Model& model = model_of(object);
  const Field& field = field_of(model, tag);
  const std::shared_ptr<Value> before =
      model.info->section == &config::kContextSection ? model.data : nullptr;
  Problems problems;
  set_field(model, field, value, problems);
  if (problems.empty() && before != nullptr) {
    check_whole(*model.info, *model.data, problems);
    if (!problems.empty()) {
      model.data = before;
      problems.back().input = py::reinterpret_borrow<py::object>(value);
    }
  }
  return to_python(problems);
}

// What pickle keeps: the record as text, the fields that were set to None, and where it came from.
py::tuple state_of(py::handle object) {
  const Model& model = model_of(object);
  py::list nones;
  for (const Live& live : model.live) {
    if (live.value.is_none()) nones.append(live.tag);
  }
  return py::make_tuple(to_str(json::write(to_record(model), {.indent = -1})), nones, model.origin,
                        static_cast<int>(model.standing));
}

void set_state(py::handle object, const std::string& text, const std::vector<uint16_t>& nones,
               uint64_t origin, int standing) {
  Model& model = model_of(object);
  auto record = json::parse(text, "a pickled configuration");
  if (!record || record->kind() != Value::Kind::kObject) throw py::value_error("not a pickled configuration");
  config::bind(*model.info->section, *record);
  model.data = std::make_shared<Value>(std::move(*record));
  model.name_index = -1;
  model.origin = origin;
  model.standing = standing >= 0 && standing <= static_cast<int>(Standing::kListed)
                       ? static_cast<Standing>(standing)
                       : Standing::kUsual;
  model.live.clear();
  for (const uint16_t tag : nones) put_field(model, field_of(model, tag), py::none());
}

// RecursionGuard for Python's `with`.
struct Depth {
  std::unique_ptr<RecursionGuard> guard;
};

void bind_models(py::module_& m) {
  m.add_object("Model", reinterpret_cast<PyObject*>(make_model_type()));
  m.def("fill", &fill);
  m.def("assign", &assign);
  m.def("put", [](py::handle object, uint16_t tag, py::handle value) {
    Model& model = model_of(object);
    put_field(model, field_of(model, tag), value);
  });
  m.def("get", [](py::handle object, uint16_t tag) {
    Model& model = model_of(object);
    field_of(model, tag);
    return get_field(model, tag);
  });
  m.def("unset", [](py::handle object, uint16_t tag) {
    field_of(model_of(object), tag);
    unset_field(model_of(object), tag);
  });
  m.def("is_set", [](py::handle object, uint16_t tag) {
    field_of(model_of(object), tag);
    return is_set(model_of(object), tag);
  });
  m.def("extras", [](py::handle object) { return extras_of(model_of(object)); });
  m.def("set_extras",
        [](py::handle object, const py::dict& extras) { model_of(object).extras = extras.attr("copy")(); });
  py::class_<Depth>(m, "Depth")
      .def(py::init<>())
      .def("__enter__", [](Depth& depth) { depth.guard = std::make_unique<RecursionGuard>(); })
      .def("__exit__", [](Depth& depth, const py::args&) { depth.guard.reset(); });
  m.def("copy", &copy_model);
  m.def("equal", &equal_models);
  m.def("dump", [](py::handle object, bool json, bool by_alias, bool unset, bool none, bool defaults) {
    return dump_model(object, {json, by_alias, unset, none, defaults});
  });
  m.def("record", [](py::handle object) { return to_python(to_record(model_of(object))); });
  m.def("state", &state_of);
  m.def("set_state", &set_state);
}

// ---- Files ----

py::tuple to_tuple(Parts parts) {
  return py::make_tuple(parts.sections, parts.extras, std::move(parts.layout));
}

py::list file_sections() {
  py::list out;
  for (const config::OptionDef& option : config::kHtpFile.options)
    out.append(py::make_tuple(to_str(option.name), to_str(option.section->python_class)));
  return out;
}

py::list layout_state(const Layout& layout) {
  py::list out;
  for (const Layout::Entry& entry : layout.entries)
    out.append(py::make_tuple(entry.key, static_cast<int>(entry.form), entry.section,
                              json::write(entry.raw, {.indent = -1})));
  return out;
}

Layout layout_from(const std::vector<std::tuple<std::string, int, size_t, std::string>>& state) {
  Layout layout;
  for (const auto& [key, form, section, raw] : state) {
    auto value = json::parse(raw, "a pickled configuration");
    const bool sound = form >= 0 && form <= static_cast<int>(Layout::Form::kExtra) &&
                       section < config::kHtpFile.options.size() && value.ok();
    if (!sound) throw py::value_error("not a pickled configuration");
    layout.entries.push_back({key, static_cast<Layout::Form>(form), section, std::move(*value)});
  }
  return layout;
}

void bind_files(py::module_& m) {
  py::class_<Layout>(m, "Layout").def(py::init(&layout_from)).def("state", &layout_state);
  m.def("file_sections", &file_sections);
  m.def("read_file",
        [](const std::string& name, const py::bytes& text) { return to_tuple(read_file_text(name, text)); });
  m.def("read_dict", [](py::handle dict) { return to_tuple(read_dict(dict)); });
  m.def("read_raw",
        [](const std::string& name, const py::bytes& text) { return to_tuple(read_raw(name, text)); });
  m.def("write_dict", [](const py::list& sections, py::handle extras, const Layout* layout) {
    return to_python(write_parts(sections, extras, layout));
  });
  m.def("write_text", [](const py::list& sections, py::handle extras, const Layout* layout, int indent) {
    const Value tree = write_parts(sections, extras, layout);
    return dumps(tree, indent);
  });
}

}  // namespace

void bind_config(py::module_& m) {
  bind_classes(m);
  bind_models(m);
  bind_files(m);
  bind_findings(m);
}

}  // namespace openqnn::python
