#pragma once

#include <cstddef>
#include <filesystem>
#include <set>

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
/// Shape: `whole` are the paths of the protected files that are whole now, below `base`.
KeptKind kind_of_kept(const Protection& protection, const std::filesystem::path& base,
                      const std::set<std::filesystem::path>& whole, std::size_t file,
                      const std::filesystem::path& kept);

}  // namespace xorloom
