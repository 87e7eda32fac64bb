// SPDX-License-Identifier: BSD-3-Clause
// What the server does for each method.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "tools/lsp/features.h"
#include "tools/lsp/server.h"

namespace openqnn::tools::lsp {
namespace {

const Value& uri_of(const Value& params) { return at(params, {"textDocument", "uri"}); }

int64_t version_of(const Value& params) {
  return at(params, {"textDocument", "version"}).as_int64().value_or(0);
}

std::vector<TextChange> read_changes(const Value& params) {
  std::vector<TextChange> changes;
  for (const Value& change : at(params, {"contentChanges"}).as_array()) {
    const Value& replacement = at(change, {"text"});
    if (replacement.kind() != Value::Kind::kString) continue;
    changes.push_back({read_range(at(change, {"range"})), std::string(replacement.as_string())});
  }
  return changes;
}

}  // namespace

// ---- Requests ----

Answer Server::initialize(const Value& params) {
  if (state_ != State::kNew) return RpcError{kInvalidRequest, "initialize comes only once"};
  state_ = State::kRunning;
  read_capabilities(params, settings_);
  set_circumstances(at(params, {"initializationOptions"}));
  return object({{"capabilities", server_capabilities(settings_)},
                 {"serverInfo", object({{"name", text("openqnn")}, {"version", text(version_)}})}});
}

Answer Server::shut_down(const Value& /*params*/) {
  state_ = State::kShutDown;
  return Value();
}

Answer Server::hover(const Value& params) {
  OPENQNN_ASSIGN(const Place place, place_of(params));
  if (place.analysis == nullptr) return Value();
  return lsp::hover(*place.analysis, settings_, place.position);
}

Answer Server::completion(const Value& params) {
  OPENQNN_ASSIGN(const Place place, place_of(params));
  if (place.analysis == nullptr) return Value();
  return lsp::completion(*place.analysis, settings_, place.position);
}

Answer Server::code_action(const Value& params) {
  OPENQNN_ASSIGN(const Analysis* const analysis, analysis_of(params));
  const auto range = read_range(at(params, {"range"}));
  if (!range) return RpcError{kInvalidParams, "range is missing"};
  if (analysis == nullptr) return Value();
  return code_actions(*analysis, settings_,
                      {uri_of(params).as_string(), *range, &at(params, {"context", "only"})});
}

Answer Server::formatting(const Value& params) {
  OPENQNN_ASSIGN(const Analysis* const analysis, analysis_of(params));
  if (analysis == nullptr) return Value();
  const int64_t width = at(params, {"options", "tabSize"}).as_int64().value_or(2);
  return format_edits(*analysis, static_cast<uint32_t>(std::clamp<int64_t>(width, 1, 8)));
}

Answer Server::document_symbol(const Value& params) {
  OPENQNN_ASSIGN(const Analysis* const analysis, analysis_of(params));
  if (analysis == nullptr) return Value();
  return symbols(*analysis, settings_, uri_of(params).as_string());
}

// ---- Notifications ----

void Server::did_open(const Value& params) {
  const Value& content = at(params, {"textDocument", "text"});
  const Value& uri = uri_of(params);
  if (uri.kind() != Value::Kind::kString || content.kind() != Value::Kind::kString) return;
  const std::string name(uri.as_string());
  const OpenDocument* document = documents_.open(name, version_of(params), std::string(content.as_string()));
  if (document == nullptr || document->lost()) return tell_lost(name);
  changed_.insert(name);
}

void Server::did_change(const Value& params) {
  OpenDocument* document = documents_.find(uri_of(params).as_string());
  if (document == nullptr) return;
  const bool was_lost = document->lost();
  const bool followed = document->change(version_of(params), read_changes(params), settings_.encoding);
  const bool too_much = documents_.lose_if_too_much(*document);
  if (followed && !too_much) {
    changed_.insert(document->uri());
  } else if (!was_lost) {
    tell_lost(document->uri());
  }
}

void Server::did_save(const Value& params) {
  const OpenDocument* document = documents_.find(uri_of(params).as_string());
  if (document != nullptr && !document->lost()) changed_.insert(document->uri());
}

void Server::did_close(const Value& params) {
  const std::string_view uri = uri_of(params).as_string();
  if (documents_.find(uri) == nullptr) return;
  documents_.close(uri);
  publish_nothing(uri);
}

void Server::did_change_configuration(const Value& params) {
  const Value& options = at(params, {"settings"});
  if (options.kind() != Value::Kind::kObject) return;  // clients that want to be asked send null
  set_circumstances(options);
  if (!complaint_.empty()) show_message(MessageType::kError, std::exchange(complaint_, {}));
  documents_.forget_analyses();
  for (const auto& [uri, document] : documents_.all()) {
    if (!document.lost()) changed_.insert(uri);
  }
}

void Server::exit(const Value& /*params*/) { exit_code_ = exit_code_at_end(); }

// ---- What they have in common ----

// A mistake in the settings leaves those from before.
void Server::set_circumstances(const Value& options) {
  auto found = read_circumstances(options);
  if (found) {
    settings_.circumstances = std::move(*found);
  } else {
    complaint_ = concat("openqnn settings: ", found.error().message, "; ", found.error().fix);
  }
}

void Server::publish(OpenDocument& document) {
  if (document.lost()) return;
  notify("textDocument/publishDiagnostics",
         object({{"uri", text(document.uri())},
                 {"version", number(document.version())},
                 {"diagnostics", diagnostics(documents_.analysis(document, settings_))}}));
}

void Server::publish_nothing(std::string_view uri) {
  notify("textDocument/publishDiagnostics",
         object({{"uri", text(uri)}, {"diagnostics", Value::of(json::Array{})}}));
}

void Server::tell_lost(std::string_view uri) {
  publish_nothing(uri);
  show_message(MessageType::kWarning,
               concat("openqnn does not follow ", uri, " any more: a text may have ", kLargestDocument >> 20,
                      " MiB, all open ones together ", kMostOpenBytes >> 20, " MiB"));
}

Result<const Analysis*, RpcError> Server::analysis_of(const Value& params) {
  OpenDocument* document = documents_.find(uri_of(params).as_string());
  if (document == nullptr) return RpcError{kInvalidParams, "the document is not open"};
  if (document->lost()) return nullptr;
  return &documents_.analysis(*document, settings_);
}

Result<Server::Place, RpcError> Server::place_of(const Value& params) {
  OPENQNN_ASSIGN(const Analysis* const analysis, analysis_of(params));
  const auto position = read_position(at(params, {"position"}));
  if (!position) return RpcError{kInvalidParams, "position is missing"};
  return Place{analysis, *position};
}

}  // namespace openqnn::tools::lsp
