#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/protection/files_now.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/other_files.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/protection/source_reader.hpp"

namespace xorloom {

// The one search of verify, repair and updates for protected files that are not whole under their
// names: the places that are searched, and the files that count as a protected one there.

/// Protected files that are looked for. True: a whole file of another time counts, too.
using SoughtFiles = std::map<std::size_t, bool>;

/// Pairs of directories: the one that a protected file was in, and the one that it is in now.
using DirectoryPairs = std::set<std::pair<std::filesystem::path, std::filesystem::path>>;

struct FoundElsewhere {
  std::uint32_t source = SegmentPlace::kLost;
  bool is_whole = false;
  std::uint64_t alike = 0;  ///< bytes that are the same in their places
};

/// The directories at the top of protected files and directories.
std::set<std::filesystem::path> top_directories(const Manifest& manifest,
                                                const std::filesystem::path& base);

/// The lengths of files, and their times that are known to the nanosecond.
LengthsAndTimes lengths_and_times(const Protection& protection, const SoughtFiles& sought);

/// Lists files in all places that are searched: below the directories at the top, also through
/// links that the protection follows, and below the base directory on its file system, or on any if
/// all of it is protected. They count as given: see SourceFile.
void add_places(const Manifest& manifest, const std::filesystem::path& base,
                const LengthsAndTimes& alike, OtherFiles& others);

/// Finds protected files under other names: whole, else what damage left of one. That has the time
/// of the file, a block of it in its place, and its size, unless the time is known to the
/// nanosecond. Or it has such a time and the size, and is in the directory of the file; or has the
/// last name of the file, and is in a directory that has another file of the same directory. Names
/// that repair gives to what it keeps do not count for damage.
///
/// Shape: `among` are numbers of `sources`. `moved` are directories of files that are known to be
///        elsewhere. Adds to `bytes_read`.
std::map<std::size_t, FoundElsewhere> find_elsewhere(
    const Protection& protection, const std::filesystem::path& base, const SoughtFiles& sought,
    DirectoryPairs moved, const std::vector<SourceFile>& sources,
    const std::vector<std::uint32_t>& among, std::uint64_t& bytes_read);

/// Files that are outside of what is protected now, by the names that they had, with their places.
struct MovedOut {
  std::map<std::string, std::string> whole;
  std::map<std::string, std::string> damaged;  ///< see find_elsewhere()

  /// A name with the file's place: "p/1, which is ./out/1 now, damaged".
  std::string with_place(const std::string& name) const;

  /// The places of files, for the end of a sentence: "; p/1 is ./out/1 now, …". "" if none is
  /// known.
  std::string places_text(const std::vector<std::string>& names) const;
};

/// Throws kIo if a whole file has a name that repair gives to what it keeps: a repair was
/// interrupted before it gave the file its name back.
void refuse_set_aside(const MovedOut& out);

/// Finds files that are not under their names, outside of what is protected: see find_elsewhere().
/// What an edited file was counts only if it has the time of before. Files that are under their
/// names, and not listed, are not looked for. If a link took the place of a file or its directory,
/// what it leads to is searched, too, also outside of `base`; whole files do not count there. What a
/// link in the place of a file leads to counts as damaged without a block of it, too, if it has the
/// file's time to the nanosecond, or its time and its size.
///
/// Cost: lists all places that are searched, and reads files that are alike by size or time.
MovedOut find_moved_out(const Protection& old, const ListedFiles& listed,
                        const std::filesystem::path& base, FilesNow& now);

}  // namespace xorloom
