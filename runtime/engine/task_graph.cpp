#include "runtime/engine/task_graph.hpp"

#include <algorithm>
#include <numeric>

namespace xorloom {
namespace {

TaskGraph with_edges(const Computation& computation, std::vector<std::size_t> first_step) {
  TaskGraph tasks;
  tasks.first_step = std::move(first_step);
  std::vector<std::uint32_t> group_of_step(computation.num_steps());
  for (std::size_t g = 0; g < tasks.num_groups(); ++g) {
    for (std::size_t step = tasks.first_step[g]; step < tasks.first_step[g + 1]; ++step) {
      group_of_step[step] = static_cast<std::uint32_t>(g);
      tasks.cost += computation.step_cost(step);
    }
  }
  for (const auto& [earlier, later] : computation.dependencies()) {
    const std::pair edge{group_of_step[earlier], group_of_step[later]};
    if (edge.first != edge.second) tasks.edges.push_back(edge);
  }
  std::ranges::sort(tasks.edges);
  tasks.edges.erase(std::unique(tasks.edges.begin(), tasks.edges.end()), tasks.edges.end());
  return tasks;
}

/// Groups filled one after the other up to a cost.
std::vector<std::size_t> filled(const Computation& computation, std::size_t limit) {
  std::vector<std::size_t> first_step{0};
  std::size_t cost = 0;
  for (std::size_t step = 0; step < computation.num_steps(); ++step) {
    if (cost != 0 && cost + computation.step_cost(step) > limit) {
      first_step.push_back(step);
      cost = 0;
    }
    cost += computation.step_cost(step);
  }
  if (computation.num_steps() != 0) first_step.push_back(computation.num_steps());
  return first_step;
}

}  // namespace

TaskGraph group_each_step(const Computation& computation) {
  std::vector<std::size_t> first_step(computation.num_steps() + 1);
  std::iota(first_step.begin(), first_step.end(), std::size_t{0});
  return with_edges(computation, std::move(first_step));
}

TaskGraph group_for_cores(const Computation& computation, std::size_t cores) {
  if (computation.num_steps() <= cores) return group_each_step(computation);
  std::size_t costliest = 0;
  std::size_t total = 0;
  for (std::size_t step = 0; step < computation.num_steps(); ++step) {
    costliest = std::max(costliest, computation.step_cost(step));
    total += computation.step_cost(step);
  }
  std::size_t low = costliest;
  std::size_t high = total;
  while (low < high) {
    const std::size_t limit = low + (high - low) / 2;
    if (filled(computation, limit).size() - 1 <= cores) {
      high = limit;
    } else {
      low = limit + 1;
    }
  }
  return with_edges(computation, filled(computation, low));
}

GroupRun::GroupRun(const Computation& computation, const TaskGraph& tasks, ColumnBlocks& blocks,
                   std::uint8_t* const* chunks, std::size_t chunk_bytes)
    : computation_(computation),
      tasks_(tasks),
      blocks_(blocks),
      chunks_(chunks),
      chunk_bytes_(chunk_bytes) {
  std::size_t bytes = computation.scratch_bytes(blocks.block_columns());
  if (!tasks.kernels.empty()) {
    scratch_chunk_ = blocks.block_columns() * tasks.rows;
    bytes = tasks.scratch_locations * scratch_chunk_;
    pointers_.assign(chunks, chunks + tasks.locations);
    pointers_.resize(tasks.locations + tasks.scratch_locations);
  }
  scratch_ = std::make_unique_for_overwrite<std::uint8_t[]>(bytes);
}

/// Scratch holds the columns of the block alone, but kernels count columns from the chunk's first.
void GroupRun::place_scratch() noexcept {
  const auto base = reinterpret_cast<std::uintptr_t>(scratch_.get()) - block_.begin * tasks_.rows;
  for (std::size_t i = 0; i < tasks_.scratch_locations; ++i) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read before the memory
    pointers_[tasks_.locations + i] = reinterpret_cast<std::uint8_t*>(base + i * scratch_chunk_);
  }
}

bool GroupRun::take_block() noexcept {
  const std::optional<ColumnRange> block = blocks_.take();
  if (!block) return false;
  block_ = *block;
  if (!pointers_.empty()) place_scratch();
  return true;
}

void GroupRun::run_group(std::size_t group) noexcept {
  if (!tasks_.kernels.empty()) {
    return tasks_.kernels[group].run(pointers_.data(), chunk_bytes_, block_, Stores::kOrdinary);
  }
  computation_.run_steps(tasks_.first_step[group], tasks_.first_step[group + 1], chunks_,
                         chunk_bytes_, block_.begin, block_.end, scratch_.get());
}

}  // namespace xorloom
