// SPDX-License-Identifier: BSD-3-Clause
// The Python type under every configuration class: one JSON object, read and written through the table of its
// class, so that what nobody touches stays as it was read.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "json/json.h"
#include "model/fields.h"

namespace openqnn::python {

// A value that Python holds: a list or dict that was handed out and may have changed, or None.
struct Live {
  uint16_t tag;
  py::object value;
};

// How a record stood in its section, where that is not the usual way.
enum class Standing : uint8_t { kUsual, kAlone, kListed };  // an object for a list; a list for an object

struct Model {
  const ClassInfo* info = nullptr;
  std::shared_ptr<json::Value> data;  // an object with bound keys; shared until somebody changes it
  int64_t name_index = -1;            // which name of a shared list of names is ours; -1: all there are
  uint64_t origin = 0;  // the same for all that came from one entry; 0: from an entry of its own
  Standing standing = Standing::kUsual;
  std::vector<Live> live;
  py::object extras;  // a dict once somebody asked for it

  explicit Model(const ClassInfo& of)
      : info(&of), data(std::make_shared<json::Value>(json::Value::of(json::Object{}))) {}
  Model(const ClassInfo& of, std::shared_ptr<json::Value> object) : info(&of), data(std::move(object)) {}

  const json::Member* member(uint16_t tag) const;  // as last_member(); nullptr when not set
  json::Object& writable();                        // the members, for a change
  Live* find_live(uint16_t tag);
  const Live* find_live(uint16_t tag) const;
  const json::Value* name() const;                  // of a class with names; nullptr when there is none
  bool is_field(const json::Member& member) const;  // else it belongs to the extras
};

// The member that counts where two spellings are given: the last that is not null, as for config::Record;
// else the last; nullptr when there is none.
json::Member* last_member(json::Object& members, uint16_t tag);
// The same, added when there is none.
json::Member& member_for(json::Object& members, const Field& field);

// A list may hold itself; then this raises RecursionError. Python's own limit can be raised beyond what the
// stack has, so there is another.
class RecursionGuard {
 public:
  RecursionGuard();
  ~RecursionGuard();
  RecursionGuard(const RecursionGuard&) = delete;
  RecursionGuard& operator=(const RecursionGuard&) = delete;
};

// The type and its instances. An object of another type gives nullptr, or a TypeError.
PyTypeObject* make_model_type();
Model* model_or_null(py::handle object);
Model& model_of(py::handle object);
py::object new_model(Model model);  // of the Python class that belongs to it
py::object new_model(PyTypeObject* type, Model model);

// ---- Fields ----

py::object get_field(Model& model, uint16_t tag);
void unset_field(Model& model, uint16_t tag);
bool is_set(const Model& model, uint16_t tag);
// Gives the field a value that was checked; a list is copied, its elements are not.
void set_field(Model& model, const Field& field, py::handle value, Problems& problems);
// The same for any object, unchecked; what does not fit shows when the model is written.
void put_field(Model& model, const Field& field, py::handle value);
py::dict extras_of(Model& model);

// Problems across the fields of one record that even Python's classes refuse.
void check_whole(const ClassInfo& info, const json::Value& record, Problems& problems);

// ---- Whole objects ----

py::object copy_model(py::handle object);  // shares nothing with it that can be changed
bool equal_models(py::handle a, py::handle b);

// What pydantic's model_dump() asks for.
struct DumpOptions {
  bool json = false;  // values that JSON has: an enumeration by its value
  bool by_alias = false;
  bool exclude_unset = false;
  bool exclude_none = false;
  bool exclude_defaults = false;
};
py::dict dump_model(py::handle object, const DumpOptions& options);

// ---- As JSON ----

// The record as it would be written now. Raises when a list was filled with what does not belong there.
json::Value to_record(const Model& model);
// The same without a copy where nothing changed; `kept` holds it otherwise.
const json::Value& record_of(const Model& model, json::Value& kept);

// Where a record stands in a file: below which key, and at which place of its list.
struct Place {
  std::string_view key;
  int64_t index = -1;  // -1: not in a list
  const Place* above = nullptr;
};
// Problems of a record that was read, with what is below it.
void check_record(const ClassInfo& info, const json::Value& record, const Place& at, Problems& problems);
// Problems of what stands under a key where an object or a list of them belongs.
void check_records(const ClassInfo& info, const json::Value& value, Place at, Problems& problems);

}  // namespace openqnn::python
