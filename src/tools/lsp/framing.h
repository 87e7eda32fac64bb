// SPDX-License-Identifier: BSD-3-Clause
// Messages on a stream of bytes: "Content-Length: N", further headers, an empty line, N bytes of JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace openqnn::tools::lsp {

inline constexpr uint64_t kLargestMessage = 64u << 20;
inline constexpr size_t kLongestHeader = 8u << 10;  // of all header lines of a message together

struct Frame {
  enum class State : uint8_t {
    kMessage,
    kTooLarge,  // left out; the stream goes on behind it
    kBroken,    // the headers make no sense, so that nothing tells where the next message begins
  };
  State state = State::kMessage;
  std::string content;  // of a message; else what is wrong
};

// Takes bytes as they come and gives messages as they get complete. Keeps no more than one message and what
// was handed in with its end.
class FrameReader {
 public:
  void feed(std::string_view bytes);
  std::optional<Frame> next();  // nothing until more bytes come; after kBroken, nothing ever

 private:
  std::optional<Frame> read_header();
  std::optional<Frame> read_content();
  Frame broken(std::string what);

  std::string buffer_;
  size_t begin_ = 0;                 // of what is not consumed
  std::optional<uint64_t> content_;  // bytes that the message has still to come, once its header is read
  bool skipping_ = false;
  bool broken_ = false;
};

std::string framed(std::string_view content);

}  // namespace openqnn::tools::lsp
