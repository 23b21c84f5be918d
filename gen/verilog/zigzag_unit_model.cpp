#include "gen/verilog/zigzag_unit_model.hpp"

#include <algorithm>

namespace xorloom {
namespace {

/// Levels of the tree that adds up the products of the banks.
std::size_t tree_levels(std::size_t banks) {
  std::size_t levels = 1;
  for (std::size_t sums = kUnitTreeOperands; sums < banks; sums *= kUnitTreeOperands) ++levels;
  return levels;
}

/// When the phases of the last slice began.
class Phases {
 public:
  Phases(const UnitOperation& operation, const ZigzagUnitOptions& options, const UnitTask& task)
      : loads_(static_cast<double>(operation.loads.size()) / task.words_per_clock),
        outputs_(static_cast<double>(operation.outputs.size()) / task.words_per_clock),
        latency_(static_cast<double>(task.latency)),
        has_two_buffers_(options.buffers == 2) {}

  void add_slice(double words) {
    const double computed = compute_ + outputs_ * words_;  // by the slice before
    double load = 0;
    if (slices_ > 0) load = has_two_buffers_ ? std::max(compute_ + 1, free_) : computed + 2;
    const double loaded = load + loads_ * words + latency_ + 4;
    if (slices_ > 0) free_ = computed + 2;
    compute_ = slices_ > 0 ? std::max(loaded, computed + 1) : loaded;
    words_ = words;
    ++slices_;
  }

  double end() const { return compute_ + outputs_ * words_; }

 private:
  double loads_;
  double outputs_;
  double latency_;
  bool has_two_buffers_;
  std::size_t slices_ = 0;
  double words_ = 0;    ///< of the last slice
  double compute_ = 0;  ///< when its computation began
  double free_ = 0;     ///< when the slice before gave its buffer back
};

}  // namespace

double unit_clocks(const UnitPlan& plan, const UnitOperation& operation,
                   const ZigzagUnitOptions& options, const UnitTask& task) {
  Phases phases(operation, options, task);
  for (std::uint64_t stripe = 0; stripe < task.stripes; ++stripe) {
    for (std::uint64_t left = task.element_words; left > 0;) {
      const std::uint64_t words = std::min<std::uint64_t>(left, options.slice_words);
      phases.add_slice(static_cast<double>(words));
      left -= words;
    }
  }
  return phases.end() + static_cast<double>(plan.rows + 5 + tree_levels(plan.banks));
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

  // Of two buffers one is loaded while the other is computed from, but both move on one channel.
  // Only the wait for the first words of a slice is left, in which nothing moves.
  const std::uint64_t slices =
      task.stripes * ((task.element_words + options.slice_words - 1) / options.slice_words);
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
