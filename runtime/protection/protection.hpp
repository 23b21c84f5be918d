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

/// Some parts of one protection, with what they say of the files.
struct Protection {
  Manifest manifest;
  FileMap map;
  Code code;
  std::vector<ProtectionPart> parts;  ///< by number; none twice
  std::vector<std::string> unusable;  ///< why files that were given are no parts, a sentence each
  std::vector<PartHeader> missing;    ///< those of other parts, by number
  std::vector<PlaceOfPart> places;    ///< of missing parts, for files that were given

  std::uint64_t chunk_blocks() const { return manifest.chunk_blocks; }
  std::size_t block_bytes() const { return static_cast<std::size_t>(manifest.block_bytes); }
};

/// Whether there is nothing at a path, or an empty file.
bool is_vacant(const std::filesystem::path& path);

/// Opens the parts at some paths and reads the manifest from whatever copies of its pages are good.
/// A part of which both headers are damaged is unusable, as long as there is another one. So is one
/// of another protection if most parts are of this one, and one of an earlier generation. Paths
/// where nothing is, or an empty file, stand for missing parts, and so do those of an earlier
/// generation.
///
/// Errors: throws kIo if a file cannot be read, none is a protection file, the protection is
///         damaged beyond use, or more paths are empty than parts are missing: the files may be
///         whole. kInvalidArgument if it is open of which protection the parts are, or one is given
///         twice; kUnsupported if it exceeds a bound or is of another version.
Protection open_protection(const std::vector<std::filesystem::path>& paths,
                           const ReadingBounds& bounds);

}  // namespace xorloom
