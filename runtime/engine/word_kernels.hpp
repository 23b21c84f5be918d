#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/scratch_pool.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/kernels/word_factors.hpp"
#include "runtime/kernels/word_kernel.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

class WordProducts;

/// A program over symbols of 4, 8, 16 or 32 bits made ready for the word kernels of one instruction
/// set. Computation explains the words and the functions.
///
/// A step computes a group of cells that are sums of the same source cells. The registers of a
/// kernel limit the group. A step reads each source once for its whole group. Only factors other
/// than 0 cost anything. A factor of 1 costs an XOR; a source whose factors are all 1 costs one XOR
/// for the group.
///
/// Temporaries lie in slots, which are reused.
///
/// Columns are computed in slices, one step after the other, so that the inputs of a slice are
/// still near the core for the next step; meanwhile the next slice is fetched. A single step needs
/// no slices, and fetches for its next turn.
class WordKernels final : public Computation {
 public:
  /// Shape:  the program is over the symbols of the code.
  /// Errors: throws kUnsupported unless w is 4, 8, 16 or 32, if locations and temporaries are more
  ///         than kMostPlaces, or if more temporaries are alive at once than their memory holds.
  WordKernels(const Code& code, const Program& program, Isa isa);

  /// The rows of a map of the code, as they are.
  ///
  /// Errors: throws kUnsupported as above.
  WordKernels(const Code& code, const LinearMap& map, Isa isa);

  static constexpr std::size_t kMostPlaces = 6144;

  /// Buffers: steps whose targets are not all aligned to 64 bytes are written with ordinary stores.
  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores) const noexcept override;

  std::size_t memory_bytes() const noexcept override;

  std::optional<std::string> find_wrong_product(const Field& field) const override;

 private:
  static constexpr std::size_t kSlotBytes = std::size_t{72} << 10;  ///< most bytes of temporaries
  static constexpr std::size_t kMostSlots = 1024;

  struct Step {
    std::size_t first_source = 0;
    std::size_t num_plain = 0;
    std::size_t num_without_ones = 0;
    std::size_t num_sources = 0;
    std::size_t first_factor = 0;  ///< number of the first factor
    std::size_t first_target = 0;
    std::size_t rows = 0;
    std::size_t part = 0;   ///< number of this step among those over the same inputs
    std::size_t parts = 1;  ///< steps over the same inputs
    bool is_read = false;   ///< a later step reads its targets
  };
  using Sums = std::vector<const Equation*>;

  WordKernels(const Code& code, Isa isa, std::size_t num_cells);
  void finish_steps(const WordProducts* products);
  WordSource place_of(Element element);
  void add_steps(const Sums& sums);
  void add_step(std::span<const Equation* const> sums);
  void mark_what_is_read();
  void assign_slots();
  void compute(std::uint8_t* const* locations, std::size_t subchunk_bytes, ColumnRange range,
               Stores stores) const noexcept;
  std::size_t slot_bytes() const noexcept { return (num_slots_ * slice_bytes_ + 7) / 8 * 8; }
  void run_in_slots(std::uint8_t* const* chunks, std::size_t subchunk_bytes, ColumnRange range,
                    Stores stores) const noexcept;

  std::size_t locations_;
  const WordKernel& kernel_;
  WordFactors form_;
  std::size_t num_cells_;        ///< cells of chunks that are read or written
  std::size_t turn_bytes_ = 64;  ///< a multiple of the turns of all steps
  std::size_t slice_bytes_ = 0;
  std::vector<Step> steps_;
  /// Of each step, the sources, and the targets, whose `ones` mean nothing. Slots of temporaries are
  /// sub-chunk 0 of locations from locations_ on.
  std::vector<WordSource> places_;
  std::vector<Field::Symbol> coefficients_;
  std::vector<std::uint8_t> factors_;  ///< by coefficient
  std::vector<bool> is_cell_;          ///< only in the constructor: by element, true if in chunks
  std::vector<std::uint32_t> number_of_;  ///< only in the constructor: by element, of the temporary
  std::vector<std::uint32_t> slot_of_;    ///< by temporary
  std::size_t num_slots_ = 0;
  Temporaries temporaries_{0};  ///< the slots, and pointers to all locations and slots
};

}  // namespace xorloom
