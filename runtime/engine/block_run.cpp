#include "runtime/engine/block_run.hpp"

#include <algorithm>
#include <optional>

namespace xorloom {
namespace {

/// A share that is begun is not taken from where fewer blocks are left: to fetch what lies in
/// another core's cache takes as long as to compute several.
constexpr std::uint32_t kWorthFetching = 8;

constexpr std::uint64_t packed(std::uint32_t first, std::uint32_t end) {
  return std::uint64_t{end} << 32 | first;
}
constexpr std::uint32_t first_of(std::uint64_t blocks) {
  return static_cast<std::uint32_t>(blocks);
}
constexpr std::uint32_t end_of(std::uint64_t blocks) {
  return static_cast<std::uint32_t>(blocks >> 32);
}

// Blocks are independent, so taking one orders nothing: what a thread wrote becomes visible where
// the threads are joined.

std::optional<std::uint32_t> take_first(std::atomic<std::uint64_t>& blocks) noexcept {
  std::uint64_t now = blocks.load(std::memory_order_relaxed);
  while (first_of(now) < end_of(now)) {
    if (blocks.compare_exchange_weak(now, now + 1, std::memory_order_relaxed)) return first_of(now);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> take_last(std::atomic<std::uint64_t>& blocks,
                                       std::uint32_t least) noexcept {
  std::uint64_t now = blocks.load(std::memory_order_relaxed);
  while (first_of(now) + least <= end_of(now)) {
    const std::uint32_t last = end_of(now) - 1;
    if (blocks.compare_exchange_weak(now, packed(first_of(now), last), std::memory_order_relaxed)) {
      return last;
    }
  }
  return std::nullopt;
}

}  // namespace

void BlockRun::begin(std::uint8_t* const* chunks, std::size_t chunk_bytes,
                     std::size_t wanted_columns, std::size_t threads, Stores stores) {
  if (threads > room_) {
    shares_ = std::make_unique<Share[]>(threads);
    room_ = threads;
  }
  num_shares_ = threads;
  chunks_ = chunks;
  chunk_bytes_ = chunk_bytes;
  stores_ = stores;
  worth_fetching_ = stores == Stores::kNonTemporal ? 1 : kWorthFetching;  // it lies in no core's
  block_columns_ = graph_.block_columns(wanted_columns);
  columns_ = graph_.columns(chunk_bytes);
  const std::size_t blocks = graph_.num_blocks(columns_, block_columns_);
  const std::size_t locations = graph_.locations();
  const std::size_t value_bytes = graph_.value_bytes(block_columns_);
  const std::size_t lines = (graph_.value_locations() * value_bytes + kLineBytes - 1) / kLineBytes;
  are_crowded_ = lines != 0 || std::ranges::any_of(graph_.groups(), [&](const auto& group) {
                   return group.computation->are_crowded(chunks, chunk_bytes);
                 });
  for (std::size_t s = 0; s < threads; ++s) {
    Share& share = shares_[s];
    if (lines != 0) {
      if (share.values.size() < lines) share.values = std::vector<Line>(lines);
      share.pointers.resize(locations + graph_.value_locations());
      std::copy_n(chunks, locations, share.pointers.begin());
    }
    share.blocks.store(packed(static_cast<std::uint32_t>(blocks * s / threads),
                              static_cast<std::uint32_t>(blocks * (s + 1) / threads)),
                       std::memory_order_relaxed);
    share.is_taken.store(false, std::memory_order_relaxed);
  }
}

void BlockRun::run_block(std::uint32_t block, Share& own) const noexcept {
  const auto [begin, end] = graph_.block_range(block, columns_, block_columns_);
  std::uint8_t* const* pointers = chunks_;
  if (!own.values.empty()) {
    const std::size_t value_bytes = graph_.value_bytes(block_columns_);
    // The columns of the block alone lie here, but computations count columns from the first.
    auto place = reinterpret_cast<std::uintptr_t>(own.values.data()) - graph_.distance(begin);
    for (std::size_t l = graph_.locations(); l < own.pointers.size(); ++l, place += value_bytes) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read before the memory
      own.pointers[l] = reinterpret_cast<std::uint8_t*>(place);
    }
    pointers = own.pointers.data();
  }
  Stores stores = stores_;
  for (const TaskGraph::Group& group : graph_.groups()) {
    // What is handed over stays in the caches.
    const bool is_past = stores == Stores::kNonTemporal && !group.values.empty();
    const Stores ways = is_past ? Stores::kOrdinary : stores;
    if (are_crowded_) {
      group.computation->run(pointers, chunk_bytes_, begin, end, ways);
    } else {
      group.computation->run_uncrowded(pointers, chunk_bytes_, begin, end, ways);
    }
    // The block is in the first cache now.
    if (stores == Stores::kOrdinary) stores = Stores::kNear;
  }
}

void BlockRun::help(std::size_t thread) noexcept {
  Share* own = nullptr;
  for (std::size_t i = 0; i < num_shares_ && own == nullptr; ++i) {
    Share& share = shares_[(thread + i) % num_shares_];
    if (!share.is_taken.exchange(true, std::memory_order_relaxed)) own = &share;
  }
  if (own == nullptr) return;  // those that have the shares finish them
  while (const auto block = take_first(own->blocks)) run_block(*block, *own);
  for (std::size_t i = 1; i < num_shares_; ++i) {
    Share& share = shares_[(static_cast<std::size_t>(own - shares_.get()) + i) % num_shares_];
    const auto least = [&] {
      return share.is_taken.load(std::memory_order_relaxed) ? worth_fetching_ : 1U;
    };
    while (const auto block = take_last(share.blocks, least())) run_block(*block, *own);
  }
}

}  // namespace xorloom
