#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace xorloom {

// What programs that were killed have left under hidden names, and how to tell it from what running
// programs have there: those hold a lock on it.

/// Whether a name is a hidden one that is made of a path's: see hidden_name_beside.
bool is_hidden_name_of(std::string_view name, const std::filesystem::path& path,
                       std::string_view suffix);

/// The paths beside another that have such names.
std::vector<std::filesystem::path> hidden_names_of(const std::filesystem::path& path,
                                                   std::string_view suffix);

/// Locks an open file or directory that has a hidden name, until its descriptor is closed. False
/// unless it is a leftover: it is ours, no program has it locked, and it has the name still.
///
/// Where locks may hold only on this machine, as those of a network can be mounted, it is a
/// leftover only if it is older than a day, since another machine may have it locked.
bool lock_leftover(int descriptor, const std::filesystem::path& path);

/// Whether a name is a hidden one that a file or a directory of this program has while it is
/// written, or that of a lock.
bool is_unfinished_name(std::string_view name);

/// Removes what a program that was killed left of a pending file.
///
/// Shape: nobody else writes the file, as whoever holds a lock for it knows.
void remove_leftovers_of(const std::filesystem::path& pending);

}  // namespace xorloom
