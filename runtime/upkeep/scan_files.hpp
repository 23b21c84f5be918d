#pragma once

#include <cstdint>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/manifest.hpp"
#include "runtime/upkeep/find_segments.hpp"
#include "runtime/upkeep/source_reader.hpp"

namespace xorloom {

/// Searches sources byte by byte with a rolling sum for segments that fill a block, at any offset.
/// A segment keeps the first place at which it was found, here or before.
///
/// Shape: `scanned` are numbers of sources, which `reader` reads.
void scan_files(const Manifest& manifest, const FileMap& map,
                const std::vector<std::uint32_t>& scanned, SourceReader& reader,
                FoundSegments& found, Progress& progress);

}  // namespace xorloom
