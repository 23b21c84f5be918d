#include "runtime/files/file_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "codes/text/error.hpp"

namespace xorloom {

std::string quoted_path(const std::filesystem::path& path, int code) {
  if (path.empty()) return "''";
  return code == ENAMETOOLONG ? excerpt(path.string()) : path.string();
}

void fail_on_io(const char* what, const std::filesystem::path& path, int code) {
  throw IoError(fmt::format("cannot {} {}: {}", what, quoted_path(path, code), std::strerror(code)),
                code);
}

}  // namespace xorloom
