// SPDX-License-Identifier: BSD-3-Clause
// The JSON of the protocol: building it, and reading what a client sent without trusting it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/edit.h"
#include "json/json.h"
#include "tools/lsp/positions.h"

namespace openqnn::tools::lsp {

using json::Value;

// Codes of errors, of JSON-RPC and of the protocol.
inline constexpr int64_t kParseError = -32700;
inline constexpr int64_t kInvalidRequest = -32600;
inline constexpr int64_t kMethodNotFound = -32601;
inline constexpr int64_t kInvalidParams = -32602;
inline constexpr int64_t kServerNotInitialized = -32002;

// ---- Building ----

Value object(std::initializer_list<std::pair<std::string_view, Value>> members);
void add(Value& object, std::string_view key, Value value);
Value number(int64_t value);
Value text(std::string_view value);
Value texts(std::initializer_list<std::string_view> values);

Value range_json(Range range);

// A TextEdit. No position of the protocol is between "\r" and "\n", so an edit that begins or ends there is
// widened.
Value edit_json(std::string_view document, const Lines& lines, json::Edit edit);
// The one edit that turns `before` into `after`, as small as what they begin and end with alike allows.
json::Edit difference(std::string_view before, std::string_view after);

// ---- Reading: anything may be missing or of another type ----

// By keys one below the other: at(params, {"textDocument", "uri"}); null when one is missing.
const Value& at(const Value& value, std::initializer_list<std::string_view> keys);
std::optional<Position> read_position(const Value& value);
std::optional<Range> read_range(const Value& value);
bool lists(const Value& array, std::string_view wanted);  // whether an array of strings has it

}  // namespace openqnn::tools::lsp
