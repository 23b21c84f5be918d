#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "runtime/files/open_file.hpp"
#include "runtime/protection/protection.hpp"

namespace xorloom {

/// Result of comparing a file with a protected one, segment by segment, each in its place.
struct FileComparison {
  bool is_equal = false;
  std::uint64_t alike = 0;  ///< bytes of segments that agree and are not all zeros
  bool has_block = false;   ///< a segment among these fills a block
  bool has_other = false;   ///< a segment that lies within the file differs
  int error = 0;            ///< errno, if the file cannot be read; -1 if it is no regular file
};

/// The end of a comparison.
enum class CompareUp {
  kToDifference,  ///< at the first segment that differs
  kToEnd,         ///< when all segments that lie within the file are compared
};

/// Compares a file with a protected one, beginning with the segment in the middle: many files begin
/// alike. Adds to `bytes_read`.
FileComparison compare_file(const Protection& protection, std::size_t file, const OpenFile& with,
                            CompareUp up, std::uint64_t& bytes_read);

/// True if a file has the content that a protected one had.
bool has_content_of(const Protection& protection, std::size_t file,
                    const std::filesystem::path& path);

/// Number of bytes in pieces of 64 bytes that are all zeros; 0 if the file cannot be read.
std::uint64_t zero_bytes(const OpenFile& file);

/// Meaning of zeros in a file that may be damaged.
enum class Zeros {
  kDamage,   ///< they may stand for any lost bytes
  kContent,  ///< they are bytes like others
};

/// True if `damaged` may be what damage made of `whole`: at least half of it is equal in the same
/// places, or zeros that are damage. False if one cannot be read.
bool may_be_damage_of(const std::filesystem::path& whole, const std::filesystem::path& damaged,
                      Zeros zeros = Zeros::kDamage);

}  // namespace xorloom
