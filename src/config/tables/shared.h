// SPDX-License-Identifier: BSD-3-Clause
// What several option tables have in common.
#pragma once

#include "config/option.h"

namespace openqnn::config {

// Graph options: read wherever a graph is prepared.
inline constexpr auto kPreparingTools = set_of(Tool::kNetRun, Tool::kContextBinaryGenerator);
inline constexpr auto kPreparing = set_of(Stage::kOffline, Stage::kOnline);
// Context options: read where a finished binary is loaded.
inline constexpr auto kLoadingTools = set_of(Tool::kNetRun, Tool::kThroughputNetRun);
inline constexpr auto kLoading = set_of(Stage::kLoad);

inline constexpr auto kGeneratorOnly = set_of(Tool::kContextBinaryGenerator);
inline constexpr auto kNetRunOnly = set_of(Tool::kNetRun);
inline constexpr auto kOfflineOnly = set_of(Stage::kOffline);
inline constexpr auto kExecuting = set_of(Stage::kExecute);

// From this SDK on there are profiles for the decode phase of language models.
inline constexpr Sdk kLlmDecodeSdk{2, 48};

inline constexpr std::string_view kDefaultLpaiJson = "\"v6\"";  // of enable_hw_ver
inline constexpr std::string_view kDefaultLpai = kDefaultLpaiJson.substr(1, kDefaultLpaiJson.size() - 2);

inline constexpr size_t kMostSharingGraphs = 64;  // of one context with shared weights

inline constexpr std::string_view kHtpPage = "HTP backend page";
inline constexpr std::string_view kNewerHtpPage = "newer HTP page";
inline constexpr std::string_view kPythonReference = "Python reference";
inline constexpr std::string_view kCApi = "C API";
inline constexpr std::string_view kPublicFiles = "public files";

}  // namespace openqnn::config
