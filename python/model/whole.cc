// SPDX-License-Identifier: BSD-3-Clause
// Operations on whole models: copying, comparing, dumping.
#include "model/model.h"

namespace openqnn::python {
namespace {

py::object deep_copy(py::handle value) {
  static PyObject* function = py::object(py::module_::import("copy").attr("deepcopy")).release().ptr();
  return py::handle(function)(value);
}

bool same(const py::object& a, const py::object& b) {
  const int answer = PyObject_RichCompareBool(a.ptr(), b.ptr(), Py_EQ);
  if (answer < 0) throw py::error_already_set();
  return answer == 1;
}

py::object dumped(py::handle value, const DumpOptions& options) {
  const RecursionGuard guard;
  if (model_or_null(value) != nullptr) return dump_model(value, options);
  if (PyList_Check(value.ptr())) {
    py::list out;
    for (const py::handle item : py::iter(value)) out.append(dumped(item, options));
    return out;
  }
  if (PyDict_Check(value.ptr())) return deep_copy(value);
  const bool is_enum = !PyUnicode_CheckExact(value.ptr()) && py::hasattr(value, "_value_");
  return options.json && is_enum ? value.attr("value") : py::reinterpret_borrow<py::object>(value);
}

bool is_default(const Field& field, const py::object& value) {
  if (field.option->is_container() && PyList_Check(value.ptr())) {
    return field.fallback.kind() == json::Value::Kind::kArray && PyList_GET_SIZE(value.ptr()) == 0;
  }
  return model_or_null(value) == nullptr && same(value, to_python(field.fallback));
}

}  // namespace

py::object copy_model(py::handle object) {
  const RecursionGuard guard;
  const Model& from = model_of(object);
  Model to(*from.info, from.data);  // shared until one of them changes
  to.name_index = from.name_index;
  to.origin = from.origin;
  to.standing = from.standing;
  const std::vector<Live> live = from.live;
  for (const Live& held : live) to.live.push_back({held.tag, deep_copy(held.value)});
  if (from.extras) to.extras = deep_copy(from.extras);
  return new_model(Py_TYPE(object.ptr()), std::move(to));
}

bool equal_models(py::handle a, py::handle b) {
  const RecursionGuard guard;
  Model& left = model_of(a);
  Model& right = model_of(b);
  if (left.info != right.info) return false;
  if (left.data == right.data && left.name_index == right.name_index && left.live.empty() &&
      right.live.empty() && !left.extras && !right.extras)
    return true;
  for (const Field& field : left.info->fields) {
    if (field.in_python() && !same(get_field(left, field.tag), get_field(right, field.tag))) return false;
  }
  return same(extras_of(left), extras_of(right));
}

py::dict dump_model(py::handle object, const DumpOptions& options) {
  Model& model = model_of(object);
  py::dict out;
  for (const Field& field : model.info->fields) {
    if (!field.in_python() || (options.exclude_unset && !is_set(model, field.tag))) continue;
    const py::object value = get_field(model, field.tag);
    if ((options.exclude_none && value.is_none()) || (options.exclude_defaults && is_default(field, value)))
      continue;
    out[to_str(options.by_alias ? field.option->name : field.option->python_name())] = dumped(value, options);
  }
  if (!model.info->open) return out;
  for (const auto& [key, value] : extras_of(model)) {
    if (!options.exclude_none || !value.is_none()) out[key] = dumped(value, options);
  }
  return out;
}

}  // namespace openqnn::python
