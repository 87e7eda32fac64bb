// SPDX-License-Identifier: BSD-3-Clause
#include "model/findings.h"

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "config/check.h"
#include "config/follow.h"
#include "config/input_list.h"
#include "config/op_packages.h"
#include "config/soc_details.h"
#include "model/file.h"
#include "model/values.h"

namespace openqnn::python {
namespace {

using config::Circumstances;
using config::Finding;
using Text = std::optional<std::string>;

template <class T>
T value_or_raise(Result<T> result) {
  if (!result) raise_value_error(result.error().to_string());
  return *std::move(result);
}

Circumstances circumstances(const Text& tool, const Text& soc, const Text& platform, const Text& sdk,
                            std::optional<std::vector<std::string>> graphs, bool strict) {
  config::CircumstanceNames names;
  names.tool = tool.value_or("");
  names.soc = soc.value_or("");
  names.platform = platform.value_or("");
  names.sdk = sdk.value_or("");
  names.graphs = std::move(graphs);
  names.strict = strict;
  return value_or_raise(config::circumstances_of(names));
}

// As qairt's Finding takes it.
py::dict finding_to_python(const Finding& finding, std::string_view file, const json::LineIndex* lines) {
  py::dict out;
  out["code"] = to_str(finding.code);
  out["severity"] = to_str(severity_name(finding.severity));
  out["message"] = to_str(finding.message);
  out["path"] = to_str(finding.path);
  out["advice"] = to_str(finding.advice);
  out["fix"] = finding.fix ? py::object(to_str(finding.fix->title)) : py::none();
  py::list notes;
  for (const std::string& note : finding.notes) notes.append(to_str(note));
  out["notes"] = py::tuple(notes);
  out["file"] = to_str(file);
  if (lines != nullptr && (!finding.span.empty() || finding.span.begin > 0)) {  // the end of the text, too
    const json::Position position = lines->position(finding.span.begin);
    out["line"] = position.line;
    out["column"] = position.column;
  }
  return out;
}

py::list check_files(const std::vector<std::string>& paths, const Text& tool, const Text& soc,
                     const Text& platform, const Text& sdk, std::optional<std::vector<std::string>> graphs,
                     bool strict) {
  config::CheckOptions options;
  options.circumstances = circumstances(tool, soc, platform, sdk, std::move(graphs), strict);
  const std::vector<config::CheckedFile> files = [&] {
    py::gil_scoped_release release;
    return config::check_files(paths, options);
  }();
  py::list out;
  for (const config::CheckedFile& file : files) {
    const json::LineIndex lines(file.text);
    for (const Finding& finding : file.findings) out.append(finding_to_python(finding, file.name, &lines));
  }
  return out;
}

// Objects have no text; theirs is made for the check, so that findings come in its order.
config::Config config_of(config::Kind kind, const std::string& text) {
  config::Config made;
  made.kind = kind;
  made.tree = value_or_raise(json::parse(text, "the configuration"));
  config::bind(made);
  return made;
}

py::list check_objects(const std::string& htp_text, const std::string& compile_text, const Text& tool,
                       const Text& soc, const Text& platform, const Text& sdk,
                       std::optional<std::vector<std::string>> graphs, bool strict) {
  auto known = circumstances(tool, soc, platform, sdk, std::move(graphs), strict);
  const std::vector<Finding> findings = [&] {
    py::gil_scoped_release release;
    const config::Config htp = config_of(config::Kind::kHtp, htp_text);
    const config::Config compile = config_of(config::Kind::kCompile, compile_text);
    auto found = config::check(config::Subject({&htp, &compile}, std::move(known)));
    for (Finding& finding : found) finding.fix.reset();  // it would edit a text that nobody has
    return found;
  }();
  py::list out;
  for (const Finding& finding : findings) out.append(finding_to_python(finding, "", nullptr));
  return out;
}

// ---- Op packages and input lists ----

py::list op_packages(const std::string& spec) {
  py::list out;
  for (const config::OpPackage& package : value_or_raise(config::parse_op_packages(spec))) {
    py::dict fields;
    fields["path"] = package.path;
    fields["provider"] = package.provider;
    fields["target"] = package.target.empty() ? py::object(py::none()) : py::str(package.target);
    out.append(fields);
  }
  return out;
}

// (layers, tensors, [[(name, path), ...], ...], [line, ...])
py::tuple input_list(const std::string& text, const std::string& source) {
  const config::InputList list = value_or_raise(config::parse_input_list(text, source));
  py::list inferences;
  py::list lines;
  for (const config::Inference& inference : list.inferences) {
    lines.append(inference.line);
    py::list files;
    for (const config::InputFile& file : inference.files) files.append(py::make_tuple(file.name, file.path));
    inferences.append(files);
  }
  return py::make_tuple(list.output_layers, list.output_tensors, inferences, lines);
}

// ---- soc_details ----

template <class T>
py::object or_none(const std::optional<T>& value) {
  return value ? py::cast(*value) : py::none();
}

py::list soc_details(const std::string& spec) {
  py::list out;
  for (const config::SocDetails& part : value_or_raise(config::parse_soc_details(spec))) {
    py::dict details;
    details["chipset"] = or_none(part.chipset);
    details["dsp_arch"] = or_none(part.dsp_arch);
    details["soc_model"] = or_none(part.soc_model);
    details["cores"] = or_none(part.cores);
    out.append(details);
  }
  return out;
}

// (chipset, soc_model, dsp_arch) of the first part that the text names; None when no table knows it.
py::object resolved_part(const std::string& spec) {
  const auto parts = value_or_raise(config::parse_soc_details(spec));
  const auto soc = parts.front().resolve();
  if (!soc || !soc->soc_model || !soc->arch) return py::none();
  return py::make_tuple(soc->chipset, *soc->soc_model, concat("v", *soc->arch));
}

}  // namespace

void bind_findings(py::module_& m) {
  m.def("check_files", &check_files);
  m.def("check_objects", &check_objects);
  m.def("soc_details", &soc_details);
  m.def("op_packages", &op_packages);
  m.def("input_list", &input_list);
  m.def("resolved_part", &resolved_part);
}

}  // namespace openqnn::python
