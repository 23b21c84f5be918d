#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codes/code.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/program.hpp"
#include "equations/request/request.hpp"
#include "runtime/store/store.hpp"

namespace xorloom {

// Equations from the store that answer a question: with the places that it asks for, and proved.

/// From these moves on, a max search counts as a normal one, which takes fewer of any matrix.
inline constexpr std::size_t kAsNormalSteps = 20'000'000;

/// The computation for which equations are looked up.
struct StoreQuestion {
  const Code* code;   ///< null for a bare matrix; must outlive the question
  Request request;    ///< the request to `code`
  Program direct;     ///< fixes the map and its outputs; the inputs too, unless it rebuilds
  std::size_t cores;  ///< cores of the plan; 0: no plan
  std::string subject = "matrix";   ///< for messages, if there is no code
  std::optional<FewGates> gates{};  ///< gates to have few of, instead of XORs
};

/// Equations from a store.
struct StoredEquations {
  EquationFile file;
  std::string from;  ///< "the library", "an earlier search" or a path
};

/// Iterative equations that answer `question`, proved.
///
/// Errors: throws kInternal if they do not hold.
EquationFile proved_answer(const StoreQuestion& question, Program program);

/// The best equations for `question` that `store` and the library have; nullopt if there are none.
/// `own` names the directory of the store.
std::optional<StoredEquations> best_equations(const Store& store, const std::string& own,
                                              const StoreQuestion& question);

/// True if `equations` are better than `others`: first by the cost of reads (if the request
/// minimises them), then by steps of the plan, then by gates (if there are some), then by XORs.
bool is_better(const EquationFile& equations, const EquationFile& others,
               const StoreQuestion& question);

/// True if stored equations need no search: their XORs equal the lower bound, or as much was spent
/// on them as is asked for. The bound proves nothing for gates. Nor does it for rebuilds, as other
/// survivors may take fewer XORs.
bool are_enough(const EquationFile& kept, const SearchRecord& asked, const StoreQuestion& question);

/// The better of `stored` and `found`, with the record of the longer search. Precondition:
/// `found.search` is set, and that search started from `stored`.
EquationFile better_of(EquationFile stored, EquationFile found, const StoreQuestion& question);

/// Keeps equations in the directory of the store, unless it has better ones. Returns "kept in
/// PATH", "PATH already has some as good" or "not kept: DIR cannot be written"; nullopt if the
/// store has no directory or takes no such equations.
std::optional<std::string> keep_equations(const Store& store, const StoreQuestion& question,
                                          const EquationFile& equations);

}  // namespace xorloom
