// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace openqnn::profile {

// Whether `text` is what golden/<name> holds; the answer points at the first line that differs. With
// OPENQNN_UPDATE_GOLDEN=1 it writes the file instead.
testing::AssertionResult matches_golden(std::string_view name, const std::string& text);

}  // namespace openqnn::profile
