#include "cli/shell/kept_files.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "codes/text/error.hpp"
#include "runtime/atlas/atlas.hpp"
#include "runtime/protection/protection_part.hpp"
#include "runtime/shards/shard_file.hpp"
#include "runtime/shards/shard_sets.hpp"

namespace xorloom::cli {

std::string_view kept_kind(const std::string& path) {
  std::error_code error;
  if (path == "-" || !std::filesystem::is_regular_file(path, error)) return {};
  if (is_atlas(path)) return kAtlas;
  if (looks_like_part(path)) return kProtectionFile;
  try {
    const FoundShards found = find_shards(std::array<std::filesystem::path, 1>{path});
    if (!found.sets.empty()) return kShard;
    for (const StrayFile& stray : found.strays) {
      if (stray.error == 0) return kShard;
    }
  } catch (const Error&) {  // it cannot be read, so nothing tells that it is a shard
  }
  return {};
}

void check_not_kept(const std::string& path, std::string_view command,
                    std::string_view replaceable) {
  const std::string_view kind = kept_kind(path);
  if (kind.empty() || kind == replaceable) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} is {}, and {} does not overwrite it: name another file", excerpt(path), kind,
                   command));
}

}  // namespace xorloom::cli
