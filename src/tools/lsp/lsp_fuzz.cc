// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as the client's stream: the server must not crash, and every message it sends must be JSON.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tools/lsp/server.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace openqnn::tools::lsp;
  Server server("0", [](std::string_view message) {
    if (!openqnn::json::parse(message, "sent")) std::abort();  // what a fuzzer counts as a finding
  });
  FrameReader reader;
  reader.feed({reinterpret_cast<const char*>(data), size});
  while (const auto frame = reader.next()) server.take(*frame);
  server.idle();
  return 0;
}
