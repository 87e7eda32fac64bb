// SPDX-License-Identifier: BSD-3-Clause
// The memory of Python objects, held for as long as native code uses it.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace openqnn::python {

// Contiguous memory of an object with the buffer protocol. Made and destroyed with the interpreter's lock
// held.
class Buffer {
 public:
  enum class Access : int { kRead = PyBUF_SIMPLE, kWrite = PyBUF_WRITABLE };
  Buffer(const pybind11::handle& object, Access access) {
    if (PyObject_GetBuffer(object.ptr(), &view_, static_cast<int>(access)) != 0)
      throw pybind11::error_already_set();
  }
  Buffer(Buffer&& other) noexcept : view_(std::exchange(other.view_, Py_buffer{})) {}
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer() {
    if (view_.obj != nullptr) PyBuffer_Release(&view_);
  }

  std::span<std::byte> bytes() const {
    return {static_cast<std::byte*>(view_.buf), static_cast<size_t>(view_.len)};
  }

 private:
  Py_buffer view_ = {};
};

// Of every object of a sequence.
class Buffers {
 public:
  Buffers(const pybind11::sequence& objects, Buffer::Access access) {
    for (const pybind11::handle object : objects) buffers_.emplace_back(object, access);
  }
  template <class Byte>
  std::vector<std::span<Byte>> spans() const {
    std::vector<std::span<Byte>> made;
    for (const Buffer& buffer : buffers_) made.emplace_back(buffer.bytes());
    return made;
  }

 private:
  std::vector<Buffer> buffers_;
};

}  // namespace openqnn::python
