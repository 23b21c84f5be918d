#pragma once

#include <cstddef>
#include <string>

namespace xorloom {

/// Reads a text file that a user names. It must be a regular file: a pipe, a device or a directory
/// is refused without waiting. The bound also holds for a file that grows while it is read.
///
/// Errors: throws kIo if there is no such file or it cannot be read; kInvalidArgument if it has
///         more than most_bytes.
std::string read_text_file(const std::string& path, std::size_t most_bytes);

/// The text without the byte order mark of UTF-8 that some editors write at its beginning.
std::string_view without_mark(std::string_view text);

/// Throws kInvalidArgument with the message that `name` has more than most_bytes.
[[noreturn]] void fail_on_long_text(const std::string& name, std::size_t most_bytes);

}  // namespace xorloom
