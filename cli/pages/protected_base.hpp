#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/protection/protection.hpp"

namespace xorloom::cli {

/// Directories to which the names of a protection may be relative.
struct BasePlaces {
  std::string given;                ///< the one that the user says; "": none
  std::vector<std::string> named;   ///< without `given`: others, tried if no larger file is there
  std::vector<std::string> likely;  ///< further ones that nobody named
};

/// The directory of protection file 1, in whatever order the files are given. nullopt: it is not
/// known.
std::optional<std::filesystem::path> own_base(const Protection& protection);

/// Directory to which names are relative: the given one, else that of protection file 1. Two disks
/// may have the same names. So if no file larger than a block has its size and time there, the one
/// of `named` with the most files of their size and time is taken, if it has more. If none has any,
/// the one of `likely` with the most is taken, if it has half of the names. If no name is found at
/// all, names alone count.
///
/// Errors: throws kInvalidArgument if none is known.
std::filesystem::path base_of(const BasePlaces& places, const Protection& protection);

/// Directories of `named` other than `base` that have files of these names, sizes and times: a
/// mirror, or the ones that are meant.
std::vector<std::filesystem::path> doubles_of(const BasePlaces& places,
                                              const Protection& protection,
                                              const std::filesystem::path& base);

}  // namespace xorloom::cli
