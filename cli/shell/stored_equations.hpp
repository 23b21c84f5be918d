#pragma once

#include <optional>
#include <string>

#include "runtime/store/best_equations.hpp"

namespace xorloom::cli {

// Equations from the store (docs/store.md): those of the library, of earlier searches, and of files
// that the user names. All are proved when read.

/// Places of the store, from --store.
struct StorePlaces {
  std::string place;   ///< a word or directory of Store (runtime/store/store.hpp)
  std::string file{};  ///< an atlas or a file of equations; "": none

  /// True if the user named a directory.
  bool has_directory() const;

  /// True if the user named a directory or a file.
  bool are_named() const;
};

/// The best proved equations for `question`; nullopt if there are none. `is_file_of_use`, if given,
/// is false if the named file holds nothing for the question.
///
/// Errors: throws kInvalidArgument if a named store is no directory, or a named atlas is of
///         another code; kParse or kDamaged, naming the file, if a named file is damaged or its
///         equations do not hold.
std::optional<StoredEquations> stored_equations(const StorePlaces& places,
                                                const StoreQuestion& question,
                                                bool* is_file_of_use = nullptr);

}  // namespace xorloom::cli
