// SPDX-License-Identifier: BSD-3-Clause
// What `openqnn profile` says of one run: as text for people, as JSON lines for programs.
#pragma once

#include <cstddef>
#include <string>

#include "profile/qhas/model.h"

namespace openqnn::tools {

using ProfileModel = profile::qhas::Model;

// What was assumed of the run, a line each, to stand below any text about it.
std::string assumed_text(const ProfileModel& model);

std::string summary_text(const ProfileModel& model, size_t most);
std::string summary_lines(const ProfileModel& model);

// The ops that matter most, why each takes as long as it does, and what would help.
std::string explain_text(const ProfileModel& model, size_t most);
std::string explain_lines(const ProfileModel& model, size_t most);

std::string memory_text_of(const ProfileModel& model, size_t most);
std::string memory_lines(const ProfileModel& model);

std::string power_text(const ProfileModel& model);
std::string power_lines(const ProfileModel& model);

// Tables for spreadsheets: one line an op.
std::string ops_csv(const ProfileModel& model);
std::string htp_ops_csv(const ProfileModel& model);
// Everything, one object a line, each with its "record".
std::string all_lines(const ProfileModel& model);

}  // namespace openqnn::tools
