#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/acceptance_cases.hpp"
#include "runtime/engine/computation.hpp"

namespace xorloom {

/// Random codewords of a code on words, made once by its matrix. What computes some cells of a code
/// from others has to give their content back: a check that takes one run, where comparing a map
/// with the code's matrix takes a product of matrices.
///
/// The codewords are sums of kBits / w that are drawn one by one, their data of symbols other than
/// 0. If a cell is computed by wrong factors, its difference from the right content is a sum of
/// factors times data, not all factors 0. Whatever all other data are, at most one value of a datum
/// with such a factor makes it 0. So a wrong cell passes with a probability of at most
/// (2^w - 1)^(-64 / w), which is below 2^-63.
///
/// Source: R. Freivalds, Probabilistic machines can use less running time, IFIP Congress, 1977.
class Codewords {
 public:
  static constexpr std::size_t kBits = 64;

  /// Shape: see fits(). Keeps a reference to the code. Cost: O(k·m·kBits / w) field operations.
  explicit Codewords(const Code& code);
  Codewords(const Codewords&) = delete;
  Codewords& operator=(const Codewords&) = delete;

  /// Whether they are codewords of symbols of whole bytes, one to a location.
  static bool fits(const Code& code);

  /// Runs a computation on a line of each chunk. Shape: cells has no coefficients.
  ///
  /// Errors: throws kInternal unless each output of `cells` comes out as the codewords have it.
  ///         What is lost, or is not to be read, holds junk.
  void check(const LinearMap& cells, const Computation& computation) const;

  /// Codewords in chunks of that many bytes, and what the outputs of `cells` have to be.
  AcceptanceCase test_case(const LinearMap& cells, std::size_t chunk_bytes) const;

 private:
  static constexpr std::size_t kLine = 64;

  void write(std::size_t location, const std::vector<std::uint8_t>& sums,
             std::uint8_t* chunk) const;
  std::uint8_t* line(std::size_t location) const;

  const Code& code_;
  std::size_t drawn_;                         ///< codewords that are drawn
  std::vector<Field::Symbol> drawn_symbols_;  ///< by location, `drawn_` each
  std::size_t first_line_;                    ///< of `lines_`, at a multiple of kLine
  std::vector<std::uint8_t> lines_;           ///< by location, and one of junk behind them
};

}  // namespace xorloom
