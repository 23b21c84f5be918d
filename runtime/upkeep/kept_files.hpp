#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/protection/protection.hpp"

namespace xorloom {

/// Kinds of files that were kept as NAME.damaged, or will be.
enum class KeptKind {
  kSpare,      ///< content of a whole file, or damage of NAME: nothing is lost without it
  kOtherTime,  ///< another time than NAME, as after an edit: perhaps the only copy
  kOnlyCopy,   ///< not like NAME, and no whole file has its content
};

/// The kind of a file that is beside a protected one, or still under its name.
///
/// Shape: `places` are the paths of all protected files, `whole` those of the ones that are whole.
KeptKind kind_of_kept(const Protection& protection, std::span<const std::filesystem::path> places,
                      const std::set<std::filesystem::path>& whole, std::size_t file,
                      const std::filesystem::path& kept);

/// Those of `names` that repair kept of some files, each with its file. `files` are by name.
std::vector<std::pair<std::string, std::size_t>> kept_names(
    const std::vector<std::string>& names, const std::map<std::string, std::size_t>& files);

}  // namespace xorloom
