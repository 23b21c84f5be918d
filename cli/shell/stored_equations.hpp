#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codes/code.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/program.hpp"
#include "equations/request/request.hpp"

namespace xorloom::cli {

// Equations from the store (docs/store.md): those of the library, of earlier searches, and of files
// that the user names. All are proved when read.

/// Places of the store, from --store.
struct StorePlaces {
  std::string place;   ///< a word or directory of Store (runtime/store/store.hpp)
  std::string file{};  ///< an atlas or a file of equations; "": none

  /// True if the user named a directory or a file.
  bool are_named() const;
};

/// The computation for which equations are looked up.
struct StoreQuestion {
  const Code* code;   ///< null for a bare matrix; must outlive the question
  Request request;    ///< the request to `code`
  Program direct;     ///< fixes the map and its outputs; the inputs too, unless it rebuilds
  std::size_t cores;  ///< cores of the plan; 0: no plan
  std::string subject = "matrix";  ///< for messages, if there is no code
};

/// Equations from a store.
struct StoredEquations {
  EquationFile file;
  std::string from;  ///< "the library", "an earlier search" or a path
};

/// The best proved equations for `question`; nullopt if there are none.
///
/// Errors: throws kInvalidArgument if a named directory cannot be made, or a named atlas is of
///         another code; kParse or kDamaged, naming the file, if a named file is damaged or its
///         equations do not hold.
std::optional<StoredEquations> stored_equations(const StorePlaces& places,
                                                const StoreQuestion& question);

/// True if `equations` are better than `others`: first by the cost of reads (if the request
/// minimises them), then by steps of the plan, then by XORs.
bool is_better(const EquationFile& equations, const EquationFile& others,
               const StoreQuestion& question);

/// Keeps equations in the directory of the store, unless it has better ones. Returns "kept in
/// PATH"; nullopt if nothing can be kept.
std::optional<std::string> keep_equations(const StorePlaces& places, const StoreQuestion& question,
                                          const EquationFile& equations);

}  // namespace xorloom::cli
