// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/power.h"

#include <utility>

#include "base/text.h"

namespace openqnn::tools {

Result<std::unique_ptr<PowerVotes>> PowerVotes::cast(const BackendLibrary& backend,
                                                     const Extension* extension, const std::string& profile) {
  std::unique_ptr<PowerVotes> votes(new PowerVotes);
  if (extension != nullptr) {
    votes->extension_ = extension;
    OPENQNN_TRY(extension->vote(backend));
    return votes;
  }
  if (profile.empty()) return votes;
  CoreVotes core;
  core.profile = profile;
  OPENQNN_ASSIGN(std::vector<PowerConfig> configs, power_configs(core));
  OPENQNN_TRY(backend.check(votes->own_.cast(backend.api(), core, std::move(configs)),
                            concat("setPowerConfig for the profile '", profile, "'")));
  return votes;
}

PowerVotes::~PowerVotes() {
  if (extension_ != nullptr) extension_->end_votes();
}

}  // namespace openqnn::tools
