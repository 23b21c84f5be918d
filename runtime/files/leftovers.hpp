#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace xorloom {

// Leftovers: what killed programs have left under hidden names. Running programs hold locks on
// theirs, which tells the two apart.

/// True if `name` is a hidden name that is made from that of `path`: see hidden_name_beside.
bool is_hidden_name_of(std::string_view name, const std::filesystem::path& path,
                       std::string_view suffix);

/// The paths beside `path` that have such hidden names.
std::vector<std::filesystem::path> hidden_names_of(const std::filesystem::path& path,
                                                   std::string_view suffix);

/// Locks an open file or directory that has a hidden name, until its descriptor is closed. True if
/// it is a leftover: it is ours, no program has it locked, and it still has the name.
///
/// If locks may hold only on this machine, as on network file systems, it is a leftover only if it
/// is older than a day, since another machine may have it locked.
bool lock_leftover(int descriptor, const std::filesystem::path& path);

/// True if `name` is a hidden one that this program gives to a file or a directory while it is
/// written, or that of a lock.
bool is_unfinished_name(std::string_view name);

/// Removes what killed programs left of the pending file `pending`.
///
/// Precondition: nobody else writes the file, as the caller holds a lock for it.
void remove_leftovers_of(const std::filesystem::path& pending);

}  // namespace xorloom
