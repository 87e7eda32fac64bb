// SPDX-License-Identifier: BSD-3-Clause
#include "tools/lsp/framing.h"

#include <algorithm>

#include "base/text.h"
#include "tools/number_in.h"

namespace openqnn::tools::lsp {
namespace {

constexpr std::string_view kHeaderEnd = "\r\n\r\n";

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The value of a header field, of the last one when it is repeated.
std::optional<std::string_view> field(std::string_view headers, std::string_view name) {
  std::optional<std::string_view> found;
  while (!headers.empty()) {
    const size_t end = std::min(headers.find("\r\n"), headers.size());
    const std::string_view line = headers.substr(0, end);
    headers.remove_prefix(std::min(end + 2, headers.size()));
    const size_t colon = line.find(':');
    if (colon != line.npos && same_name(trimmed(line.substr(0, colon)), name))
      found = trimmed(line.substr(colon + 1));
  }
  return found;
}

}  // namespace

void FrameReader::feed(std::string_view bytes) {
  if (broken_) return;
  if (skipping_) {
    const uint64_t skipped = std::min<uint64_t>(*content_, bytes.size());
    bytes.remove_prefix(skipped);
    *content_ -= skipped;
    if (*content_ > 0) return;
    content_.reset();
    skipping_ = false;
  }
  buffer_ += bytes;
}

std::optional<Frame> FrameReader::next() {
  if (broken_ || skipping_) return std::nullopt;
  if (!content_) {
    if (auto problem = read_header()) return problem;
    if (!content_) return std::nullopt;
  }
  return read_content();
}

// Sets content_ once the headers are complete.
std::optional<Frame> FrameReader::read_header() {
  const std::string_view rest = std::string_view(buffer_).substr(begin_);
  const size_t end = rest.find(kHeaderEnd);
  if (std::min(end, rest.size()) > kLongestHeader)
    return broken(concat("the headers of a message are longer than ", kLongestHeader, " bytes"));
  if (end == rest.npos) return std::nullopt;
  const auto value = field(rest.substr(0, end), "Content-Length");
  if (!value) return broken("a message has no Content-Length header");
  content_ = number_in<uint64_t>(*value);
  if (!content_) return broken("the Content-Length of a message is not a number");
  begin_ += end + kHeaderEnd.size();
  if (*content_ <= kLargestMessage) return std::nullopt;

  Frame frame{Frame::State::kTooLarge, concat("a message of ", *content_, " bytes is more than the ",
                                              kLargestMessage, " that are read")};
  const std::string rest_of_buffer = buffer_.substr(begin_);
  buffer_.clear();
  begin_ = 0;
  skipping_ = true;
  feed(rest_of_buffer);
  return frame;
}

std::optional<Frame> FrameReader::read_content() {
  if (buffer_.size() - begin_ < *content_) return std::nullopt;
  Frame frame{Frame::State::kMessage, buffer_.substr(begin_, *content_)};
  begin_ += *content_;
  content_.reset();
  // Moving the rest to the front costs; do it when at least half of the buffer is used up.
  if (begin_ >= buffer_.size() - begin_) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  return frame;
}

Frame FrameReader::broken(std::string what) {
  broken_ = true;
  std::string().swap(buffer_);
  return {Frame::State::kBroken, std::move(what)};
}

std::string framed(std::string_view content) {
  return concat("Content-Length: ", content.size(), "\r\n\r\n", content);
}

}  // namespace openqnn::tools::lsp
