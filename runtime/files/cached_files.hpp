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

/// What a file holds; nothing if there is none, it cannot be read, or it has more bytes than that.
std::vector<std::uint8_t> cached_bytes(const std::filesystem::path& path, std::uint64_t most);

/// Keeps a file, which appears complete or not at all; it is not synced to disk. Then the oldest
/// cached files of its folder go, until a quarter is free, if they take more than most_of_folder
/// bytes. A file that would not fit in then is not kept.
///
/// Shape:  the name of a cached file is 16 hexadecimal digits and one of the ends. Files with other
///         names stay.
/// Answer: true if it is kept.
/// Errors: throws what the file system does where a folder cannot be made or listed.
bool keep_cached(const std::filesystem::path& path, std::span<const std::uint8_t> bytes,
                 std::span<const std::string_view> ends, std::uint64_t most_of_folder);

}  // namespace xorloom
