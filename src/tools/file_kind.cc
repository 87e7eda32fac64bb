// SPDX-License-Identifier: BSD-3-Clause
#include "tools/file_kind.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/files.h"
#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "profile/log.h"
#include "profile/schematic.h"
#include "program/container.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

struct KindText {
  FileKind kind;
  std::string_view title;
  std::string_view taken_by;
};
constexpr std::array kTexts = {
    KindText{FileKind::kUnknown, "of a kind that is not known", ""},
    KindText{FileKind::kEmpty, "an empty file", "make it again"},
    KindText{FileKind::kContextBinary, "a context binary of openqnn",
             "qnn-net-run --retrieve_context runs it, `openqnn inspect` shows it"},
    KindText{FileKind::kDlc, "a .dlc",
             "--dlc_path of qnn-context-binary-generator and qnn-net-run takes it, `openqnn run` too"},
    KindText{FileKind::kOnnx, "an ONNX model",
             "`openqnn run` takes it as it is, qairt-converter makes a .dlc of it"},
    KindText{FileKind::kProfileLog, "a profile log of openqnn",
             "qnn-profile-viewer --input_log shows it, `openqnn inspect` too"},
    KindText{FileKind::kSchematic, "a schematic of openqnn", "qnn-profile-viewer --schematic takes it"},
    KindText{FileKind::kLibrary, "a shared library or a program",
             "--model takes a model library, --backend a backend"},
    KindText{FileKind::kTar, "a tar archive, as qnn-onnx-converter writes its weights",
             "qnn-model-lib-generator -b takes it"},
    KindText{FileKind::kJson, "JSON", "`openqnn check` tells which configuration it is"},
};

const KindText& text_of(FileKind kind) {
  return *std::ranges::find(kTexts, kind, &KindText::kind);  // every kind has its line
}

std::string_view first_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), std::min<size_t>(bytes.size(), 64)};
}

// A model's first field is its ir_version, a small number (tag 0x08); a field of ModelProto by its length
// (producer_name 0x12 to opset_import 0x42) or model_version (0x28) follows.
bool begins_like_onnx(std::string_view text) {
  constexpr std::string_view kNextTags = "\x12\x1a\x22\x28\x32\x3a\x42";
  return text.size() > 2 && text[0] == '\x08' && text[1] > 0 && text[1] < ' ' &&
         kNextTags.find(text[2]) != kNextTags.npos;
}

bool begins_like_json(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{';
}

// The mark stands behind the fields of the first member's header.
bool is_tar(std::span<const std::byte> bytes) {
  constexpr std::string_view kMark = "ustar";
  constexpr size_t kPlace = 257;
  if (bytes.size() < kPlace + kMark.size()) return false;
  return std::string_view(reinterpret_cast<const char*>(bytes.data()) + kPlace, kMark.size()) == kMark;
}

FileKind kind_of_bytes(std::span<const std::byte> bytes) {
  const std::string_view text = first_bytes(bytes);
  if (text.empty()) return FileKind::kEmpty;
  if (text.starts_with(program::kContextBinaryMagic)) return FileKind::kContextBinary;
  if (profile::is_profile_log(bytes)) return FileKind::kProfileLog;
  if (profile::begins_as(profile::kSchematicKind, bytes)) return FileKind::kSchematic;
  if (frontend::looks_like_dlc(bytes)) return FileKind::kDlc;
  if (text.starts_with("\177ELF")) return FileKind::kLibrary;
  if (is_tar(bytes)) return FileKind::kTar;
  if (begins_like_onnx(text)) return FileKind::kOnnx;
  if (begins_like_json(text)) return FileKind::kJson;
  return FileKind::kUnknown;
}

// "a context binary of openqnn, a .dlc or an ONNX model"
std::string titles_of(std::span<const FileKind> kinds) {
  std::string titles;
  for (size_t i = 0; i < kinds.size(); ++i)
    titles += concat(i == 0 ? "" : i + 1 == kinds.size() ? " or " : ", ", title_of(kinds[i]));
  return titles;
}

}  // namespace

FileKind kind_of_file(const fs::path& path) {
  const auto file = MappedFile::open(path);
  const FileKind kind = file ? kind_of_bytes((*file)->bytes()) : FileKind::kUnknown;
  const fs::path extension = path.extension();
  const bool is_named_onnx = extension == ".onnx" || extension == ".ONNX";
  return kind == FileKind::kUnknown && is_named_onnx ? FileKind::kOnnx : kind;
}

bool may_be_model(const fs::path& path) {
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::kUnknown) return path.extension() == ".onnx" || path.extension() == ".dlc";
  return kind == FileKind::kOnnx || kind == FileKind::kDlc;
}

std::string_view title_of(FileKind kind) { return text_of(kind).title; }

Status expect_kind(const fs::path& path, std::initializer_list<FileKind> wanted) {
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::kUnknown || std::ranges::find(wanted, kind) != wanted.end()) return {};
  return invalid("file-kind", concat("this is ", title_of(kind), ", but ",
                                     titles_of({wanted.begin(), wanted.end()}), " is expected"))
      .at(path.string())
      .fix_by(std::string(text_of(kind).taken_by));
}

Status expect_known_kind(const fs::path& path, std::initializer_list<FileKind> wanted) {
  OPENQNN_TRY(MappedFile::open(path));
  if (kind_of_file(path) != FileKind::kUnknown) return expect_kind(path, wanted);
  return invalid("file-kind", concat("this is of no kind that openqnn knows, but ",
                                     titles_of({wanted.begin(), wanted.end()}), " is expected"))
      .at(path.string())
      .fix_by(
          "give such a file; what the vendor's tools compiled cannot be read: prepare the model with "
          "openqnn");
}

}  // namespace openqnn::tools
