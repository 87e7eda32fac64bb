// SPDX-License-Identifier: BSD-3-Clause
// Between Python values and JSON values, and what is wrong with a value.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "json/json.h"

namespace openqnn::python {

namespace py = pybind11;

// Where in a record a problem is: names of fields and places in lists.
using Location = std::vector<std::variant<std::string, int64_t>>;

// One reason why a value is refused, in pydantic's terms.
struct Problem {
  std::string type;     // "int_parsing"
  std::string message;  // "Input should be a valid integer"
  Location location = {};
  py::object input = py::none();
  json::Span span = {};  // where the value stands in the text it was read from
};
using Problems = std::vector<Problem>;

// As qairt's ValidationError takes them: (location, message, type, input, "file:line:column" or "").
py::list to_python(const Problems& problems, std::string_view file = {},
                   const json::LineIndex* lines = nullptr);
// Raises it.
[[noreturn]] void raise_problems(std::string_view title, const Problems& problems, std::string_view file = {},
                                 const json::LineIndex* lines = nullptr);
// Where a raised ValidationError comes from.
void set_error_class(py::object error_class);

py::object to_python(const json::Value& value);
py::str to_str(std::string_view utf8);
py::dict copy_of(py::handle dict);    // to go through while Python code may change the dict
std::string text_of(py::handle key);  // of a dict's key; TypeError when it is no string
// The same for writing: a ValidationError of `title`, at `place`.
std::string key_or_raise(py::handle key, std::string_view title, std::string_view place);
// Raises ValueError; bytes of the message that are not UTF-8 (a file's name may have some) are replaced.
[[noreturn]] void raise_value_error(std::string_view message);

// What JSON can say of a Python value; a problem where it can say nothing (NaN, an object of some class).
std::variant<json::Value, Problem> to_json(py::handle value);
// The same for writing: `read` as it is while `value` still is what Python made of it; else `value`, or a
// ValidationError of `title` and `key`.
json::Value to_json_unless_same(py::handle value, const json::Value& read, std::string_view title,
                                std::string_view key);
// For writing what was not read.
json::Value json_or_raise(py::handle value, std::string_view title, std::string_view key);

}  // namespace openqnn::python
