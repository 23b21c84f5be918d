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
// A record is a packed program, or the packed elements that a program reads. Each record is in the
// file once, however many patterns refer to it. The index has the records of each pattern, the
// table the offset and checksum of each record. Every byte is specified in docs/store.md.

/// The newest format this version reads and writes. Atlases of codes on packets have format 1,
/// those of codes on words format 2.
inline constexpr std::uint32_t kAtlasVersion = 2;

inline constexpr std::uint64_t kMaxAtlasPatterns = std::uint64_t{1} << 20;

/// Input of an atlas: equal subjects give equal bytes.
struct AtlasSubject {
  std::string spec;  ///< canonical, without packet_bytes, which no program depends on
  std::uint32_t locations = 0;
  std::uint32_t rows = 0;  ///< elements of a location: R on packets, sub-chunks on words
  std::uint32_t k = 0;
  std::uint32_t m = 0;
  std::uint32_t losses = 0;  ///< most lost locations of a pattern
  Effort effort = Effort::kFast;
  std::uint64_t steps = 0;  ///< steps of each search if the effort is kMax
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

/// Number of patterns, that of encoding included.
std::uint64_t num_patterns(const AtlasSubject& subject);

/// The records of a pattern: the elements read, the equations, and the programs for machine code
/// whose instructions XOR two operands (AVX2) and three (AVX-512). On packets these are the
/// equations in an order. On words the equations are what kernels compute, and the other two what
/// machine code computes; records may be equal. All are kNothing if the lost locations cannot be
/// rebuilt.
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
  std::uint32_t programs = 0;  ///< distinct equations, however many patterns refer to them
  std::uint32_t records = 0;
};

/// Offsets of the parts of an atlas.
struct AtlasLayout {
  std::size_t index;
  std::size_t table;
  std::size_t checksum;
  std::size_t records;
};
AtlasLayout layout_of(const AtlasHeader& header);

/// The bytes before the records.
///
/// Shape:  `entries` by pattern, `records` in their order in the file.
/// Errors: throws kInvalidArgument if the spec or the number of records is beyond the format's
///         bounds.
std::vector<std::uint8_t> atlas_head(const AtlasHeader& header, std::span<const AtlasEntry> entries,
                                     std::span<const AtlasRecord> records);

/// Header and spec for a subject alone, which tell whose atlas a journal belongs to.
std::vector<std::uint8_t> subject_bytes(const AtlasSubject& subject);

/// True if the first bytes of a file are those of an atlas, damaged or not.
bool begins_like_atlas(std::span<const std::uint8_t> bytes);

/// Reads the header of a whole file, and checks all of it that stands before the records.
///
/// Errors: throws kParse if the bytes are no atlas, kUnsupported if it is of a newer version, else
///         kDamaged; the sentence goes on after a name, as in "it has format version 3".
AtlasHeader read_atlas_head(std::span<const std::uint8_t> file);

/// An entry or a record of a file whose head was read. The file may have changed since.
AtlasEntry atlas_entry(std::span<const std::uint8_t> file, const AtlasLayout& layout,
                       std::uint64_t pattern);
AtlasRecord atlas_record(std::span<const std::uint8_t> file, const AtlasLayout& layout,
                         std::uint32_t record);

}  // namespace xorloom
