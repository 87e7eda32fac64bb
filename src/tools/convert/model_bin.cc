// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstring>

#include "base/files.h"
#include "base/text.h"
#include "base/units.h"
#include "tools/convert/model_source.h"
#include "tools/file_kind.h"

namespace openqnn::tools::convert {
namespace {

// ---- Tar archives (POSIX ustar) ----

constexpr size_t kBlock = 512;
using Header = std::array<char, kBlock>;
// Where the fields are that are looked at again.
constexpr size_t kNameBytes = 100;
constexpr size_t kSizeAt = 124;
constexpr size_t kSizeDigits = 11;
constexpr size_t kSumAt = 148;
constexpr size_t kSumBytes = 8;
constexpr size_t kSumDigits = 6;

void put_text(Header& header, size_t at, std::string_view text) {
  std::memcpy(header.data() + at, text.data(), text.size());
}

// `digits` octal digits and an end, as the format has all its numbers.
void put_octal(Header& header, size_t at, size_t digits, uint64_t number) {
  for (size_t i = digits; i > 0; --i, number >>= 3)
    header[at + i - 1] = static_cast<char>('0' + (number & 7));
}

// Of all bytes, with blanks where it stands itself.
uint64_t check_sum(const Header& header) {
  uint64_t sum = 0;
  for (size_t i = 0; i < header.size(); ++i) {
    const bool is_own = i >= kSumAt && i < kSumAt + kSumBytes;
    sum += is_own ? ' ' : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

Header header_of(std::string_view name, uint64_t size) {
  Header header = {};
  put_text(header, 0, name);
  put_octal(header, 100, 7, 0644);  // mode
  put_octal(header, 108, 7, 0);     // user
  put_octal(header, 116, 7, 0);     // group
  put_octal(header, kSizeAt, kSizeDigits, size);
  put_octal(header, 136, 11, 0);  // time: the same model gives the same bytes
  header[156] = '0';              // a plain file
  put_text(header, 257, "ustar");
  put_text(header, 263, "00");
  put_octal(header, kSumAt, kSumDigits, check_sum(header));
  header[kSumAt + kSumBytes - 1] = ' ';
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
    OPENQNN_TRY(put_file(write, concat(file, kValuesFile), tensor.data.bytes()));
    tensor.data.release();
  }
  const auto kind = tensor.desc.quantization.kind;
  if (kind != ir::Quantization::Kind::kPerAxis && kind != ir::Quantization::Kind::kPerBlock) return {};
  return put_file(write, concat(file, kEncodingsFile),
                  std::as_bytes(std::span(tensor.desc.quantization.encodings)));
}

// ---- Reading it again ----

// What stands there in octal digits, as far as they go.
uint64_t octal_at(const Header& header, size_t at, size_t digits) {
  uint64_t number = 0;
  for (size_t i = 0; i < digits && header[at + i] >= '0' && header[at + i] <= '7'; ++i)
    number = number << 3 | static_cast<uint64_t>(header[at + i] - '0');
  return number;
}

bool is_end(const Header& header) {
  return std::ranges::all_of(header, [](char c) { return c == '\0'; });
}

Diagnostic no_model_bin(const std::filesystem::path& path) {
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::kTar)
    return invalid("model-bin", "the archive is damaged").at(path.string()).fix_by("convert the model again");
  return invalid("model-bin", concat("this is not the .bin of a model, which is a tar archive",
                                     kind == FileKind::kUnknown ? "" : concat(", but ", title_of(kind))))
      .at(path.string())
      .fix_by("give the .bin that qnn-onnx-converter wrote beside the .cpp");
}

Diagnostic cut_off(const std::filesystem::path& path, std::string_view name) {
  return invalid("model-bin", concat("the archive is cut off", name.empty() ? "" : concat(" in ", name)))
      .at(path.string())
      .fix_by("convert the model again");
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

Result<std::set<std::string>> files_in_model_bin(const std::filesystem::path& path) {
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  std::span<const std::byte> left = file->bytes();
  std::set<std::string> files;
  while (left.size() >= kBlock) {
    Header header;
    std::memcpy(header.data(), left.data(), kBlock);
    if (is_end(header)) return files;
    if (octal_at(header, kSumAt, kSumDigits) != check_sum(header)) return no_model_bin(path);
    const std::string name(header.data(), ::strnlen(header.data(), kNameBytes));
    const uint64_t stored = round_up(octal_at(header, kSizeAt, kSizeDigits), uint64_t{kBlock});
    left = left.subspan(kBlock);
    if (stored > left.size()) return cut_off(path, name);
    left = left.subspan(stored);
    files.insert(name);
  }
  if (files.empty()) return no_model_bin(path);
  return cut_off(path, "");
}

}  // namespace openqnn::tools::convert
