#pragma once

#include <filesystem>
#include <string>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A path for a sentence about an error of errno `code`: whole, since it may be meant to be copied,
/// unless it is too long to exist; '' if it is empty.
std::string quoted_path(const std::filesystem::path& path, int code);

/// A failed call of the system.
struct IoError : Error {
  IoError(const std::string& sentence, int errno_code)
      : Error(Status::kIo, sentence), code(errno_code) {}
  int code;  ///< errno
};

/// Throws IoError, "cannot WHAT PATH: why"; `code` is errno.
[[noreturn]] void fail_on_io(const char* what, const std::filesystem::path& path, int code);

}  // namespace xorloom
