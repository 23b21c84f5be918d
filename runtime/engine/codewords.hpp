#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/acceptance_cases.hpp"
#include "runtime/engine/computation.hpp"

namespace xorloom {

/// Random codewords of a code on words, made once by its matrix. A computation of some cells from
/// others must reproduce their content. This check takes one run; comparing a map with the code's
/// matrix takes a product of matrices.
///
/// The codewords are sums of kBits / w drawn codewords, whose data symbols are not 0. If a cell is
/// computed by wrong factors, its error is a sum of factors times data, and some factor is not 0.
/// Fix all data but the symbol with that factor: at most one value of the symbol makes the error 0.
/// So a wrong cell passes with a probability of at most (2^w - 1)^(-64 / w), which is below 2^-63.
///
/// Source: R. Freivalds, Probabilistic machines can use less running time, IFIP Congress, 1977.
class Codewords {
 public:
  static constexpr std::size_t kBits = 64;

  /// Shape: can_check(code); the code outlives it.
  /// Cost:  O(kBits / w) field operations for each term of the code's matrix.
  explicit Codewords(const Code& code);
  Codewords(const Codewords&) = delete;
  Codewords& operator=(const Codewords&) = delete;

  /// True if the code is on words of 8 or 16 bits, without planes if chunks have several cells.
  static bool can_check(const Code& code);

  /// True if test_case() takes the code, too: it has one cell for each location.
  static bool fits(const Code& code);

  /// Runs a computation on a line of each cell. Cells that are not inputs hold junk.
  ///
  /// Shape:  `cells` has the inputs and outputs; its coefficients are not used.
  /// Errors: throws kInternal unless each output of `cells` equals that of the codewords.
  void check(const LinearMap& cells, const Computation& computation) const;

  /// Codewords in chunks of `chunk_bytes`, with the expected outputs of `cells`.
  ///
  /// Shape: fits(code).
  AcceptanceCase test_case(const LinearMap& cells, std::size_t chunk_bytes) const;

 private:
  static constexpr std::size_t kLine = 64;

  void draw();
  void write(Cell cell, const std::vector<std::uint8_t>& sums, std::uint8_t* chunk) const;
  std::uint8_t* line(Cell cell) const;

  const Code& code_;
  std::size_t drawn_;                         ///< number of drawn codewords
  std::vector<Field::Symbol> drawn_symbols_;  ///< `drawn_` symbols for each cell
  std::size_t first_line_;                    ///< offset into `lines_`, at an aligned address
  std::vector<std::uint8_t> lines_;           ///< a line for each cell, then a chunk of junk
};

}  // namespace xorloom
