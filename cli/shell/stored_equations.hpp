#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codes/code.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/program.hpp"
#include "equations/request/request.hpp"

namespace xorloom::cli {

// Equations from the store (docs/store.md): what comes with the library, what earlier searches
// found, and what the user names. All are proved when they are read.

/// --store, as it is typed.
struct StorePlaces {
  std::string place;   ///< a word or directory of Store (runtime/store/store.hpp)
  std::string file{};  ///< an atlas or a file of equations, empty for none

  /// True if the user named a directory or a file of their own.
  bool are_named() const;
};

/// What is looked for.
struct StoreQuestion {
  const Code* code;   ///< null for a bare matrix; outlives the question
  Request request;    ///< of the code
  Program direct;     ///< computes it: says what the outputs are, and the inputs unless it rebuilds
  std::size_t cores;  ///< of the plan, 0 for none
};

/// Equations that a store has.
struct StoredEquations {
  EquationFile file;
  std::string from;  ///< "the library", "an earlier search" or a path
};

/// The best equations that answer a question, proved, for the code as it was asked for.
///
/// Errors: throws kInvalidArgument if a named directory cannot be one, or a named atlas is of
///         another code; kParse or kDamaged, naming the file, if a named file is damaged or does
///         not hold.
std::optional<StoredEquations> stored_equations(const StorePlaces& places,
                                                const StoreQuestion& question);

/// Whether equations are better than others: they read less, where reads come first, then take
/// fewer steps on the cores of the question, then fewer XORs.
bool is_better(const EquationFile& equations, const EquationFile& others,
               const StoreQuestion& question);

/// Keeps equations in the directory of the store. Returns what became of them: "kept in PATH", or
/// nothing if the store has no directory or it cannot be written.
std::optional<std::string> keep_equations(const StorePlaces& places, const StoreQuestion& question,
                                          const EquationFile& equations);

}  // namespace xorloom::cli
