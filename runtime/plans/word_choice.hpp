#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/sparse_sums.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/plan_options.hpp"

namespace xorloom {

/// True if the rows of a map take more than twice the work of sparse sums.
inline bool is_much_less(const SparseSums& sums) { return sums.work_of_rows > 2 * sums.work; }

/// Chooses between the rows of a map and its sparse sums: see word_choice.
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

/// A program of a map by transforms or by elimination.
struct SyndromeProgram {
  Program program;
  bool is_much_less;  ///< takes less than 3/4 of the multiplications of the rows
};

/// A program of a map that is neither its rows nor its sparse sums: by transforms, or by
/// elimination if that saves an eighth of the multiplications. nullopt if there is none, or if
/// symbols have more than 8 bits: machine code has no products of such symbols.
std::optional<SyndromeProgram> syndrome_program(const Code& code, const LinearMap& map);

/// Chooses the computation of a map on words: the rows of the map, sparse sums of the code, or the
/// syndrome_program. Without `sparse`, a syndrome_program that has code and is_much_less is chosen.
/// Else the one whose machine code has the least work is chosen; if none has code, the sums, or
/// without `sparse` the rows. Rows that take more than twice the work of the sums are chosen only
/// if `needs_code` and the sums have no code.
///
/// make(program) returns a candidate for the program. work_of(candidate) returns the work of its
/// code; nullopt: it has no code. work_of is called only if the answer matters.
///
/// Shape:  sparse is sparse_sums(code, map). needs_code: a candidate with code is chosen if there
///         is one.
/// Errors: what make throws for the rows. If it throws kUnsupported for the sums, the rows are
///         chosen.
template <typename Make, typename WorkOf>
auto word_choice(const Code& code, const LinearMap& map, std::optional<SparseSums> sparse,
                 bool needs_code, const Make& make, const WorkOf& work_of) {
  using Candidate = decltype(make(std::declval<Program>()));
  std::optional<SyndromeProgram> syndromes = syndrome_program(code, map);
  std::optional<Candidate> candidate;
  try {
    if (syndromes) candidate = make(std::move(syndromes->program));
  } catch (const Error& error) {
    if (error.kind() != Status::kUnsupported) throw;
  }
  const auto of_candidate = candidate ? work_of(*candidate) : std::nullopt;
  if (of_candidate && syndromes->is_much_less && !sparse) return *std::move(candidate);
  auto usual = rows_or_sums(code, map, std::move(sparse), needs_code, make, work_of);
  if (!of_candidate) return usual;
  const auto of_usual = work_of(usual);
  return !of_usual || *of_candidate < *of_usual ? *std::move(candidate) : std::move(usual);
}

/// The transforms that compute a map of a code on words, proved. Null if the code has none, if the
/// rows of the map take fewer instructions, or if the options ask for machine code or for an
/// executor that needs equations. Null also if syndrome_program has the transforms.
std::unique_ptr<const Computation> transform_computation(const Code& code, const LinearMap& map,
                                                         const PlanOptions& options);

}  // namespace xorloom
