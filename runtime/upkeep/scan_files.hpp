#pragma once

#include <cstdint>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/manifest.hpp"
#include "runtime/upkeep/find_segments.hpp"
#include "runtime/upkeep/source_reader.hpp"

namespace xorloom {

/// Goes through sources byte by byte with a rolling sum, and finds segments that fill a block
/// wherever they are. Each stays in the first place where it was found, also by others before.
///
/// Shape: `scanned` are numbers of sources, which `reader` reads.
void scan_files(const Manifest& manifest, const FileMap& map,
                const std::vector<std::uint32_t>& scanned, SourceReader& reader,
                FoundSegments& found, Progress& progress);

}  // namespace xorloom
