#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/shards/set_id.hpp"

namespace xorloom {

/// "xorloom-<set id>-<location>.shard"; the location has zeros in front, up to the digits of the
/// last.
std::string shard_name(const SetId& set, std::uint32_t location, std::uint32_t locations);

/// Content of a file's name. Shards are found by their content; a name tells that a file was one
/// once.
struct ShardName {
  SetId set;
  bool is_temporary = false;  ///< the hidden name of a pending file that was to become a shard

  bool operator==(const ShardName&) const = default;
};
std::optional<ShardName> parse_shard_name(std::string_view name);

/// True if `name` is that of a location's shard, whatever the number of its digits: a set whose
/// code has changed may have names with the digits of the code before.
bool is_shard_name_of(std::string_view name, const SetId& set, std::uint32_t location);

/// "xorloom-<set id>-<generation, 16 hexadecimal digits>.journal": the journal of a change in place
/// that gives the set that generation.
std::string journal_name(const SetId& set, std::uint64_t generation);

/// Parses the name of a journal, or of a pending file that was to become one.
std::optional<ShardName> parse_journal_name(std::string_view name);

/// True if a path has the name of a pending file that was to become a shard.
bool is_pending_shard(const std::filesystem::path& path);

}  // namespace xorloom
