#include "runtime/shards/file_info.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codes/text/error.hpp"
#include "runtime/machine/little_endian.hpp"

namespace xorloom {
namespace {

// Optional flags.
constexpr std::uint32_t kHasFileInfo = 1;
constexpr std::uint32_t kHoldsFiles = 2;

// | name size | permissions | nanoseconds | 0 | seconds | name, zeros up to a multiple of 8 |
constexpr std::size_t kPermissionsAt = 4;
constexpr std::size_t kNanosecondsAt = 8;
constexpr std::size_t kSecondsAt = 16;
constexpr std::size_t kNameAt = 24;

constexpr std::uint32_t kMostPermissions = 07777;
constexpr std::uint32_t kNanoseconds = 1'000'000'000;

}  // namespace

std::optional<std::string> why_no_name(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (name.size() > kMaxFileNameBytes) {
    return fmt::format("it has {} bytes, more than {}", name.size(), kMaxFileNameBytes);
  }
  if (name == "." || name == "..") return "it is a directory";
  if (name.find('/') != std::string_view::npos) return "it has directories";
  if (name.find('\0') != std::string_view::npos) return "it has a byte that is zero";
  return std::nullopt;
}

void remember(const FileInfo& info, ShardHeader& header) {
  if (const auto why = why_no_name(info.name)) {
    fail(Status::kInvalidArgument,
         fmt::format("'{}' is no name of a file: {}", excerpt(info.name), *why));
  }
  header.optional_flags |= kHasFileInfo;
  header.extra.assign(kNameAt + padded(info.name.size()), 0);
  std::uint8_t* const at = header.extra.data();
  put(at, static_cast<std::uint32_t>(info.name.size()));
  put(at + kPermissionsAt, info.permissions & kMostPermissions);
  put(at + kNanosecondsAt, info.modified_nanoseconds);
  put(at + kSecondsAt, static_cast<std::uint64_t>(info.modified_seconds));
  std::ranges::copy(info.name, at + kNameAt);
}

std::optional<FileInfo> remembered(const ShardHeader& header) {
  if ((header.optional_flags & kHasFileInfo) == 0 || header.extra.size() < kNameAt) return {};
  const std::uint8_t* const at = header.extra.data();
  const std::size_t name_bytes = get<std::uint32_t>(at);
  if (name_bytes > header.extra.size() - kNameAt) return {};
  FileInfo info;
  info.name.assign(at + kNameAt, at + kNameAt + name_bytes);
  info.permissions = get<std::uint32_t>(at + kPermissionsAt);
  info.modified_nanoseconds = get<std::uint32_t>(at + kNanosecondsAt);
  info.modified_seconds = static_cast<std::int64_t>(get<std::uint64_t>(at + kSecondsAt));
  const bool is_sound = !why_no_name(info.name) && info.permissions <= kMostPermissions &&
                        info.modified_nanoseconds < kNanoseconds;
  return is_sound ? std::optional(std::move(info)) : std::nullopt;
}

bool holds_files(const ShardHeader& header) { return (header.optional_flags & kHoldsFiles) != 0; }

void mark_as_files(ShardHeader& header) { header.optional_flags |= kHoldsFiles; }

}  // namespace xorloom
