#include "runtime/engine/graph_run.hpp"

#include <algorithm>
#include <optional>

#include "runtime/machine/thread_team.hpp"

namespace xorloom {

void StripeOfGraph::cut(std::size_t chunk_bytes, std::size_t wanted_columns, Stores stores) {
  chunk_bytes_ = chunk_bytes;
  columns_ = graph_.columns(chunk_bytes);
  block_columns_ = graph_.block_columns(wanted_columns);
  value_bytes_ = graph_.value_bytes(block_columns_);
  blocks_ = static_cast<std::uint32_t>(graph_.num_blocks(columns_, block_columns_));
  stores_ = stores;
}

void StripeOfGraph::place(std::vector<std::uint8_t*>& pointers, std::size_t location,
                          std::uint8_t* values, std::size_t first_column) const noexcept {
  const std::size_t value = location - graph_.locations();
  pointers[location] = before(values + value * value_bytes_, graph_.distance(first_column));
}

GraphRun::GraphRun(const TaskGraph& graph)
    : StripeOfGraph(graph),
      progress_(std::make_unique<Progress[]>(graph.groups().size())),
      cores_(std::make_unique<Core[]>(graph.cores().size())) {
  for (std::size_t c = 0; c < graph.cores().size(); ++c) {
    cores_[c].pointers.resize(graph.locations() + graph.value_locations());
  }
}

/// Any number of threads may help.
void GraphRun::begin(std::uint8_t* const* chunks, std::size_t chunk_bytes,
                     std::size_t wanted_columns, std::size_t, Stores stores) {
  cut(chunk_bytes, wanted_columns, stores);
  const std::size_t bytes = graph_.ring_bytes(block_columns_);
  if (bytes > ring_.size() * sizeof(Line))
    ring_ = std::vector<Line>((bytes + kLineBytes - 1) / kLineBytes);
  for (std::size_t g = 0; g < graph_.groups().size(); ++g) {
    progress_[g].blocks.store(0, std::memory_order_relaxed);
  }
  const std::size_t cores = blocks_ == 0 ? 0 : graph_.cores().size();
  for (std::size_t c = 0; c < cores; ++c) {
    std::copy_n(chunks, graph_.locations(), cores_[c].pointers.begin());
    cores_[c].is_done.store(false, std::memory_order_relaxed);
    cores_[c].holder.store(0, std::memory_order_relaxed);
  }
  cores_left_.store(cores, std::memory_order_release);
}

bool GraphRun::is_ready(const TaskGraph::Group& group, std::uint32_t block) const noexcept {
  const auto done = [&](std::uint32_t other) {
    return progress_[other].blocks.load(std::memory_order_acquire);
  };
  return std::ranges::all_of(group.reads, [&](auto other) { return done(other) > block; }) &&
         std::ranges::all_of(group.readers,
                             [&](auto other) { return done(other) + graph_.depth() > block; });
}

void GraphRun::run_block(const TaskGraph::Group& group, Core& core, std::uint32_t block) noexcept {
  const auto [begin, end] = graph_.block_range(block, columns_, block_columns_);
  std::uint8_t* const values = reinterpret_cast<std::uint8_t*>(ring_.data()) +
                               block % graph_.depth() * graph_.value_locations() * value_bytes_;
  for (const std::uint32_t location : group.values) place(core.pointers, location, values, begin);
  // Values that are handed over stay in the caches.
  group.computation->run(core.pointers.data(), chunk_bytes_, begin, end,
                         group.values.empty() ? stores_ : Stores::kOrdinary);
}

/// Runs a block of each group of `core` that is ready. False if none was, or if another thread has
/// taken the core.
bool GraphRun::advance(std::size_t core, const Helper& helper) noexcept {
  Core& taken = cores_[core];
  bool has_run = false;
  bool is_done = true;
  for (const std::uint32_t g : graph_.cores()[core]) {
    const TaskGraph::Group& group = graph_.groups()[g];
    std::uint64_t held = helper.held;
    if (!taken.holder.compare_exchange_strong(held, helper.held + 1, std::memory_order_acquire)) {
      return false;
    }
    const std::uint32_t block = progress_[g].blocks.load(std::memory_order_relaxed);
    const bool runs = block < blocks_ && is_ready(group, block);
    if (runs) {
      run_block(group, taken, block);
      progress_[g].blocks.store(block + 1, std::memory_order_release);
    }
    has_run = has_run || runs;
    is_done = is_done && block + (runs ? 1 : 0) == blocks_;
    if (is_done && g == graph_.cores()[core].back()) {
      taken.is_done.store(true, std::memory_order_relaxed);
      cores_left_.fetch_sub(1, std::memory_order_acq_rel);
    }
    taken.holder.store(helper.held, std::memory_order_release);
    if (const BetweenBlocks between = between_blocks.load(std::memory_order_relaxed)) {
      between(helper.thread, g, runs);
    }
  }
  return has_run;
}

/// Runs all blocks of `core` that are ready, if no other thread has it. With `seizes`, also if
/// another has it but runs no block. False if no block was run.
bool GraphRun::take_turns(std::size_t core, const Helper& helper, bool seizes) noexcept {
  Core& taken = cores_[core];
  std::uint64_t holder = taken.holder.load(std::memory_order_relaxed);
  if (taken.is_done.load(std::memory_order_relaxed) || holder % 2 != 0 ||
      (holder != 0 && !seizes) ||
      !taken.holder.compare_exchange_strong(holder, helper.held, std::memory_order_acquire)) {
    return false;
  }
  bool has_run = false;
  while (!taken.is_done.load(std::memory_order_relaxed) && advance(core, helper)) has_run = true;
  holder = helper.held;
  taken.holder.compare_exchange_strong(holder, 0, std::memory_order_release,
                                       std::memory_order_relaxed);
  return has_run;
}

void GraphRun::help(std::size_t thread) noexcept {
  // Rounds that a thread waits for its own core before it helps other cores, if there is a thread
  // for each core. They take about as long as handing over a value.
  constexpr std::uint32_t kOwnRounds = 32;
  // Rounds without work before a thread takes cores that others hold: longer than a thread is
  // between two blocks, unless it is held up.
  constexpr std::uint32_t kHeldUpRounds = 1000;
  const std::size_t cores = graph_.cores().size();
  const std::size_t own = thread % cores;
  const Helper helper{thread, last_held_.fetch_add(2, std::memory_order_relaxed) + 2};
  helpers_.fetch_add(1, std::memory_order_relaxed);
  for (std::uint32_t rounds = 0; cores_left_.load(std::memory_order_acquire) != 0; ++rounds) {
    const bool seizes = rounds >= kHeldUpRounds;
    bool has_run = take_turns(own, helper, seizes);
    const bool is_waiting = rounds < kOwnRounds &&
                            helpers_.load(std::memory_order_relaxed) >= cores &&
                            !cores_[own].is_done.load(std::memory_order_relaxed);
    for (std::size_t i = 1; i < cores && !has_run && !is_waiting; ++i) {
      has_run = take_turns((own + i) % cores, helper, seizes);
    }
    if (has_run) {
      rounds = 0;
    } else {
      wait_a_little(rounds);
    }
  }
  helpers_.fetch_sub(1, std::memory_order_relaxed);
}

namespace {

/// Fewest blocks left in a share that has been begun, from which others take: to fetch data from
/// another core's cache takes as long as to compute several blocks.
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

// Blocks are independent, so taking one needs no memory order: joining the threads makes their
// writes visible.

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
  cut(chunk_bytes, wanted_columns, stores);
  worth_fetching_ = stores == Stores::kNonTemporal ? 1 : kWorthFetching;  // no cache has it
  const std::size_t blocks = blocks_;
  const std::size_t locations = graph_.locations();
  const std::size_t lines = (graph_.value_locations() * value_bytes_ + kLineBytes - 1) / kLineBytes;
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
    auto* const values = reinterpret_cast<std::uint8_t*>(own.values.data());
    for (std::size_t l = graph_.locations(); l < own.pointers.size(); ++l) {
      place(own.pointers, l, values, begin);
    }
    pointers = own.pointers.data();
  }
  Stores stores = stores_;
  for (const TaskGraph::Group& group : graph_.groups()) {
    // Values that are handed over stay in the caches.
    const bool is_past = stores == Stores::kNonTemporal && !group.values.empty();
    const Stores ways = is_past ? Stores::kOrdinary : stores;
    if (are_crowded_) {
      group.computation->run(pointers, chunk_bytes_, begin, end, ways);
    } else {
      group.computation->run_uncrowded(pointers, chunk_bytes_, begin, end, ways);
    }
    // The block is in L1 now.
    if (stores == Stores::kOrdinary) stores = Stores::kNear;
  }
}

void BlockRun::help(std::size_t thread) noexcept {
  Share* own = nullptr;
  for (std::size_t i = 0; i < num_shares_ && own == nullptr; ++i) {
    Share& share = shares_[(thread + i) % num_shares_];
    if (!share.is_taken.exchange(true, std::memory_order_relaxed)) own = &share;
  }
  if (own == nullptr) return;  // the threads that have the shares finish them
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
