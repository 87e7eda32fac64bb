// SPDX-License-Identifier: BSD-3-Clause
// What loading a context binary costs beside touching its bytes.
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "base/files.h"
#include "models.h"
#include "program/context_binary.h"
#include "protocol.h"

namespace {

using namespace openqnn;  // NOLINT: a program of its own

volatile uint64_t g_sink;

// The least that any reader of the data does: map the file and look at every page.
void touch_every_page(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  uint64_t sum = 0;
  const auto bytes = (*file)->bytes();
  for (size_t i = 0; i < bytes.size(); i += 4096) sum += static_cast<uint64_t>(bytes[i]);
  g_sink = sum;
}

void load(const std::filesystem::path& path, program::DataCheck check) {
  const auto file = MappedFile::open(path);
  const auto set = program::read_context_binary((*file)->bytes(), *file, check);
  if (!set) std::fprintf(stderr, "%s\n", set.error().to_string().c_str());
  g_sink = set->programs.size();
}

}  // namespace

int main(int argc, char** argv) {
  bench::Area area("load", argc, argv);
  const auto path = std::filesystem::temp_directory_path() / "openqnn_bench_load.bin";
  const auto bytes = program::write_context_binary(bench::prepared_chain(100));
  if (const Status status = write_file(path, bytes); !status) {
    std::fprintf(stderr, "%s\n", status.error().to_string().c_str());
    return 1;
  }
  const auto peer = [&](uint64_t repeats) {
    for (uint64_t i = 0; i < repeats; ++i) touch_every_page(path);
  };
  const std::string note = std::to_string(bytes.size()) + " bytes, 100 convolutions";
  area.compare(
      "persistent load", "mmap and touch every page",
      [&](uint64_t repeats) {
        for (uint64_t i = 0; i < repeats; ++i) load(path, program::DataCheck::kDeferred);
      },
      peer, note);
  area.compare(
      "load with data checksums", "mmap and touch every page",
      [&](uint64_t repeats) {
        for (uint64_t i = 0; i < repeats; ++i) load(path, program::DataCheck::kNow);
      },
      peer, note);
  std::filesystem::remove(path);
  return area.finish();
}
