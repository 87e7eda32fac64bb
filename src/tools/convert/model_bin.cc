// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>

#include "base/files.h"
#include "base/text.h"
#include "tools/convert/model_source.h"

namespace openqnn::tools::convert {
namespace {

// ---- Tar archives (POSIX ustar) ----

constexpr size_t kBlock = 512;
using Header = std::array<char, kBlock>;

void put_text(Header& header, size_t at, std::string_view text) {
  std::memcpy(header.data() + at, text.data(), text.size());
}

// `digits` octal digits and an end, as the format has all its numbers.
void put_octal(Header& header, size_t at, size_t digits, uint64_t number) {
  for (size_t i = digits; i > 0; --i, number >>= 3)
    header[at + i - 1] = static_cast<char>('0' + (number & 7));
}

Header header_of(std::string_view name, uint64_t size) {
  Header header = {};
  put_text(header, 0, name);
  put_octal(header, 100, 7, 0644);  // mode
  put_octal(header, 108, 7, 0);     // user
  put_octal(header, 116, 7, 0);     // group
  put_octal(header, 124, 11, size);
  put_octal(header, 136, 11, 0);  // time: the same model gives the same bytes
  put_text(header, 148, "        ");
  header[156] = '0';  // a plain file
  put_text(header, 257, "ustar");
  put_text(header, 263, "00");
  uint64_t sum = 0;  // of all bytes, with blanks where it will be
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put_octal(header, 148, 6, sum);
  header[154] = '\0';
  return header;
}

Status put_file(const WritePiece& write, std::string_view name, std::span<const std::byte> bytes) {
  static constexpr std::array<std::byte, kBlock> kZeros = {};
  const Header header = header_of(name, bytes.size());
  OPENQNN_TRY(write(std::as_bytes(std::span(header))));
  OPENQNN_TRY(write(bytes));
  const size_t beyond = bytes.size() % kBlock;
  if (beyond == 0) return {};
  return write(std::span(kZeros).first(kBlock - beyond));
}

Status put_tensor(const WritePiece& write, const ir::Tensor& tensor, const std::string& file) {
  if (tensor.data) {
    OPENQNN_TRY(put_file(write, file + ".raw", tensor.data.bytes()));
    tensor.data.release();
  }
  const auto kind = tensor.desc.quantization.kind;
  if (kind != ir::Quantization::Kind::kPerAxis && kind != ir::Quantization::Kind::kPerBlock) return {};
  return put_file(write, file + ".encodings", std::as_bytes(std::span(tensor.desc.quantization.encodings)));
}

}  // namespace

// The .encodings are Qnn_ScaleOffset_t, one after the other.
static_assert(sizeof(ir::ScaleOffset) == 8);

Status write_model_bin(const std::filesystem::path& path, const ir::Graph& graph, const SourceNames& names) {
  return write_file(path, [&](const WritePiece& write) -> Status {
    for (size_t i = 0; i < graph.tensors().size(); ++i)
      OPENQNN_TRY(put_tensor(write, graph.tensors()[i], names.files[i]));
    static constexpr std::array<std::byte, 2 * kBlock> kEnd = {};
    return write(kEnd);
  });
}

}  // namespace openqnn::tools::convert
