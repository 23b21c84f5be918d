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
#include "runtime/transforms/error_locator.hpp"
#include "runtime/transforms/transform_kernels.hpp"

namespace xorloom {

/// Decoders of any losses of a code that has transforms, made in microseconds. All run the same
/// passes (decoding_passes.hpp), with factors of their own at the points, which come from an
/// ErrorLocator. Each is proved by a run on random codewords.
///
/// All of its functions but the constructor may be called by many threads at once.
class TransformDecoder {
 public:
  /// Null if the code has no transforms.
  ///
  /// Buffers: the code outlives it.
  /// Errors:  throws kInternal if the kernels are not accepted on this machine.
  static std::unique_ptr<const TransformDecoder> make(const Code& code, Isa isa);

  /// A decoder, and what it reads and writes: a map without coefficients.
  struct Decoding {
    LinearMap cells;
    std::unique_ptr<const TransformKernels> kernels;
  };

  /// What rebuilds the wanted ones of lost locations, or all of them if none is named. It reads the
  /// first redundant chunks that are there. None if the locations are no such sets or too many.
  ///
  /// Errors: throws kInternal if codewords are not decoded.
  std::optional<Decoding> decoding(std::span<const std::size_t> lost,
                                   std::span<const std::size_t> wanted) const;

  /// The same as a map of rows, by the factors that decoding() has: see transform_recovery. It is
  /// not proved.
  ///
  /// Cost: two field operations for a coefficient.
  std::optional<LinearMap> map(std::span<const std::size_t> lost,
                               std::span<const std::size_t> wanted) const;

  /// Of the code. By them rows are proved, too.
  const Codewords& codewords() const { return codewords_; }

  /// About what making a decoder and running it on chunks of that many bytes takes.
  double nanoseconds(std::size_t chunk_bytes) const;

 private:
  TransformDecoder(const Code& code, std::unique_ptr<const TransformKernels> all);

  /// What is read and written, and by point the logarithm of the locator or of its derivative.
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
  ErrorLocator locator_;
  Codewords codewords_;
  std::vector<std::uint32_t> known_constant_;   ///< by point: which constant scales its input
  std::vector<std::uint32_t> wanted_constant_;  ///< by point: which constant scales its output
  /// The factors of v·2^(8·b) for all bytes v, b the slower index. A factor is the sum of those of
  /// the bytes of its symbol.
  std::vector<std::uint8_t> factors_of_bytes_;
};

}  // namespace xorloom
