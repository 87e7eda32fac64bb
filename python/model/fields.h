// SPDX-License-Identifier: BSD-3-Clause
// The option tables as Python sees them: which fields a class has, of which type, and which values they take.
#pragma once

#include <pybind11/pybind11.h>

#include <string_view>
#include <variant>
#include <vector>

#include "config/option.h"
#include "model/values.h"

namespace openqnn::python {

// A field of a Python class, from one entry of a table.
struct Field {
  const config::OptionDef* option = nullptr;
  uint16_t tag = 0;                 // of json::Member
  json::Value fallback;             // what an unset field reads as
  PyObject* enumeration = nullptr;  // the Enum that reading answers, if any; kept for the process's life

  bool in_python() const { return option->in_python; }
};

// A Python class and the table it is made from.
struct ClassInfo {
  const config::SectionDef* section = nullptr;
  bool open = false;          // takes any field
  std::vector<Field> fields;  // one per entry of the table, in its order: field of tag t is fields[t - 1]
  uint16_t names_tag = 0;     // of the list of names that becomes one object per name; 0: there is none
  PyObject* type = nullptr;   // the Python class; kept for the process's life

  const Field& field(uint16_t tag) const { return fields[tag - 1u]; }
  Field& field(uint16_t tag) { return fields[tag - 1u]; }
  // By any of its spellings; nullptr when the class has no such field.
  const Field* find(std::string_view key) const;
};

// The class of a section; made at the first question, at the same address ever after.
ClassInfo& class_of(const config::SectionDef& section);
// A class without a table, for what the documents only name.
ClassInfo& new_open_class(std::string name, std::string summary);

// What Python calls the type of a field; the stubs print it.
enum class Annotation : uint8_t {
  kBool,
  kInt,
  kNumber,
  kStr,
  kLiteral,
  kEnum,
  kEnumOrStr,
  kPath,
  kStrings,
  kInts,
  kDict,
  kModel,
  kModels
};
Annotation annotation_of(const ClassInfo& info, const Field& field);
// The Enum that stands for the choices of an option: "PerfProfile", "DspArchitecture"; "" when there is none.
std::string_view enum_name(const config::OptionDef& option);

// Where a value comes from: files may hold what the Python class does not take (one number for a list, a
// count where the class has a switch).
enum class Origin : uint8_t { kPython, kFile };

// The value a field holds when it is given `value`: "60" becomes 60, 1 becomes true; or why it is refused.
// Containers are no business of this function.
std::variant<json::Value, Problem> coerce(const ClassInfo& info, const Field& field, const json::Value& value,
                                          Origin origin = Origin::kPython);

// A field that holds a list of numbers or words, and one element of it.
bool is_list(const Field& field);
std::variant<json::Value, Problem> coerce_item(const Field& field, const json::Value& item);

// The name that a split entry holds: of a string, or of a list with one.
std::variant<json::Value, Problem> coerce_name(const json::Value& value);

}  // namespace openqnn::python
