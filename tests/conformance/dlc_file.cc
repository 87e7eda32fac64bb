// SPDX-License-Identifier: BSD-3-Clause
#include "dlc_file.h"

#include <cstdint>
#include <cstring>

namespace conformance {
namespace {

uint32_t crc32(const std::string& text) {
  uint32_t crc = ~0U;
  for (const char letter : text) {
    crc ^= static_cast<uint8_t>(letter);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

void put(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

// Version, flags, method (stored), time and date, checksum, sizes, and the length of the name: what both
// headers have.
void put_common(std::string& out, const std::string& name, const std::string& content) {
  for (const uint64_t field : {20, 0, 0, 0, 0x21}) put(out, field, 2);
  put(out, crc32(content), 4);
  put(out, content.size(), 4);
  put(out, content.size(), 4);
  put(out, name.size(), 2);
  put(out, 0, 2);  // no extra field
}

std::string graph_text(const std::string& name) {
  return R"({"name": ")" + name + R"(", "tensors": [
    {"name": "x", "role": "input", "type": "f32", "shape": [2, 4]},
    {"name": "bias", "role": "static", "type": "f32", "shape": [4], "offset": 0, "bytes": 16},
    {"name": "sum", "role": "native", "type": "f32", "shape": [2, 4]},
    {"name": "y", "role": "output", "type": "f32", "shape": [2, 4]}],
   "nodes": [
    {"name": "add", "type": "ElementWiseAdd", "inputs": ["x", "bias"], "outputs": ["sum"], "params": []},
    {"name": "relu", "type": "Relu", "inputs": ["sum"], "outputs": ["y"], "params": []}],
   "trace": {"nodes": {"add": ["source_add"], "relu": ["source_relu"]}, "tensors": {"x": "source_x"}}})";
}

}  // namespace

Bytes zip_of(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string file;
  std::string directory;
  for (const auto& [name, content] : entries) {
    directory += "PK\1\2";
    put(directory, 20, 2);
    put_common(directory, name, content);
    put(directory, 0, 2);  // no comment
    put(directory, 0, 8);  // disk, attributes
    put(directory, file.size(), 4);
    directory += name;
    file += "PK\3\4";
    put_common(file, name, content);
    file += name + content;
  }
  const size_t begin = file.size();
  file += directory + "PK\5\6";
  put(file, 0, 4);
  put(file, entries.size(), 2);
  put(file, entries.size(), 2);
  put(file, directory.size(), 4);
  put(file, begin, 4);
  put(file, 0, 2);
  const auto* const bytes = reinterpret_cast<const std::byte*>(file.data());
  return {bytes, bytes + file.size()};
}

Bytes sample_dlc() {
  std::string weights(sizeof kDlcBias, '\0');
  std::memcpy(weights.data(), kDlcBias, sizeof kDlcBias);
  return zip_of({{"openqnn-dlc.json", R"({"format": "openqnn-dlc", "version": 1, "made_by": "a test"})"},
                 {"graph.json", "[" + graph_text("first") + ", " + graph_text("second") + "]"},
                 {"weights.bin", weights}});
}

Bytes vendors_dlc() { return zip_of({{"dlc.metadata", "converter-command=x"}, {"model", "bytes"}}); }

}  // namespace conformance
