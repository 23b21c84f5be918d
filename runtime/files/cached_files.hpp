#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace xorloom {

// Files that can be made again, in a folder that processes share. Nothing in it is trusted, and
// nothing that is wrong with it is an error.

/// Content of a file; empty if there is none, it cannot be read, or it has more than `most` bytes.
std::vector<std::uint8_t> cached_bytes(const std::filesystem::path& path, std::uint64_t most);

/// Writes a cached file, which appears complete or not at all; does not sync it. Then, if the
/// cached files of its folder take more than `most_of_folder` bytes, the oldest are removed until a
/// quarter of that is free. A file that would not fit in then is not kept.
///
/// Shape:  the name of a cached file is 16 hexadecimal digits and one of `ends`. Files with other
///         names stay.
/// Answer: true if it is kept.
/// Errors: throws what the file system does if a folder cannot be made or listed.
bool keep_cached(const std::filesystem::path& path, std::span<const std::uint8_t> bytes,
                 std::span<const std::string_view> ends, std::uint64_t most_of_folder);

}  // namespace xorloom
