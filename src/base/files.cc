// SPDX-License-Identifier: BSD-3-Clause
#include "base/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "base/units.h"

namespace openqnn {
namespace {

constexpr uint64_t kMaxTextBytes = 1u << 30;  // ends the reading of /dev/zero and the like

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int get() const { return number_; }
  bool valid() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }
  // Some file systems report a failed write only here.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

std::string reason(int error) { return std::generic_category().message(error); }

Diagnostic cannot_read(const std::filesystem::path& path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return system_failure("file-missing", "there is no such file")
          .at(path.string())
          .fix_by("check the path; a relative one starts at the current folder");
    case EACCES:
    case EPERM:
      return system_failure("file-unreadable", "this user may not read the file")
          .at(path.string())
          .fix_by("allow reading, e.g. with chmod +r");
    default:
      return system_failure("file-unreadable", "cannot read the file: " + reason(error))
          .at(path.string())
          .fix_by("check the file and its file system");
  }
}

Diagnostic directory_given(const std::filesystem::path& path) {
  return system_failure("file-is-directory", "this is a folder, a file is needed")
      .at(path.string())
      .fix_by("name a file inside it");
}

Diagnostic pipe_or_device_given(const std::filesystem::path& path, std::string_view cannot_be,
                                std::string fix) {
  return system_failure("file-not-regular", concat("this is a pipe or a device, which cannot be ", cannot_be))
      .at(path.string())
      .fix_by(std::move(fix));
}

Diagnostic cannot_write(const std::filesystem::path& path, int error) {
  std::string fix = "check the folder and its file system";
  if (error == ENOENT || error == ENOTDIR) fix = "create the folder first";
  if (error == EACCES || error == EPERM || error == EROFS)
    fix = "allow writing into its folder, or choose another one";
  if (error == ENOSPC || error == EDQUOT) fix = "free some space, or choose another file system";
  return system_failure("file-unwritable", "cannot write the file: " + reason(error))
      .at(path.string())
      .fix_by(std::move(fix));
}

// Returns 0 or the error number.
int write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return 0;
}

// A file in the making, in the folder of the final one. Where the file system can (O_TMPFILE), it has no name
// before it is complete, so that a killed process leaves nothing behind; elsewhere it has a temporary one,
// which goes again unless it was renamed.
class TemporaryFile {
 public:
  static constexpr int kAttempts = 100;  // names left behind by a killed process that had our process id

  TemporaryFile(const std::filesystem::path& folder, mode_t mode)
      : folder_(folder), file_(open_nameless(mode)) {
    if (!file_.valid()) open_named(mode);
  }
  ~TemporaryFile() {
    if (has_name_) ::unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return file_.get(); }  // -1 with errno set
  // Closes it and puts it into place. Returns 0 or the error number.
  int become(const std::filesystem::path& path) {
    if (!has_name_)
      if (const int error = give_name()) return error;
    if (!file_.close()) return errno;
    if (::rename(name_.c_str(), path.c_str()) != 0) return errno;
    has_name_ = false;
    return 0;
  }

 private:
  // Its entry in /proc is what can be given a name without privileges.
  std::string entry_in_proc() const { return concat("/proc/self/fd/", file_.get()); }

  int open_nameless(mode_t mode) const {
    if (::access("/proc/self/fd", X_OK) != 0) return -1;
    return ::open(folder_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
  }

  void open_named(mode_t mode) {
    for (int attempt = 0; attempt < kAttempts && !file_.valid(); ++attempt) {
      name_ = next_name();
      file_ = Descriptor(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
      if (!file_.valid() && errno != EEXIST) break;
    }
    has_name_ = file_.valid();
  }

  // A link does not replace a file, so that even this one gets a temporary name, for two system calls.
  int give_name() {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      name_ = next_name();
      if (::linkat(AT_FDCWD, entry_in_proc().c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0) {
        has_name_ = true;
        return 0;
      }
      if (errno != EEXIST) return errno;
    }
    return EEXIST;
  }

  std::filesystem::path next_name() const {
    static std::atomic<uint32_t> counter{0};
    return folder_ / concat(".openqnn-", ::getpid(), "-", counter.fetch_add(1), ".tmp");
  }

  std::filesystem::path folder_;
  std::filesystem::path name_;
  Descriptor file_;
  bool has_name_ = false;
};

WritePiece writing_to(int descriptor, const std::filesystem::path& path) {
  return [descriptor, path](std::span<const std::byte> bytes) -> Status {
    if (const int error = write_all(descriptor, bytes)) return cannot_write(path, error);
    return {};
  };
}

// The descriptor of this process that a path stands for (/dev/stdout, /dev/fd/3); -1 for other paths. It
// names an open file, not a place in a folder: what is written goes behind what others wrote to it before.
int descriptor_named(std::filesystem::path path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 8;
  std::error_code error;
  const fs::path descriptors = fs::canonical("/proc/self/fd", error);
  if (error) return -1;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i) {
    const fs::path folder = fs::canonical(path.has_parent_path() ? path.parent_path() : ".", error);
    if (error) return -1;
    if (folder == descriptors) return std::atoi(path.filename().c_str());
    path = folder / fs::read_symlink(path, error);
  }
  return -1;
}

// Devices and pipes (/dev/null, /dev/stdout) are written in place: a rename would replace the device itself.
Status write_in_place(const std::filesystem::path& path,
                      const std::function<Status(const WritePiece&)>& produce) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.valid()) return cannot_write(path, errno);
  return produce(writing_to(file.get(), path));
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
  // Non-blocking, so that a pipe is refused below instead of waiting for its writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return cannot_read(path, errno);
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return cannot_read(path, errno);
  if (S_ISDIR(info.st_mode)) return directory_given(path);
  if (!S_ISREG(info.st_mode))
    return pipe_or_device_given(path, "mapped into memory", "copy its content into a regular file first");
  std::span<const std::byte> bytes;
  if (info.st_size > 0) {
    const auto size = static_cast<size_t>(info.st_size);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (address == MAP_FAILED) return cannot_read(path, errno);
    bytes = {static_cast<const std::byte*>(address), size};
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(bytes));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void MappedFile::release(std::span<const std::byte> part) const {
  const auto page = static_cast<uintptr_t>(::getpagesize());
  const uintptr_t first = round_up(reinterpret_cast<uintptr_t>(part.data()), page);
  const uintptr_t stop = reinterpret_cast<uintptr_t>(part.data() + part.size()) / page * page;
  if (first < stop) ::madvise(reinterpret_cast<void*>(first), stop - first, MADV_DONTNEED);
}

Result<std::string> read_text_file(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return cannot_read(path, errno);
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return cannot_read(path, errno);
  if (S_ISDIR(info.st_mode)) return directory_given(path);

  // Read to the end instead of trusting st_size: pipes and /proc have none. One byte more than the size, so
  // that a regular file takes one read and one that finds the end.
  std::string text;
  size_t used = 0;
  size_t room = info.st_size > 0 ? static_cast<size_t>(info.st_size) + 1 : 4096;
  while (true) {
    if (used >= kMaxTextBytes || room > kMaxTextBytes + 1) {
      return system_failure("file-too-large", "a text file may have 1 GiB at most").at(path.string());
    }
    text.resize(room);
    const ssize_t got = ::read(file.get(), text.data() + used, room - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot_read(path, errno);
    if (got == 0) break;
    used += static_cast<size_t>(got);
    if (used == room) room *= 2;
    if (room > kMaxTextBytes) room = kMaxTextBytes + 1;
  }
  text.resize(used);
  return text;
}

Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  return write_file(path, [&](const WritePiece& write) { return write(bytes); });
}

Status write_file(const std::filesystem::path& path,
                  const std::function<Status(const WritePiece&)>& produce) {
  struct stat info = {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return directory_given(path);
  if (const int own = exists ? descriptor_named(path) : -1; own >= 0) return produce(writing_to(own, path));
  if (exists && !S_ISREG(info.st_mode)) return write_in_place(path, produce);

  // Through a link the file it names is replaced, not the link.
  std::filesystem::path target = path;
  if (exists) {
    std::error_code ignored;
    if (auto real = std::filesystem::canonical(path, ignored); !ignored) target = std::move(real);
  }
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  TemporaryFile temporary(folder, 0666);
  const int file = temporary.descriptor();
  if (file < 0) return cannot_write(path, errno);
  OPENQNN_TRY(produce(writing_to(file, path)));
  int error = 0;
  // Who may do what with the old file may do it with the new one. That it runs as its owner is not kept: the
  // new one may have another owner and has other contents.
  constexpr mode_t kPermissions = 0777;
  if (exists && ::fchmod(file, info.st_mode & kPermissions) != 0) error = errno;
  if (error == 0 && ::fsync(file) != 0) error = errno;
  if (error == 0) error = temporary.become(target);
  if (error != 0) return cannot_write(path, error);
  return {};
}

Status write_file(const std::filesystem::path& path, std::string_view text) {
  return write_file(path, std::as_bytes(std::span(text.data(), text.size())));
}

Result<AppendableFile> AppendableFile::open(const std::filesystem::path& path, IfMissing if_missing) {
  const int create = if_missing == IfMissing::kCreate ? O_CREAT : 0;
  // Non-blocking, so that a pipe is refused below instead of waiting for its other end.
  Descriptor file(::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | create, 0666));
  if (!file.valid()) return errno == EISDIR ? directory_given(path) : cannot_write(path, errno);
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return cannot_write(path, errno);
  if (!S_ISREG(info.st_mode)) return pipe_or_device_given(path, "appended to", "name a regular file");
  while (::flock(file.get(), LOCK_EX) != 0)
    if (errno != EINTR) return cannot_write(path, errno);
  if (::fstat(file.get(), &info) != 0) return cannot_write(path, errno);  // now that nobody else writes
  return AppendableFile(path, file.release(), static_cast<uint64_t>(info.st_size));
}

AppendableFile::AppendableFile(std::filesystem::path path, int descriptor, uint64_t size)
    : path_(std::move(path)), descriptor_(descriptor), size_(size) {}

AppendableFile::AppendableFile(AppendableFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

AppendableFile::~AppendableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);  // which lets the lock go
}

Status AppendableFile::read(uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot_read(path_, errno);
    if (got == 0) return cannot_read(path_, EIO);  // cut by somebody who does not take the lock
    into = into.subspan(static_cast<size_t>(got));
    offset += static_cast<uint64_t>(got);
  }
  return {};
}

Status AppendableFile::append(std::span<const std::byte> bytes) {
  if (const int error = write_all(descriptor_, bytes)) {
    // When even that fails, the file ends in half of the bytes: nothing more can be done.
    [[maybe_unused]] const int cut = ::ftruncate(descriptor_, static_cast<off_t>(size_));
    return cannot_write(path_, error);
  }
  size_ += bytes.size();
  return {};
}

Status AppendableFile::cut(uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return cannot_write(path_, errno);
  size_ = size;
  return {};
}

}  // namespace openqnn
