#pragma once

#include <optional>
#include <utility>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/sparse_sums.hpp"
#include "equations/ir/cost.hpp"
#include "equations/search/elimination.hpp"
#include "equations/search/transform.hpp"

namespace xorloom {

/// Whether the rows of a map would take more than twice the work of sparse sums.
inline bool is_much_less(const SparseSums& sums) { return sums.work_of_rows > 2 * sums.work; }

/// The rows of a map or its sparse sums, see word_choice.
template <typename Make, typename WorkOf>
auto rows_or_sums(const Code& code, const LinearMap& map, std::optional<SparseSums> sparse,
                  bool needs_code, const Make& make, const WorkOf& work_of) {
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
  const auto of_sums = work_of(*by_sums);
  if (is_clear && of_sums) return *std::move(by_sums);
  Candidate rows = by_rows();
  const auto of_rows = work_of(rows);
  if (!of_rows) return *std::move(by_sums);
  if (!of_sums) return rows;
  return *of_rows <= *of_sums ? std::move(rows) : *std::move(by_sums);
}

/// Programs of a map beside its rows and its sparse sums: by transforms, or by elimination if that
/// saves many multiplications.
inline std::optional<Program> program_of_syndromes(const Code& code, const LinearMap& map) {
  constexpr std::size_t kSavedShare = 8;
  if (auto transforms = transform_program(code, map)) return transforms;
  std::optional<Program> elimination = elimination_program(code, map);
  if (!elimination) return std::nullopt;
  const std::size_t of_rows = multiplications(direct_symbols(code, map));
  const bool saves = multiplications(*elimination) + of_rows / kSavedShare < of_rows;
  return saves ? std::move(elimination) : std::nullopt;
}

/// Chooses what computes a map of a code on words: the rows of the map, sparse sums of the code, or
/// its transforms or an elimination. It is the sums where the rows would take twice the work.
/// Otherwise the one whose machine code has the least work is chosen, and the sums if there is no
/// code.
///
/// make(program) gives a candidate for the program. work_of(candidate) gives the work of its code as
/// an optional, none if it has no code. It is asked only where the answer matters.
///
/// Shape:  sparse is sparse_sums(code, map). needs_code: a candidate with code is chosen if there
///         is one.
/// Errors: what make throws for the rows. If it throws kUnsupported for the sums, the rows are
///         chosen.
template <typename Make, typename WorkOf>
auto word_choice(const Code& code, const LinearMap& map, std::optional<SparseSums> sparse,
                 bool needs_code, const Make& make, const WorkOf& work_of) {
  auto usual = rows_or_sums(code, map, std::move(sparse), needs_code, make, work_of);
  std::optional<Program> syndromes = program_of_syndromes(code, map);
  if (!syndromes) return usual;
  try {
    auto by_syndromes = make(*std::move(syndromes));
    const auto of_syndromes = work_of(by_syndromes);
    const auto of_usual = work_of(usual);
    const bool is_better = of_syndromes && (!of_usual || *of_syndromes < *of_usual);
    return is_better ? std::move(by_syndromes) : std::move(usual);
  } catch (const Error& error) {
    if (error.kind() != Status::kUnsupported) throw;
    return usual;
  }
}

}  // namespace xorloom
