#pragma once

#include <cstddef>
#include <filesystem>
#include <set>

#include "runtime/protection/protection.hpp"

namespace xorloom {

/// What a file is that was, or will be, kept as NAME.damaged.
enum class KeptKind {
  kSpare,      ///< what a whole file is, or damage of NAME: nothing is lost without it
  kOtherTime,  ///< its time is not that of NAME, as of an edit: perhaps its only copy
  kOnlyCopy,   ///< it is not like NAME, and nothing that is whole has its content
};

/// Says what a file is that stands beside a protected one, or still under its name.
///
/// Shape: `whole` are the paths of the protected files that are whole now, below `base`.
KeptKind kind_of_kept(const Protection& protection, const std::filesystem::path& base,
                      const std::set<std::filesystem::path>& whole, std::size_t file,
                      const std::filesystem::path& kept);

}  // namespace xorloom
