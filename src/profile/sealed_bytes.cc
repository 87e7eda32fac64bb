// SPDX-License-Identifier: BSD-3-Clause
#include "profile/sealed_bytes.h"

#include <algorithm>

#include "base/text.h"
#include "program/bytes_io.h"
#include "program/container.h"

namespace openqnn::profile {
namespace {

using program::kMajorAt;
using program::kMinorAt;
using program::load_at;
using program::store_at;

constexpr size_t kSealBytes = 8;

}  // namespace

bool begins_as(const SealedKind& kind, std::span<const std::byte> bytes) {
  return bytes.size() >= kind.magic.size() &&
         std::ranges::equal(bytes.first(kind.magic.size()), std::as_bytes(std::span(kind.magic)));
}

std::vector<std::byte> seal(const SealedKind& kind, std::span<const std::byte> contents) {
  std::vector<std::byte> bytes(kSealedHeadBytes + contents.size() + kSealBytes);
  std::ranges::copy(std::as_bytes(std::span(kind.magic)), bytes.begin());
  store_at(bytes, kMajorAt, kind.major);
  store_at(bytes, kMinorAt, kind.minor);
  std::ranges::copy(contents, bytes.begin() + kSealedHeadBytes);
  reseal(bytes);
  return bytes;
}

void reseal(std::span<std::byte> bytes) {
  if (bytes.size() < kSealBytes) return;
  const size_t sealed = bytes.size() - kSealBytes;
  store_at(bytes, sealed, program::checksum_of(bytes.first(sealed)));
}

Result<std::span<const std::byte>> unseal(const SealedKind& kind, std::span<const std::byte> bytes) {
  if (!begins_as(kind, bytes))
    return unsupported(concat(kind.code, "-foreign"),
                       concat("this is no ", kind.name,
                              " of openqnn; the vendor's have another format, which ", "is not public"))
        .fix_by(concat("pass a ", kind.name, " that openqnn wrote"));
  if (bytes.size() < kSealedHeadBytes + kSealBytes)
    return corrupt(concat(kind.code, "-damaged"),
                   concat("the ", kind.name, " ends at offset ", bytes.size(), ", inside its head"))
        .fix_by("copy or write it again");
  const size_t sealed = bytes.size() - kSealBytes;
  if (const auto major = load_at<uint32_t>(bytes, kMajorAt); major != kind.major)
    return unsupported(concat(kind.code, "-version"),
                       concat("the ", kind.name, " has format ", major, ".",
                              load_at<uint32_t>(bytes, kMinorAt), "; this version reads format ", kind.major))
        .fix_by("write it again with this version");
  if (program::checksum_of(bytes.first(sealed)) != load_at<uint64_t>(bytes, sealed))
    return corrupt(concat(kind.code, "-damaged"),
                   concat("the checksum of the ", kind.name, " does not match its ", bytes.size(), " bytes"))
        .fix_by("copy or write it again");
  return bytes.subspan(kSealedHeadBytes, sealed - kSealedHeadBytes);
}

}  // namespace openqnn::profile
