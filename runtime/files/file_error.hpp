#pragma once

#include <filesystem>
#include <string>

namespace xorloom {

/// A path in a sentence about errno's code: whole, since it may be meant to be copied, unless there
/// can be no such path.
std::string quoted_path(const std::filesystem::path& path, int code);

/// Throws kIo, "cannot WHAT PATH: why", code being errno's.
[[noreturn]] void fail_on_io(const char* what, const std::filesystem::path& path, int code);

}  // namespace xorloom
