#include "bench/lab/unit_throughput.hpp"

#include <algorithm>

namespace xorloom {
namespace {

/// Levels of the tree that adds up the products of the banks.
std::size_t tree_levels(std::size_t banks) {
  std::size_t levels = 1;
  for (std::size_t sums = kUnitTreeOperands; sums < banks; sums *= kUnitTreeOperands) ++levels;
  return levels;
}

/// Slices of an element.
std::uint64_t slices_of(const ZigzagUnitOptions& options, const UnitTask& task) {
  return (task.element_words + options.slice_words - 1) / options.slice_words;
}

}  // namespace

double unit_clocks(const UnitPlan& plan, const UnitOperation& operation,
                   const ZigzagUnitOptions& options, const UnitTask& task) {
  const double loads = static_cast<double>(operation.loads.size()) / task.words_per_clock;
  const double outputs = static_cast<double>(operation.outputs.size()) / task.words_per_clock;
  const std::uint64_t slices = slices_of(options, task);
  double end = 0;        // clock at which the last slice's computation ends
  double next_load = 0;  // clock at which loading the next slice may begin
  for (std::uint64_t i = 0; i < task.stripes * slices; ++i) {
    const std::uint64_t left = task.element_words - i % slices * options.slice_words;
    const auto words = static_cast<double>(std::min<std::uint64_t>(left, options.slice_words));
    const double is_free = end + 2;  // the buffer of the slice before
    const double loaded = next_load + loads * words + static_cast<double>(task.latency) + 4;
    const double begin = std::max(loaded, end + 1);
    end = begin + outputs * words;
    next_load = options.buffers == 2 ? std::max(begin + 1, is_free) : end + 2;
  }
  return end + static_cast<double>(plan.rows + 5 + tree_levels(plan.banks));
}

UnitThroughput unit_throughput(const UnitPlan& plan, const UnitOperation& operation,
                               const ZigzagUnitOptions& options, const UnitSystem& system,
                               UnitTask task) {
  const double word_bytes = static_cast<double>(options.lanes * plan.field.w()) / 8;
  const double words_per_second = system.channel_bytes / word_bytes;
  task.words_per_clock = std::min(1.0, words_per_second / system.clock);
  // Words of each element of all stripes.
  const auto words = static_cast<double>(task.element_words * task.stripes);
  const double data_bytes = words * static_cast<double>(plan.banks * plan.rows) * word_bytes;
  const double moved =
      words * static_cast<double>(operation.loads.size() + operation.outputs.size());

  // One of two buffers is loaded while the other one is computed from, but both move on one
  // channel. Nothing moves only while a slice waits for its first words.
  const std::uint64_t slices = task.stripes * slices_of(options, task);
  const double channel_clocks =
      moved * system.clock / words_per_second + static_cast<double>(slices * (task.latency + 5));

  UnitThroughput result;
  result.clocks = std::max(unit_clocks(plan, operation, options, task), channel_clocks);
  result.unit = data_bytes / result.clocks * system.clock;
  result.units = result.unit * static_cast<double>(system.units);
  result.channels = data_bytes / moved * words_per_second * static_cast<double>(system.channels);
  result.predicted = std::min(result.units, result.channels);
  return result;
}

}  // namespace xorloom
