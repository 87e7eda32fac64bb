// SPDX-License-Identifier: BSD-3-Clause
// Python's CompileConfig, with the HTP configuration that its fields make.
#include "config/rules/common.h"
#include "config/soc_details.h"
#include "soc/nearest.h"

namespace openqnn::config {
namespace {

std::optional<Record> compile_config(const Subject& subject) {
  const Config* config = subject.of(Kind::kCompile);
  return config != nullptr ? std::optional(config->root()) : std::nullopt;
}

std::vector<SocDetails> soc_details(const Record& compile) {
  const auto spec = compile.text("soc_details");
  if (!spec) return {};
  auto details = parse_soc_details(*spec);
  return details ? *std::move(details) : std::vector<SocDetails>();
}

std::vector<Record> device_configs(const Subject& subject, const Record& compile) {
  const auto& devices = subject.devices();
  return devices.empty() ? compile.records("device_custom_configs") : devices;
}

void soc_details_ignored(const Subject& subject, Report& report) {
  const auto compile = compile_config(subject);
  if (!compile || !compile->has("soc_details")) return;
  const auto devices = device_configs(subject, *compile);
  const auto details = soc_details(*compile);
  if (devices.empty() || details.empty()) return;
  const auto wanted = details.front().resolve();
  const auto named = std::ranges::find_if(devices, [](const Record& d) { return bool(soc_number(d)); });
  const bool no_soc = named == devices.end();
  if (!no_soc && wanted && wanted->soc_model && *soc_number(*named) == *wanted->soc_model)
    return;  // the same part
  report.at(*compile, "soc_details",
            concat("soc_details is ignored, because device configurations are set",
                   no_soc ? "; they name no SoC, so none is left" : "; they name another SoC"),
            no_soc && wanted && wanted->soc_model
                ? concat("set soc_model=", *wanted->soc_model, " in the HtpDeviceConfig")
                : "keep one of the two");
}

void soc_details_mismatch(const Subject& subject, Report& report) {
  const auto compile = compile_config(subject);
  if (!compile) return;
  for (const SocDetails& details : soc_details(*compile)) {
    const auto part = details.resolve();
    if (!part) continue;
    const auto arch = soc::arch_number(details.dsp_arch.value_or(""));
    const bool other_arch = arch && part->arch && *arch != *part->arch;
    const bool other_model = details.soc_model && part->soc_model && *details.soc_model != *part->soc_model;
    if (!other_arch && !other_model) continue;
    report.at(*compile, "soc_details",
              concat(part->chipset, " has ",
                     other_arch ? concat("v", *part->arch, ", not v", *arch)
                                : concat("SoC model ", *part->soc_model, ", not ", *details.soc_model)),
              "chipset alone is enough");
  }
}

void soc_details_unknown(const Subject& subject, Report& report) {
  const auto compile = compile_config(subject);
  const auto socs = soc::all_socs();
  if (!compile || !socs) return;
  for (const SocDetails& details : soc_details(*compile)) {
    if (!details.chipset || details.resolve()) continue;
    const auto near = soc::nearest_chipsets(*socs, *details.chipset, 3);
    report.at(*compile, "soc_details", concat("no part is known that is called '", *details.chipset, "'"),
              concat("did you mean ", quoted_list({near.begin(), near.end()}), "?"));
  }
}

void soc_details_sharing(const Subject& subject, Report& report) {
  const auto compile = compile_config(subject);
  if (!compile) return;
  const bool sharing =
      weight_sharing(subject) || any_on(compile->records("context_custom_configs"), "weight_sharing_enabled");
  const size_t parts = soc_details(*compile).size();
  if (!sharing || parts < 2) return;
  report.at(*compile, "soc_details",
            concat("weights are shared for one part only; soc_details names ", parts),
            "compile once for each part");
}

bool is_htp(std::string_view backend) {
  return backend == "HTP" || backend == "htp" || backend == "BackendType.HTP";
}

void compile_backend(const Subject& subject, Report& report) {
  const auto compile = compile_config(subject);
  if (!compile) return;
  const auto backend = compile->text("backend");
  if (!backend || is_htp(*backend) || (*backend).find("MCP") != std::string_view::npos) return;
  const bool has_htp = subject.of(Kind::kHtp) != nullptr && !subject.of(Kind::kHtp)->tree.as_object().empty();
  const bool has_fields = compile->has("graph_custom_configs") || compile->has("device_custom_configs") ||
                          compile->has("context_custom_configs");
  if (!has_htp && !has_fields) return;
  report.at(*compile, "backend",
            concat("HTP configurations are set for the backend '", *backend, "', which has none"),
            "set the backend to HTP, or remove them");
}

void aic_options_ignored(const Subject& subject, Report& report) {
  const auto compile = compile_config(subject);
  if (!compile || !compile->has("compiler_custom_configs") || !is_htp(compile->text("backend").or_else("")))
    return;
  report.at(*compile, "compiler_custom_configs",
            "compiler_custom_configs is for the AIC backend; HTP ignores it", "remove it");
}

constexpr std::string_view kHtpWithoutSoc = R"({"devices": [{"pd_session": "unsigned"}]})";

constexpr RuleDef kCompileRules[] = {
    {
        .code = "soc-details-ignored",
        .about = {"soc_details"},
        .title = "The part in soc_details is ignored.",
        .why = "As soon as a device configuration is set, soc_details does not count; when the device names "
               "no SoC, none is left, and the binary is prepared for a default part.",
        .instead = "Set soc_model in the device configuration, or leave the device configuration out.",
        .source =
            "Python reference: soc_details is ignored if any device configurations are set. The guide's own "
            "listing sets both.",
        .bad = {.text = R"({"backend": "HTP", "soc_details": "chipset:SM8750"})", .inner = kHtpWithoutSoc},
        .good = {.text = R"({"backend": "HTP", "soc_details": "chipset:SM8750"})",
                 .inner = R"({"devices": [{"soc_model": 69}]})"},
        .find = soc_details_ignored,
    },
    {
        .code = "soc-details-mismatch",
        .about = {"soc_details"},
        .severity = Severity::kError,
        .title = "The entries of soc_details contradict each other.",
        .why = "Chipset, SoC model and architecture belong together; which one counts otherwise is not "
               "documented.",
        .instead = "Give the chipset alone.",
        .source = "Python reference: the spec string takes chipset, dsp_arch and soc_model.",
        .bad = {.text = R"({"backend": "HTP", "soc_details": "chipset:SM8550;dsp_arch:v75"})"},
        .good = {.text = R"({"backend": "HTP", "soc_details": "chipset:SM8550;dsp_arch:v73;soc_model:43"})"},
        .find = soc_details_mismatch,
    },
    {
        .code = "soc-details-unknown",
        .about = {"soc_details"},
        .title = "No known part has the chipset of soc_details.",
        .why = "An unknown name cannot be turned into a SoC model, and compiling fails or takes a default.",
        .instead = "Look the name up with `openqnn soc`.",
        .source =
            "Python reference: soc_details must be resolved before modes such as weight sharing can be set.",
        .bad = {.text = R"({"backend": "HTP", "soc_details": "chipset:SM8756"})"},
        .good = {.text = R"({"backend": "HTP", "soc_details": "chipset:sm8750"})"},
        .find = soc_details_unknown,
    },
    {
        .code = "soc-details-sharing",
        .about = {"soc_details"},
        .severity = Severity::kError,
        .title = "Weights are to be shared across several parts.",
        .why = "Weights are laid out for one part.",
        .instead = "Compile once per part.",
        .source =
            "HTP backend page: sharing across SoCs is not supported. Python reference: soc_details may name "
            "several.",
        .bad = {.text = R"({"backend": "HTP", "soc_details": "chipset:SM8550|chipset:SM8650"})",
                .inner = R"({"context": [{"weight_sharing_enabled": true}]})"},
        .good = {.text = R"({"backend": "HTP", "soc_details": "chipset:SM8550"})",
                 .inner = R"({"context": [{"weight_sharing_enabled": true}]})"},
        .find = soc_details_sharing,
    },
    {
        .code = "compile-backend",
        .about = {"backend"},
        .severity = Severity::kError,
        .title = "HTP configurations are set for another backend.",
        .why = "Graph, device and context configurations exist for HTP and HTP MCP only; other backends take "
               "none.",
        .instead = "Set the backend to HTP, or remove the configurations.",
        .source = "Python reference: only HTP and HTP MCP options are supported in these fields.",
        .bad = {.text = R"({"backend": "LPAI"})", .inner = R"({"devices": [{"soc_model": 69}]})"},
        .good = {.text = R"({"backend": "HTP"})", .inner = R"({"devices": [{"soc_model": 69}]})"},
        .find = compile_backend,
    },
    {
        .code = "aic-options-ignored",
        .about = {"compiler_custom_configs"},
        .title = "Options of the AIC compiler are set for HTP.",
        .why = "HTP does not read them.",
        .instead = "Remove them; options of HTP graphs are in graph_custom_configs.",
        .source = "Python reference: compiler_custom_configs is only applicable to the AIC backend.",
        .bad = {.text = R"({"backend": "HTP", "compiler_custom_configs": {"num_cores": 4}})"},
        .good = {.text = R"({"backend": "AIC", "compiler_custom_configs": {"num_cores": 4}})"},
        .find = aic_options_ignored,
    },
};

}  // namespace

std::span<const RuleDef> compile_rules() { return kCompileRules; }

}  // namespace openqnn::config
