// SPDX-License-Identifier: BSD-3-Clause
// The server: takes messages, answers through a function, and keeps the open documents. It knows no stream,
// so that tests and fuzzers can talk to it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tools/lsp/document.h"
#include "tools/lsp/framing.h"
#include "tools/lsp/protocol.h"

namespace openqnn::tools::lsp {

struct RpcError {
  int64_t code;
  std::string message;
};
using Answer = Result<Value, RpcError>;

class Server {
 public:
  using Send = std::function<void(std::string_view message)>;  // JSON, not framed

  Server(std::string version, Send send) : version_(std::move(version)), send_(std::move(send)) {}

  void take(const Frame& frame);
  // Nothing more waits to be read: now is the time for diagnostics of what changed. A client that types fast
  // gets those of the last state only.
  void idle();
  // Once the client said `exit`, or the stream cannot be followed any more.
  std::optional<int> exit_code() const { return exit_code_; }
  // Of a stream that ends without `exit`.
  int exit_code_at_end() const { return state_ == State::kShutDown ? 0 : 1; }

 private:
  enum class State : uint8_t { kNew, kRunning, kShutDown };
  enum class MessageType : uint8_t { kError = 1, kWarning = 2 };  // the protocol's numbers

  // Messages
  void message(std::string_view content);
  void request(const Value& id, std::string_view method, const Value& params);
  void notification(std::string_view method, const Value& params);
  void send_error(const Value& id, int64_t code, std::string_view message);
  void notify(std::string_view method, Value params);
  void show_message(MessageType type, std::string_view message);

  // Requests
  Answer answer(std::string_view method, const Value& params);
  Answer initialize(const Value& params);
  Answer shut_down(const Value& params);
  Answer hover(const Value& params);
  Answer completion(const Value& params);
  Answer code_action(const Value& params);
  Answer formatting(const Value& params);
  Answer document_symbol(const Value& params);

  // Notifications
  void did_open(const Value& params);
  void did_change(const Value& params);
  void did_save(const Value& params);
  void did_close(const Value& params);
  void did_change_configuration(const Value& params);
  void exit(const Value& params);

  void set_circumstances(const Value& options);
  void publish(OpenDocument& document);
  void publish_nothing(std::string_view uri);
  void tell_lost(std::string_view uri);

  struct Place {
    const Analysis* analysis;
    Position position;
  };
  Result<const Analysis*, RpcError> analysis_of(const Value& params);  // nullptr: the text is lost
  Result<Place, RpcError> place_of(const Value& params);

  std::string version_;
  Send send_;
  State state_ = State::kNew;
  Settings settings_;
  OpenDocuments documents_;
  std::set<std::string, std::less<>> changed_;  // documents whose diagnostics are due
  std::string complaint_;  // about the settings, to be shown once the client may be talked to
  std::optional<int> exit_code_;
};

}  // namespace openqnn::tools::lsp
