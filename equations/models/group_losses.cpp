#include "equations/models/group_losses.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "codes/text/error.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {
namespace {

constexpr double kNormal95 = 1.959964;

void check(const GroupModel& model, const LostSets& sets) {
  const bool is_positive = std::ranges::all_of(
      model.repair_hours, [](double hours) { return hours > 0 && std::isfinite(hours); });
  if (model.locations == 0 || !(model.mttf_hours > 0) || !std::isfinite(model.mttf_hours) ||
      model.repair_hours.size() < sets.most_losses() || !is_positive) {
    fail(Status::kInvalidArgument, "a group needs locations, and times above 0");
  }
  if (!(model.unreadable >= 0) || !(model.unreadable <= 1)) {
    fail(Status::kInvalidArgument, "a chunk is unreadable with probability {}, not 0 to 1",
         model.unreadable);
  }
}

double mean_wait(const GroupModel& model) {
  if (model.waits.empty()) return 0;
  return std::accumulate(model.waits.begin(), model.waits.end(), 0.0) /
         static_cast<double>(model.waits.size());
}

/// Mean and variance of samples. Precondition: two or more samples when asked.
class Samples {
 public:
  void add(double value) {
    ++count_;
    sum_ += value;
    squares_ += value * value;
  }
  double mean() const { return sum_ / count_; }
  double variance_of_mean() const {
    return std::max(0.0, squares_ / count_ - mean() * mean()) / (count_ - 1);
  }

 private:
  double count_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

/// Simulates cycles, which begin with one lost chunk.
class Cycles {
 public:
  Cycles(const GroupModel& model, LostSets& sets, std::uint64_t seed)
      : model_(model), sets_(sets), random_(seed), mean_wait_(mean_wait(model)) {}

  struct Result {
    /// Likelihood ratio (true/biased) of losing data in the cycle; 0 if no data was lost.
    double weight = 0;
    double hours = 0;
  };

  Result run(bool is_biased) {
    LostSet lost = LostSet{1} << below(model_.locations);
    order_.assign(1, lost);
    if (!sets_.survives(lost)) return {1, 0};
    double weight = 1;
    double lost_weight = 0;  // weight of data losses by unreadable bits so far
    double readable = 1;     // probability of no data loss by unreadable bits
    double hours = 0;
    start_repair();
    while (true) {
      const std::size_t losses = order_.size();
      const double rate = static_cast<double>(model_.locations - losses) / model_.mttf_hours;
      const double mean = model_.repair_hours[losses - 1];
      const double biased = is_biased ? std::max(rate, bias() / (mean + mean_wait_)) : rate;
      const double repaired = wait_ + work_ * mean;
      const double fails =
          losses == model_.locations ? repaired : -std::log(random_.unit()) / biased;
      if (fails >= repaired) {
        weight *= std::exp((biased - rate) * repaired);
        hours += readable * repaired;
        if (model_.unreadable > 0) {
          // Both outcomes go on: the expected loss is added, and the cycle continues without it.
          const double fatal = fatal_read_chance(lost);
          lost_weight += weight * fatal;
          weight *= 1 - fatal;
          readable *= 1 - fatal;
        }
        lost &= ~order_.front();
        order_.erase(order_.begin());
        if (lost == 0 || readable == 0) return {lost_weight, hours};
        start_repair();
        continue;
      }
      weight *= rate / biased * std::exp((biased - rate) * fails);
      hours += readable * fails;
      // The repair keeps what it has done.
      work_ -= std::max(0.0, fails - wait_) / mean;
      wait_ = std::max(0.0, wait_ - fails);
      const LostSet failed = another(lost);
      lost |= failed;
      order_.push_back(failed);
      if (!sets_.survives(lost)) return {lost_weight + weight, hours};
    }
  }

 private:
  double fatal_read_chance(LostSet lost) {
    return unreadable_chance(model_.unreadable,
                             static_cast<double>(count_needed(model_.locations, lost, sets_)));
  }

  /// Biased failure rate divided by the repair rate, chosen for the least variance of the weights.
  double bias() const { return model_.times == RepairTimes::kFixed ? 1.5 : 0.5; }

  std::size_t below(std::size_t most) { return random_.below(static_cast<std::uint32_t>(most)); }

  LostSet another(LostSet lost) {
    while (true) {
      const LostSet one = LostSet{1} << below(model_.locations);
      if ((lost & one) == 0) return one;
    }
  }

  void start_repair() {
    wait_ = model_.waits.empty() ? 0 : model_.waits[below(model_.waits.size())];
    work_ = model_.times == RepairTimes::kFixed ? 1 : -std::log(random_.unit());
  }

  const GroupModel& model_;
  LostSets& sets_;
  Random random_;
  double mean_wait_;
  std::vector<LostSet> order_;  ///< lost chunks, in the order of repair
  double wait_ = 0;             ///< hours until the repair of order_.front() begins
  double work_ = 0;             ///< work left of that repair; 1: its mean
};

/// Rates of a Markov chain, each by number of lost chunks.
struct Chain {
  std::vector<double> up;      ///< to one more lost chunk, without data loss
  std::vector<double> losing;  ///< to data loss
  std::vector<double> down;
  std::vector<double> repaired;  ///< end of a repair: `down`, or data loss by an unreadable bit
};

Chain chain_of(const GroupModel& model, LostSets& sets) {
  check(model, sets);
  Chain chain;
  const double wait = mean_wait(model);
  const auto n = static_cast<double>(model.locations);
  for (std::size_t i = 0; i <= sets.most_losses(); ++i) {
    const auto lost = static_cast<double>(i);
    // Subsets of a survived set are survived, so each survived set of i + 1 is reached from i + 1
    // survived sets of i.
    const double from = sets.share_survived(i);
    const double survives = from == 0 ? 0 : std::min(1.0, sets.share_survived(i + 1) / from);
    const double rate = (n - lost) / model.mttf_hours;
    const double repaired = i == 0 ? 0 : 1 / (model.repair_hours[i - 1] + wait);
    const double fatal = unreadable_chance(model.unreadable, (n - lost) * (1 - survives));
    chain.up.push_back(rate * survives);
    chain.losing.push_back(rate * (1 - survives) + repaired * fatal);
    chain.down.push_back(repaired * (1 - fatal));
    chain.repaired.push_back(repaired);
    if (survives == 0) break;
  }
  return chain;
}

}  // namespace

double unreadable_chance(double unreadable, double chunks) {
  return chunks == 0 ? 0 : -std::expm1(chunks * std::log1p(-unreadable));
}

std::size_t count_needed(std::size_t locations, LostSet lost, LostSets& sets) {
  std::size_t count = 0;
  for (std::size_t l = 0; l < locations; ++l) {
    const LostSet one = LostSet{1} << l;
    if ((lost & one) == 0 && !sets.survives(lost | one)) ++count;
  }
  return count;
}

Estimate simulated_hours_to_loss(const GroupModel& model, LostSets& sets, std::size_t samples,
                                 std::uint64_t seed) {
  check(model, sets);
  if (samples < 2) fail(Status::kInvalidArgument, "a simulation needs 2 samples");
  Cycles biased(model, sets, seed);
  Samples weights;
  for (std::size_t i = 0; i < samples; ++i) weights.add(biased.run(true).weight);
  // The time of a cycle is simulated without bias.
  Cycles plain(model, sets, seed + 1);
  const std::size_t plain_samples = std::max<std::size_t>(2, samples / 10);
  Samples hours;
  for (std::size_t i = 0; i < plain_samples; ++i) hours.add(plain.run(false).hours);
  const double chance = weights.mean();
  const double cycle = model.mttf_hours / static_cast<double>(model.locations) + hours.mean();
  if (chance == 0) {
    fail(Status::kInvalidArgument, "none of {} samples lost data: raise option samples", samples);
  }
  const double mean = cycle / chance;
  const double relative = std::sqrt(weights.variance_of_mean() / (chance * chance) +
                                    hours.variance_of_mean() / (cycle * cycle));
  return {mean, kNormal95 * relative * mean};
}

double chain_hours_to_loss(const GroupModel& model, LostSets& sets) {
  const Chain chain = chain_of(model, sets);
  // By i lost: the mean time until i + 1 chunks or data are lost, with ways back, and the
  // probability that data are lost. All terms are positive: no cancellation.
  std::vector<double> hours;
  std::vector<double> losing;
  for (std::size_t i = 0; i < chain.up.size(); ++i) {
    const double forward = chain.up[i] + chain.losing[i];
    const double back = i == 0 ? 0 : chain.down[i] * losing[i - 1];
    const double more = i == 0 ? 0 : chain.down[i] * hours[i - 1];
    hours.push_back((1 + more) / (forward + back));
    losing.push_back((chain.losing[i] + back) / (forward + back));
  }
  // after(i) = mean time from i lost until data loss = hours(i) + P(data not lost) · after(i + 1).
  double after = 0;
  for (std::size_t i = chain.up.size(); i-- > 0;) after = hours[i] + (1 - losing[i]) * after;
  return after;
}

std::vector<double> chain_shares(const GroupModel& model, LostSets& sets) {
  const Chain chain = chain_of(model, sets);
  // Data losses are so rare that the time after them does not matter.
  std::vector<double> shares{1};
  for (std::size_t i = 0; i + 1 < chain.up.size(); ++i) {
    shares.push_back(shares.back() * chain.up[i] / chain.repaired[i + 1]);
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace xorloom
