#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom {

// An atlas is the file that holds the programs of a code, for encoding and for every set of lost
// locations:
//
//   | header | spec | index | table | checksum | record 0 | record 1 | …
//   0                                ^ covers all before
//
// A record is a packed program, or the packed elements that one reads, and is in the file once,
// however many patterns refer to it. The index says of each pattern which records are its own, the
// table where each record lies, and its checksum. Every byte is specified in docs/store.md.

/// The newest format this version reads and writes. Atlases of codes on packets have format 1,
/// those of codes on words format 2.
inline constexpr std::uint32_t kAtlasVersion = 2;

inline constexpr std::uint64_t kMaxAtlasPatterns = std::uint64_t{1} << 20;

/// What an atlas is made from: the same atlas is the same bytes.
struct AtlasSubject {
  std::string spec;  ///< canonical, without packet_bytes, which no program depends on
  std::uint32_t locations = 0;
  std::uint32_t rows = 0;  ///< elements of a location: R on packets, sub-chunks on words
  std::uint32_t k = 0;
  std::uint32_t m = 0;
  std::uint32_t losses = 0;  ///< up to that many locations are lost
  Effort effort = Effort::kFast;
  std::uint64_t steps = 0;  ///< of each search, where the effort is kMax
  std::uint64_t seed = 1;
  std::uint32_t word_bits = 0;  ///< w if the code lies in words, else 0: programs are over bits

  bool operator==(const AtlasSubject&) const = default;
};

/// The subject of a code, at the effort fast.
///
/// Errors: throws kUnsupported if the code has more than kMaxAtlasPatterns patterns.
AtlasSubject atlas_subject(const Code& code);

/// AtlasSubject::word_bits of a code.
std::uint32_t word_bits_of(const Code& code);

/// The format version of an atlas.
std::uint32_t version_of(const AtlasSubject& subject);

/// The spec of a code on packets without packet_bytes.
std::string spec_without_packets(const Code& code);

/// "cauchy-good:k=10,m=4,w=8,poly=0x11d", or as much of it as fits a sentence.
std::string atlas_name(const AtlasSubject& subject);

/// Its patterns, that of encoding among them.
std::uint64_t num_patterns(const AtlasSubject& subject);

/// The records of a pattern: what is read, the equations, and these once more as machine code
/// computes them, in the order for machines that add two operands an instruction and for those that
/// add three. On words the equations are what kernels compute. The others are what machine code of
/// AVX2 and AVX-512 computes, which may be the same record.
/// Nothing where the lost locations cannot be rebuilt.
struct AtlasEntry {
  static constexpr std::uint32_t kNothing = 0xffffffff;
  std::uint32_t reads = kNothing;
  std::uint32_t equations = kNothing;
  std::uint32_t two_way = kNothing;
  std::uint32_t three_way = kNothing;

  bool is_nothing() const { return reads == kNothing; }
  bool operator==(const AtlasEntry&) const = default;
};

struct AtlasRecord {
  std::uint64_t offset = 0;
  std::uint64_t checksum = 0;
};

struct AtlasHeader {
  AtlasSubject subject;
  std::uint64_t file_bytes = 0;
  std::uint32_t programs = 0;  ///< distinct ones, however often they are referred to
  std::uint32_t records = 0;
};

/// Where the parts of an atlas begin.
struct AtlasLayout {
  std::size_t index;
  std::size_t table;
  std::size_t checksum;
  std::size_t records;
};
AtlasLayout layout_of(const AtlasHeader& header);

/// All that stands before the records.
///
/// Shape:  an entry for each pattern, a record for each.
/// Errors: throws kInvalidArgument if the spec or the number of records is beyond the format's
///         bounds.
std::vector<std::uint8_t> atlas_head(const AtlasHeader& header, std::span<const AtlasEntry> entries,
                                     std::span<const AtlasRecord> records);

/// The same of a subject alone: what tells a journal whose it is.
std::vector<std::uint8_t> subject_bytes(const AtlasSubject& subject);

/// Whether a file's first bytes are those of an atlas, damaged or not.
bool begins_like_atlas(std::span<const std::uint8_t> bytes);

/// Reads the header of a whole file, and checks all of it that stands before the records.
///
/// Errors: throws kParse if the bytes are no atlas, kUnsupported if it is of a newer version, else
///         kDamaged; the sentence goes on after a name, as in "it has format version 3".
AtlasHeader read_atlas_head(std::span<const std::uint8_t> file);

/// An entry or record of a file whose head was read. The file may have changed since.
AtlasEntry atlas_entry(std::span<const std::uint8_t> file, const AtlasLayout& layout,
                       std::uint64_t pattern);
AtlasRecord atlas_record(std::span<const std::uint8_t> file, const AtlasLayout& layout,
                         std::uint32_t record);

}  // namespace xorloom
