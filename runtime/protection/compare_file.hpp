#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "runtime/files/open_file.hpp"
#include "runtime/protection/protection.hpp"

namespace xorloom {

/// How a file compares with what a protected one was, segment by segment, each in its place.
struct FileComparison {
  bool is_equal = false;
  std::uint64_t alike = 0;  ///< bytes of equal segments that are not all zeros
  bool has_block = false;   ///< one of these segments fills a block
  bool has_other = false;   ///< a segment that lies in the file is another
  int error = 0;            ///< errno, if the file cannot be read; -1 if it is no regular file
};

/// How much of a file is compared.
enum class CompareUp {
  kToDifference,  ///< the first segment that differs ends the comparison
  kToEnd,         ///< all segments that lie in the file
};

/// Compares a file with a protected one. The segment in the middle is the first: many files begin
/// alike. Adds to `bytes_read`.
FileComparison compare_file(const Protection& protection, std::size_t file, const OpenFile& with,
                            CompareUp up, std::uint64_t& bytes_read);

/// True if a file is what a protected one was.
bool has_content_of(const Protection& protection, std::size_t file,
                    const std::filesystem::path& path);

/// The bytes of a file in pieces of 64 bytes that are all zeros. 0 if it cannot be read.
std::uint64_t zero_bytes(const OpenFile& file);

/// True if a file may be what another one became by damage: at least half of it is the same in the
/// same places, or zeros. False if one cannot be read.
bool may_be_damage_of(const std::filesystem::path& whole, const std::filesystem::path& damaged);

}  // namespace xorloom
