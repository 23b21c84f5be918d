#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "runtime/protection/manifest.hpp"
#include "runtime/protection/protection_part.hpp"
#include "runtime/shards/reading_bounds.hpp"

namespace xorloom {

/// Some parts of one protection, and their list of files.
struct Protection {
  Manifest manifest;
  FileMap map;
  Code code;
  std::vector<ProtectionPart> parts;  ///< by number; none twice
  std::vector<std::string> unusable;  ///< why other given files are unusable, a sentence each
  std::vector<PartHeader> missing;    ///< headers of the missing parts, by number
  std::vector<PlaceOfPart> places;    ///< given paths at which missing parts can be written
  std::vector<std::string> older{};   ///< which files are older copies of `parts`, a sentence each

  std::uint64_t chunk_blocks() const { return manifest.chunk_blocks; }
  std::size_t block_bytes() const { return static_cast<std::size_t>(manifest.block_bytes); }
};

/// True if there is nothing at a path, or an empty file.
bool is_vacant(const std::filesystem::path& path);

/// Opens the parts at some paths, and reads the manifest from whatever copies of its pages are
/// good. A part with two damaged headers is unusable, if there is another part. So is a part of
/// another protection if most parts are of this one, and a part of an earlier generation whose
/// number is missing. A path of such a part stands for the missing part, and so does a path with
/// nothing or an empty file. Other parts of an earlier generation are older copies, and no defect.
///
/// Errors: throws kIo if a file cannot be read, none is a protection file, the protection is
///         damaged beyond use, or more paths are empty than parts are missing: the files may be
///         whole. kInvalidArgument if it is unclear to which protection the parts belong, or one is
///         given twice; kUnsupported if it exceeds a bound or is of another version.
Protection open_protection(const std::vector<std::filesystem::path>& paths,
                           const ReadingBounds& bounds);

}  // namespace xorloom
