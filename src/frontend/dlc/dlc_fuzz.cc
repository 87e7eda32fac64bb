// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a DLC; what is read is used as the compiler would. No random change gets past the checksums of
// an archive: bytes that do not begin like one are read as its graphs, too, in an archive whose checksums are
// right.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/zip.h"
#include "frontend/dlc/dlc.h"
#include "frontend/dlc/format.h"
#include "ops/op.h"

namespace {

using namespace openqnn;  // NOLINT: the names of this file

void read(std::span<const std::byte> bytes) {
  const auto dlc = frontend::read_dlc(bytes, "input");
  if (!dlc) return;
  for (const frontend::DlcGraph& graph : dlc->graphs)
    for (const ir::Node& node : graph.graph.nodes())
      (void)ops::validate(node.type, ops::call_of(graph.graph, node)).ok();
}

Blob blob_of(std::span<const std::byte> bytes) { return Blob::of({bytes.begin(), bytes.end()}); }

std::vector<std::byte> archive_around(std::span<const std::byte> graphs) {
  constexpr std::string_view kHeader = R"({"format": "openqnn-dlc", "version": 1})";
  constexpr size_t kWeights = 4096;
  namespace format = frontend::dlc_format;
  return zip_bytes({{std::string(format::kHeader), {blob_of(std::as_bytes(std::span(kHeader)))}},
                    {std::string(format::kGraph), {blob_of(graphs)}},
                    {std::string(format::kWeights), {Blob::of(std::vector<std::byte>(kWeights))}}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  read(bytes);
  if (!frontend::looks_like_dlc(bytes)) read(archive_around(bytes));
  return 0;
}
