// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/report.h"

#include "api/cxx/impl.h"
#include "base/text.h"
#include "openqnn/version.h"
#include "profile/page/page.h"
#include "profile/report.h"
#include "profile/viewer_reports.h"

namespace openqnn {
namespace {

profile::qhas::Model model_of(const Simulation& simulation, const std::string& model) {
  const Simulation::Impl& made = Inside::of(simulation);
  return profile::qhas::qhas_model_of(made.program, made.timeline,
                                      {model, made.prepared_for, made.assumptions, nullptr, &made.power});
}

Expected<void> write_text(const std::filesystem::path& path, std::string_view text) {
  const Status status = write_file(path, text);
  if (!status) return to_error(status.error(), path.string());
  return {};
}

}  // namespace

std::string op_table(const Simulation& simulation) {
  return profile::op_table(Inside::of(simulation).program, Inside::of(simulation).timeline);
}

std::string analysis_json(const Simulation& simulation, const std::string& model) {
  return profile::qhas::qhas_json(model_of(simulation, model));
}

std::string analysis_page(const Simulation& simulation, const std::string& model) {
  return profile::qhas_page(model_of(simulation, model), concat("openqnn ", version()));
}

std::string analysis_schema() { return std::string(profile::qhas::qhas_schema()); }

std::string linting_text(const Simulation& simulation) {
  const Simulation::Impl& made = Inside::of(simulation);
  return profile::linting_text(made.program, made.timeline, {.power_up = made.power.power_up});
}

std::string chrometrace(const Simulation& simulation) {
  return profile::chrometrace(Inside::of(simulation).program, Inside::of(simulation).timeline);
}

Expected<void> write_chrometrace(const Simulation& simulation, const std::filesystem::path& path) {
  return write_text(path, chrometrace(simulation));
}

Expected<void> write_analysis_page(const Simulation& simulation, const std::filesystem::path& path,
                                   const std::string& model) {
  return write_text(path, analysis_page(simulation, model));
}

}  // namespace openqnn
