#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/machine/stores.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Columns begin … end-1.
struct ColumnRange {
  std::size_t begin;
  std::size_t end;
};

/// The smallest length of blocks that is at least `wanted`, and a multiple of 64 and of
/// column_multiple. Multiples of 64 keep threads from writing to one cache line of an aligned
/// chunk.
inline std::size_t block_columns(std::size_t wanted, std::size_t column_multiple) noexcept {
  const bool is_divisor = kLineBytes % column_multiple == 0;  // as it nearly always is
  const std::size_t unit = is_divisor ? kLineBytes : std::lcm(kLineBytes, column_multiple);
  return std::max<std::size_t>(1, wanted / unit + (wanted % unit != 0 ? 1 : 0)) * unit;
}

/// Address of column 0 of a cell if its column number `bytes` lies at `place`.
inline std::uint8_t* before(std::uint8_t* place, std::size_t bytes) noexcept {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read or written there
  return reinterpret_cast<std::uint8_t*>(reinterpret_cast<std::uintptr_t>(place) - bytes);
}

/// Sizes with which acceptance reaches every loop of the kernels.
struct LoopSizes {
  /// Bytes of a packet, or of a sub-chunk, that only the loops over whole blocks compute.
  std::size_t block_bytes = 0;
  /// Bytes after block_bytes that the loops over smaller pieces compute.
  std::size_t rest_bytes = 0;
  /// Super-blocks in a block; 1 on words.
  std::size_t super_blocks = 1;
};

/// A program made ready to run on one instruction set: an XOR program if the code lies in packets,
/// a program over symbols if it lies in words. Either can be run in two ways. Kernels
/// (PacketKernels, WordKernels) read the program as data. Machine code (ProgramCode) computes whole
/// tiles and leaves the rest to kernels.
///
/// Work is cut into columns: byte positions that can be computed apart. A packet code has
/// packet_bytes columns per super-block, column c of the chunk being byte c % packet_bytes of each
/// packet of super-block c / packet_bytes; a word code has one column per byte of its sub-chunks.
///
/// A Computation is immutable; all of its functions may be called by many threads at once.
class Computation {
 public:
  /// Properties that do not change.
  struct Facts {
    std::size_t rows = 1;  ///< a chunk has chunk_bytes / rows columns
    /// Ranges of columns begin at a multiple of this and end at one or at the last column.
    std::size_t column_multiple = 1;
    /// Columns of a tile. Ranges that begin and end at multiples of it run wholly as machine code,
    /// if the computation has some.
    std::size_t tile_columns = column_multiple;
    /// XORs (packets) or multiplications (words) of a column, at least one for each equation.
    std::size_t cost = 0;
    TileCounts counts{};  ///< work of run() for a tile: by machine code if there is some
    CodeMemory code_memory = CodeMemory::kNoCode;  ///< kind of memory that holds the machine code
    // Facts for acceptance.
    LoopSizes sizes{};
    std::uint32_t kernel_rows = 1;  ///< kernels that run() uses, as a mask for accept_kernels
    bool adds = false;              ///< run() adds to its outputs instead of overwriting them
    /// True if run() computes a map of the code by proved steps, from factors that are data. Random
    /// codewords then find errors as surely as unit vectors and the oracle, in less time.
    bool is_of_codewords = false;
    /// True if run() uses other code for chunks that begin at equal places of pages.
    bool looks_at_addresses = false;
  };

  virtual ~Computation() = default;

  const Facts& facts() const noexcept { return facts_; }
  std::size_t cost() const noexcept { return facts_.cost; }
  const TileCounts& counts() const noexcept { return facts_.counts; }

  /// True if run() uses machine code.
  bool has_code() const noexcept { return facts_.counts.code_bytes != 0; }

  /// Number of columns of a chunk. chunk_bytes is a multiple of chunk_multiple(code).
  std::size_t columns(std::size_t chunk_bytes) const noexcept { return chunk_bytes / facts_.rows; }

  /// Computes all equations over columns begin…end-1. Allocates nothing, and uses at most 24 KiB of
  /// stack.
  virtual void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                   std::size_t end, Stores stores = Stores::kOrdinary) const noexcept = 0;

  /// Computations of the same map to which run() leaves stripes of some sizes.
  virtual std::vector<const Computation*> others() const { return {}; }

  /// True if run() would use other code for these chunks because they begin at equal places of
  /// pages.
  virtual bool are_crowded(std::uint8_t* const*, std::size_t) const noexcept { return false; }

  /// As run(), for chunks that are known not to be crowded. Skips the check, which takes as long as
  /// a quarter of a tile of 10 + 4 with w = 8.
  virtual void run_uncrowded(std::uint8_t* const* chunks, std::size_t chunk_bytes,
                             std::size_t begin, std::size_t end, Stores stores) const noexcept {
    run(chunks, chunk_bytes, begin, end, stores);
  }

  /// Approximate bytes of memory, machine code included.
  virtual std::size_t memory_bytes() const noexcept = 0;

  /// For acceptance: compares every product that kernels look up with the one made by shift and
  /// add. nullopt: all agree. Else a sentence that names the first wrong product.
  virtual std::optional<std::string> find_wrong_product(const Field&) const { return std::nullopt; }

  /// For acceptance: a computation of the same equations over packets of another size, a multiple
  /// of 8. Null for machine code, which is made for one packet size, and if there are no packets.
  virtual std::unique_ptr<const Computation> with_packet_bytes(std::size_t) const {
    return nullptr;
  }

 protected:
  Computation() = default;
  explicit Computation(const Facts& facts) : facts_(facts) {}
  Computation(const Computation&) = default;
  Computation(Computation&&) = default;
  Computation& operator=(const Computation&) = default;
  Computation& operator=(Computation&&) = default;

  Facts facts_;  ///< complete once the computation is made
};

}  // namespace xorloom
