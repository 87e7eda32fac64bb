// SPDX-License-Identifier: BSD-3-Clause
// What a context binary of openqnn holds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "openqnn/error.h"
#include "openqnn/export.h"

namespace openqnn {

struct SectionInfo {
  std::string name;
  uint64_t offset = 0;  // in the file
  uint64_t bytes = 0;
};

// QNN's encoding of quantized values: real = scale * (stored + offset).
struct EncodingInfo {
  float scale = 1.0F;
  int32_t offset = 0;
};

struct TensorInfo {
  std::string name;
  uint32_t id = 0;   // the one QNN's execute matches by
  std::string type;  // as the client reads and writes it: "ufx8", "f32"
  std::vector<uint32_t> shape;
  uint64_t bytes = 0;  // of the client's buffer
  // Declared to be passed as a mem handle: the device keeps no buffer ready for it.
  bool by_mem_handle = false;
  // Empty for floats, one for a whole tensor, else one per index along `encoding_axis`.
  std::vector<EncodingInfo> encodings;
  uint32_t encoding_axis = 0;
};

// An op as prepared: it may stand for several nodes of the client.
struct OpInfo {
  std::string name;
  std::string type;                 // "Conv2d"
  std::vector<std::string> nodes;   // the client's nodes it stands for
  std::vector<std::string> inputs;  // tensor names, "" where an optional one is absent
  std::vector<std::string> outputs;
  uint64_t constant_bytes = 0;  // of its constants, as stored
};

struct GraphInfo {
  std::string name;
  std::string soc;  // the chipset it was prepared for; empty when only the architecture was named
  uint32_t soc_model = 0;
  uint32_t arch = 0;  // 75 for v75
  uint32_t optimization = 0;
  std::vector<TensorInfo> inputs;
  std::vector<TensorInfo> outputs;
  std::vector<OpInfo> ops;
  uint64_t constant_bytes = 0;
  uint64_t activation_bytes = 0;  // needed while it runs
  uint64_t vtcm_bytes = 0;        // granted
  uint32_t hvx_threads = 0;
  uint64_t tasks = 0;  // of its schedule: tiles computed, loads and stores
};

struct FormatVersion {
  uint32_t major = 0;
  uint32_t minor = 0;
};

// A context binary opened by mapping. Copies share the mapping.
class OPENQNN_API ContextBinary {
 public:
  // Reads and checks everything but the constants, whose checksums validate() checks.
  static Expected<ContextBinary> open(const std::filesystem::path& path);

  const std::string& path() const;
  uint64_t file_bytes() const;
  FormatVersion format() const;
  const std::string& producer() const;  // the version of openqnn that wrote it
  const std::vector<SectionInfo>& sections() const;
  const std::vector<GraphInfo>& graphs() const;

  // Checks the checksums of the constants too: reads the whole file.
  Expected<void> validate() const;

  struct Impl;  // opaque

 private:
  friend struct Inside;  // the library's own code
  explicit ContextBinary(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace openqnn
