#include "runtime/shards/directory_losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "codes/linear_map.hpp"
#include "codes/tolerance.hpp"
#include "runtime/files/open_file.hpp"

namespace xorloom {
namespace {

/// The locations that are in no directory but `directories`.
std::vector<std::size_t> lost_with(const Code& code,
                                   const std::vector<std::vector<std::size_t>>& held,
                                   const std::vector<std::size_t>& directories) {
  std::vector<bool> is_there(code.locations);
  for (std::size_t d = 0; d < held.size(); ++d) {
    if (std::ranges::binary_search(directories, d)) continue;
    for (const std::size_t location : held[d]) is_there[location] = true;
  }
  std::vector<std::size_t> lost;
  for (std::size_t location = 0; location < code.locations; ++location) {
    if (!is_there[location]) lost.push_back(location);
  }
  return lost;
}

bool survives(const Code& code, const std::vector<std::size_t>& lost) {
  if (lost.size() <= code.promised_losses) return true;
  return lost.size() * code.subchunks <= code.num_cells() - code.data.size() &&
         is_recoverable(code, lost);
}

/// True if the set survives the loss of any `number` directories.
bool survives_any(const Code& code, const std::vector<std::vector<std::size_t>>& held,
                  std::size_t number) {
  std::vector<std::size_t> chosen = first_combination(number);
  std::size_t tries = 0;
  do {
    if (!survives(code, lost_with(code, held, chosen))) return false;
    if (++tries == kMostDirectoryChoices) break;
  } while (next_combination(chosen, held.size()));
  if (tries < kMostDirectoryChoices) return true;
  // Too many to try: the largest directories together must not hold more shards than may be lost.
  std::vector<std::size_t> sizes;
  for (const auto& locations : held) sizes.push_back(locations.size());
  std::ranges::sort(sizes, std::greater());
  std::size_t lost = lost_with(code, held, {}).size();
  for (std::size_t d = 0; d < number; ++d) lost += sizes[d];
  return lost <= code.promised_losses;
}

}  // namespace

DirectoryLosses directory_losses(const Code& code,
                                 const std::vector<std::vector<std::size_t>>& held) {
  DirectoryLosses losses{.directories = held.size()};
  for (const auto& each : held) losses.most_shards = std::max(losses.most_shards, each.size());
  while (losses.may_be_lost < held.size() && survives_any(code, held, losses.may_be_lost + 1)) {
    ++losses.may_be_lost;
  }
  return losses;
}

std::vector<std::vector<std::size_t>> locations_by_directory(const ShardSet& set) {
  std::map<std::filesystem::path, std::vector<std::size_t>> found;
  for (const ShardFile& shard : set.shards) {
    std::vector<std::size_t>& held = found[directory_of(shard.path)];
    if (held.empty() || held.back() != shard.header.location) held.push_back(shard.header.location);
  }
  std::vector<std::vector<std::size_t>> held;
  for (auto& each : found) held.push_back(std::move(each.second));
  return held;
}

std::string to_string(const DirectoryLosses& losses) {
  return losses.may_be_lost == 0
             ? fmt::format("none of the {} with shards may be lost", losses.directories)
             : fmt::format("any {} of {} may be lost", losses.may_be_lost, losses.directories);
}

}  // namespace xorloom
