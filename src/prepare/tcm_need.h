// SPDX-License-Identifier: BSD-3-Clause
// What the documents say that an op needs in VTCM at least ("TCM fit" of the network-design pages).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/log.h"
#include "base/result.h"
#include "ops/op.h"
#include "program/program.h"
#include "soc/target.h"

namespace openqnn::prepare {

// Bytes, by the documents' formulas from the rounded width, depth and window; 0 where they have none.
uint64_t tcm_need(std::string_view type, const ops::OpCall& call);

// An average or a maximum over whole images.
bool is_global_pool(std::string_view type, const ops::OpCall& call);

// An op that takes all of its data at once, and needs more than is granted, is refused where a part is named,
// as the device's compiler refuses it. Of others the log tells: by the formulas they do not fit, but devices
// have run convolutions that do not (fcn_resnet50 on QCS6490), and here they are cut across their width.
Status check_tcm(const program::Program& program, const soc::Target& target, const Logger& log);

}  // namespace openqnn::prepare
