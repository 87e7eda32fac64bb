// SPDX-License-Identifier: BSD-3-Clause
// NAME_htp.json: the ops of a run and what connects them, in the layout of a converter's NAME_net.json, which
// Netron opens. Each op has what the run tells of it among its parameters.
#pragma once

#include <span>
#include <string>

#include "profile/report.h"

namespace openqnn::profile {

std::string htp_json(std::span<const RunView> runs, const Traceback& traceback);

}  // namespace openqnn::profile
