#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codes/code.hpp"
#include "codes/tolerance.hpp"

namespace xorloom::cli {

/// Costs of a code: of its storage, of encoding, and of changes of its data.
struct CodeCosts {
  double stored = 0;            ///< bytes stored per byte of data
  std::size_t redundant = 0;    ///< redundant packets; on words, redundant cells
  std::size_t direct_xors = 0;  ///< on packets
  /// On packets: XORs of the best equations that the library or a quick search has. nullopt: too
  /// many direct XORs for a quick search.
  std::optional<std::size_t> iterative_xors{};
  bool is_least = false;            ///< fewer than `iterative_xors` are impossible
  std::size_t terms = 0;            ///< on words
  std::size_t multiplications = 0;  ///< on words: terms with a factor other than 1
  std::size_t fewest_changed = 0;   ///< redundant cells that depend on a data cell: the minimum
  std::size_t most_changed = 0;
  double mean_changed = 0;
};

/// Describes a code in JSON: its layout, the losses that it survives and why, its costs if they are
/// given, and the terms of each redundant cell. A cell is location·subchunks + sub-chunk.
///
/// Precondition: `tolerance` is that of `promised_losses` losses.
std::string code_json(const Code& code, const Tolerance& tolerance,
                      const std::optional<CodeCosts>& costs = {});

}  // namespace xorloom::cli
