#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/engine/task_graph.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// A task graph while it runs over a stripe, with all groups of a block on one core: what the first
/// of them has loaded, and what they hand over, is in that core's first cache when the next reads
/// it.
///
///     core 0    block 0: group 0, 1, 2   block 1: group 0, 1, 2   …
///     core 1    block 8: group 0, 1, 2   block 9: …
///
/// Each core has a share of the blocks, the same in every call, so that a stripe that is used again
/// is still in its cache. A thread that is done takes from the end of what nobody has begun, and of
/// what a core is far from done with. One thread alone finishes the work.
class BlockRun {
 public:
  explicit BlockRun(const TaskGraph& graph) : graph_(graph) {}

  /// Gets ready for a stripe. No thread may be in help().
  ///
  /// Shape:   there is a share for each of that many threads, at least 1.
  /// Buffers: as in Computation::run; wanted_columns is about the length of a block.
  /// Errors:  throws std::bad_alloc where there are more shares, or longer blocks, than ever before.
  void begin(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t wanted_columns,
             std::size_t threads, Stores stores);

  /// Works until no block is left that the thread of that number should take. All blocks are done
  /// when every thread that was in it has left. Any number of threads may be in it.
  void help(std::size_t thread) noexcept;

 private:
  struct alignas(kLineBytes) Line {
    std::array<std::uint8_t, kLineBytes> bytes;
  };
  struct alignas(kLineBytes) Share {
    std::atomic<std::uint64_t> blocks{0};  ///< that are left: the first, and above it the end
    std::atomic<bool> is_taken{false};     ///< a thread has it, or had it
    std::vector<std::uint8_t*> pointers;   ///< of the chunks, then of the locations of values
    std::vector<Line> values;              ///< of a block
  };

  void run_block(std::uint32_t block, Share& own) const noexcept;

  const TaskGraph& graph_;
  std::unique_ptr<Share[]> shares_;
  std::size_t room_ = 0;  ///< for shares
  std::size_t num_shares_ = 0;
  std::uint8_t* const* chunks_ = nullptr;
  std::size_t chunk_bytes_ = 0;
  std::size_t columns_ = 0;
  std::size_t block_columns_ = 0;
  Stores stores_ = Stores::kOrdinary;
  std::uint32_t worth_fetching_ = 1;  ///< blocks that a share has left, if another one takes of it
  bool are_crowded_ = false;          ///< or may be: each block looks
};

}  // namespace xorloom
