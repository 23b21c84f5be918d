#include "runtime/atlas/atlas_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codes/bits.hpp"
#include "codes/text/error.hpp"
#include "runtime/atlas/loss_patterns.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/stored_spec.hpp"
#include "runtime/machine/little_endian.hpp"

namespace xorloom {
namespace {

// As in a shard, no text begins with this, and transfers as text damage it.
constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'X', 'L', 'A', '\r', '\n', 0x1a, '\n'};

enum Offset : std::size_t {
  kVersionAt = 8,
  kSpecBytesAt = 12,
  kFileBytesAt = 16,
  kLocationsAt = 24,
  kRowsAt = 28,
  kKAt = 32,
  kMAt = 36,
  kLossesAt = 40,
  kEffortAt = 44,
  kStepsAt = 48,
  kSeedAt = 56,
  kPatternsAt = 64,
  kProgramsAt = 68,
  kRecordsAt = 72,
  kWordBitsAt = 76,
  kSpecAt = 80,
};
constexpr std::size_t kEntryBytes = 16;
constexpr std::size_t kRecordBytes = 16;

constexpr std::uint32_t kPacketVersion = 1;
constexpr std::uint32_t kWordVersion = 2;
static_assert(kWordVersion == kAtlasVersion);

constexpr auto kMostEffort = static_cast<std::uint32_t>(Effort::kMax);

std::optional<std::uint64_t> patterns_of(const AtlasSubject& subject) {
  if (subject.losses > subject.locations) return std::nullopt;
  return number_of_patterns(subject.locations, subject.losses, kMaxAtlasPatterns);
}

/// True if words can have `w` bits.
bool is_width_of_words(std::uint32_t w) { return w == 4 || w == 8 || w == 16 || w == 32; }

[[noreturn]] void fail_as_damaged(const char* what) { fail(Status::kDamaged, what); }

/// Throws kDamaged if the offsets of the records or the records of a pattern are wrong.
void check_references(std::span<const std::uint8_t> file, const AtlasHeader& header) {
  const AtlasLayout layout = layout_of(header);
  std::uint64_t after = layout.records;
  for (std::uint32_t r = 0; r < header.records; ++r) {
    const std::uint64_t offset = atlas_record(file, layout, r).offset;
    if (r == 0 ? offset != after : offset <= after) {
      fail_as_damaged("its records are not contiguous");
    }
    after = offset;
  }
  if (after >= header.file_bytes && header.records != 0) {
    fail_as_damaged("its records go past its end");
  }
  if (header.records == 0 && layout.records != header.file_bytes) {
    fail_as_damaged("it has bytes that belong to no record");
  }
  for (std::uint64_t pattern = 0; pattern < num_patterns(header.subject); ++pattern) {
    const AtlasEntry entry = atlas_entry(file, layout, pattern);
    if (entry == AtlasEntry{}) continue;
    for (const std::uint32_t record :
         {entry.reads, entry.equations, entry.two_way, entry.three_way}) {
      if (record >= header.records) fail_as_damaged("a pattern names a record that does not exist");
    }
  }
}

}  // namespace

std::string spec_without_packets(const Code& code) {
  std::string spec = code.spec;
  for (const std::string& text : {fmt::format(",packet_bytes={}", code.packet_bytes),
                                  fmt::format(",\"packet_bytes\":{}", code.packet_bytes)}) {
    if (const std::size_t at = spec.rfind(text); at != std::string::npos) {
      return spec.erase(at, text.size());
    }
  }
  return spec;
}

std::uint32_t word_bits_of(const Code& code) {
  return code.arrangement == Arrangement::kWord ? static_cast<std::uint32_t>(code.field.w()) : 0;
}

std::uint32_t version_of(const AtlasSubject& subject) {
  return subject.word_bits == 0 ? kPacketVersion : kWordVersion;
}

AtlasSubject atlas_subject(const Code& code) {
  AtlasSubject subject{.spec = spec_without_packets(code),
                       .locations = static_cast<std::uint32_t>(code.locations),
                       .rows = static_cast<std::uint32_t>(units_of_chunk(code)),
                       .k = static_cast<std::uint32_t>(code.k),
                       .m = static_cast<std::uint32_t>(code.m),
                       .losses = static_cast<std::uint32_t>(std::min(code.m, code.locations)),
                       .word_bits = word_bits_of(code)};
  if (!patterns_of(subject)) {
    fail(Status::kUnsupported,
         fmt::format("up to {} of {} locations of {} can be lost in more than {} ways", code.m,
                     code.locations, code.name(), kMaxAtlasPatterns));
  }
  return subject;
}

std::string atlas_name(const AtlasSubject& subject) { return excerpt(subject.spec); }

std::uint64_t num_patterns(const AtlasSubject& subject) { return patterns_of(subject).value_or(0); }

AtlasLayout layout_of(const AtlasHeader& header) {
  const std::size_t index = kSpecAt + padded(header.subject.spec.size());
  const std::size_t table = index + kEntryBytes * num_patterns(header.subject);
  const std::size_t checksum = table + kRecordBytes * header.records;
  return {index, table, checksum, checksum + kChecksumBytes};
}

std::vector<std::uint8_t> subject_bytes(const AtlasSubject& subject) {
  if (subject.spec.size() > kMaxStoredSpecBytes) {
    fail(Status::kInvalidArgument, fmt::format("the code spec has {} bytes, more than {}",
                                               subject.spec.size(), kMaxStoredSpecBytes));
  }
  std::vector<std::uint8_t> bytes(kSpecAt + padded(subject.spec.size()));
  std::uint8_t* const at = bytes.data();
  std::ranges::copy(kMagic, at);
  put(at + kVersionAt, version_of(subject));
  put(at + kSpecBytesAt, static_cast<std::uint32_t>(subject.spec.size()));
  put(at + kLocationsAt, subject.locations);
  put(at + kRowsAt, subject.rows);
  put(at + kKAt, subject.k);
  put(at + kMAt, subject.m);
  put(at + kLossesAt, subject.losses);
  put(at + kEffortAt, static_cast<std::uint32_t>(subject.effort));
  put(at + kStepsAt, subject.steps);
  put(at + kSeedAt, subject.seed);
  put(at + kPatternsAt, static_cast<std::uint32_t>(num_patterns(subject)));
  put(at + kWordBitsAt, subject.word_bits);
  std::ranges::copy(subject.spec, at + kSpecAt);
  return bytes;
}

std::vector<std::uint8_t> atlas_head(const AtlasHeader& header, std::span<const AtlasEntry> entries,
                                     std::span<const AtlasRecord> records) {
  std::vector<std::uint8_t> bytes = subject_bytes(header.subject);
  const AtlasLayout layout = layout_of(header);
  bytes.resize(layout.records);
  std::uint8_t* at = bytes.data();
  put(at + kFileBytesAt, header.file_bytes);
  put(at + kProgramsAt, header.programs);
  put(at + kRecordsAt, header.records);
  at += layout.index;
  for (const AtlasEntry& entry : entries) {
    for (const std::uint32_t record :
         {entry.reads, entry.equations, entry.two_way, entry.three_way}) {
      put(at, record);
      at += sizeof record;
    }
  }
  for (const AtlasRecord& record : records) {
    put(at, record.offset);
    put(at + 8, record.checksum);
    at += kRecordBytes;
  }
  put(at, checksum({bytes.data(), layout.checksum}));
  return bytes;
}

bool begins_like_atlas(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= kMagic.size() && std::ranges::equal(bytes.first(kMagic.size()), kMagic);
}

AtlasHeader read_atlas_head(std::span<const std::uint8_t> file) {
  if (!begins_like_atlas(file)) fail(Status::kParse, "it is not an atlas");
  if (file.size() < kSpecAt) fail_as_damaged("it ends within its header");
  const std::uint8_t* const at = file.data();
  const auto version = get<std::uint32_t>(at + kVersionAt);
  if (version < kPacketVersion || version > kAtlasVersion) {
    fail(version > kAtlasVersion ? Status::kUnsupported : Status::kDamaged,
         fmt::format("it has format version {}, and this program knows {} to {}", version,
                     kPacketVersion, kAtlasVersion));
  }
  AtlasHeader header;
  header.file_bytes = get<std::uint64_t>(at + kFileBytesAt);
  if (header.file_bytes != file.size()) {
    fail(Status::kDamaged,
         fmt::format("it has {} bytes, and its header says {}", file.size(), header.file_bytes));
  }
  AtlasSubject& subject = header.subject;
  subject.locations = get<std::uint32_t>(at + kLocationsAt);
  subject.rows = get<std::uint32_t>(at + kRowsAt);
  subject.k = get<std::uint32_t>(at + kKAt);
  subject.m = get<std::uint32_t>(at + kMAt);
  subject.losses = get<std::uint32_t>(at + kLossesAt);
  subject.steps = get<std::uint64_t>(at + kStepsAt);
  subject.seed = get<std::uint64_t>(at + kSeedAt);
  subject.word_bits = get<std::uint32_t>(at + kWordBitsAt);
  header.programs = get<std::uint32_t>(at + kProgramsAt);
  header.records = get<std::uint32_t>(at + kRecordsAt);
  const auto patterns = patterns_of(subject);
  const auto spec_bytes = get<std::uint32_t>(at + kSpecBytesAt);
  const auto effort = get<std::uint32_t>(at + kEffortAt);
  const bool has_width =
      version == kPacketVersion ? subject.word_bits == 0 : is_width_of_words(subject.word_bits);
  if (!has_width || !patterns || *patterns != get<std::uint32_t>(at + kPatternsAt) ||
      spec_bytes > kMaxStoredSpecBytes || effort > kMostEffort || subject.rows == 0 ||
      subject.rows > kMaxDirectXors) {
    fail_as_damaged("its header contradicts itself");
  }
  subject.effort = static_cast<Effort>(effort);
  if (file.size() - kSpecAt < padded(spec_bytes)) fail_as_damaged("it ends within its header");
  subject.spec.assign(at + kSpecAt, at + kSpecAt + spec_bytes);
  const auto padding = file.subspan(kSpecAt + spec_bytes, padded(spec_bytes) - spec_bytes);
  if (!std::ranges::all_of(padding, [](std::uint8_t byte) { return byte == 0; })) {
    fail_as_damaged("its header contradicts itself");
  }
  const AtlasLayout layout = layout_of(header);
  if (file.size() < layout.records) fail_as_damaged("it ends within its index");
  if (get<std::uint64_t>(at + layout.checksum) != checksum(file.first(layout.checksum))) {
    fail_as_damaged("the checksum of its header and index does not hold");
  }
  check_references(file, header);
  return header;
}

AtlasEntry atlas_entry(std::span<const std::uint8_t> file, const AtlasLayout& layout,
                       std::uint64_t pattern) {
  const std::uint8_t* const at = file.data() + layout.index + kEntryBytes * pattern;
  return {get<std::uint32_t>(at), get<std::uint32_t>(at + 4), get<std::uint32_t>(at + 8),
          get<std::uint32_t>(at + 12)};
}

AtlasRecord atlas_record(std::span<const std::uint8_t> file, const AtlasLayout& layout,
                         std::uint32_t record) {
  const std::uint8_t* const at = file.data() + layout.table + kRecordBytes * record;
  return {get<std::uint64_t>(at), get<std::uint64_t>(at + 8)};
}

}  // namespace xorloom
