#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/isa.hpp"
#include "runtime/stores.hpp"
#include "runtime/word_code.hpp"
#include "runtime/word_factors.hpp"
#include "runtime/word_kernel.hpp"

namespace xorloom {

/// A linear map over symbols of 4, 8, 16 or 32 bits made ready for the word kernels of one
/// instruction set; see Computation for the words and for what the functions do.
///
/// A step is a group of output cells made from the same input cells, as many as a kernel's registers
/// hold sums of: it reads each input once for all of them. Only coefficients other than 0 cost
/// anything, and those that are 1 cost a XOR, an input whose coefficients are all 1 one for the group.
///
/// Columns are computed in slices, one step after the other, so that the inputs of a slice are still
/// near the core for the next step; meanwhile those of the next slice are fetched. One step alone
/// needs no slices, and fetches for its next turn.
class WordProgram {
 public:
  /// Errors: throws kUnsupported unless w is 4, 8, 16 or 32.
  WordProgram(const Code& code, const LinearMap& map, Isa isa, const CodeMaking& making = {});

  std::size_t columns(std::size_t chunk_bytes) const noexcept { return chunk_bytes / subchunks_; }
  std::size_t column_multiple() const noexcept { return 64; }
  std::size_t num_steps() const noexcept { return steps_.size(); }

  /// Multiplications of a step, at least 1.
  std::size_t step_cost(std::size_t step) const noexcept;

  /// All steps: whole tiles by machine code, if there is some, the rest as run_steps does.
  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores) const noexcept;

  std::size_t memory_bytes() const noexcept;

  const WordCode* code() const noexcept { return code_ ? &*code_ : nullptr; }

  /// Buffers: steps whose targets are not all aligned to 64 bytes are written with ordinary stores.
  void run_steps(std::size_t first, std::size_t last, std::uint8_t* const* chunks,
                 std::size_t chunk_bytes, std::size_t begin, std::size_t end,
                 Stores stores) const noexcept;

  /// Compares every factor with the products made by shift and add. The answer is none if all agree,
  /// else a sentence that names the first that does not.
  std::optional<std::string> find_wrong_product(const Field& field) const;

  /// Sub-chunks of so many bytes are computed in the kernel's turns of many vectors alone, or in its
  /// turns of few for what is left over.
  static constexpr std::size_t kManyBytes = kTurnMultiple;
  std::size_t few_bytes() const noexcept { return few_bytes_; }

 private:
  struct Target {
    std::uint32_t location;
    std::uint32_t subchunk;
  };
  struct Step {
    std::size_t first_source;
    std::size_t num_plain;
    std::size_t num_without_ones;
    std::size_t num_sources;
    std::size_t first_factor;  ///< the factor's number
    std::size_t first_target;
    std::size_t rows;
    std::size_t part;   ///< which of the steps over the same inputs it is
    std::size_t parts;  ///< how many there are
  };
  void add_steps(const LinearMap& map, const std::vector<std::size_t>& outputs);
  void add_step(const LinearMap& map, std::span<const std::size_t> outputs);

  std::optional<WordCode> code_;
  std::size_t subchunks_;
  WordKernel kernel_;
  WordFactors form_;
  std::uint32_t reduction_;
  std::size_t few_bytes_;
  std::size_t num_cells_;
  std::size_t turn_bytes_ = 64;  ///< a multiple of the turns of all steps
  std::vector<Step> steps_;
  std::vector<WordSource> sources_;
  std::vector<Target> targets_;
  std::vector<Field::Symbol> coefficients_;
  std::vector<std::uint8_t> factors_;  ///< of each coefficient
};

}  // namespace xorloom
