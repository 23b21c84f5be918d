#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/codewords.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/transforms/locator_logarithms.hpp"
#include "runtime/transforms/transform_kernels.hpp"

namespace xorloom {

/// Makes decoders for any losses of a code that has transforms, in microseconds. All decoders run
/// the same passes (decoding_passes.hpp). The factors of a decoder come from LocatorLogarithms. A
/// run on random codewords proves each decoder.
///
/// Many threads may call the functions at once.
class TransformDecoder {
 public:
  /// Null if the code has no transforms.
  ///
  /// Buffers: the code outlives it.
  /// Errors:  throws kInternal if the kernels are not accepted on this machine.
  static std::unique_ptr<const TransformDecoder> make(const Code& code, Isa isa);

  /// A decoder. `cells` has its inputs and outputs, and no coefficients.
  struct Decoding {
    LinearMap cells;
    std::unique_ptr<const TransformKernels> kernels;
  };

  /// The decoder that rebuilds `wanted`, or all of `lost` if `wanted` is empty. It reads the first
  /// redundant chunks that are left. nullopt if the sets are invalid or too much is lost.
  ///
  /// Errors: throws kInternal if it does not decode random codewords.
  std::optional<Decoding> decoding(std::span<const std::size_t> lost,
                                   std::span<const std::size_t> wanted) const;

  /// The map of rows that decoding() computes, from the same factors: see transform_recovery. The
  /// map is not proved.
  ///
  /// Cost: two field operations for each coefficient.
  std::optional<LinearMap> map(std::span<const std::size_t> lost,
                               std::span<const std::size_t> wanted) const;

  /// The codewords that prove decoders. They prove rows of map(), too.
  const Codewords& codewords() const { return codewords_; }

  /// Estimated time to make a decoder and run it on chunks of `chunk_bytes`.
  double nanoseconds(std::size_t chunk_bytes) const;

 private:
  TransformDecoder(const Code& code, std::unique_ptr<const TransformKernels> all);

  /// The cells read and written. By point: the logarithm of the locator or of its derivative.
  struct Located {
    LinearMap cells;
    std::vector<std::int32_t> logarithms;
  };
  std::optional<Located> located(std::span<const std::size_t> lost,
                                 std::span<const std::size_t> wanted) const;
  Decoding unproved(Located located, bool is_past_caches) const;
  void accept() const;
  std::size_t point_of(Cell cell) const {
    return cell < code_.k ? code_.transform_points + cell : cell - code_.k;
  }
  void set_factor(Field::Symbol factor, std::uint32_t constant,
                  std::vector<std::uint8_t>& factors) const;

  const Code& code_;
  std::unique_ptr<const TransformKernels> all_;
  LocatorLogarithms locator_;
  Codewords codewords_;
  std::vector<std::uint32_t> known_constant_;   ///< by point: constant that scales its input
  std::vector<std::uint32_t> wanted_constant_;  ///< by point: constant that scales its output
  /// The factors of v·2^(8·b) for all bytes v; b is the slower index. The factor of a symbol is the
  /// sum of the factors of its bytes.
  std::vector<std::uint8_t> factors_of_bytes_;
};

}  // namespace xorloom
