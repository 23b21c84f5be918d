#pragma once

#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/engine/block_run.hpp"
#include "runtime/engine/graph_run.hpp"
#include "runtime/engine/task_graph.hpp"

namespace xorloom {

/// Runs of one graph that are not in use, so that a call finds its memory where the one before left
/// it. May be used by many threads at once.
class SpareRuns {
 public:
  explicit SpareRuns(TaskGraph graph) : graph_(std::move(graph)) {}

  const TaskGraph& graph() const { return graph_; }

  /// Errors: throws std::bad_alloc if there is none and memory for one cannot be had.
  template <typename Run>
  std::unique_ptr<Run> take() {
    {
      const std::scoped_lock lock(mutex_);
      Spare<Run>& spare = std::get<Spare<Run>>(spare_);
      if (!spare.empty()) {
        std::unique_ptr<Run> run = std::move(spare.back());
        spare.pop_back();
        return run;
      }
    }
    return std::make_unique<Run>(graph_);
  }

  template <typename Run>
  void give_back(std::unique_ptr<Run> run) noexcept try {
    const std::scoped_lock lock(mutex_);
    std::get<Spare<Run>>(spare_).push_back(std::move(run));
  } catch (...) {  // no memory to remember it by: it is let go
    return;
  }

 private:
  template <typename Run>
  using Spare = std::vector<std::unique_ptr<Run>>;

  const TaskGraph graph_;
  std::mutex mutex_;
  std::tuple<Spare<GraphRun>, Spare<BlockRun>> spare_;
};

}  // namespace xorloom
