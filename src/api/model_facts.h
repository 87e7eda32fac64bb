// SPDX-License-Identifier: BSD-3-Clause
// What is known of a model beside its graph, on its way through the C API (own_options.h): JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "frontend/dlc/dlc.h"
#include "prepare/prepare.h"

namespace openqnn::api {

prepare::ModelFacts facts_of(const frontend::DlcGraph& graph);

std::string text_of(const prepare::ModelFacts& facts);
Result<prepare::ModelFacts> facts_from(std::string_view text);

}  // namespace openqnn::api
