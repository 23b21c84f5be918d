#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/scratch_pool.hpp"
#include "runtime/engine/word_kernels.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/kernels/word_factors.hpp"
#include "runtime/transforms/transform_kernel.hpp"
#include "runtime/transforms/transform_passes.hpp"

namespace xorloom {

/// Transforms, and the places of their inputs and outputs.
struct PlacedTransforms {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};  ///< a row of zeros, or a row not read
  static constexpr std::uint32_t kNowhere = kNone - 1;  ///< the pointer that passes take is null

  explicit PlacedTransforms(TransformPasses made)
      : passes(std::make_shared<const TransformPasses>(std::move(made))) {}
  explicit PlacedTransforms(std::shared_ptr<const TransformPasses> shared)
      : passes(std::move(shared)) {}

  std::shared_ptr<const TransformPasses> passes;
  std::vector<std::uint32_t> location_of_input{};
  /// By output: its location; if `solve` is not null, the number of its row.
  std::vector<std::uint32_t> place_of_output{};
  bool skips_missing = false;  ///< the pointers of missing inputs and outputs are null
  /// Locations of stored redundancy. Their chunks are added to the first rows.
  std::vector<std::uint32_t> stored{};
  std::size_t num_rows = 0;  ///< rows for outputs that are not chunks: syndromes, lost redundancy
  std::shared_ptr<const WordKernels> solve{};  ///< from rows; null: outputs are chunks
  std::vector<std::uint32_t> solved{};         ///< locations that `solve` writes
};

/// A map of a code computed by additive Fourier transforms (Code::transform_points), in tiles:
///
///   encoding   the transforms of the data are the wanted redundancy
///   decoding   by syndromes: the transforms encode the data that is left, with zeros for lost
///              cells. Adding the stored redundancy that the map reads gives the syndromes. A small
///              matrix times the syndromes is the lost data. Lost redundancy also adds what the
///              transforms give for it. If only data is wanted and it takes fewer instructions,
///              transforms replace the matrix: see RecoveringShape.
///   decoding   by transforms alone, see decoding_passes: no matrix, so that many losses take
///              little more time than few
///
/// A tile is some columns of all chunks. Its intermediate rows are in a buffer of the pool, small
/// enough for the caches of a core.
class TransformKernels final : public Computation {
 public:
  /// Makes kernels for encoding, or for decoding by syndromes. Null if the code has no transforms,
  /// if transforms cannot compute `map`, or if is_wanted(instructions of a tile) is false.
  ///
  /// Errors: throws kInternal unless the transforms, multiplied out, are the map.
  static std::unique_ptr<const TransformKernels> make(
      const Code& code, const LinearMap& map, Isa isa,
      const std::function<bool(std::size_t)>& is_wanted);

  /// Makes kernels for decoding by transforms alone. Null, and errors, as for make().
  static std::unique_ptr<const TransformKernels> make_decoding(
      const Code& code, const LinearMap& map, Isa isa,
      const std::function<bool(std::size_t)>& is_wanted);

  /// A template for decoding any losses by transforms: every point that is sent is an input and an
  /// output, and all factors are 1. It is not proved; use it only to call with(). Null if the code
  /// has no transforms.
  static std::unique_ptr<const TransformKernels> make_decoding_of_all(const Code& code, Isa isa);

  /// Places and factors of one decoding: all that differs between decodings by the same passes.
  struct Decoding {
    std::vector<std::uint32_t> location_of_input;  ///< by point
    std::vector<std::uint32_t> place_of_output;    ///< by point
    std::vector<std::uint8_t> factors;             ///< by constant: see factors()
    std::size_t reads;                             ///< locations
    std::size_t writes;                            ///< locations
  };

  /// Kernels that decode given losses by the passes of make_decoding_of_all, without passes that no
  /// wanted output needs. They share all memory except their factors and places. The caller proves
  /// them. `is_past_caches`: if stores are non-temporal, they run as for large stripes.
  std::unique_ptr<const TransformKernels> with(Decoding decoding,
                                               bool is_past_caches = false) const;

  /// The argument from which with() made these kernels.
  Decoding decoding() const {
    return {placed_.location_of_input, placed_.place_of_output, factors_, counts().vectors_read,
            counts().vectors_written};
  }

  const TransformPasses& passes() const noexcept { return *placed_.passes; }
  const WordFactors& form() const noexcept { return form_; }

  /// The factors of the constants of the passes, form().bytes() for each.
  const std::vector<std::uint8_t>& factors() const noexcept { return factors_; }

  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores) const noexcept override;
  std::size_t memory_bytes() const noexcept override;
  std::vector<const Computation*> others() const override;
  std::optional<std::string> find_wrong_product(const Field& field) const override;

 private:
  static constexpr std::size_t kColumns = 64;
  static constexpr std::uint32_t kNone = PlacedTransforms::kNone;
  static constexpr std::uint32_t kNowhere = PlacedTransforms::kNowhere;

  /// The rows, pointers and calls of a tile, in one buffer.
  struct Scratch;
  struct Call;
  /// Consecutive steps that one call runs: the first step, and the number of blocks.
  struct Joined {
    std::uint32_t step;
    std::uint32_t blocks;
  };

  TransformKernels(const Code& code, Isa isa, PlacedTransforms placed);
  TransformKernels(const TransformKernels& all, Decoding decoding, bool is_past_caches);

  void place_tables();
  void join_steps();
  void keep_wanted_steps(const std::vector<Joined>& all);
  void choose_tiles();
  std::size_t strip_table_bytes() const {
    return num_narrow_ * placed_.passes->points() * strip_bytes_;
  }
  std::size_t padded_bytes(std::size_t bytes) const noexcept;
  void place_rows(Scratch& scratch, std::uint8_t* buffer, std::size_t row_bytes) const noexcept;
  void point_at(Scratch& scratch, std::uint8_t* const* chunks, std::size_t column,
                std::size_t row_bytes) const noexcept;
  Call call_of(const Scratch& scratch, const Joined& joined, std::size_t bytes,
               Stores stores) const noexcept;
  void advance(const Scratch& scratch, std::size_t bytes) const noexcept;
  void run_tile(const Scratch& scratch, std::uint8_t* const* chunks, std::size_t column,
                std::size_t bytes, Stores stores) const noexcept;

  TransformKernel kernel_;
  WordFactors form_;
  PlacedTransforms placed_;
  std::size_t unit_bytes_;             ///< columns of a tile are padded to a multiple of it
  std::size_t block_bytes_;            ///< bytes of a block of planes; 0: symbols are not in planes
  std::vector<std::uint8_t> factors_;  ///< by constant of the passes, form_.bytes() each
  /// Columns of a strip: steps in strips run for one strip after the other. 0: they run for all
  /// columns of a tile, as other steps do.
  std::size_t strip_bytes_ = 0;
  std::vector<std::uint32_t> wide_place_;   ///< by table: its number in a whole tile
  std::vector<std::uint32_t> strip_place_;  ///< by table: its number in a strip
  std::size_t num_wide_ = 0;
  std::size_t num_narrow_ = 0;
  std::vector<Joined> joined_;
  /// Columns of a tile if the stripe is past the caches. Else it has facts().tile_columns.
  std::size_t far_bytes_ = 0;
  std::shared_ptr<const ScratchPool> pool_;
  bool shares_ = false;          ///< passes and pool belong to other kernels
  bool is_past_caches_ = false;  ///< non-temporal stores: any stripe runs as one past the caches
  std::unique_ptr<const TransformKernels> past_caches_;  ///< for stripes past the caches; or null
  std::unique_ptr<const TransformKernels> near_;         ///< for stripes in L2; or null
};

}  // namespace xorloom
