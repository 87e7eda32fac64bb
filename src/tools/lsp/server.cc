// SPDX-License-Identifier: BSD-3-Clause
// Messages and their life cycle; handlers.cc has what they do.
#include "tools/lsp/server.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"

namespace openqnn::tools::lsp {
namespace {

bool is_id(const Value& id) { return id.kind() == Value::Kind::kNumber || id.kind() == Value::Kind::kString; }

}  // namespace

void Server::take(const Frame& frame) {
  if (exit_code_) return;
  switch (frame.state) {
    case Frame::State::kMessage:
      return message(frame.content);
    case Frame::State::kTooLarge:
      return send_error({}, kInvalidRequest, frame.content);
    case Frame::State::kBroken:
      send_error({}, kParseError, frame.content);
      exit_code_ = 1;
      return;
  }
}

void Server::message(std::string_view content) {
  const auto parsed = json::parse(content, "message");
  if (!parsed) return send_error({}, kParseError, parsed.error().message);
  const Value& id = at(*parsed, {"id"});
  const Value& method = at(*parsed, {"method"});
  if (method.kind() != Value::Kind::kString) {
    const bool is_response =
        is_id(id) && (parsed->find("result") != nullptr || parsed->find("error") != nullptr);
    if (!is_response) send_error(is_id(id) ? id : Value(), kInvalidRequest, "a message must have a method");
    return;
  }
  if (parsed->find("id") == nullptr) return notification(method.as_string(), at(*parsed, {"params"}));
  if (!is_id(id)) return send_error({}, kInvalidRequest, "the id of a request must be a number or a string");
  request(id, method.as_string(), at(*parsed, {"params"}));
}

void Server::request(const Value& id, std::string_view method, const Value& params) {
  if (state_ == State::kNew && method != "initialize")
    return send_error(id, kServerNotInitialized, "the first request must be initialize");
  if (state_ == State::kShutDown)
    return send_error(id, kInvalidRequest, "after shutdown only exit may follow");
  const Answer found = answer(method, params);
  if (!found) return send_error(id, found.error().code, found.error().message);
  send_(json::write(object({{"jsonrpc", text("2.0")}, {"id", id}, {"result", *found}}), {.indent = -1}));
  if (!complaint_.empty()) show_message(MessageType::kError, std::exchange(complaint_, {}));
}

Answer Server::answer(std::string_view method, const Value& params) {
  struct Handler {
    std::string_view method;
    Answer (Server::*handle)(const Value& params);
  };
  static constexpr Handler kHandlers[] = {
      {"initialize", &Server::initialize},
      {"shutdown", &Server::shut_down},
      {"textDocument/hover", &Server::hover},
      {"textDocument/completion", &Server::completion},
      {"textDocument/codeAction", &Server::code_action},
      {"textDocument/formatting", &Server::formatting},
      {"textDocument/documentSymbol", &Server::document_symbol},
  };
  const auto* const found = std::ranges::find(kHandlers, method, &Handler::method);
  if (found == std::end(kHandlers)) return RpcError{kMethodNotFound, "there is no such method"};
  return (this->*found->handle)(params);
}

// What is unknown or comes at the wrong time is left alone: a notification has no answer.
void Server::notification(std::string_view method, const Value& params) {
  struct Handler {
    std::string_view method;
    void (Server::*handle)(const Value& params);
  };
  static constexpr Handler kHandlers[] = {
      {"textDocument/didOpen", &Server::did_open},
      {"textDocument/didChange", &Server::did_change},
      {"textDocument/didSave", &Server::did_save},
      {"textDocument/didClose", &Server::did_close},
      {"workspace/didChangeConfiguration", &Server::did_change_configuration},
  };
  if (method == "exit") return exit(params);
  if (state_ != State::kRunning) return;
  for (const Handler& handler : kHandlers) {
    if (handler.method == method) return (this->*handler.handle)(params);
  }
}

void Server::send_error(const Value& id, int64_t code, std::string_view message) {
  const Value error = object({{"code", number(code)}, {"message", text(message)}});
  send_(json::write(object({{"jsonrpc", text("2.0")}, {"id", id}, {"error", error}}), {.indent = -1}));
}

void Server::notify(std::string_view method, Value params) {
  send_(
      json::write(object({{"jsonrpc", text("2.0")}, {"method", text(method)}, {"params", std::move(params)}}),
                  {.indent = -1}));
}

void Server::show_message(MessageType type, std::string_view message) {
  notify("window/showMessage",
         object({{"type", number(static_cast<int64_t>(type))}, {"message", text(message)}}));
}

void Server::idle() {
  for (const std::string& uri : std::exchange(changed_, {})) {
    if (OpenDocument* document = documents_.find(uri)) publish(*document);
  }
}

}  // namespace openqnn::tools::lsp
