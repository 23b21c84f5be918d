#pragma once

#include <string>
#include <string_view>

namespace xorloom::cli {

// Files that hold redundancy or the work of hours. Only the command that writes such a file
// replaces it.

inline constexpr std::string_view kShard = "a shard of a set";
inline constexpr std::string_view kProtectionFile = "a protection file";
inline constexpr std::string_view kAtlas = "an atlas";

/// What `path` is by its content: kShard, kProtectionFile or kAtlas. Empty: none of these, or no
/// regular file.
std::string_view kept_kind(const std::string& path);

/// Throws kInvalidArgument if `path` is one of these files, but not of the kind `replaceable`.
/// `command` is the name of the command that would write it.
void check_not_kept(const std::string& path, std::string_view command,
                    std::string_view replaceable = {});

}  // namespace xorloom::cli
