#pragma once

#include <optional>
#include <utility>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/sparse_sums.hpp"

namespace xorloom {

/// Whether the rows of a map would take more than twice the work of sparse sums.
inline bool is_much_less(const SparseSums& sums) { return sums.work_of_rows > 2 * sums.work; }

/// Chooses what computes a map of a code on words: the rows of the map, or sparse sums of the code.
/// It is the sums where the rows would take twice the work. Otherwise the one whose machine code
/// has fewer instructions is chosen, and the sums if there is no code.
///
/// make(program) gives a candidate for the program. instructions_of(candidate) gives the
/// instructions of its code as an optional, none if it has no code. It is asked only where the
/// answer matters.
///
/// Shape:  sparse is sparse_sums(code, map). needs_code: a candidate with code is chosen if there
///         is one.
/// Errors: what make throws for the rows. If it throws kUnsupported for the sums, the rows are
///         chosen.
template <typename Make, typename InstructionsOf>
auto word_choice(const Code& code, const LinearMap& map, std::optional<SparseSums> sparse,
                 bool needs_code, const Make& make, const InstructionsOf& instructions_of) {
  using Candidate = decltype(make(std::declval<Program>()));
  const auto by_rows = [&] { return make(direct_symbols(code, map)); };
  if (!sparse) return by_rows();
  const bool is_clear = is_much_less(*sparse);
  std::optional<Candidate> by_sums;
  try {
    by_sums = make(std::move(sparse->program));
  } catch (const Error& error) {
    if (error.kind() != Status::kUnsupported) throw;
    return by_rows();
  }
  if (is_clear && !needs_code) return *std::move(by_sums);
  const auto of_sums = instructions_of(*by_sums);
  if (is_clear && of_sums) return *std::move(by_sums);
  Candidate rows = by_rows();
  const auto of_rows = instructions_of(rows);
  if (!of_rows) return *std::move(by_sums);
  if (!of_sums) return rows;
  return *of_rows <= *of_sums ? std::move(rows) : *std::move(by_sums);
}

}  // namespace xorloom
