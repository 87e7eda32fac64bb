// SPDX-License-Identifier: BSD-3-Clause
// Whole backend files: from JSON to the objects of the sections, and back in the form that was read.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "json/json.h"
#include "model/model.h"

namespace openqnn::python {

// How a file was laid out, so that it can be written the same way.
struct Layout {
  enum class Form : uint8_t { kList, kObject, kNull, kExtra };
  struct Entry {
    std::string key;
    Form form = Form::kExtra;
    size_t section = 0;    // place in the table of the file, unless it is an extra
    json::Value raw = {};  // of an extra
  };
  std::vector<Entry> entries;  // in the order of the file
};

// The objects of a file.
struct Parts {
  py::list sections;  // one entry per section of the table: a list of objects, an object, or None
  py::dict extras;    // what stands under keys that no section has
  Layout layout;
};

// From the bytes of a file; problems are a ValueError with file:line:column.
Parts read_file_text(const std::string& name, std::string text);
// From a dict that json.load() would answer. Sections that hold nothing, null or an empty list, are among the
// extras: no object can remember them.
Parts read_dict(py::handle dict);
// A file as extras alone, without a look at what it means.
Parts read_raw(const std::string& name, const std::string& text);

// The file that these parts make. `extras` and `layout` may be None / null.
json::Value write_parts(const py::list& sections, py::handle extras, const Layout* layout);

// As json.dumps() writes it; indent < 0 is its indent=None.
std::string dumps(const json::Value& value, int indent);

}  // namespace openqnn::python
