// SPDX-License-Identifier: BSD-3-Clause
#include "model/values.h"

#include <cmath>
#include <optional>

#include "base/text.h"

namespace openqnn::python {
namespace {

using json::Value;

constexpr uint32_t kDeepest = 64;          // as deep as a file may be
constexpr size_t kMostValues = 4'000'000;  // in one value: lists that share lists are larger than they look

// Kept for the life of the process: a module's classes are.
PyObject*& error_class() {
  static PyObject* held = nullptr;
  return held;
}

py::object or_raise(PyObject* made) {
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

py::object number_to_python(std::string_view text) {
  if (text.find_first_of(".eE") == std::string_view::npos) {
    constexpr size_t kSurelyFits = 18;  // digits of an int64
    if (text.size() > kSurelyFits) {
      if (PyObject* whole = PyLong_FromString(std::string(text).c_str(), nullptr, 10))
        return py::reinterpret_steal<py::object>(whole);
      if (PyErr_ExceptionMatches(PyExc_ValueError) == 0) throw py::error_already_set();
      PyErr_Clear();  // more digits than Python reads: as large as a float can say
      return py::float_(text.front() == '-' ? -HUGE_VAL : HUGE_VAL);
    }
    int64_t number = 0;
    for (const char c : text) number = c == '-' ? number : number * 10 + (c - '0');
    return py::int_(text.front() == '-' ? -number : number);
  }
  return or_raise(PyFloat_FromDouble(PyOS_string_to_double(std::string(text).c_str(), nullptr, nullptr)));
}

// How far a conversion has come.
struct Count {
  size_t values = 0;
};

std::variant<Value, Problem> converted(py::handle value, uint32_t depth, Count& count);

Problem not_json(py::handle value, std::string message) {
  return {"json_type", std::move(message), {}, py::reinterpret_borrow<py::object>(value)};
}

std::variant<Value, Problem> string_to_json(py::handle value) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text == nullptr) {
    PyErr_Clear();  // half of a surrogate pair
    return not_json(value, "Input should be a string of whole Unicode characters");
  }
  return Value::of(std::string(text, static_cast<size_t>(size)));
}

std::variant<Value, Problem> integer_to_json(py::handle value) {
  PyObject* exact = PyLong_Type.tp_repr(value.ptr());  // also of an IntEnum
  if (exact != nullptr)
    return Value::of_number_text(py::reinterpret_steal<py::object>(exact).cast<std::string>());
  if (PyErr_ExceptionMatches(PyExc_ValueError) == 0) throw py::error_already_set();
  PyErr_Clear();  // more digits than Python writes
  Problem problem = not_json(value, "Input should be a valid integer of at most 64 bits");
  problem.type = "int_parsing_size";
  return problem;
}

std::variant<Value, Problem> float_to_json(py::handle value) {
  const double number = PyFloat_AS_DOUBLE(value.ptr());
  if (!std::isfinite(number)) return not_json(value, "Input should be a finite number");
  char* text = PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr);  // as repr() and json.dumps
  if (text == nullptr) throw py::error_already_set();
  Value made = Value::of_number_text(text);
  PyMem_Free(text);
  return made;
}

std::variant<Value, Problem> items_to_json(py::handle value, uint32_t depth, Count& count) {
  json::Array items;
  int64_t index = 0;
  for (const py::handle item : py::iter(value)) {
    auto made = converted(item, depth + 1, count);
    if (auto* problem = std::get_if<Problem>(&made)) {
      problem->location.insert(problem->location.begin(), index);
      return made;
    }
    items.push_back(std::get<Value>(std::move(made)));
    ++index;
  }
  return Value::of(std::move(items));
}

std::variant<Value, Problem> dict_to_json(py::handle value, uint32_t depth, Count& count) {
  json::Object members;
  for (const auto& [key, item] : copy_of(value)) {
    if (!PyUnicode_Check(key.ptr())) return not_json(key, "Keys should be valid strings");
    auto name = string_to_json(key);
    if (std::holds_alternative<Problem>(name)) return name;
    auto made = converted(item, depth + 1, count);
    const std::string text(std::get<Value>(name).as_string());
    if (auto* problem = std::get_if<Problem>(&made)) {
      problem->location.insert(problem->location.begin(), text);
      return made;
    }
    members.push_back({.key = text, .value = std::get<Value>(std::move(made))});
  }
  return Value::of(std::move(members));
}

// An enumeration by its value, a path by its text; nothing for any other object.
std::optional<py::object> stand_in(py::handle value) {
  static PyObject* enum_class = py::object(py::module_::import("enum").attr("Enum")).release().ptr();
  if (PyObject_IsInstance(value.ptr(), enum_class) == 1) return value.attr("value");
  if (py::hasattr(py::type::of(value), "__fspath__")) return or_raise(PyOS_FSPath(value.ptr()));
  if (PyIndex_Check(value.ptr()) != 0) return or_raise(PyNumber_Index(value.ptr()));
  return std::nullopt;
}

std::variant<Value, Problem> converted(py::handle value, uint32_t depth, Count& count) {
  PyObject* object = value.ptr();
  if (++count.values > kMostValues)
    return not_json(value, concat("Input should have at most ", kMostValues, " values"));
  if (depth > kDeepest) return not_json(value, concat("Input should be at most ", kDeepest, " levels deep"));
  if (object == Py_None) return Value();
  if (PyBool_Check(object)) return Value::of(object == Py_True);
  if (PyLong_Check(object)) return integer_to_json(value);
  if (PyFloat_Check(object)) return float_to_json(value);
  if (PyUnicode_Check(object)) return string_to_json(value);  // also an enumeration of strings
  if (PyDict_Check(object)) return dict_to_json(value, depth, count);
  if (PyList_Check(object) || PyTuple_Check(object) || PyAnySet_Check(object))
    return items_to_json(value, depth, count);
  if (const auto other = stand_in(value)) return converted(*other, depth + 1, count);
  return not_json(value, "Input should be a value that JSON has");
}

py::tuple location_to_python(const Location& location) {
  py::tuple out(location.size());
  for (size_t i = 0; i < location.size(); ++i) {
    if (const auto* name = std::get_if<std::string>(&location[i])) {
      out[i] = to_str(*name);
    } else {
      out[i] = py::int_(std::get<int64_t>(location[i]));
    }
  }
  return out;
}

}  // namespace

py::str to_str(std::string_view utf8) {
  PyObject* made = PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "replace");
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(made);
}

py::object to_python(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return py::none();
    case Value::Kind::kBool:
      return py::bool_(value.as_bool());
    case Value::Kind::kNumber:
      return number_to_python(value.number_text());
    case Value::Kind::kString:
      return to_str(value.as_string());
    case Value::Kind::kArray: {
      py::list out(value.as_array().size());
      size_t index = 0;
      for (const Value& item : value.as_array()) out[index++] = to_python(item);
      return out;
    }
    case Value::Kind::kObject:
      break;
  }
  py::dict out;
  for (const json::Member& member : value.as_object()) {
    out[to_str(member.key)] = to_python(member.value);
  }
  return out;
}

py::dict copy_of(py::handle dict) {
  return py::reinterpret_steal<py::dict>(or_raise(PyDict_Copy(dict.ptr())).release());
}

std::string text_of(py::handle key) {
  if (!PyUnicode_Check(key.ptr())) throw py::type_error("keys should be strings");
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(key.ptr(), &size);
  if (text == nullptr) throw py::error_already_set();
  return {text, static_cast<size_t>(size)};
}

std::string key_or_raise(py::handle key, std::string_view title, std::string_view place) {
  const auto name =
      PyUnicode_Check(key.ptr()) != 0 ? string_to_json(key) : not_json(key, "Keys should be valid strings");
  if (const auto* text = std::get_if<Value>(&name)) return std::string(text->as_string());
  raise_problems(title, {{"invalid_key",
                          "Keys should be valid strings",
                          {std::string(place)},
                          py::reinterpret_borrow<py::object>(key)}});
}

void raise_value_error(std::string_view message) {
  PyErr_SetObject(PyExc_ValueError, to_str(message).ptr());
  throw py::error_already_set();
}

std::variant<Value, Problem> to_json(py::handle value) {
  Count count;
  return converted(value, 0, count);
}

Value json_or_raise(py::handle value, std::string_view title, std::string_view key) {
  auto made = to_json(value);
  if (auto* problem = std::get_if<Problem>(&made)) {
    problem->location.insert(problem->location.begin(), std::string(key));
    raise_problems(title, {std::move(*problem)});
  }
  return std::get<Value>(std::move(made));
}

Value to_json_unless_same(py::handle value, const Value& read, std::string_view title, std::string_view key) {
  const auto made = to_json(value);
  if (const auto* now = std::get_if<Value>(&made)) return now->same_as(read) ? read : *now;
  // A number beyond Python's floats reads as infinity, which JSON does not have.
  const int same = PyObject_RichCompareBool(value.ptr(), to_python(read).ptr(), Py_EQ);
  if (same < 0) throw py::error_already_set();
  return same == 1 ? read : json_or_raise(value, title, key);
}

py::list to_python(const Problems& problems, std::string_view file, const json::LineIndex* lines) {
  py::list out;
  for (const Problem& problem : problems) {
    std::string at;
    if (lines != nullptr && !problem.span.empty()) {
      const json::Position position = lines->position(problem.span.begin);
      at = concat(file, ":", position.line, ":", position.column);
    }
    out.append(py::make_tuple(location_to_python(problem.location), to_str(problem.message), problem.type,
                              problem.input, to_str(at)));
  }
  return out;
}

void set_error_class(py::object error_class_object) { error_class() = error_class_object.release().ptr(); }

void raise_problems(std::string_view title, const Problems& problems, std::string_view file,
                    const json::LineIndex* lines) {
  const py::object type = py::reinterpret_borrow<py::object>(error_class());
  const py::object error = type(to_str(title), to_python(problems, file, lines));
  PyErr_SetObject(type.ptr(), error.ptr());
  throw py::error_already_set();
}

}  // namespace openqnn::python
