#pragma once

#include <filesystem>
#include <string>

namespace xorloom {

/// A path in a sentence about errno's code: whole, since it may be meant to be copied, unless there
/// can be no such path.
std::string quoted_path(const std::filesystem::path& path, int code);

// Both throw "cannot WHAT PATH: why", code being errno's.

/// For what fails before any work begins: kInvalidArgument where another path or other permissions
/// would mend it, kIo where the system or the disk is at its end.
[[noreturn]] void fail_to_open(const char* what, const std::filesystem::path& path, int code);

/// For what fails later: kIo.
[[noreturn]] void fail_on_io(const char* what, const std::filesystem::path& path, int code);

}  // namespace xorloom
