#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xorloom::cli {

// Files as they are named on the command line; "-" is standard input or standard output. A path that
// cannot be opened is a wrong call (kInvalidArgument), a failure after that is not (kIo).

std::vector<std::uint8_t> read_input(const std::string& path);
std::string read_text(const std::string& path);

/// The size of an input that is a regular file, 0 of any other.
std::size_t known_input_bytes(const std::string& path) noexcept;

/// Writes a whole file: it appears complete or not at all. A symbolic link stays one. Devices, pipes
/// and what a descriptor of this program leads to, as /dev/stdout does, are written as they are.
void write_output(const std::string& path, std::span<const std::uint8_t> bytes);
void write_output(const std::string& path, std::string_view text);

/// Writes to standard output.
void print(std::string_view text);

/// Writes a line to standard error. Never fails.
void note(std::string_view line) noexcept;

}  // namespace xorloom::cli
