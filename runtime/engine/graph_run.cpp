#include "runtime/engine/graph_run.hpp"

#include <algorithm>

#include "runtime/machine/thread_team.hpp"

namespace xorloom {

GraphRun::GraphRun(const TaskGraph& graph)
    : graph_(graph),
      progress_(std::make_unique<Progress[]>(graph.groups().size())),
      cores_(std::make_unique<Core[]>(graph.cores().size())) {
  for (std::size_t c = 0; c < graph.cores().size(); ++c) {
    cores_[c].pointers.resize(graph.locations() + graph.value_locations());
  }
}

void GraphRun::begin(std::uint8_t* const* chunks, std::size_t chunk_bytes,
                     std::size_t wanted_columns, Stores stores) {
  block_columns_ = graph_.block_columns(wanted_columns);
  const std::size_t bytes = graph_.ring_bytes(block_columns_);
  if (bytes > ring_.size() * sizeof(Line))
    ring_ = std::vector<Line>((bytes + kLineBytes - 1) / kLineBytes);
  chunk_bytes_ = chunk_bytes;
  columns_ = graph_.columns(chunk_bytes);
  blocks_ = static_cast<std::uint32_t>(graph_.num_blocks(columns_, block_columns_));
  stores_ = stores;
  for (std::size_t g = 0; g < graph_.groups().size(); ++g) {
    progress_[g].blocks.store(0, std::memory_order_relaxed);
  }
  const std::size_t cores = blocks_ == 0 ? 0 : graph_.cores().size();
  for (std::size_t c = 0; c < cores; ++c) {
    std::copy_n(chunks, graph_.locations(), cores_[c].pointers.begin());
    cores_[c].is_done.store(false, std::memory_order_relaxed);
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
  const std::size_t value_bytes = graph_.value_bytes(block_columns_);
  const std::size_t place = block % graph_.depth() * graph_.value_locations() * value_bytes;
  // The ring holds the columns of the block alone, but computations count columns from the first.
  const auto base = reinterpret_cast<std::uintptr_t>(ring_.data()) + place - graph_.distance(begin);
  for (const std::uint32_t location : group.values) {
    const std::size_t value = location - graph_.locations();
    // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read before the memory
    core.pointers[location] = reinterpret_cast<std::uint8_t*>(base + value * value_bytes);
  }
  // What is handed over stays in the caches.
  group.computation->run(core.pointers.data(), chunk_bytes_, begin, end,
                         group.values.empty() ? stores_ : Stores::kOrdinary);
}

/// Runs a block of each of a core's groups that can. False if none could.
bool GraphRun::advance(std::size_t core) noexcept {
  bool has_run = false;
  bool is_done = true;
  for (const std::uint32_t g : graph_.cores()[core]) {
    const TaskGraph::Group& group = graph_.groups()[g];
    const std::uint32_t block = progress_[g].blocks.load(std::memory_order_relaxed);
    if (block < blocks_ && is_ready(group, block)) {
      run_block(group, cores_[core], block);
      progress_[g].blocks.store(block + 1, std::memory_order_release);
      has_run = true;
      is_done = is_done && block + 1 == blocks_;
    } else {
      is_done = is_done && block == blocks_;
    }
  }
  if (is_done) {
    cores_[core].is_done.store(true, std::memory_order_relaxed);
    cores_left_.fetch_sub(1, std::memory_order_acq_rel);
  }
  return has_run;
}

/// Runs what a core can, if no other thread has it. False if there was nothing.
bool GraphRun::take_turns(std::size_t core) noexcept {
  Core& taken = cores_[core];
  if (taken.is_done.load(std::memory_order_relaxed) ||
      taken.is_taken.load(std::memory_order_relaxed) ||
      taken.is_taken.exchange(true, std::memory_order_acquire)) {
    return false;
  }
  bool has_run = false;
  while (!taken.is_done.load(std::memory_order_relaxed) && advance(core)) has_run = true;
  taken.is_taken.store(false, std::memory_order_release);
  return has_run;
}

void GraphRun::help(std::size_t thread) noexcept {
  // Rounds that a thread waits for its own core before it sees to others, if there is a thread for
  // each: about as long as a value takes to come.
  constexpr std::uint32_t kOwnRounds = 32;
  const std::size_t cores = graph_.cores().size();
  const std::size_t own = thread % cores;
  helpers_.fetch_add(1, std::memory_order_relaxed);
  for (std::uint32_t rounds = 0; cores_left_.load(std::memory_order_acquire) != 0; ++rounds) {
    bool has_run = take_turns(own);
    const bool is_waiting = rounds < kOwnRounds &&
                            helpers_.load(std::memory_order_relaxed) >= cores &&
                            !cores_[own].is_done.load(std::memory_order_relaxed);
    for (std::size_t i = 1; i < cores && !has_run && !is_waiting; ++i) {
      has_run = take_turns((own + i) % cores);
    }
    if (has_run) {
      rounds = 0;
    } else {
      wait_a_little(rounds);
    }
  }
  helpers_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace xorloom
