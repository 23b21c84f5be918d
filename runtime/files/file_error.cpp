#include "runtime/files/file_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr std::array kOfThePath = {ENOENT, ENOTDIR, EISDIR, EACCES, EPERM,  EROFS,
                                   ELOOP,  EEXIST,  EINVAL, ENXIO,  ENODEV, ENAMETOOLONG};

[[noreturn]] void fail_on(Status kind, const char* what, const std::filesystem::path& path,
                          int code) {
  fail(kind, fmt::format("cannot {} {}: {}", what, quoted_path(path, code), std::strerror(code)));
}

}  // namespace

std::string quoted_path(const std::filesystem::path& path, int code) {
  return code == ENAMETOOLONG ? excerpt(path.string()) : path.string();
}

void fail_to_open(const char* what, const std::filesystem::path& path, int code) {
  const bool is_of_path = std::ranges::find(kOfThePath, code) != kOfThePath.end();
  fail_on(is_of_path ? Status::kInvalidArgument : Status::kIo, what, path, code);
}

void fail_on_io(const char* what, const std::filesystem::path& path, int code) {
  fail_on(Status::kIo, what, path, code);
}

}  // namespace xorloom
