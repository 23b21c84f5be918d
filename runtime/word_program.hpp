#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/isa.hpp"
#include "runtime/word_kernel.hpp"

namespace xorloom {

/// A linear map over symbols of 4, 8, 16 or 32 bits made ready for the word kernels of one
/// instruction set; see Computation for the words and for what the functions do.
///
/// Only coefficients other than 0 cost anything, and those that are 1 cost a XOR. Each distinct
/// coefficient has one table (see WordBlock). Columns are computed in blocks, one output after the
/// other, so that the inputs of a block are still near the core for the next output.
class WordProgram {
 public:
  /// Errors: throws kUnsupported unless w is 4, 8, 16 or 32.
  WordProgram(const Code& code, const LinearMap& map, Isa isa);

  std::size_t columns(std::size_t chunk_bytes) const noexcept { return chunk_bytes / subchunks_; }
  std::size_t column_multiple() const noexcept { return 64; }
  std::size_t num_steps() const noexcept { return steps_.size(); }
  std::size_t step_cost(std::size_t step) const noexcept;

  void run_steps(std::size_t first, std::size_t last, std::uint8_t* const* chunks,
                 std::size_t chunk_bytes, std::size_t begin, std::size_t end) const noexcept;

  /// Compares every entry of every table with the product made by shift and add. The answer is none
  /// if all agree, else a sentence that names the first that does not.
  std::optional<std::string> find_wrong_product(const Field& field) const;

  /// Columns of a block.
  static constexpr std::size_t kBlockBytes = 1024;

 private:
  struct Step {
    std::size_t first_term;
    std::size_t num_plain;
    std::size_t num_terms;
    std::uint32_t location;
    std::uint32_t subchunk;
  };
  std::size_t unit_bytes() const noexcept { return w_ == 4 ? 1 : w_ / 8; }
  std::size_t table_bytes() const noexcept { return 32 * unit_bytes() * unit_bytes(); }
  void add_table(const Field& field, Field::Symbol coefficient);

  WordKernel kernel_;       ///< any number of units
  WordKernel wide_kernel_;  ///< a multiple of 64 bytes
  std::size_t w_;
  std::size_t subchunks_;
  std::vector<Step> steps_;
  std::vector<WordTerm> terms_;
  std::vector<std::uint8_t> tables_;
  std::vector<Field::Symbol> coefficients_;  ///< whose tables they are
};

}  // namespace xorloom
