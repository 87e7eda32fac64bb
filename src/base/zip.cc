// SPDX-License-Identifier: BSD-3-Clause
// The format is PKWARE's APPNOTE.TXT; sizes beyond 4 GiB use its Zip64 fields.
#include "base/zip.h"

#include <algorithm>

#include "base/crc32.h"
#include "base/files.h"
#include "base/text.h"
#include "base/units.h"

namespace openqnn {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kDataDescriptor = 0x08074b50;
constexpr uint32_t kCentralHeader = 0x02014b50;
constexpr uint32_t kEnd = 0x06054b50;
constexpr uint32_t kEnd64 = 0x06064b50;
constexpr uint32_t kEnd64Locator = 0x07064b50;
constexpr size_t kLocalBytes = 30;
constexpr size_t kCentralBytes = 46;
constexpr size_t kEndBytes = 22;
constexpr size_t kEnd64Bytes = 56;
constexpr size_t kLocatorBytes = 20;
constexpr uint16_t kZip64Extra = 0x0001;
constexpr uint16_t kPaddingExtra = 0xD935;  // the one that Android's zipalign uses
constexpr uint32_t kSeeZip64 = 0xFFFFFFFF;
constexpr uint64_t kAlignment = 64;
constexpr uint16_t kVersion = 45;           // Zip64
constexpr uint16_t kChecksumFollows = 0x8;  // a local header has 0 in its place

// ---- Writing ----

class Fields {
 public:
  template <class T>
  Fields& put(T value) {
    for (size_t i = 0; i < sizeof(T); ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }
  Fields& text(std::string_view value) {
    const auto bytes = std::as_bytes(std::span(value.data(), value.size()));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Fields& zeros(size_t count) {
    bytes_.resize(bytes_.size() + count);
    return *this;
  }
  std::span<const std::byte> bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }

 private:
  std::vector<std::byte> bytes_;
};

struct Placed {
  const ZipEntry* entry;
  uint64_t offset = 0;  // of the local header
  uint64_t size = 0;
  uint32_t crc = 0;
};

// What both headers of an entry have in the middle. Sizes are always in the Zip64 field.
void put_common(Fields& fields, const Placed& placed, uint16_t extra) {
  fields.put(kVersion).put(kChecksumFollows).put(uint16_t{0});  // needed, flags, stored
  fields.put(uint16_t{0}).put(uint16_t{0x0021});                // 1980-01-01: the same bytes every time
  fields.put(placed.crc).put(kSeeZip64).put(kSeeZip64);         // sizes
  fields.put(static_cast<uint16_t>(placed.entry->name.size())).put(extra);
}

Fields local_header(const Placed& placed) {
  constexpr size_t kZip64 = 4 + 16;
  const uint64_t unpadded = placed.offset + kLocalBytes + placed.entry->name.size() + kZip64 + 4;
  const uint64_t padding = round_up(unpadded, kAlignment) - unpadded;
  Fields fields;
  fields.put(kLocalHeader);
  put_common(fields, placed, static_cast<uint16_t>(kZip64 + 4 + padding));
  fields.text(placed.entry->name);
  fields.put(kZip64Extra).put(uint16_t{16}).put(placed.size).put(placed.size);
  fields.put(kPaddingExtra).put(static_cast<uint16_t>(padding)).zeros(padding);
  return fields;
}

// The checksum is known when the content is written, which happens once.
Fields data_descriptor(const Placed& placed) {
  Fields fields;
  fields.put(kDataDescriptor).put(placed.crc).put(placed.size).put(placed.size);
  return fields;
}

void put_central(Fields& fields, const Placed& placed) {
  fields.put(kCentralHeader).put(kVersion);
  put_common(fields, placed, 4 + 24);
  fields.put(uint16_t{0}).put(uint16_t{0}).put(uint16_t{0}).put(uint32_t{0}).put(kSeeZip64);
  fields.text(placed.entry->name);
  fields.put(kZip64Extra).put(uint16_t{24}).put(placed.size).put(placed.size).put(placed.offset);
}

void put_end(Fields& fields, uint64_t entries, uint64_t central_offset) {
  const uint64_t central_bytes = fields.size();
  const uint64_t end64 = central_offset + central_bytes;
  fields.put(kEnd64).put(uint64_t{kEnd64Bytes - 12}).put(kVersion).put(kVersion);
  fields.put(uint32_t{0}).put(uint32_t{0});
  fields.put(entries).put(entries).put(central_bytes).put(central_offset);
  fields.put(kEnd64Locator).put(uint32_t{0}).put(end64).put(uint32_t{1});
  fields.put(kEnd).put(uint16_t{0}).put(uint16_t{0}).put(uint16_t{0xFFFF}).put(uint16_t{0xFFFF});
  fields.put(kSeeZip64).put(kSeeZip64).put(uint16_t{0});
}

// ---- Reading ----

template <class T>
T get(std::span<const std::byte> bytes, uint64_t at) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(static_cast<T>(bytes[at + i]) << (8 * i));
  return value;
}

bool inside(std::span<const std::byte> bytes, uint64_t offset, uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

struct Directory {
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint64_t entries = 0;
};

// The end record is the last thing in the file but for a comment of at most 64 KiB.
std::optional<uint64_t> find_end(std::span<const std::byte> bytes) {
  if (bytes.size() < kEndBytes) return std::nullopt;
  const uint64_t first = bytes.size() - std::min<uint64_t>(bytes.size(), kEndBytes + 0xFFFF);
  for (uint64_t at = bytes.size() - kEndBytes;; --at) {
    if (get<uint32_t>(bytes, at) == kEnd) return at;
    if (at == first) return std::nullopt;
  }
}

std::optional<Directory> find_directory(std::span<const std::byte> bytes) {
  const auto end = find_end(bytes);
  if (!end) return std::nullopt;
  Directory found{get<uint32_t>(bytes, *end + 16), get<uint32_t>(bytes, *end + 12),
                  get<uint16_t>(bytes, *end + 10)};
  if (*end >= kLocatorBytes && get<uint32_t>(bytes, *end - kLocatorBytes) == kEnd64Locator) {
    const auto end64 = get<uint64_t>(bytes, *end - kLocatorBytes + 8);
    if (!inside(bytes, end64, kEnd64Bytes) || get<uint32_t>(bytes, end64) != kEnd64) return std::nullopt;
    found = {get<uint64_t>(bytes, end64 + 48), get<uint64_t>(bytes, end64 + 40),
             get<uint64_t>(bytes, end64 + 32)};
  }
  if (!inside(bytes, found.offset, found.bytes)) return std::nullopt;
  return found;
}

struct CentralRecord {
  ZipReader::Entry entry;
  uint64_t size = 0;
  uint64_t local = 0;  // offset of the local header
  uint64_t bytes = 0;  // of the record itself
};

// Numbers that do not fit in 32 bits are in an extra field, in this order, each only if it is needed.
bool read_zip64(std::span<const std::byte> extra, CentralRecord& record, uint64_t& plain_size) {
  const bool needs = record.size == kSeeZip64 || plain_size == kSeeZip64 || record.local == kSeeZip64;
  for (uint64_t at = 0; needs && at + 4 <= extra.size();) {
    const auto id = get<uint16_t>(extra, at);
    const auto length = get<uint16_t>(extra, at + 2);
    at += 4;
    if (!inside(extra, at, length)) return false;
    if (id == kZip64Extra) {
      const uint64_t stop = at + length;
      for (uint64_t* number : {&plain_size, &record.size, &record.local}) {
        if (*number != kSeeZip64) continue;
        if (at + 8 > stop) return false;
        *number = get<uint64_t>(extra, at);
        at += 8;
      }
      return true;
    }
    at += length;
  }
  return !needs;
}

std::optional<CentralRecord> read_central(std::span<const std::byte> directory) {
  if (directory.size() < kCentralBytes || get<uint32_t>(directory, 0) != kCentralHeader) return std::nullopt;
  const auto name = get<uint16_t>(directory, 28);
  const auto extra = get<uint16_t>(directory, 30);
  const auto comment = get<uint16_t>(directory, 32);
  CentralRecord record;
  record.bytes = kCentralBytes + uint64_t{name} + extra + comment;
  if (record.bytes > directory.size()) return std::nullopt;
  record.entry.stored = get<uint16_t>(directory, 10) == 0;
  record.entry.crc = get<uint32_t>(directory, 16);
  record.size = get<uint32_t>(directory, 20);
  uint64_t plain_size = get<uint32_t>(directory, 24);
  record.local = get<uint32_t>(directory, 42);
  record.entry.name.assign(reinterpret_cast<const char*>(directory.data()) + kCentralBytes, name);
  if (!read_zip64(directory.subspan(kCentralBytes + name, extra), record, plain_size)) return std::nullopt;
  if (record.entry.stored && plain_size != record.size) return std::nullopt;
  return record;
}

bool place_content(std::span<const std::byte> bytes, CentralRecord& record) {
  if (!inside(bytes, record.local, kLocalBytes) || get<uint32_t>(bytes, record.local) != kLocalHeader)
    return false;
  const uint64_t content = record.local + kLocalBytes + get<uint16_t>(bytes, record.local + 26) +
                           get<uint16_t>(bytes, record.local + 28);
  if (!inside(bytes, content, record.size)) return false;
  record.entry.bytes = bytes.subspan(content, record.size);
  return true;
}

Status write_entries(const std::vector<ZipEntry>& entries, const WritePiece& write) {
  Fields directory;
  uint64_t offset = 0;
  for (const ZipEntry& entry : entries) {
    Placed placed{&entry, offset, 0, 0};
    for (const Blob& piece : entry.pieces) placed.size += piece.size();
    const Fields header = local_header(placed);
    OPENQNN_TRY(write(header.bytes()));
    for (const Blob& piece : entry.pieces) {
      placed.crc = crc32_of(piece.bytes(), placed.crc);
      OPENQNN_TRY(write(piece.bytes()));
      piece.release();
    }
    const Fields checksum = data_descriptor(placed);
    OPENQNN_TRY(write(checksum.bytes()));
    offset += header.size() + placed.size + checksum.size();
    put_central(directory, placed);
  }
  put_end(directory, entries.size(), offset);
  return write(directory.bytes());
}

}  // namespace

Status write_zip(const std::filesystem::path& path, const std::vector<ZipEntry>& entries) {
  return write_file(path, [&](const WritePiece& write) { return write_entries(entries, write); });
}

std::vector<std::byte> zip_bytes(const std::vector<ZipEntry>& entries) {
  std::vector<std::byte> all;
  const Status written = write_entries(entries, [&](std::span<const std::byte> piece) -> Status {
    all.insert(all.end(), piece.begin(), piece.end());
    return {};
  });
  return written ? all : std::vector<std::byte>();  // memory takes every piece
}

Result<ZipReader> ZipReader::open(std::span<const std::byte> bytes, std::string_view source) {
  auto damaged = [&](std::string_view what) {
    return corrupt("zip-format", std::string(what))
        .at(std::string(source))
        .fix_by("the file is cut off or is no archive; make it again");
  };
  const auto directory = find_directory(bytes);
  if (!directory) return damaged("this is no zip archive, or its end is missing");
  ZipReader reader;
  auto rest = bytes.subspan(directory->offset, directory->bytes);
  for (uint64_t i = 0; i < directory->entries; ++i) {
    auto record = read_central(rest);
    if (!record) return damaged(concat("entry ", i, " of its directory makes no sense"));
    if (!place_content(bytes, *record))
      return damaged(concat("entry '", record->entry.name, "' lies outside of it"));
    rest = rest.subspan(record->bytes);
    reader.entries_.push_back(std::move(record->entry));
  }
  return reader;
}

const ZipReader::Entry* ZipReader::find(std::string_view name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  return found != entries_.end() ? &*found : nullptr;
}

}  // namespace openqnn
