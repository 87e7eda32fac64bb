// SPDX-License-Identifier: BSD-3-Clause
// Bytes that never change, shared by all who hold them. Weights are most of a model: those that lie in a
// file, or can be computed from what does, take memory only while somebody looks at them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace openqnn {

class MappedFile;

class Blob {
 public:
  using Recipe = std::function<std::vector<std::byte>()>;

  Blob() = default;  // none
  Blob(std::nullptr_t) {}
  static Blob of(std::vector<std::byte> bytes);
  // A piece of a mapped file, which stays mapped.
  static Blob in_file(std::span<const std::byte> bytes, std::shared_ptr<const MappedFile> file);
  // `size` bytes, made when they are first asked for, and again after a release: `recipe` always makes the
  // same.
  static Blob made_by(size_t size, Recipe recipe);
  // `size` bytes that nobody has stated: of a model whose shapes alone count. Who looks sees zeros.
  static Blob unstated(size_t size);

  explicit operator bool() const { return source_ != nullptr; }
  size_t size() const { return source_->size(); }
  bool empty() const { return size() == 0; }
  bool is_stated() const { return source_->is_stated(); }
  std::span<const std::byte> bytes() const { return source_->bytes(); }
  const std::byte* data() const { return bytes().data(); }

  // Gives back the memory of bytes that can be had again; spans of them end here. For whoever knows that
  // nobody else is looking.
  void release() const { source_->release(); }

  // Equal for blobs that share their bytes.
  const void* identity() const { return source_.get(); }

 private:
  class Source {
   public:
    virtual ~Source() = default;
    virtual size_t size() const = 0;
    virtual std::span<const std::byte> bytes() const = 0;
    virtual void release() const {}
    virtual bool is_stated() const { return true; }
  };
  class Owned;
  class InFile;
  class Made;
  class Unstated;

  explicit Blob(std::shared_ptr<const Source> source) : source_(std::move(source)) {}
  std::shared_ptr<const Source> source_;
};

}  // namespace openqnn
