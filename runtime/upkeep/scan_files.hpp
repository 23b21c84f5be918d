#pragma once

#include <cstdint>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/manifest.hpp"
#include "runtime/protection/source_reader.hpp"
#include "runtime/upkeep/find_segments.hpp"

namespace xorloom {

/// The segments that are looked up in a search.
enum class LookUp {
  kAll,     ///< a search goes on behind each, even if it was found before: fast
  kMissing  ///< those that were not found: also where they overlap others
};

/// Searches sources byte by byte with a rolling sum for segments that fill a block, at any offset.
/// A segment keeps the first place at which it was found, here or before.
///
/// Shape: `scanned` are numbers of sources, which `reader` reads.
void scan_files(const Manifest& manifest, const FileMap& map,
                const std::vector<std::uint32_t>& scanned, LookUp look_up, SourceReader& reader,
                FoundSegments& found, Progress& progress);

/// Looks for segments that do not fill a block: next to those found, and at the ends of files.
void look_beside(const Manifest& manifest, const FileMap& map, SourceReader& reader,
                 FoundSegments& found);

/// Fills in lost segments of which an equal one was found.
void take_equal(const Manifest& manifest, const FileMap& map, FoundSegments& found);

/// Sets how many segments of each file were found.
void count_found(const FileMap& map, FoundSegments& found);

/// Searches all sources, also whole files, for the segments that are missing. True if some were
/// found.
///
/// Cost: reads all sources.
bool search_all(const Manifest& manifest, const FileMap& map, FoundSegments& found,
                Progress& progress);

}  // namespace xorloom
