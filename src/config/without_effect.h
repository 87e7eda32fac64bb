// SPDX-License-Identifier: BSD-3-Clause
// Why an option changes nothing on the modelled device: said by the option tables and by the backend's log.
#pragma once

namespace openqnn::config::without_effect {

inline constexpr const char* kMonolithicLstm = "Lstm is always one op";
inline constexpr const char* kAssumeSameQuant = "every encoding is computed as it is given";
inline constexpr const char* kFinalizeConfig = "the search is the same for all points";
inline constexpr const char* kShareIoBuffer = "inputs and outputs are used in the client's buffers";
inline constexpr const char* kSparseWeights = "the matrix unit's way to read sparse weights is not modelled";
inline constexpr const char* kExtendedUdma = "the device's addresses are not modelled";

}  // namespace openqnn::config::without_effect
