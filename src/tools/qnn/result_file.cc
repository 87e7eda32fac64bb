// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/text.h"
#include "tools/program_options.h"
#include "tools/qnn/output_files.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

Diagnostic cannot_write(const fs::path& path, int error) {
  return system_failure("output-file",
                        concat("the file cannot be written: ", std::generic_category().message(error)))
      .at(path.string())
      .fix_by("choose another --output_dir, or make room");
}

int open_for_writing(const fs::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
}

// Returns 0 or the error number.
int write_all(int file, std::span<const std::byte> values) {
  while (!values.empty()) {
    const ssize_t written = ::write(file, values.data(), values.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    values = values.subspan(static_cast<size_t>(written));
  }
  return 0;
}

// Cuts off what an earlier, longer file had more. Pipes and devices have no size.
int cut(int file, size_t size) {
  struct stat info = {};
  if (::fstat(file, &info) != 0) return errno;
  if (!S_ISREG(info.st_mode) || static_cast<size_t>(info.st_size) == size) return 0;
  return ::ftruncate(file, static_cast<off_t>(size)) == 0 ? 0 : errno;
}

}  // namespace

Status write_result(const fs::path& path, std::span<const std::byte> values) {
  int file = open_for_writing(path);
  if (file < 0 && errno == ENOENT) {
    OPENQNN_TRY(make_folder(path.parent_path()));
    file = open_for_writing(path);
  }
  if (file < 0) return cannot_write(path, errno);
  int error = write_all(file, values);
  if (error == 0) error = cut(file, values.size());
  if (error != 0) cut(file, 0);  // when even that fails, nothing more can be done
  if (::close(file) != 0 && error == 0) error = errno;
  if (error != 0) return cannot_write(path, error);
  return {};
}

}  // namespace openqnn::tools
