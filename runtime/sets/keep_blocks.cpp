#include "runtime/sets/keep_blocks.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "codes/text/json.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/shards/shard_block.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// Behind the blocks, as readers look for a header where a file ends, and a block may end with
/// anything.
constexpr std::string_view kEndOfBlocks = "\nend of blocks\n";

fs::path free_name_beside(const fs::path& shard) {
  fs::path path = shard;
  path += kKeptSuffix;
  const fs::path usual = path;
  std::error_code ignored;
  for (int number = 2; fs::exists(fs::symlink_status(path, ignored)); ++number) {
    path = usual;
    path += fmt::format("-{}", number);
  }
  return path;
}

std::span<const std::uint8_t> bytes_of_text(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::uint64_t bytes_of_block(const ShardHeader& header, std::uint64_t block) {
  return frame_bytes(header) + payload_bytes(header, block);
}

}  // namespace

std::optional<KeptBlocks> keep_blocks(const ShardFile& shard,
                                      const std::vector<BadBlocks>& blocks) {
  const ShardHeader& header = shard.header;
  KeptBlocks kept{{}, 0, 0};
  Json ranges = Json::array();
  for (const BadBlocks& range : blocks) {
    if (range.fault != BlockFault::kWrong) continue;
    const std::uint64_t begin = block_offset(header, range.first);
    const std::uint64_t bytes =
        block_offset(header, range.last) + bytes_of_block(header, range.last) - begin;
    ranges.push_back({{"first", range.first},
                      {"last", range.last},
                      {"bytes", bytes},
                      {"offset_in_shard", begin}});
    kept.blocks += range.last - range.first + 1;
    kept.bytes += bytes;
  }
  if (kept.blocks == 0) return std::nullopt;
  const Json about{{"format", "xorloom-kept-blocks"},
                   {"version", 1},
                   {"set", to_string(header.set)},
                   {"generation", generation_text(header)},
                   {"code", header.spec},
                   {"location", header.location},
                   {"shard", shard.path.filename().string()},
                   {"blocks", ranges}};
  kept.path = free_name_beside(shard.path);
  PendingFile file(kept.path, {}, permissions_within(shard.file.permissions()));
  file.write(bytes_of_text(about.dump(-1, Json::Strings::kReplaced) + "\n"));
  std::vector<std::uint8_t> bytes;
  for (const BadBlocks& range : blocks) {
    if (range.fault != BlockFault::kWrong) continue;
    for (std::uint64_t block = range.first; block <= range.last; ++block) {
      bytes.resize(bytes_of_block(header, block));
      if (const int error = shard.read_block(block, 0, bytes, {}); error != 0) {
        fail_on_io("read", shard.path, error);
      }
      file.write(bytes);
    }
  }
  file.write(bytes_of_text(kEndOfBlocks));
  file.finish();
  file.commit(Existing::kRefuse);
  sync_directories({directory_of(kept.path)});
  return kept;
}

}  // namespace xorloom
