// SPDX-License-Identifier: BSD-3-Clause
// .dlc files, written after docs/dlc.md alone: what is said there must be enough.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "model.h"

namespace conformance {

// An archive of stored entries.
Bytes zip_of(const std::vector<std::pair<std::string, std::string>>& entries);

// Two graphs, "first" and "second": y = relu(x + bias), x and y of 2 x 4 numbers. Its ops were "source_add"
// and "source_relu" in a model's file, x was "source_x".
inline constexpr float kDlcBias[] = {0.5F, -1.0F, 0.25F, 2.0F};
Bytes sample_dlc();

// What the vendor's files of the same name look like from outside.
Bytes vendors_dlc();

// As the System library takes a file.
inline const uint8_t* octets(const Bytes& bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

}  // namespace conformance
