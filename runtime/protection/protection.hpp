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

  std::uint64_t chunk_blocks() const { return manifest.chunk_blocks; }
  std::size_t block_bytes() const { return static_cast<std::size_t>(manifest.block_bytes); }
};

/// Opens the parts at some paths and reads the manifest from whatever copies of its pages are good.
/// A part of which both headers are damaged is unusable, as long as there is another one.
///
/// Errors: throws what open_part throws; kInvalidArgument if the parts are not of one protection,
///         or one is given twice; kDamaged if a page of the manifest is good in no copy;
///         kUnsupported if it exceeds a bound.
Protection open_protection(const std::vector<std::filesystem::path>& paths,
                           const ReadingBounds& bounds);

}  // namespace xorloom
