// SPDX-License-Identifier: BSD-3-Clause
// Which kind of file a user gave: told by its first bytes, so that one given to the wrong option or program
// can be answered with the right one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "base/result.h"

namespace openqnn::tools {

enum class FileKind : uint8_t {
  kUnknown,
  kEmpty,
  kContextBinary,
  kDlc,
  kOnnx,
  kProfileLog,
  kSchematic,
  kLibrary,
  kTar,
  kJson
};

// Unknown as well for what cannot be read. ONNX has no first bytes of its own: they are judged by how models
// begin in practice, and where they tell nothing, the name NAME.onnx tells it.
FileKind kind_of_file(const std::filesystem::path& path);

// Whether it is to be taken for a model: by its kind, and by its name where the bytes tell none.
bool may_be_model(const std::filesystem::path& path);

// "a context binary of openqnn".
std::string_view title_of(FileKind kind);

// Refuses a file that is known to be of another kind, with what it is and what takes it. One of unknown kind
// passes: its reader says more.
Status expect_kind(const std::filesystem::path& path, std::initializer_list<FileKind> wanted);

// The same, and one of unknown kind or that cannot be read is refused, too: for commands that take several
// kinds, of which no single reader can say what is wrong.
Status expect_known_kind(const std::filesystem::path& path, std::initializer_list<FileKind> wanted);

}  // namespace openqnn::tools
