#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/lower.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/executable_memory.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// The machine of an instruction set, with its widest vectors that divide `packet_bytes` (0: words,
/// any width). nullopt if no vectors do, or if this build writes no machine code for the set.
std::optional<MachineFacts> vector_machine(Isa isa, std::size_t packet_bytes = 0);

/// The kernels of a tile in executable memory, and the streams that they run on. There is a kernel
/// with ordinary stores, one with non-temporal stores, one without prefetches for data in the
/// caches, and one for streams that crowd the sets of L1.
///
/// Immutable; copies share the code.
class TileCode {
 public:
  /// Errors: throws kUnsupported if the system gives no executable memory.
  TileCode(const LoweredKernels& kernels, const MachineFacts& machine);

  /// Computes `tile_count` tiles, one after the other. Stores are ordinary if a written stream is
  /// not aligned to the vector, or if streams are crowded and the kernel is compute bound. `looks`:
  /// false if the streams are known not to be crowded.
  ///
  /// Buffers: `streams` has a pointer for each of streams().
  void run(std::uint8_t* const* streams, std::size_t tile_count, Stores stores,
           bool looks = true) const noexcept {
    const bool is_ordinary = stores != Stores::kNonTemporal || !writes_vectors(streams);
    const bool is_crowded =
        looks && (is_ordinary || is_computing_) && looks_at_addresses() && are_crowded(streams);
    const TileKernel ordinary = stores == Stores::kNear ? near_ : ordinary_;
    (is_crowded ? crowded_ : is_ordinary ? ordinary : non_temporal_)(streams, tile_count);
  }

  /// Targets of the pointers that run() takes.
  const std::vector<TilePlaces::Stream>& streams() const noexcept { return streams_; }

  /// True if there is a kernel for crowded streams.
  bool looks_at_addresses() const noexcept { return crowded_ != nullptr; }

  /// True if `streams` crowd the sets of L1, as they begin at equal places of pages. Precondition:
  /// looks_at_addresses().
  bool are_crowded(std::uint8_t* const* streams) const noexcept;

  /// Bytes of all kernels, in whole pages.
  std::size_t code_bytes() const noexcept { return (memory_->bytes() + 4095) / 4096 * 4096; }

  CodeMemory code_memory() const noexcept { return memory_->kind(); }

  /// Counts of the kernel with ordinary stores.
  const TileCounts& counts() const noexcept { return counts_; }

 private:
  bool writes_vectors(std::uint8_t* const* streams) const noexcept;

  std::shared_ptr<const ExecutableMemory> memory_;
  TileKernel ordinary_ = nullptr;
  TileKernel near_ = nullptr;  ///< kernel without prefetches; ordinary_ if there is none
  TileKernel non_temporal_ = nullptr;
  TileKernel crowded_ = nullptr;     ///< null if there is none
  bool is_computing_ = false;        ///< computing takes longer than waiting for memory
  std::vector<std::uint64_t> sets_;  ///< by stream: sets of its lines, if it begins in set 0
  std::vector<TilePlaces::Stream> streams_;
  std::vector<std::uint32_t> written_;  ///< streams, ascending
  std::size_t vector_bytes_;
  TileCounts counts_;
};

/// A program as machine code, which computes the whole tiles of a range of columns. Kernels compute
/// the rest of the range.
///
/// On packets a tile is 64 bytes of each packet of a super-block, or 32 if packets are an odd
/// number of 32 bytes. Packets of that size are walked super-block by super-block, wider ones along
/// each super-block:
///
///     packet_bytes 64      | tile 0 | tile 1 | …       a super-block each
///     packet_bytes 4096    | tile 0 … 63 || tile 64 …  64 a super-block
///
/// With AVX2 a tile is two vectors of each packet. A turn of the loop computes one of them if
/// packets have 64 bytes, or if both together would be too long. Long programs are several parts.
/// Each computes a block of tiles before the next one does.
///
/// On words, of symbols of 4 or 8 bits, a tile is one or two vectors of each cell. Past the caches
/// the outputs of one cache line are always stored one after the other.
class ProgramCode final : public Computation {
 public:
  /// The work_per_vector() of the code of a program over symbols on `machine`. nullopt if there is
  /// no code, or if it would be too long by an estimate. The result is the same on every host.
  ///
  /// Errors: throws kInternal if a step is not proved.
  static std::optional<double> work_per_vector(const Program& program, const MachineFacts& machine);

  /// Runs `kernels`, one part after the other. `rest` computes the columns outside whole tiles.
  ///
  /// Shape:  at least one part. All have the program's inputs, and each some of its outputs.
  /// Errors: throws what TileCode throws.
  ProgramCode(const Code& code, const Program& program, const std::vector<LoweredKernels>& kernels,
              const MachineFacts& machine, std::unique_ptr<const Computation> rest);

  /// The whole tiles in a range of columns: a range that begins and ends at multiples of a tile. An
  /// empty one begins and ends at `begin`.
  ColumnRange whole_tiles(std::size_t begin, std::size_t end) const noexcept;

  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores stores) const noexcept override {
    run_looking(chunks, chunk_bytes, begin, end, stores, true);
  }
  bool are_crowded(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept override;
  void run_uncrowded(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                     std::size_t end, Stores stores) const noexcept override {
    run_looking(chunks, chunk_bytes, begin, end, stores, false);
  }
  std::size_t memory_bytes() const noexcept override;
  std::optional<std::string> find_wrong_product(const Field& field) const override {
    return kernels_->find_wrong_product(field);
  }

 private:
  /// Points the streams of a part to the tile that is `offset` bytes after the first one.
  void place(const TileCode& part, std::uint8_t* const* chunks, std::size_t chunk_bytes,
             std::size_t offset, std::uint8_t** streams) const noexcept;
  void run_looking(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                   std::size_t end, Stores stores, bool looks) const noexcept;
  void run_tiles(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t offset,
                 std::size_t tiles, Stores stores, bool looks) const noexcept;

  std::vector<TileCode> parts_;
  std::unique_ptr<const Computation> kernels_;
  std::size_t block_tiles_ = 0;   ///< tiles that a part computes before the next part begins
  std::size_t stride_ = 0;        ///< bytes from a tile to the next
  std::size_t tile_bytes_ = 0;    ///< bytes of a tile in each packet or cell, a power of two
  std::size_t packet_bytes_ = 0;  ///< on words tile_bytes_: tiles follow each other
  std::size_t rows_ = 1;          ///< 1 on words
  std::size_t subchunks_ = 1;     ///< 1 on packets
};

/// Makes a program ready to run: as machine code if `options` allow it and the program has some,
/// else for kernels. Machine code follows `order` if it is not null. A program has none if it would
/// be too long: see lower_packets; on words the limit is MachineFacts::code_bytes.
///
/// Shape:  the program's elements are those of the code, bits on packets and cells on words.
/// Errors: throws what the constructors of kernels and of TileCode, lower_packets, proved_order and
///         lower_symbols throw, and kInternal if the byte map of a coefficient disagrees with shift
///         and add.
std::unique_ptr<const Computation> make_computation(const Code& code, const Program& program,
                                                    const PlanOptions& options,
                                                    const Program* order = nullptr);

/// Why a program has no machine code, as a phrase.
///
/// Shape: make_computation chose kernels for the same arguments. The program of transforms, and of
///        rows that are not written, has no equations.
std::string why_kernels(const Code& code, const Program& program, const PlanOptions& options);

}  // namespace xorloom
