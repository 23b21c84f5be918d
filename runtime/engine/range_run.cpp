#include "runtime/engine/range_run.hpp"

#include <algorithm>
#include <numeric>

#include "runtime/engine/column_blocks.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kPiecesOfLongWork = 4;  // per thread

/// Rounded up.
std::size_t share(std::size_t columns, std::size_t parts) {
  return columns / parts + (columns % parts != 0 ? 1 : 0);
}

}  // namespace

RangeRun::RangeRun(const Computation& computation, std::uint8_t* const* chunks,
                   std::size_t chunk_bytes, std::size_t threads, std::size_t cost_ahead,
                   Stores stores) noexcept
    : computation_(computation),
      chunks_(chunks),
      chunk_bytes_(chunk_bytes),
      columns_(computation.columns(chunk_bytes)),
      stores_(stores) {
  const std::size_t cost = std::max<std::size_t>(1, computation.cost());
  const std::size_t multiple = std::lcm(computation.column_multiple(), computation.tile_columns());
  const bool is_long = columns_ * cost >= kLongWork;
  if (!is_long && cost_ahead != 0) {
    // Whole blocks, or none: what is dear is shared evenly.
    const std::size_t block = block_columns(1, multiple);
    const std::size_t ahead = std::min(cost_ahead / cost, columns_ / 2);
    ahead_ = (ahead + block / 2) / block * block;
    if (ahead_ >= columns_) ahead_ = 0;
  }
  const std::size_t rest = columns_ - ahead_;
  const std::size_t wanted = threads * (is_long ? kPiecesOfLongWork : 1);
  width_ = block_columns(share(rest, std::min(wanted, kMostPieces)), multiple);
  count_ = std::max<std::size_t>(1, share(rest, width_));
  own_ = static_cast<std::uint32_t>(share(count_, threads));
}

void RangeRun::help(std::size_t thread) noexcept {
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t piece = (thread * own_ + i) % count_;
    std::atomic<std::uint64_t>& taken = taken_[piece / 64];
    const std::uint64_t bit = std::uint64_t{1} << piece % 64;
    if ((taken.load(std::memory_order_relaxed) & bit) != 0) continue;
    // Pieces are independent, so taking one orders nothing: what a thread wrote becomes visible
    // where the threads are joined.
    if ((taken.fetch_or(bit, std::memory_order_relaxed) & bit) != 0) continue;
    const std::size_t begin = piece == 0 ? 0 : ahead_ + piece * width_;
    const std::size_t end = std::min(columns_, ahead_ + (piece + 1) * width_);
    computation_.run(chunks_, chunk_bytes_, begin, end, stores_);
  }
}

}  // namespace xorloom
