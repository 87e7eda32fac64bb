// SPDX-License-Identifier: BSD-3-Clause
#include "program/container.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "base/text.h"
#include "program/bytes_io.h"
#include "program/context_binary.h"

namespace openqnn::program {
namespace {

// Where the header's fields are.
constexpr size_t kFileBytesAt = 16;
constexpr size_t kSectionCountAt = 24;
constexpr size_t kHeaderReservedAt = 28;
constexpr size_t kProducerAt = 32;
constexpr size_t kProducerBytes = 24;
constexpr size_t kHeaderChecksumAt = 56;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Of the header, with its own field left out, and of the section table.
uint64_t header_checksum(std::span<const std::byte> bytes, uint32_t section_count) {
  std::vector<std::byte> covered(bytes.begin(), bytes.begin() + kHeaderChecksumAt);
  const auto table = bytes.subspan(kHeaderBytes, section_count * kEntryBytes);
  covered.insert(covered.end(), table.begin(), table.end());
  return checksum_of(covered);
}

Section load_entry(std::span<const std::byte> bytes, size_t number) {
  const size_t at = kHeaderBytes + number * kEntryBytes;
  return {.kind = static_cast<SectionKind>(load_at<uint32_t>(bytes, at)),
          .index = load_at<uint32_t>(bytes, at + 4),
          .flags = load_at<uint32_t>(bytes, at + 8),
          .offset = load_at<uint64_t>(bytes, at + 16),
          .bytes = load_at<uint64_t>(bytes, at + 24),
          .checksum = load_at<uint64_t>(bytes, at + 32)};
}

void store_entry(std::span<std::byte> bytes, size_t number, const Section& section) {
  const size_t at = kHeaderBytes + number * kEntryBytes;
  store_at(bytes, at, static_cast<uint32_t>(section.kind));
  store_at(bytes, at + 4, section.index);
  store_at(bytes, at + 8, section.flags);
  store_at(bytes, at + 12, uint32_t{0});
  store_at(bytes, at + 16, section.offset);
  store_at(bytes, at + 24, section.bytes);
  store_at(bytes, at + 32, section.checksum);
}

bool is_known_kind(SectionKind kind) { return kind >= SectionKind::kSet && kind <= SectionKind::kData; }

DiagnosticBuilder damaged(std::string message) {
  return corrupt("context-damaged", std::move(message))
      .fix_by("copy the file again, or prepare the model again");
}

DiagnosticBuilder truncated(std::string_view section, uint64_t begin, uint64_t end, uint64_t size) {
  return corrupt("context-truncated",
                 concat("the context binary ends at offset ", size, ", before the end of its ", section,
                        " (offsets ", begin, " to ", end, ")"))
      .fix_by("copy the file again, or pass the size of the whole binary");
}

// Empty when the field does not hold plain text.
std::string producer_of(std::span<const std::byte> bytes) {
  std::string_view producer = text_of(bytes.subspan(kProducerAt, kProducerBytes));
  producer = producer.substr(0, producer.find('\0'));
  const bool printable = std::ranges::all_of(producer, [](char c) { return c >= ' ' && c <= '~'; });
  return printable ? std::string(producer) : "";
}

Status check_version(std::span<const std::byte> bytes) {
  const auto major = load_at<uint32_t>(bytes, kMajorAt);
  const auto minor = load_at<uint32_t>(bytes, kMinorAt);
  if (major == kFormatMajor) return {};
  const std::string producer = producer_of(bytes);
  return unsupported("context-version",
                     concat("the context binary has format ", major, ".", minor,
                            producer.empty() ? "" : concat(" (written by openqnn ", producer, ")"),
                            "; this version reads format ", kFormatMajor))
      .fix_by(major > kFormatMajor ? "update openqnn, or prepare the model again with this version"
                                   : "prepare the model again with this version");
}

Status check_header(std::span<const std::byte> bytes) {
  if (bytes.size() < kContextBinaryMagic.size()
          ? !kContextBinaryMagic.starts_with(text_of(bytes)) || bytes.empty()
          : !text_of(bytes).starts_with(kContextBinaryMagic))
    return not_a_context_binary(bytes);
  if (bytes.size() < kHeaderBytes) return truncated("header", 0, kHeaderBytes, bytes.size());
  // Before any checksum: another version may compute it over other bytes.
  OPENQNN_TRY(check_version(bytes));

  const auto sections = load_at<uint32_t>(bytes, kSectionCountAt);
  const uint64_t table_end = kHeaderBytes + uint64_t{sections} * kEntryBytes;
  const auto file_bytes = load_at<uint64_t>(bytes, kFileBytesAt);
  if (table_end > file_bytes)
    return damaged(concat("the header counts ", sections, " sections in a file of ", file_bytes, " bytes"));
  if (table_end > bytes.size()) return truncated("section table", kHeaderBytes, table_end, bytes.size());
  if (header_checksum(bytes, sections) != load_at<uint64_t>(bytes, kHeaderChecksumAt))
    return damaged(
        concat("the header and section table (offsets 0 to ", table_end, ") do not match their checksum"));
  if (load_at<uint32_t>(bytes, kHeaderReservedAt) != 0)
    return damaged("the header's reserved field is not 0");
  return {};
}

// One row of the table, after the section that ends at `end`.
Status check_entry(std::span<const std::byte> bytes, const Section& section, uint64_t end) {
  const std::string name = name_of(section);
  const auto file_bytes = load_at<uint64_t>(bytes, kFileBytesAt);
  if (section.offset < end || section.offset > file_bytes || section.bytes > file_bytes - section.offset)
    return damaged(concat("section '", name, "' has offset ", section.offset, " and ", section.bytes,
                          " bytes, which does not fit behind offset ", end, " in a file of ", file_bytes));
  if (section.offset + section.bytes > bytes.size())
    return truncated("section '" + name + "'", section.offset, section.offset + section.bytes, bytes.size());
  if ((section.flags & ~kSectionRequired) != 0)
    return damaged(concat("section '", name, "' has flags ", section.flags, ", which format ", kFormatMajor,
                          " does not define"));
  if (!is_known_kind(section.kind) && (section.flags & kSectionRequired) != 0)
    return unsupported(
               "context-section-kind",
               concat("the context binary has a section of kind ", static_cast<uint32_t>(section.kind),
                      ", which this version does not know and its writer calls required"))
        .fix_by("update openqnn, or prepare the model again with this version");
  if (!all_zero(bytes.subspan(end, section.offset - end)))
    return damaged(concat("the padding before section '", name, "' (offsets ", end, " to ", section.offset,
                          ") is not zero"));
  if (section.kind == SectionKind::kData) {
    if (section.offset % kDataAlignment != 0 || section.bytes % kDataAlignment != 0 || section.checksum != 0)
      return damaged(concat("the data section at offset ", section.offset, " is not whole pages of 4 KiB"));
  } else if (checksum_of(bytes.subspan(section.offset, section.bytes)) != section.checksum) {
    return damaged(concat("section '", name, "' (offsets ", section.offset, " to ",
                          section.offset + section.bytes, ") does not match its checksum"));
  }
  return {};
}

// Every known section once, Programs numbered from 0 without a gap.
Status check_presence(const Container& container) {
  std::array<uint32_t, 5> seen{};  // by kind
  for (const Section& section : container.sections) {
    if (!is_known_kind(section.kind)) continue;
    uint32_t& next = seen[static_cast<uint32_t>(section.kind)];
    if (section.index != next || (next > 0 && section.kind != SectionKind::kProgram))
      return damaged(concat("section '", name_of(section), "' is there twice or out of order"));
    ++next;
  }
  for (const SectionKind kind : {SectionKind::kSet, SectionKind::kDataChecksums, SectionKind::kData})
    if (seen[static_cast<uint32_t>(kind)] == 0)
      return damaged(concat("section '", name_of({.kind = kind}), "' is missing"));
  const uint64_t chunks = ceil_div(container.find(SectionKind::kData)->bytes, kDataChunk);
  if (container.find(SectionKind::kDataChecksums)->bytes != chunks * sizeof(uint64_t))
    return damaged("the table of data checksums does not have one entry for each MiB of data");
  return {};
}

}  // namespace

std::string name_of(const Section& section) {
  switch (section.kind) {
    case SectionKind::kSet:
      return "set";
    case SectionKind::kProgram:
      return concat("program ", section.index);
    case SectionKind::kDataChecksums:
      return "data checksums";
    case SectionKind::kData:
      return "data";
  }
  return concat("kind ", static_cast<uint32_t>(section.kind));
}

const Section* Container::find(SectionKind kind, uint32_t index) const {
  for (const Section& section : sections)
    if (section.kind == kind && section.index == index) return &section;
  return nullptr;
}

Result<Container> open_container(std::span<const std::byte> bytes) {
  OPENQNN_TRY(check_header(bytes));
  Container container{bytes, load_at<uint32_t>(bytes, kMinorAt), producer_of(bytes), {}};
  const auto count = load_at<uint32_t>(bytes, kSectionCountAt);
  uint64_t end = kHeaderBytes + uint64_t{count} * kEntryBytes;
  container.sections.reserve(count);  // the table is in `bytes`, so the count is no larger than they are
  for (uint32_t i = 0; i < count; ++i) {
    container.sections.push_back(load_entry(bytes, i));
    OPENQNN_TRY(check_entry(bytes, container.sections.back(), end));
    end = container.sections.back().offset + container.sections.back().bytes;
  }
  if (const auto file_bytes = load_at<uint64_t>(bytes, kFileBytesAt);
      file_bytes != end || bytes.size() != end)
    return damaged(concat("the last section ends at offset ", end, ", but the header says ", file_bytes,
                          " bytes and there are ", bytes.size()));
  OPENQNN_TRY(check_presence(container));
  return container;
}

Status check_data(const Container& container) {
  const Section& data = *container.find(SectionKind::kData);
  const auto expected = container.contents(*container.find(SectionKind::kDataChecksums));
  for (uint64_t at = 0; at < data.bytes; at += kDataChunk) {
    const uint64_t bytes = std::min(kDataChunk, data.bytes - at);
    if (checksum_of(container.contents(data).subspan(at, bytes)) !=
        load_at<uint64_t>(expected, at / kDataChunk * sizeof(uint64_t)))
      return damaged(concat("section 'data': offsets ", data.offset + at, " to ", data.offset + at + bytes,
                            " do not match their checksum"));
  }
  return {};
}

std::vector<std::byte> build_container(std::span<const Contents> metadata, std::span<const std::byte> data) {
  const uint64_t data_bytes = round_up(data.size(), kDataAlignment);
  const std::vector<std::byte> checksums(ceil_div(data_bytes, kDataChunk) *
                                         sizeof(uint64_t));  // seal fills it in

  std::vector<Contents> all(metadata.begin(), metadata.end());
  all.push_back({SectionKind::kDataChecksums, 0, checksums});
  all.push_back({SectionKind::kData, 0, data});

  std::vector<Section> sections;
  uint64_t end = kHeaderBytes + all.size() * kEntryBytes;
  for (const Contents& part : all) {
    const bool is_data = part.kind == SectionKind::kData;
    const uint64_t offset = round_up(end, is_data ? kDataAlignment : kSectionAlignment);
    sections.push_back({.kind = part.kind,
                        .index = part.index,
                        .offset = offset,
                        .bytes = is_data ? data_bytes : part.bytes.size()});
    end = offset + sections.back().bytes;
  }

  std::vector<std::byte> file(end);
  std::memcpy(file.data(), kContextBinaryMagic.data(), kContextBinaryMagic.size());
  store_at(std::span(file), kMajorAt, kFormatMajor);
  store_at(std::span(file), kMinorAt, kFormatMinor);
  store_at(std::span(file), kFileBytesAt, end);
  store_at(std::span(file), kSectionCountAt, static_cast<uint32_t>(all.size()));
  constexpr std::string_view kProducer = OPENQNN_VERSION;
  static_assert(kProducer.size() < kProducerBytes);
  std::memcpy(file.data() + kProducerAt, kProducer.data(), kProducer.size());
  for (size_t i = 0; i < all.size(); ++i) {
    store_entry(file, i, sections[i]);
    std::ranges::copy(all[i].bytes, file.begin() + static_cast<ptrdiff_t>(sections[i].offset));
  }
  seal(file);
  return file;
}

uint64_t container_bytes(std::span<const uint64_t> metadata, uint64_t data) {
  const uint64_t data_bytes = round_up(data, kDataAlignment);
  uint64_t end = kHeaderBytes + (metadata.size() + 2) * kEntryBytes;  // and the data, and its checksums
  for (const uint64_t bytes : metadata) end = round_up(end, kSectionAlignment) + bytes;
  end = round_up(end, kSectionAlignment) + ceil_div(data_bytes, kDataChunk) * sizeof(uint64_t);
  return round_up(end, kDataAlignment) + data_bytes;
}

void seal(std::span<std::byte> bytes) {
  if (bytes.size() < kHeaderBytes) return;
  const auto count = load_at<uint32_t>(bytes, kSectionCountAt);
  if (count > (bytes.size() - kHeaderBytes) / kEntryBytes) return;

  const auto inside = [&](const Section& section) {
    return section.offset <= bytes.size() && section.bytes <= bytes.size() - section.offset;
  };
  Section data;
  Section checksums;
  for (uint32_t i = 0; i < count; ++i) {
    const Section section = load_entry(bytes, i);
    if (section.kind == SectionKind::kData && inside(section)) data = section;
    if (section.kind == SectionKind::kDataChecksums && inside(section)) checksums = section;
  }
  for (uint64_t chunk = 0; chunk < ceil_div(data.bytes, kDataChunk); ++chunk) {
    if ((chunk + 1) * sizeof(uint64_t) > checksums.bytes) break;
    const uint64_t at = chunk * kDataChunk;
    const uint64_t size = std::min(kDataChunk, data.bytes - at);
    store_at(bytes, checksums.offset + chunk * sizeof(uint64_t),
             checksum_of(bytes.subspan(data.offset + at, size)));
  }
  for (uint32_t i = 0; i < count; ++i) {
    Section section = load_entry(bytes, i);
    if (section.kind == SectionKind::kData || !inside(section)) continue;
    section.checksum = checksum_of(bytes.subspan(section.offset, section.bytes));
    store_entry(bytes, i, section);
  }
  store_at(bytes, kHeaderChecksumAt, header_checksum(bytes, count));
}

Diagnostic not_a_context_binary(std::span<const std::byte> bytes) {
  struct Known {
    size_t at;
    std::string_view magic;
    std::string_view what;
  };
  using namespace std::string_view_literals;
  constexpr std::array kOthers = {
      Known{0, "PK\3\4"sv, "a zip archive (a DLC of the vendor's converter is one)"},
      Known{0, "\177ELF"sv, "an ELF file: a program or shared library (a model library is one)"},
      Known{4, "TFL3"sv, "a TensorFlow Lite model"},
      Known{0, "GGUF"sv, "a GGUF model"},
      Known{0, "\211HDF\r\n\032\n"sv, "an HDF5 file"},
      Known{0, "\223NUMPY"sv, "a NumPy array"},
      Known{0, "\037\213"sv, "a gzip archive"},
      Known{0, "\050\265\057\375"sv, "a zstd archive"},
      Known{0, "{"sv, "a JSON text"},
  };
  constexpr std::string_view kOurs = "openqnn reads only its own context binaries";
  constexpr std::string_view kFix = "prepare the model with openqnn";

  const std::string_view text = text_of(bytes.first(std::min<size_t>(bytes.size(), 64)));
  if (text.empty())
    return corrupt("context-empty", "the context binary is empty")
        .fix_by("pass the whole binary and its size");
  if (text.starts_with("OQNNCTX\r"))
    return corrupt("context-line-ends", "the context binary was copied as text: its line ends were rewritten")
        .fix_by("copy the file in binary mode");
  for (const Known& known : kOthers)
    if (text.size() >= known.at && text.substr(known.at).starts_with(known.magic))
      return invalid("context-foreign",
                     concat("this is not an openqnn context binary; it looks like ", known.what, "; ", kOurs))
          .fix_by(std::string(kFix));
  return invalid("context-foreign",
                 concat("this is not an openqnn context binary: it does not begin with the openqnn magic; ",
                        kOurs, ", context binaries of the vendor's tools cannot be read"))
      .fix_by(std::string(kFix));
}

}  // namespace openqnn::program
