// SPDX-License-Identifier: BSD-3-Clause
// Models for qairt/_models.py: plain arguments in, plain values out. What a person may pass, and the words of
// documents, are Python's part. The interpreter's lock is released wherever a model is worked on.
#include "native_network.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "buffers.h"
#include "frontend/onnx/graph_draft.h"
#include "network/compiled.h"
#include "network/network.h"
#include "ops/elements.h"
#include "quant/calibration.h"
#include "tools/advise/model_advice.h"
#include "tools/api_names.h"
#include "tools/file_kind.h"
#include "tools/model_job.h"
#include "tools/simulation/model_simulation.h"

namespace py = pybind11;

namespace openqnn::python {
namespace {

namespace fs = std::filesystem;
using tools::IoTensor;
using tools::RunnableGraph;

// ---- Failures ----

// qairt's ModelError; set once, and kept for as long as the process.
PyObject*& model_error_class() {
  static PyObject* type = nullptr;
  return type;
}

// The exception that a Python programmer expects; what is wrong with a model is the package's own.
[[noreturn]] void raise(const Diagnostic& failure) {
  const py::object type = py::reinterpret_borrow<py::object>(model_error_class());
  const py::object error =
      type(failure.code, failure.message, failure.where.to_string(), failure.fix, failure.notes);
  PyObject* raised = type.ptr();
  if (failure.code == "file-missing")
    raised = PyExc_FileNotFoundError;
  else if (failure.code == "file-is-directory")
    raised = PyExc_IsADirectoryError;
  else if (failure.failure == Failure::kSystem)
    raised = PyExc_OSError;
  else if (failure.failure == Failure::kInternal)
    raised = PyExc_RuntimeError;
  // The same sentence for all.
  PyErr_SetObject(raised, raised == type.ptr() ? error.ptr() : py::str(error).ptr());
  throw py::error_already_set();
}

// Works without the interpreter's lock; a failure becomes an exception.
template <class Work>
auto unlocked(Work work) {
  auto result = [&] {
    const py::gil_scoped_release release;
    return work();
  }();
  if (!result) raise(result.error());
  if constexpr (requires { *std::move(result); }) return *std::move(result);
}

// ---- Tensors ----

// As numpy names it.
const char* element_name(ir::DataType type) {
  using ir::DataType;
  switch (type) {
    case DataType::kInt8:
    case DataType::kSfixed4:
    case DataType::kSfixed8:
      return "int8";
    case DataType::kUint8:
    case DataType::kUfixed4:
    case DataType::kUfixed8:
      return "uint8";
    case DataType::kInt16:
    case DataType::kSfixed16:
      return "int16";
    case DataType::kUint16:
    case DataType::kUfixed16:
      return "uint16";
    case DataType::kInt32:
    case DataType::kSfixed32:
      return "int32";
    case DataType::kUint32:
    case DataType::kUfixed32:
      return "uint32";
    case DataType::kInt64:
      return "int64";
    case DataType::kUint64:
      return "uint64";
    case DataType::kFloat16:
      return "float16";
    case DataType::kFloat32:
      return "float32";
    case DataType::kFloat64:
      return "float64";
    case DataType::kBool8:
      return "bool";
    default:
      return "uint8";
  }
}

std::optional<std::pair<float, int32_t>> encoding_of(const IoTensor& io) {
  const ir::TensorDesc& desc = io.tensor.desc;
  if (!ir::is_quantized(desc.type) || io.native_only) return std::nullopt;
  const ir::ScaleOffset encoding = desc.quantization.at(0);
  return std::pair(encoding.scale, encoding.offset);
}

void check_elements(size_t bytes, size_t element, uint64_t count) {
  if (bytes == element * count) return;
  raise(internal("array-size", "an array is not as large as its tensor"));
}

// float32 as the tensor holds it, and back.
void store(const IoTensor& io, const py::object& floats, const py::object& natives) {
  const Buffer from(floats, Buffer::Access::kRead);
  const Buffer to(natives, Buffer::Access::kWrite);
  const ir::TensorDesc& desc = io.tensor.desc;
  const uint64_t count = desc.shape.elements();
  check_elements(from.bytes().size(), sizeof(float), count);
  check_elements(to.bytes().size(), ir::byte_size(desc.type), count);
  const py::gil_scoped_release release;
  const ops::ElementWriter write(desc, to.bytes().data());
  for (uint64_t i = 0; i < count; ++i) write(i, ops::load<float>(from.bytes().data(), i));
}

void read(const IoTensor& io, const py::object& natives, const py::object& floats) {
  const Buffer from(natives, Buffer::Access::kRead);
  const Buffer to(floats, Buffer::Access::kWrite);
  const ir::TensorDesc& desc = io.tensor.desc;
  const uint64_t count = desc.shape.elements();
  check_elements(from.bytes().size(), ir::byte_size(desc.type), count);
  check_elements(to.bytes().size(), sizeof(float), count);
  const py::gil_scoped_release release;
  const ops::ElementReader element(desc, from.bytes().data());
  for (uint64_t i = 0; i < count; ++i) ops::save(to.bytes().data(), i, static_cast<float>(element(i)));
}

void bind_tensors(py::module_& m) {
  py::class_<IoTensor, std::shared_ptr<IoTensor>>(m, "IoTensor")
      .def_property_readonly("name", [](const IoTensor& io) { return io.tensor.name; })
      .def_property_readonly("source", [](const IoTensor& io) { return io.source; })
      .def_property_readonly("element", [](const IoTensor& io) { return element_name(io.tensor.desc.type); })
      .def_property_readonly("type",
                             [](const IoTensor& io) {
                               return tools::data_type_name(static_cast<uint32_t>(io.tensor.desc.type));
                             })
      .def_property_readonly("shape",
                             [](const IoTensor& io) {
                               const auto dims = io.tensor.desc.shape.dims();
                               return py::tuple(py::cast(std::vector<uint32_t>(dims.begin(), dims.end())));
                             })
      .def_property_readonly("is_quantized",
                             [](const IoTensor& io) { return ir::is_quantized(io.tensor.desc.type); })
      .def_property_readonly("is_float", [](const IoTensor& io) { return ir::is_float(io.tensor.desc.type); })
      .def_property_readonly("encoding", encoding_of)
      .def("store", store)
      .def("read", read);
}

// (name, inputs, outputs) of each graph.
using DescribedGraph =
    std::tuple<std::string, std::vector<std::shared_ptr<IoTensor>>, std::vector<std::shared_ptr<IoTensor>>>;

std::vector<DescribedGraph> described(const std::vector<RunnableGraph>& graphs) {
  const auto shared = [](const std::vector<IoTensor>& tensors) {
    std::vector<std::shared_ptr<IoTensor>> made;
    for (const IoTensor& tensor : tensors) made.push_back(std::make_shared<IoTensor>(tensor));
    return made;
  };
  std::vector<DescribedGraph> all;
  for (const RunnableGraph& graph : graphs)
    all.emplace_back(graph.name, shared(graph.inputs), shared(graph.outputs));
  return all;
}

// ---- Converted models ----

ConversionSettings conversion_settings(const py::dict& given) {
  ConversionSettings settings;
  frontend::onnx::ImportOptions& import = settings.options.import;
  import.names = {"input_shapes", "define_symbol", "batch", "fixed_inputs"};
  import.input_dims = given["input_shapes"].cast<std::map<std::string, frontend::onnx::Dims>>();
  import.symbols = given["define_symbol"].cast<std::map<std::string, int64_t>>();
  import.batch = given["batch"].cast<std::optional<int64_t>>();
  import.fixed_numbers = given["fixed_inputs"].cast<std::map<std::string, double>>();
  settings.options.graph_name = given["name"].cast<std::string>();
  settings.encodings_file = given["encodings"].cast<fs::path>();
  settings.half = given["half"].cast<bool>();
  return settings;
}

std::shared_ptr<Network> convert(const fs::path& path, const py::dict& given) {
  const ConversionSettings settings = conversion_settings(given);
  return std::const_pointer_cast<Network>(unlocked([&] { return Network::convert(path, settings); }));
}

std::shared_ptr<Network> convert_bytes(const py::object& model, const py::dict& given) {
  const ConversionSettings settings = conversion_settings(given);
  const Buffer buffer(model, Buffer::Access::kRead);
  return std::const_pointer_cast<Network>(
      unlocked([&] { return Network::convert(buffer.bytes(), settings); }));
}

// The kinds that Python tells apart.
const char* kind_name(tools::FileKind kind) {
  switch (kind) {
    case tools::FileKind::kOnnx:
      return "onnx";
    case tools::FileKind::kDlc:
      return "dlc";
    case tools::FileKind::kContextBinary:
      return "binary";
    default:
      return "";
  }
}

template <class Choice>
Choice chosen(std::optional<Choice> found, const char* what, const std::string& name, const char* known) {
  if (found) return *found;
  raise(invalid("calibration-option", std::string("there is no ") + what + " '" + name + "'")
            .fix_by(std::string("one of ") + known));
}

quant::Options quantizer_options(const py::dict& given) {
  quant::Options options;
  options.activation_bits = given["act_precision"].cast<uint32_t>();
  options.weight_bits = given["weights_precision"].cast<uint32_t>();
  options.bias_bits = given["bias_precision"].cast<uint32_t>();
  const auto method = [](const std::string& name) {
    return chosen(quant::calibration_from(name), "calibration method", name,
                  "min-max, percentile, mse, sqnr, entropy");
  };
  options.activation_calibration = method(given["act_calibration_method"].cast<std::string>());
  options.weight_calibration = method(given["weights_calibration_method"].cast<std::string>());
  const auto scheme = [](const std::string& name) {
    return chosen(quant::scheme_from(name), "scheme", name, "asymmetric, symmetric, unsignedsymmetric");
  };
  options.activation_scheme = scheme(given["act_schema"].cast<std::string>());
  options.weight_scheme = scheme(given["weights_schema"].cast<std::string>());
  options.percentile = given["percentile"].cast<double>();
  options.per_channel = given["per_channel_quantization"].cast<bool>();
  options.per_row = given["per_row_quantization"].cast<bool>();
  options.float_fallback = given["float_fallback"].cast<bool>();
  options.float_io = given["preserve_io_datatype"].cast<bool>();
  if (options.weight_bits == 16) options.weight_steps = tools::kWeightSteps16;
  return options;
}

void bind_networks(py::module_& m) {
  py::class_<Network, std::shared_ptr<Network>>(m, "Network")
      .def_property_readonly("graphs",
                             [](const Network& network) { return described(network.descriptions()); })
      .def_property_readonly("is_quantized", &Network::is_quantized)
      .def_property_readonly("has_encodings", &Network::has_encodings)
      .def_property_readonly("notes", &Network::notes)
      .def_property_readonly("fusions", &Network::fusions)
      .def_property_readonly("float_ops", &Network::float_ops)
      .def("save", [](const Network& network, const fs::path& path) {
        unlocked([&] { return network.save(path); });
      });
  m.attr("PERCENTILES") = py::make_tuple(quant::kLowestPercentile, quant::kHighestPercentile);
  m.def("convert_onnx", convert);
  m.def("convert_onnx_bytes", convert_bytes);
  m.def("identifier", [](const std::string& name) { return frontend::onnx::identifier(name); });
  m.def("file_kind", [](const fs::path& path) {
    unlocked([&] { return MappedFile::open(path); });  // one that cannot be read has no kind
    return kind_name(tools::kind_of_file(path));
  });
  m.def("may_be_model", [](const fs::path& path) { return tools::may_be_model(path); });
  m.def("read_dlc", [](const fs::path& path) {
    return std::const_pointer_cast<Network>(unlocked([&] { return Network::read(path); }));
  });
  py::class_<Quantizer>(m, "Quantizer")
      .def(py::init([](const std::shared_ptr<Network>& network) {
        return unlocked([&] { return Quantizer::start(network); });
      }))
      .def("add",
           [](Quantizer& quantizer, const py::sequence& arrays) {
             const Buffers buffers(arrays, Buffer::Access::kRead);
             const auto inputs = buffers.spans<const std::byte>();
             unlocked([&] { return quantizer.add(inputs); });
           })
      .def("finish", [](const Quantizer& quantizer, const py::dict& given) {
        const quant::Options options = quantizer_options(given);
        return std::const_pointer_cast<Network>(unlocked([&] { return quantizer.finish(options); }));
      });
}

// ---- Compiled models ----

std::shared_ptr<CompiledNetwork> compile(const std::vector<std::shared_ptr<Network>>& networks,
                                         uint32_t soc_model, uint32_t arch, const fs::path& extensions_file,
                                         const fs::path& data_formats_file, const std::string& op_packages,
                                         bool all_outputs, const std::string& extra_outputs,
                                         const std::string& io_memory, uint32_t log_level) {
  CompileSettings settings;
  settings.device = {soc_model, arch};
  settings.extensions_file = extensions_file;
  settings.data_formats_file = data_formats_file;
  settings.log_level = log_level;
  settings.wishes.all_outputs = all_outputs;
  if (io_memory == "memhandle") settings.wishes.io_memory = QNN_TENSORMEMTYPE_MEMHANDLE;
  const std::vector<std::shared_ptr<const Network>> all(networks.begin(), networks.end());
  return std::const_pointer_cast<CompiledNetwork>(
      unlocked([&]() -> Result<std::shared_ptr<const CompiledNetwork>> {
        if (!extra_outputs.empty()) {
          OPENQNN_ASSIGN(settings.wishes.extra_outputs,
                         tools::parse_names_by_graph(extra_outputs, "set_output_tensors"));
        }
        if (!op_packages.empty()) {
          OPENQNN_ASSIGN(settings.op_packages, config::parse_op_packages(op_packages));
        }
        return CompiledNetwork::compile(all, settings);
      }));
}

void execute(const CompiledNetwork& network, size_t graph, const py::sequence& inputs,
             const py::sequence& outputs) {
  const Buffers from(inputs, Buffer::Access::kRead);
  const Buffers to(outputs, Buffer::Access::kWrite);
  const auto given = from.spans<const std::byte>();
  const auto wanted = to.spans<std::byte>();
  unlocked([&] { return network.execute(graph, given, wanted); });
}

void bind_compiled(py::module_& m) {
  py::class_<CompiledNetwork, std::shared_ptr<CompiledNetwork>>(m, "CompiledNetwork")
      .def_property_readonly("graphs",
                             [](const CompiledNetwork& network) { return described(network.graphs()); })
      .def_property_readonly("bytes", [](const CompiledNetwork& network) { return network.binary().size(); })
      .def_property_readonly("warnings",
                             [](const CompiledNetwork& network) { return network.told().warnings; })
      .def_property_readonly("notes", [](const CompiledNetwork& network) { return network.told().notes; })
      .def("save", [](const CompiledNetwork& network,
                      const fs::path& path) { unlocked([&] { return network.save(path); }); })
      .def("execute", execute);
  m.def("compile_networks", compile);
  m.def("load_binary", [](const fs::path& path) {
    return std::const_pointer_cast<CompiledNetwork>(unlocked([&] { return CompiledNetwork::load(path); }));
  });
}

// ---- Simulation ----

// What _simulate.py asks; values of options are JSON.
struct SimulationQuestion {
  std::vector<std::string> socs;
  std::vector<std::string> precisions;
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<std::pair<std::string, std::vector<std::string>>> sweeps;
  std::vector<std::string> shape_words;  // options of shape_options() and --image_layout
  std::optional<fs::path> config;
  std::string clients;
  std::string level;
  std::string perf_profile;
  bool explain = false;
  bool shapes_only = false;
};

SimulationQuestion question_from(const py::dict& asked) {
  SimulationQuestion question;
  const auto take = [&]<class Value>(const char* name, Value& value) { value = asked[name].cast<Value>(); };
  take("socs", question.socs);
  take("precisions", question.precisions);
  take("options", question.options);
  take("sweeps", question.sweeps);
  take("shape_words", question.shape_words);
  take("config", question.config);
  take("clients", question.clients);
  take("level", question.level);
  take("perf_profile", question.perf_profile);
  take("explain", question.explain);
  take("shapes_only", question.shapes_only);
  return question;
}

Result<std::vector<tools::Choices>> asked_combinations(const SimulationQuestion& question) {
  tools::Choices fixed;
  for (const auto& [name, value] : question.options) {
    fixed.push_back({name, tools::value_from(value)});
    if (Status known = tools::check_choice(fixed.back()); !known) {
      Diagnostic refusal = std::move(known).error();
      refusal.where = {"options"};
      return refusal;
    }
  }
  std::vector<tools::Sweep> sweeps;
  for (const auto& [name, values] : question.sweeps) {
    for (const tools::Choice& choice : fixed)
      if (choice.option == name)
        return invalid("option-value", concat("'", name, "' is among the options, and swept as well"))
            .at("sweep")
            .fix_by("leave it out of one of them");
    tools::Sweep& sweep = sweeps.emplace_back(tools::Sweep{name, {}});
    for (const std::string& value : values) sweep.values.push_back(tools::value_from(value));
    OPENQNN_TRY(tools::check_sweep(sweep));
  }
  OPENQNN_ASSIGN(std::vector<tools::Choices> all, tools::combinations(sweeps));
  for (tools::Choices& choices : all) choices.insert(choices.begin(), fixed.begin(), fixed.end());
  return all;
}

// As the command line has them, so that they are checked as there.
Result<tools::Args> shape_arguments(const std::vector<std::string>& words) {
  tools::CommandSpec spec{.name = "simulate", .summary = {}, .details = {}};
  spec.options = tools::shape_options();
  spec.options.push_back(tools::image_layout_option());
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  auto parsed = tools::parse(spec, arguments);
  if (const auto* const wrong = std::get_if<std::string>(&parsed)) return invalid("option-value", *wrong);
  tools::Args args = std::get<tools::Args>(std::move(parsed));
  OPENQNN_TRY(tools::check_model_options(args));
  return args;
}

Result<std::string> answer_to(const fs::path& path, const SimulationQuestion& question) {
  tools::ModelRequest request;
  OPENQNN_ASSIGN(request.combinations, asked_combinations(question));
  OPENQNN_ASSIGN(request.clients, tools::clients_from(question.clients));
  OPENQNN_ASSIGN(request.conditions.level, tools::simulation_level(question.level));
  request.conditions.perf_profile = question.perf_profile;
  OPENQNN_ASSIGN(const tools::Args shapes, shape_arguments(question.shape_words));
  OPENQNN_ASSIGN(const tools::Images images, tools::images_from(shapes));
  std::optional<tools::GraphConfig> file;
  if (question.config) {
    OPENQNN_ASSIGN(file, tools::GraphConfig::read(question.config->string(), std::nullopt));
    request.file = &*file;
  }
  OPENQNN_ASSIGN(request.parts, tools::parts_for(question.socs, request.file));
  OPENQNN_ASSIGN(
      const tools::FloatModel model,
      tools::load_unrun_model(path, shapes, images,
                              question.shapes_only ? tools::Weights::kUnread : tools::Weights::kRead));
  request.notes = model.notes;
  const bool is_stored = tools::is_quantized(model.graph.graph);
  if (is_stored && !question.precisions.empty())
    return invalid("option-value", "the model in this file is quantized already")
        .at("precision")
        .fix_by("leave it out, or give the float model");
  const std::vector<std::string> unsaid = {std::string(tools::kDefaultPrecision)};
  if (!is_stored)
    for (const std::string& name : question.precisions.empty() ? unsaid : question.precisions) {
      OPENQNN_ASSIGN(request.precisions.emplace_back(), tools::simulated_precision(name));
    }
  OPENQNN_ASSIGN(const tools::SimulatedResults results, tools::simulate_model(model, request));
  return tools::simulation_json(results, question.explain);
}

// What the command line calls --soc is the argument soc here; shapes are given where a model is converted.
Result<std::string> in_python_words(Result<std::string> answer) {
  if (answer.ok()) return answer;
  Diagnostic refusal = std::move(answer).error();
  if (refusal.where.object.starts_with("--")) refusal.where.object.erase(0, 2);
  if (refusal.code == "onnx-input-dims")
    refusal.fix = "save qairt.convert(MODEL, input_shapes=...) as a .dlc, and give that";
  return refusal;
}

// Answers the JSON of `openqnn simulate`.
std::string simulate_model(const fs::path& path, const py::dict& asked) {
  const SimulationQuestion question = question_from(asked);
  return unlocked([&] { return in_python_words(answer_to(path, question)); });
}

// ---- Advice ----

// Empty texts are what is not said. Answers the JSON of `openqnn advise`.
std::string advise_on(const fs::path& path, const std::string& soc, const std::string& precision,
                      const std::optional<fs::path>& config, const std::string& graph, bool use_mmap) {
  const auto answer = [&]() -> Result<std::string> {
    tools::AdviceRequest request;
    request.model = path;
    request.soc = soc;
    request.precision = precision;
    if (config) request.config = config->string();
    request.graph = graph;
    request.maps_binaries = use_mmap;
    OPENQNN_ASSIGN(const advise::Advice advice, tools::advice_on(request));
    return advise::advice_json(advice);
  };
  return unlocked([&] { return in_python_words(answer()); });
}

}  // namespace

void bind_network(py::module_& m) {
  m.def("simulate_model", simulate_model);
  m.def("advise_on", advise_on);
  m.def("set_model_error", [](const py::object& type) { model_error_class() = type.inc_ref().ptr(); });
  bind_tensors(m);
  bind_networks(m);
  bind_compiled(m);
}

}  // namespace openqnn::python
