#include "equations/models/cluster.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kTargetsTried = 4;  ///< random nodes; takes the first to be free
constexpr std::size_t kMostSamples = 100'000;

void check(const ClusterModel& model, const LostSets& sets) {
  if (model.nodes < model.locations) {
    fail(Status::kInvalidArgument, "{} nodes are fewer than n = {} locations", model.nodes,
         model.locations);
  }
  if (model.nodes > kMostClusterNodes || model.groups_per_node > kMostClusterChunks / model.nodes) {
    fail(Status::kInvalidArgument, "{} of {} exceed {} nodes or {} chunks",
         counted(model.nodes, "node"), counted(model.groups_per_node, "group"), kMostClusterNodes,
         kMostClusterChunks);
  }
  const auto is_good = [](double value) { return value > 0 && std::isfinite(value); };
  if (model.groups_per_node == 0 || !is_good(model.mttf_hours) || !is_good(model.chunk_bytes) ||
      model.repair_hours.size() < sets.most_losses() || model.reads.size() < sets.most_losses() ||
      !std::ranges::all_of(model.repair_hours, is_good)) {
    fail(Status::kInvalidArgument, "a cluster needs times and sizes above 0");
  }
  if (model.bad_nodes > model.nodes) {
    fail(Status::kInvalidArgument, "{} bad nodes exceed {}", model.bad_nodes,
         counted(model.nodes, "node"));
  }
  if (model.bad_nodes > 0 && !is_good(model.bad_mttf_hours)) {
    fail(Status::kInvalidArgument, "batch_mttf = {} hours is not a number above 0",
         model.bad_mttf_hours);
  }
  if (!(model.unreadable >= 0) || !(model.unreadable <= 1)) {
    fail(Status::kInvalidArgument, "a chunk is unreadable with probability {}, not 0 to 1",
         model.unreadable);
  }
}

/// A uniform random sample of at most kMostSamples numbers (reservoir sampling).
class Reservoir {
 public:
  void add(double number, Random& random) {
    ++seen_;
    if (kept_.size() < kMostSamples) {
      kept_.push_back(number);
    } else if (const std::uint64_t at = random() % seen_; at < kMostSamples) {
      kept_[at] = number;
    }
  }
  std::vector<double> take() { return std::move(kept_); }

 private:
  std::uint64_t seen_ = 0;
  std::vector<double> kept_;
};

class Simulation {
 public:
  Simulation(const ClusterModel& model, LostSets& sets, std::uint64_t seed)
      : model_(model),
        sets_(sets),
        random_(seed),
        chunks_(model.nodes),
        begun_(model.nodes),
        free_at_(model.nodes, 0) {
    place_groups();
    run_.shares.assign(sets.most_losses() + 1, 0);
    // Groups are placed at random, so it does not matter which nodes are bad.
    is_bad_.assign(model.nodes, false);
    for (std::size_t node = 0; node < model.bad_nodes; ++node) {
      is_bad_[node] = true;
      bad_.push_back(node);
    }
  }

  ClusterRun run(std::uint64_t failures) {
    double next_failure = until_failure();
    while (run_.failures < failures) {
      if (!ends_.empty() && ends_.top().hour <= next_failure) {
        const End end = ends_.top();
        ends_.pop();
        if (end.version == groups_[end.group].version) finish(end);
        continue;
      }
      now_ = next_failure;
      ++run_.failures;
      const bool had_bad = !bad_.empty();
      fail_node(failing_node());
      if (had_bad && bad_.empty()) end_batch();
      next_failure = now_ + until_failure();
    }
    return result();
  }

 private:
  struct Chunk {
    std::uint32_t group;
    std::uint8_t location;
  };
  struct Group {
    LostSet lost = 0;
    std::uint32_t version = 0;    ///< valid entry in ends_; entries of other versions are void
    std::uint8_t rebuilding = 0;  ///< location that is rebuilt, if any is lost
    std::uint32_t target = 0;     ///< node that rebuilds it
    double begins = 0;            ///< hour at which the repair stops waiting
    double work = 0;              ///< work of the repair left at `since`; 1: a mean repair
    double since = 0;
    double changed = 0;          ///< hour at which the number of lost chunks last changed
    bool is_past_batch = false;  ///< all bad nodes have failed, and its chunks were rebuilt
  };
  struct End {
    double hour;
    std::uint32_t group;
    std::uint32_t version;
    bool operator<(const End& other) const { return hour > other.hour; }
  };

  std::size_t below(std::size_t most) { return random_.below(static_cast<std::uint32_t>(most)); }
  double bad_rate() const {
    return bad_.empty() ? 0 : static_cast<double>(bad_.size()) / model_.bad_mttf_hours;
  }
  double good_rate() const {
    return static_cast<double>(model_.nodes - bad_.size()) / model_.mttf_hours;
  }
  double until_failure() { return -std::log(random_.unit()) / (good_rate() + bad_rate()); }

  /// Draws the node that fails next. A usual node replaces one of the bad batch.
  std::size_t failing_node() {
    if (!bad_.empty() && random_.unit() * (good_rate() + bad_rate()) < bad_rate()) {
      const std::size_t at = below(bad_.size());
      const std::size_t node = bad_[at];
      bad_[at] = bad_.back();
      bad_.pop_back();
      is_bad_[node] = false;
      return node;
    }
    std::size_t node = below(model_.nodes);
    while (is_bad_[node]) node = below(model_.nodes);
    return node;
  }

  std::uint32_t& node_of(std::size_t group, std::size_t location) {
    return nodes_[group * model_.locations + location];
  }

  /// True if `node` holds one of the first `locations` chunks of the group.
  bool holds(std::size_t group, std::size_t node, std::size_t locations) {
    for (std::size_t l = 0; l < locations; ++l) {
      if ((groups_[group].lost >> l & 1) == 0 && node_of(group, l) == node) return true;
    }
    return false;
  }

  void place_groups() {
    const std::size_t count =
        std::max<std::size_t>(1, model_.nodes * model_.groups_per_node / model_.locations);
    groups_.resize(count);
    nodes_.resize(count * model_.locations);
    lost_at_.assign(nodes_.size(), 0);
    // Deals all nodes out in rounds of random order, so that all hold about equally many chunks.
    std::vector<std::uint32_t> order;
    for (std::size_t group = 0; group < count; ++group) {
      for (std::size_t l = 0; l < model_.locations; ++l) {
        if (order.size() < model_.locations - l) refill(order, group, l);
        node_of(group, l) = order.back();
        order.pop_back();
        chunks_[node_of(group, l)].push_back(
            {static_cast<std::uint32_t>(group), static_cast<std::uint8_t>(l)});
      }
    }
  }

  /// Refills `order` with all nodes in random order. It is dealt from the back, so nodes that the
  /// group has already are at the front.
  void refill(std::vector<std::uint32_t>& order, std::size_t group, std::size_t placed) {
    order.resize(model_.nodes);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    std::stable_partition(order.begin(), order.end(),
                          [&](std::uint32_t node) { return holds(group, node, placed); });
  }

  double mean_hours(const Group& group) const {
    return model_.repair_hours[static_cast<std::size_t>(std::popcount(group.lost)) - 1];
  }

  void count_share(Group& group) {
    run_.shares[static_cast<std::size_t>(std::popcount(group.lost))] += now_ - group.changed;
    group.changed = now_;
  }

  void start_repair(std::uint32_t number) {
    Group& group = groups_[number];
    // Rebuilds the chunk that was lost first.
    double earliest = std::numeric_limits<double>::infinity();
    for (std::size_t l = 0; l < model_.locations; ++l) {
      if ((group.lost >> l & 1) == 0) continue;
      const double lost_at = lost_at_[number * model_.locations + l];
      if (lost_at < earliest) {
        earliest = lost_at;
        group.rebuilding = static_cast<std::uint8_t>(l);
      }
    }
    choose_target(number);
    begun_[group.target].push_back(number);
    group.begins = std::max(now_, free_at_[group.target]);
    group.work = model_.times == RepairTimes::kFixed ? 1 : -std::log(random_.unit());
    group.since = group.begins;
    waits_.add(group.begins - now_, random_);
    schedule(number);
  }

  void choose_target(std::uint32_t number) {
    Group& group = groups_[number];
    double soonest = std::numeric_limits<double>::infinity();
    for (std::size_t tried = 0; tried < kTargetsTried;) {
      const std::size_t node = below(model_.nodes);
      if (holds(number, node, model_.locations)) continue;
      ++tried;
      if (free_at_[node] < soonest) {
        soonest = free_at_[node];
        group.target = static_cast<std::uint32_t>(node);
      }
    }
  }

  void schedule(std::uint32_t number) {
    Group& group = groups_[number];
    const double end = group.since + group.work * mean_hours(group);
    free_at_[group.target] = std::max(free_at_[group.target], end);
    ends_.push({end, number, ++group.version});
  }

  void finish(const End& end) {
    now_ = end.hour;
    Group& group = groups_[end.group];
    const std::size_t slot = end.group * model_.locations + group.rebuilding;
    count_share(group);
    if (model_.unreadable > 0 && meets_unreadable_bit(group.lost)) {
      forget_repair(group.target, end.group);
      count_loss(group);
      begin_anew(end.group, group.lost);
      return;
    }
    const double took = now_ - lost_at_[slot];
    took_.add(took, random_);
    took_sum_ += took;
    ++run_.repairs;
    run_.bytes_read +=
        model_.chunk_bytes * model_.reads[static_cast<std::size_t>(std::popcount(group.lost)) - 1];
    group.lost &= ~(LostSet{1} << group.rebuilding);
    nodes_[slot] = group.target;
    forget_repair(group.target, end.group);
    chunks_[group.target].push_back({end.group, group.rebuilding});
    if (group.lost != 0) {
      start_repair(end.group);
    } else if (bad_.empty()) {
      group.is_past_batch = true;
    }
  }

  /// True if a chunk that the repair cannot do without has an unreadable bit; random.
  bool meets_unreadable_bit(LostSet lost) {
    const std::size_t needed = count_needed(model_.locations, lost, sets_);
    return needed > 0 &&
           random_.unit() < unreadable_chance(model_.unreadable, static_cast<double>(needed));
  }

  void count_loss(const Group& group) {
    ++run_.losses;
    if (model_.bad_nodes > 0 && !group.is_past_batch) ++run_.batch_losses;
  }

  /// The last bad node has failed. Groups with lost chunks still count as part of the batch.
  void end_batch() {
    for (Group& group : groups_) group.is_past_batch = group.lost == 0;
  }

  /// A linear search: few repairs are under way on a node.
  void forget_repair(std::size_t node, std::uint32_t group) {
    std::vector<std::uint32_t>& begun = begun_[node];
    const auto found = std::ranges::find(begun, group);
    if (found == begun.end()) return;
    *found = begun.back();
    begun.pop_back();
  }

  void fail_node(std::size_t node) {
    free_at_[node] = now_;
    std::vector<std::uint32_t> begun;
    begun.swap(begun_[node]);
    std::vector<Chunk> held;
    held.swap(chunks_[node]);
    for (const Chunk chunk : held) lose(chunk);
    // Repairs on the failed node begin again.
    for (const std::uint32_t group : begun) {
      if (groups_[group].lost != 0 && groups_[group].target == node) start_repair(group);
    }
  }

  void lose(const Chunk& chunk) {
    Group& group = groups_[chunk.group];
    count_share(group);
    const LostSet more = group.lost | LostSet{1} << chunk.location;
    lost_at_[chunk.group * model_.locations + chunk.location] = now_;
    if (!sets_.survives(more)) {
      count_loss(group);
      begin_anew(chunk.group, more);
      return;
    }
    const bool is_first = group.lost == 0;
    if (!is_first) {
      // The repair goes on, at the speed for the new number of losses.
      const double done = std::max(0.0, now_ - group.since) / mean_hours(group);
      group.work = std::max(0.0, group.work - done);
      group.since = std::max(now_, group.since);
    }
    group.lost = more;
    if (is_first) {
      start_repair(chunk.group);
    } else {
      schedule(chunk.group);
    }
  }

  /// Restores every chunk of the group; each lost chunk goes to a node that holds no other chunk of
  /// it.
  void begin_anew(std::uint32_t number, LostSet lost) {
    Group& group = groups_[number];
    ++group.version;
    group.lost = lost;
    group.is_past_batch = bad_.empty();
    for (std::size_t l = 0; l < model_.locations; ++l) {
      if ((lost >> l & 1) == 0) continue;
      std::size_t node = below(model_.nodes);
      while (holds(number, node, model_.locations)) node = below(model_.nodes);
      node_of(number, l) = static_cast<std::uint32_t>(node);
      chunks_[node].push_back({number, static_cast<std::uint8_t>(l)});
      group.lost &= ~(LostSet{1} << l);
    }
  }

  ClusterRun result() {
    for (Group& group : groups_) count_share(group);
    double sum = 0;
    for (const double share : run_.shares) sum += share;
    for (double& share : run_.shares) share /= sum;
    run_.hours = now_;
    run_.groups = groups_.size();
    run_.bad_nodes_left = bad_.size();
    run_.waits = waits_.take();
    run_.mean_repair_hours = run_.repairs == 0 ? 0 : took_sum_ / static_cast<double>(run_.repairs);
    std::vector<double> took = took_.take();
    if (!took.empty()) {
      const auto slow = took.begin() + static_cast<std::ptrdiff_t>(took.size() * 99 / 100);
      std::nth_element(took.begin(), slow, took.end());
      run_.slow_repair_hours = *slow;
    }
    return std::move(run_);
  }

  const ClusterModel& model_;
  LostSets& sets_;
  Random random_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> nodes_;               ///< by group and location
  std::vector<double> lost_at_;                    ///< by group and location
  std::vector<std::vector<Chunk>> chunks_;         ///< by node
  std::vector<std::vector<std::uint32_t>> begun_;  ///< by node: groups under repair there
  std::vector<double> free_at_;                    ///< by node: hour at which its repairs end
  std::vector<std::size_t> bad_;                   ///< nodes of the bad batch that have not failed
  std::vector<bool> is_bad_;                       ///< by node
  std::priority_queue<End> ends_;
  double now_ = 0;
  double took_sum_ = 0;
  Reservoir waits_;
  Reservoir took_;
  ClusterRun run_;
};

}  // namespace

ClusterRun simulate_cluster(const ClusterModel& model, LostSets& sets, std::uint64_t failures,
                            std::uint64_t seed) {
  check(model, sets);
  return Simulation(model, sets, seed).run(failures);
}

}  // namespace xorloom
