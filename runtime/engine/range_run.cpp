#include "runtime/engine/range_run.hpp"

#include <algorithm>
#include <numeric>

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
                   Stores stores, First first) noexcept
    : taken_(first == First::kCaller ? 1 : 0),
      computation_(computation),
      chunks_(chunks),
      chunk_bytes_(chunk_bytes),
      columns_(computation.columns(chunk_bytes)),
      stores_(stores) {
  const std::size_t cost = std::max<std::size_t>(1, computation.cost());
  const std::size_t multiple =
      std::lcm(computation.facts().column_multiple, computation.facts().tile_columns);
  const bool is_long = columns_ * cost >= kLongWork;
  if (!is_long && cost_ahead != 0) {
    // Whole blocks, or none: columns that are dear are shared evenly.
    const std::size_t block = block_columns(1, multiple);
    const std::size_t ahead = std::min(cost_ahead / cost, columns_ / 2);
    ahead_ = (ahead + block / 2) / block * block;
    if (ahead_ >= columns_) ahead_ = 0;
  }
  const std::size_t rest = columns_ - ahead_;
  const std::size_t wanted = threads * (is_long ? kPiecesOfLongWork : 1);
  width_ = block_columns(share(rest, std::min(wanted, kMostPieces)), multiple);
  count_ = static_cast<std::uint16_t>(std::max<std::size_t>(1, share(rest, width_)));
  own_ = static_cast<std::uint16_t>(share(count_, threads));
}

/// Returns false if another thread has the piece. Pieces are independent, so taking one needs no
/// memory order: joining the threads makes their writes visible.
bool RangeRun::take(std::size_t piece, bool looks_first) noexcept {
  std::atomic<std::uint64_t>& taken = piece < kBits ? taken_ : more_taken_[piece / kBits - 1];
  const std::uint64_t bit = std::uint64_t{1} << piece % kBits;
  if (looks_first && (taken.load(std::memory_order_relaxed) & bit) != 0) return false;
  return (taken.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
}

void RangeRun::run_piece(std::size_t piece) const noexcept {
  const std::size_t begin = piece == 0 ? 0 : ahead_ + piece * width_;
  const std::size_t end = std::min(columns_, ahead_ + (piece + 1) * width_);
  computation_.run(chunks_, chunk_bytes_, begin, end, stores_);
}

void RangeRun::help(std::size_t thread) noexcept {
  // A thread's first piece is most likely free: to read the line before it is written would fetch
  // it twice.
  std::size_t piece = thread * own_ % count_;
  for (std::size_t i = 0; i < count_; ++i) {
    if (take(piece, i != 0)) run_piece(piece);
    if (++piece == count_) piece = 0;
  }
}

}  // namespace xorloom
