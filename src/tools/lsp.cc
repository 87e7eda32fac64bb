// SPDX-License-Identifier: BSD-3-Clause
// openqnn lsp: the language server on standard input and output. What it says is in lsp/.
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>

#include "openqnn/version.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/lsp/server.h"

namespace openqnn::tools {
namespace {

// Whether something can be read without waiting.
bool input_waits() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return poll(&input, 1, 0) > 0 && (input.revents & POLLIN) != 0;
}

// What there is to read, at least a byte; nothing at the end.
std::string_view read_some(std::array<char, 64 * 1024>& buffer) {
  ssize_t count = 0;
  do {
    count = read(STDIN_FILENO, buffer.data(), buffer.size());
  } while (count < 0 && errno == EINTR);
  return {buffer.data(), count > 0 ? static_cast<size_t>(count) : 0};
}

void send(std::string_view message) {
  print(lsp::framed(message));
  std::fflush(stdout);
}

int run_lsp(const Args& /*args*/) {
  lsp::FrameReader reader;
  lsp::Server server(std::string(version()), send);
  std::array<char, 64 * 1024> buffer;
  for (std::string_view bytes = read_some(buffer); !bytes.empty(); bytes = read_some(buffer)) {
    reader.feed(bytes);
    while (const auto frame = reader.next()) {
      server.take(*frame);
      if (const auto code = server.exit_code()) return *code;
    }
    if (!input_waits()) server.idle();
    if (!stdout_is_sound()) return kFailed;  // nobody listens any more
  }
  return server.exit_code_at_end();
}

}  // namespace

Command lsp_command() {
  return {
      .spec = {.name = "lsp",
               .summary = "Serve editors: findings, help, completion and fixes while a file is written",
               .details = R"(
A language server (LSP 3.17) for the configuration files of QNN tools, on standard input and
output. An editor starts it; docs/editors.md says how. Findings are those of `openqnn check`,
help that of `openqnn explain`.

What the files are for is told in the client's initializationOptions or settings, e.g.
{"soc": "SM8650", "sdk": "2.36", "tool": "qnn-net-run", "strict": true}; also known are
platform, stage and graphs. It opens no file by itself, and JSON files that have no key of a
QNN file get no findings.

The exit status is 0 when the client said shutdown before it left, else 1.)",
               .options = {{"--stdio", "", "for clients that insist on saying it: there is no other way"}},
               .examples = {"openqnn lsp"}},
      .run = run_lsp};
}

}  // namespace openqnn::tools
