// SPDX-License-Identifier: BSD-3-Clause
// The C++ API as the extension module qairt._native. Python classes own what they show by shared_ptr, so that
// an element outlives the list it was taken from.
#include <openqnn/context_binary.h>
#include <openqnn/profile_log.h>
#include <openqnn/report.h>
#include <openqnn/simulate.h>
#include <openqnn/version.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "native_config.h"
#include "native_network.h"

namespace py = pybind11;

namespace {

// The exception that a Python programmer expects for an error, with the API's sentence.
[[noreturn]] void raise(const openqnn::Error& error) {
  PyObject* type = PyExc_ValueError;
  if (error.code == "file-missing")
    type = PyExc_FileNotFoundError;
  else if (error.code == "file-is-directory")
    type = PyExc_IsADirectoryError;
  else if (error.kind == openqnn::Error::Kind::kSystem)
    type = PyExc_OSError;
  else if (error.kind == openqnn::Error::Kind::kInternal)
    type = PyExc_RuntimeError;
  PyErr_SetString(type, error.to_string().c_str());
  throw py::error_already_set();
}

template <class T>
T value_or_raise(openqnn::Expected<T> expected) {
  if (!expected) raise(expected.error());
  return *std::move(expected);
}

void raise_unless(const openqnn::Expected<void>& status) {
  if (!status) raise(status.error());
}

// Other threads of the interpreter go on meanwhile.
template <class Work>
auto without_interpreter(const Work& work) {
  const py::gil_scoped_release release;
  return work();
}

template <class T>
std::vector<std::shared_ptr<T>> shared(const std::vector<T>& values) {
  std::vector<std::shared_ptr<T>> result;
  for (const T& value : values) result.push_back(std::make_shared<T>(value));
  return result;
}

openqnn::ContextBinary open(const std::filesystem::path& path) {
  return value_or_raise(without_interpreter([&] { return openqnn::ContextBinary::open(path); }));
}

std::string or_empty(const std::optional<std::string>& text) { return text.value_or(""); }

// As qairt.simulate() has them.
struct BinaryQuestion {
  std::optional<std::string> graph, soc, level, perf_profile;
};

openqnn::Simulation simulate_binary(const openqnn::ContextBinary& binary, const BinaryQuestion& asked) {
  openqnn::SimulateOptions options{.graph = or_empty(asked.graph), .soc = or_empty(asked.soc)};
  options.perf_profile = or_empty(asked.perf_profile);
  const std::string level = or_empty(asked.level);
  if (level == "roofline") options.level = openqnn::SimulationLevel::kRoofline;
  if (level != "roofline" && level != "event" && !level.empty())
    throw py::value_error("there is no level '" + level + "'; one of event roofline");
  return value_or_raise(without_interpreter([&] { return openqnn::simulate(binary, options); }));
}

void bind_descriptions(py::module_& m) {
  using openqnn::GraphInfo;
  using openqnn::OpInfo;
  using openqnn::SectionInfo;
  using openqnn::TensorInfo;

  py::class_<SectionInfo, std::shared_ptr<SectionInfo>>(m, "Section")
      .def_readonly("name", &SectionInfo::name)
      .def_readonly("offset", &SectionInfo::offset)
      .def_readonly("bytes", &SectionInfo::bytes)
      .def("__repr__", [](const SectionInfo& s) {
        return "<Section '" + s.name + "', " + std::to_string(s.bytes) + " bytes>";
      });

  py::class_<TensorInfo, std::shared_ptr<TensorInfo>>(m, "Tensor")
      .def_readonly("name", &TensorInfo::name)
      .def_readonly("id", &TensorInfo::id)
      .def_readonly("type", &TensorInfo::type)
      .def_property_readonly("shape", [](const TensorInfo& t) { return py::tuple(py::cast(t.shape)); })
      .def_readonly("bytes", &TensorInfo::bytes)
      .def_property_readonly("encodings",
                             [](const TensorInfo& t) {
                               std::vector<std::pair<float, int32_t>> pairs;
                               for (const auto& e : t.encodings) pairs.emplace_back(e.scale, e.offset);
                               return pairs;
                             })
      .def("__repr__", [](const TensorInfo& t) {
        return "<Tensor '" + t.name + "' " + t.type + std::string(py::repr(py::cast(t.shape))) + ">";
      });

  py::class_<OpInfo, std::shared_ptr<OpInfo>>(m, "Op")
      .def_readonly("name", &OpInfo::name)
      .def_readonly("type", &OpInfo::type)
      .def_readonly("nodes", &OpInfo::nodes)
      .def_readonly("inputs", &OpInfo::inputs)
      .def_readonly("outputs", &OpInfo::outputs)
      .def_readonly("constant_bytes", &OpInfo::constant_bytes)
      .def("__repr__", [](const OpInfo& op) { return "<Op '" + op.name + "' " + op.type + ">"; });

  py::class_<GraphInfo, std::shared_ptr<GraphInfo>>(m, "Graph")
      .def_readonly("name", &GraphInfo::name)
      .def_readonly("soc", &GraphInfo::soc)
      .def_readonly("soc_model", &GraphInfo::soc_model)
      .def_readonly("arch", &GraphInfo::arch)
      .def_readonly("optimization", &GraphInfo::optimization)
      .def_property_readonly("inputs", [](const GraphInfo& g) { return shared(g.inputs); })
      .def_property_readonly("outputs", [](const GraphInfo& g) { return shared(g.outputs); })
      .def_property_readonly("ops", [](const GraphInfo& g) { return shared(g.ops); })
      .def_readonly("constant_bytes", &GraphInfo::constant_bytes)
      .def_readonly("activation_bytes", &GraphInfo::activation_bytes)
      .def_readonly("vtcm_bytes", &GraphInfo::vtcm_bytes)
      .def_readonly("hvx_threads", &GraphInfo::hvx_threads)
      .def_readonly("tasks", &GraphInfo::tasks)
      .def("__repr__", [](const GraphInfo& g) {
        return "<Graph '" + g.name + "' for " + g.soc + ", " + std::to_string(g.ops.size()) + " ops>";
      });
}

void bind_context_binary(py::module_& m) {
  using openqnn::ContextBinary;
  py::class_<ContextBinary, std::shared_ptr<ContextBinary>>(m, "ContextBinary")
      .def(py::init(
               [](const std::filesystem::path& path) { return std::make_shared<ContextBinary>(open(path)); }),
           py::arg("path"))
      .def_property_readonly("path", &ContextBinary::path)
      .def_property_readonly("bytes", &ContextBinary::file_bytes)
      .def_property_readonly(
          "format", [](const ContextBinary& b) { return std::pair(b.format().major, b.format().minor); })
      .def_property_readonly("producer", &ContextBinary::producer)
      .def_property_readonly("sections", [](const ContextBinary& b) { return shared(b.sections()); })
      .def_property_readonly("graphs", [](const ContextBinary& b) { return shared(b.graphs()); })
      .def("validate",
           [](const ContextBinary& b) { raise_unless(without_interpreter([&] { return b.validate(); })); })
      .def("__repr__", [](const ContextBinary& b) {
        return "<ContextBinary '" + b.path() + "', " + std::to_string(b.graphs().size()) + " graph(s)>";
      });
}

void bind_simulation(py::module_& m) {
  using openqnn::ContextBinary;
  using openqnn::OpRow;
  using openqnn::Simulation;
  py::class_<OpRow, std::shared_ptr<OpRow>>(m, "OpRow")
      .def_readonly("name", &OpRow::name)
      .def_readonly("type", &OpRow::type)
      .def_readonly("units", &OpRow::units)
      .def_readonly("tiles", &OpRow::tiles)
      .def_readonly("busy_cycles", &OpRow::busy_cycles)
      .def_readonly("dma_cycles", &OpRow::dma_cycles)
      .def_readonly("share_cycles", &OpRow::share_cycles)
      .def_readonly("loaded_bytes", &OpRow::loaded_bytes)
      .def_readonly("stored_bytes", &OpRow::stored_bytes)
      .def_readonly("bound", &OpRow::bound)
      .def("__repr__", [](const OpRow& row) {
        return "<OpRow '" + row.name + "', " + std::to_string(row.share_cycles) + " simulated cycles>";
      });

  py::class_<Simulation, std::shared_ptr<Simulation>>(m, "Simulation")
      .def_property_readonly("graph", &Simulation::graph)
      .def_property_readonly("soc", &Simulation::soc)
      .def_property_readonly("arch", &Simulation::arch)
      .def_property_readonly("prepared_for", &Simulation::prepared_for)
      .def_property_readonly("clock_hz", &Simulation::clock_hz)
      .def_property_readonly("cycles", [](const Simulation& s) { return s.times().cycles; })
      .def_property_readonly("accelerator_us", [](const Simulation& s) { return s.times().accelerator_us; })
      .def_property_readonly("rpc_us", [](const Simulation& s) { return s.times().rpc_us; })
      .def_property_readonly("client_us", [](const Simulation& s) { return s.times().client_us; })
      .def_property_readonly("model", &Simulation::model)
      .def_property_readonly("error_band", &Simulation::error_band)
      .def_property_readonly("assumptions", &Simulation::assumptions)
      .def_property_readonly("rows", [](const Simulation& s) { return shared(s.rows()); })
      .def("to_text", &openqnn::op_table, py::call_guard<py::gil_scoped_release>())
      .def("to_linting", &openqnn::linting_text, py::call_guard<py::gil_scoped_release>())
      .def("to_json", &openqnn::analysis_json, py::arg("model") = "",
           py::call_guard<py::gil_scoped_release>())
      .def("to_html", &openqnn::analysis_page, py::arg("model") = "",
           py::call_guard<py::gil_scoped_release>())
      .def(
          "save_html",
          [](const Simulation& s, const std::filesystem::path& path, const std::string& model) {
            raise_unless(without_interpreter([&] { return openqnn::write_analysis_page(s, path, model); }));
          },
          py::arg("path"), py::arg("model") = "")
      .def(
          "to_chrometrace",
          [](const Simulation& s, const std::filesystem::path& path) {
            raise_unless(without_interpreter([&] { return openqnn::write_chrometrace(s, path); }));
          },
          py::arg("path"))
      .def("__repr__", [](const Simulation& s) {
        return "<Simulation of '" + s.graph() + "' on " + s.soc() + ", " + std::to_string(s.times().cycles) +
               " simulated cycles>";
      });

  using Word = std::optional<std::string>;
  const auto none = [](const char* name) { return py::arg(name) = py::none(); };
  m.def(
      "simulate",
      [](const ContextBinary& binary, const Word& graph, const Word& soc, const Word& level,
         const Word& perf_profile) {
        return simulate_binary(binary, {graph, soc, level, perf_profile});
      },
      py::arg("path"), none("graph"), none("soc"), none("level"), none("perf_profile"));
  m.def(
      "simulate",
      [](const std::filesystem::path& path, const Word& graph, const Word& soc, const Word& level,
         const Word& perf_profile) {
        return simulate_binary(open(path), {graph, soc, level, perf_profile});
      },
      py::arg("path"), none("graph"), none("soc"), none("level"), none("perf_profile"));
}

// (major, minor, where it is cut or None); `take` gets each line of JSON.
py::tuple read_profile_log(const std::filesystem::path& path, const py::function& take) {
  const auto extent =
      value_or_raise(openqnn::read_profile_log(path, [&](const std::string& line) { take(py::str(line)); }));
  return py::make_tuple(extent.format_major, extent.format_minor, extent.cut_at);
}

}  // namespace

PYBIND11_MODULE(_native, m) {
  m.doc() = "The C++ API of openqnn; import qairt instead.";
  m.attr("__version__") = openqnn::version();
  bind_descriptions(m);
  bind_context_binary(m);
  bind_simulation(m);
  m.def("read_profile_log", &read_profile_log, py::arg("path"), py::arg("take"));
  openqnn::python::bind_config(m);
  openqnn::python::bind_network(m);
}
