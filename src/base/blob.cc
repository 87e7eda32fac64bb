// SPDX-License-Identifier: BSD-3-Clause
#include "base/blob.h"

#include <mutex>

#include "base/files.h"

namespace openqnn {

class Blob::Owned : public Source {
 public:
  explicit Owned(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  size_t size() const override { return bytes_.size(); }
  std::span<const std::byte> bytes() const override { return bytes_; }

 private:
  const std::vector<std::byte> bytes_;
};

class Blob::InFile : public Source {
 public:
  InFile(std::span<const std::byte> bytes, std::shared_ptr<const MappedFile> file)
      : bytes_(bytes), file_(std::move(file)) {}
  size_t size() const override { return bytes_.size(); }
  std::span<const std::byte> bytes() const override { return bytes_; }
  void release() const override { file_->release(bytes_); }

 private:
  const std::span<const std::byte> bytes_;
  const std::shared_ptr<const MappedFile> file_;
};

class Blob::Made : public Source {
 public:
  Made(size_t size, Recipe recipe) : size_(size), recipe_(std::move(recipe)) {}
  size_t size() const override { return size_; }
  std::span<const std::byte> bytes() const override {
    const std::lock_guard lock(mutex_);
    if (made_.empty() && size_ != 0) made_ = recipe_();
    return made_;
  }
  void release() const override {
    const std::lock_guard lock(mutex_);
    std::vector<std::byte>().swap(made_);  // an assignment would keep the memory
  }

 private:
  const size_t size_;
  const Recipe recipe_;
  mutable std::mutex mutex_;
  mutable std::vector<std::byte> made_;
};

class Blob::Unstated : public Made {
 public:
  explicit Unstated(size_t size) : Made(size, [size] { return std::vector<std::byte>(size); }) {}
  bool is_stated() const override { return false; }
};

Blob Blob::of(std::vector<std::byte> bytes) { return Blob(std::make_shared<const Owned>(std::move(bytes))); }

Blob Blob::in_file(std::span<const std::byte> bytes, std::shared_ptr<const MappedFile> file) {
  return Blob(std::make_shared<const InFile>(bytes, std::move(file)));
}

Blob Blob::made_by(size_t size, Recipe recipe) {
  return Blob(std::make_shared<const Made>(size, std::move(recipe)));
}

Blob Blob::unstated(size_t size) { return Blob(std::make_shared<const Unstated>(size)); }

}  // namespace openqnn
