#include "equations/models/durability.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// The mean time to loss as the solution of the chain's linear equations, by elimination:
/// (rate out of i) · t(i) - (failures) · t(i+1) - (repairs) · t(i-1) = 1.
double solved_hours_to_loss(const DiskGroup& group) {
  const std::size_t states = group.losses + 1;
  std::vector<std::vector<long double>> rows(states, std::vector<long double>(states + 1, 0));
  for (std::size_t i = 0; i < states; ++i) {
    const long double fail = static_cast<long double>(group.locations - i) / group.mttf_hours;
    const long double repair = i == 0 ? 0 : 1 / static_cast<long double>(group.mttr_hours);
    rows[i][i] = fail + repair;
    if (i + 1 < states) rows[i][i + 1] = -fail;
    // With all m lost, a repair succeeds if each of the others is readable.
    const long double readable = i == group.losses
                                     ? std::pow(1 - static_cast<long double>(group.unreadable),
                                                static_cast<long double>(group.locations - i))
                                     : 1;
    if (i > 0) rows[i][i - 1] = -repair * readable;
    rows[i][states] = 1;
  }
  for (std::size_t i = 0; i < states; ++i) {
    for (std::size_t other = 0; other < states; ++other) {
      if (other == i) continue;
      const long double factor = rows[other][i] / rows[i][i];
      for (std::size_t j = i; j <= states; ++j) rows[other][j] -= factor * rows[i][j];
    }
  }
  return static_cast<double>(rows[0][states] / rows[0][0]);
}

double simulated_hours_to_loss(const DiskGroup& group, std::uint32_t seed) {
  constexpr int kLosses = 20'000;
  std::mt19937 random(seed);
  const auto after = [&](double rate) { return std::exponential_distribution<>(rate)(random); };
  double hours = 0;
  for (int i = 0; i < kLosses; ++i) {
    for (std::size_t lost = 0; lost <= group.losses;) {
      const double fails = after(static_cast<double>(group.locations - lost) / group.mttf_hours);
      const double repaired =
          lost == 0 ? std::numeric_limits<double>::infinity() : after(1 / group.mttr_hours);
      hours += std::min(fails, repaired);
      lost = fails < repaired ? lost + 1 : lost - 1;
    }
  }
  return hours / kLosses;
}

/// Runs a group with a bad batch until it reaches a goal or loses data; counts the goals.
double simulated_batch(const DiskGroup& group, const BadBatch& batch, bool until_end,
                       std::uint32_t seed) {
  constexpr int kRuns = 40'000;
  std::mt19937 random(seed);
  const auto chance = [&](double share) { return std::bernoulli_distribution(share)(random); };
  int reached = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::size_t bad = until_end ? batch.disks : batch.disks - 1;
    std::size_t lost = until_end ? 0 : 1;
    while (lost <= group.losses && (lost > 0 || (until_end && bad > 0))) {
      const double bad_fails = static_cast<double>(bad) / batch.mttf_hours;
      const double good_fails =
          static_cast<double>(group.locations - bad - lost) / group.mttf_hours;
      const double repaired = lost == 0 ? 0 : 1 / group.mttr_hours;
      const double all = bad_fails + good_fails + repaired;
      if (chance(repaired / all)) {
        const double others = static_cast<double>(group.locations - lost);
        const bool reads_all =
            lost < group.losses || chance(std::pow(1 - group.unreadable, others));
        lost = reads_all ? lost - 1 : group.losses + 1;
        continue;
      }
      if (chance(bad_fails / (bad_fails + good_fails))) --bad;
      ++lost;
    }
    if (lost == 0) ++reached;
  }
  return static_cast<double>(reached) / kRuns;
}

}  // namespace

TEST_CASE("The formula gives the paper's group of 16 disks 893 billion hours") {
  const DiskGroup group{.locations = 16, .losses = 2};
  const double hours = approximate_hours_to_loss(group);
  CHECK(hours == doctest::Approx(1.2e6 * 1.2e6 * 1.2e6 / (16.0 * 15 * 14 * 24 * 24)));
  CHECK(hours == doctest::Approx(8.93e11).epsilon(0.001));
  // "Over 100 billion years" are over 100 million.
  CHECK(hours / kHoursOfYear == doctest::Approx(1.0186e8).epsilon(0.001));
  CHECK(hours_to_loss(group) == doctest::Approx(hours).epsilon(0.01));
}

TEST_CASE("Without redundancy the first failure is the loss") {
  const DiskGroup group{.locations = 8, .losses = 0, .mttf_hours = 1000, .mttr_hours = 10};
  CHECK(approximate_hours_to_loss(group) == doctest::Approx(125));
  CHECK(hours_to_loss(group) == doctest::Approx(125));
}

TEST_CASE("A mirrored pair lasts as long as is published") {
  // With failure rate a and repair rate b: (3 a + b) / (2 a^2).
  const double a = 1.0 / 500, b = 1.0 / 20;
  const DiskGroup pair{.locations = 2, .losses = 1, .mttf_hours = 500, .mttr_hours = 20};
  CHECK(hours_to_loss(pair) == doctest::Approx((3 * a + b) / (2 * a * a)));
}

TEST_CASE("The recurrence solves the chain") {
  for (std::size_t n = 1; n <= 12; ++n) {
    for (std::size_t m = 0; m < n && m < 6; ++m) {
      for (const double mttr : {1.0, 40.0, 99.0}) {
        CAPTURE(n);
        CAPTURE(m);
        CAPTURE(mttr);
        for (const double unreadable : {0.0, 0.008, 1.0}) {
          CAPTURE(unreadable);
          const DiskGroup group{.locations = n,
                                .losses = m,
                                .mttf_hours = 100,
                                .mttr_hours = mttr,
                                .unreadable = unreadable};
          CHECK(hours_to_loss(group) == doctest::Approx(solved_hours_to_loss(group)).epsilon(1e-9));
        }
      }
    }
  }
}

TEST_CASE("The chain lasts as long as a simulation of it") {
  const DiskGroup group{.locations = 6, .losses = 2, .mttf_hours = 100, .mttr_hours = 10};
  const std::uint32_t seed = 5;
  CAPTURE(seed);
  CHECK(hours_to_loss(group) ==
        doctest::Approx(simulated_hours_to_loss(group, seed)).epsilon(0.03));
}

TEST_CASE("With unreadable bits, RAID 5 and RAID 6 last as long as is published") {
  // Dholakia et al.: mu / (N L (L (N-1) + mu P)) for RAID 5, mu^2 / (N (N-1) L^2 (L (N-2) + mu P))
  // for RAID 6, with failure rate L, repair rate mu, and P for the disks left in critical mode.
  const double n = 8, failure = 1 / 5e5, repair = 1 / 17.8, of_disk = 0.024;
  DiskGroup group{
      .locations = 8, .losses = 1, .mttf_hours = 5e5, .mttr_hours = 17.8, .unreadable = of_disk};
  const double five = 1 - std::pow(1 - of_disk, n - 1);
  CHECK(approximate_hours_to_loss(group) ==
        doctest::Approx(repair / (n * failure * (failure * (n - 1) + repair * five))));
  CHECK(hours_to_loss(group) == doctest::Approx(approximate_hours_to_loss(group)).epsilon(0.01));
  group.losses = 2;
  const double six = 1 - std::pow(1 - of_disk, n - 2);
  CHECK(approximate_hours_to_loss(group) ==
        doctest::Approx(repair * repair /
                        (n * (n - 1) * failure * failure * (failure * (n - 2) + repair * six))));
  CHECK(hours_to_loss(group) == doctest::Approx(approximate_hours_to_loss(group)).epsilon(0.01));
}

TEST_CASE("One pass of a disk of 1 TB meets an error with the paper's 0.008") {
  CHECK(1 - approximate_clean_read_chance({.disks = 1}) == doctest::Approx(0.008));
  CHECK(1 - clean_read_chance({.disks = 1}) == doctest::Approx(0.008).epsilon(0.005));
}

TEST_CASE("A latent error is found as late as a simulation of scrubs finds it") {
  const LatentErrors latent{.mean_hours = 300, .scrub_hours = 200};
  std::mt19937 random(11);
  std::exponential_distribution<> until_error(1 / latent.mean_hours);
  std::uniform_real_distribution<> since_scrub(0, latent.scrub_hours);
  constexpr int kLooks = 200'000;
  int found = 0;
  for (int i = 0; i < kLooks; ++i) {
    if (until_error(random) < since_scrub(random)) ++found;
  }
  CHECK(latent_error_chance(latent) ==
        doctest::Approx(static_cast<double>(found) / kLooks).epsilon(0.02));
  CHECK(latent_error_chance({}) == 0);
  CHECK(latent_error_chance({.mean_hours = 1e9, .scrub_hours = 100}) == doctest::Approx(5e-8));
  // Both sides of the step from the series to the formula.
  CHECK(latent_error_chance({.mean_hours = 1, .scrub_hours = 0.99999e-4}) ==
        doctest::Approx(latent_error_chance({.mean_hours = 1, .scrub_hours = 1.00001e-4}))
            .epsilon(1e-4));
}

TEST_CASE("Scrubs once a month make RAID arrays last at least four times as long as once a year") {
  // Pâris, Amer, Schwarz and Long, PRDC 2009: at least 300 % longer, with errors on 3.45 % of the
  // disks in 32 months (Bairavasundaram et al., SIGMETRICS 2007).
  constexpr double kMonth = kHoursOfYear / 12;
  const double mean = -32 * kMonth / std::log(1 - 0.0345);
  for (const std::size_t losses : {1U, 2U}) {
    DiskGroup group{.locations = 10, .losses = losses, .mttf_hours = 1e5, .mttr_hours = 24};
    group.unreadable = latent_error_chance({.mean_hours = mean, .scrub_hours = kHoursOfYear});
    const double yearly = hours_to_loss(group);
    group.unreadable = latent_error_chance({.mean_hours = mean, .scrub_hours = kMonth});
    CHECK(hours_to_loss(group) > 4 * yearly);
  }
}

TEST_CASE("In a bad batch, RAID 6 recovers with less than the published 70 %") {
  // Pâris and Long: repairs of 24 hours, one failure a week, which has to mean each of ten disks.
  const BadBatch batch{.disks = 10, .mttf_hours = 168};
  const DiskGroup group{.locations = 10, .losses = 2};
  const double q = std::exp(-24.0 / 168);
  CHECK(approximate_recovery_chance(group, batch) ==
        doctest::Approx(std::pow(q, 9) + 9 * (1 - q) * std::pow(q, 8)));
  CHECK(approximate_recovery_chance(group, batch) < 0.70);
  CHECK(approximate_recovery_chance({.locations = 9, .losses = 2}, {9, 168}) > 0.70);
  // The published failure a week cannot be the group's: each of ten disks would fail after ten
  // weeks.
  CHECK(approximate_recovery_chance(group, {10, 1680}) > 0.99);
}

TEST_CASE("A mirrored pair of a bad batch recovers as two times race") {
  const DiskGroup pair{.locations = 2, .losses = 1, .mttf_hours = 1e6, .mttr_hours = 24};
  const BadBatch batch{.disks = 2, .mttf_hours = 168};
  const double repair = 1.0 / 24, failure = 1.0 / 168, good = 1e-6;
  CHECK(recovery_chance(pair, batch) == doctest::Approx(repair / (repair + failure)));
  // One bad disk is rebuilt from a good one. Two bad disks run that race twice, in either order.
  CHECK(batch_survival_chance(pair, {1, 168}) ==
        doctest::Approx(repair / (repair + good)).epsilon(1e-3));
  CHECK(batch_survival_chance(pair, batch) ==
        doctest::Approx(repair / (repair + failure) * repair / (repair + good)).epsilon(1e-3));
}

TEST_CASE("The chain of a bad batch does what a simulation of it does") {
  for (const DiskGroup& group :
       {DiskGroup{.locations = 6, .losses = 2, .mttf_hours = 1000, .mttr_hours = 24},
        DiskGroup{.locations = 9,
        .losses = 3,
        .mttf_hours = 500,
        .mttr_hours = 40,
        .unreadable = 0.05}}) {
    for (const std::size_t disks : {std::size_t{1}, std::size_t{4}, group.locations}) {
      CAPTURE(disks);
      const BadBatch batch{disks, 168};
      const std::uint32_t seed = 7;
      CAPTURE(seed);
      CHECK(std::abs(recovery_chance(group, batch) - simulated_batch(group, batch, false, seed)) <
            0.01);
      CHECK(std::abs(batch_survival_chance(group, batch) -
                     simulated_batch(group, batch, true, seed)) < 0.01);
    }
  }
}

TEST_CASE("A year is survived with as many nines as the mean time gives") {
  CHECK(loss_in_a_year(kHoursOfYear) == doctest::Approx(1 - std::exp(-1.0)));
  CHECK(nines_of_durability(kHoursOfYear * 1000) == doctest::Approx(3).epsilon(0.001));
  // A probability of 1e-20 keeps its digits.
  CHECK(nines_of_durability(kHoursOfYear * 1e20) == doctest::Approx(20));
  CHECK(nines_of_durability(1e-3) == 0);
}

TEST_CASE("Ten disks of 1 TB are read without error with the paper's 92.3 %") {
  const FullRead ten{.disks = 10};
  CHECK(approximate_clean_read_chance(ten) == doctest::Approx(std::pow(0.992, 10)));
  CHECK(std::round(1000 * approximate_clean_read_chance(ten)) == 923);
  CHECK(std::round(1000 * clean_read_chance(ten)) == 923);
  CHECK(clean_read_chance(ten) == doctest::Approx(std::exp(-0.08)));
}

TEST_CASE("Nothing read, or nothing that fails, is read without error") {
  CHECK(clean_read_chance({.disks = 0}) == 1);
  CHECK(clean_read_chance({.disks = 3, .disk_bytes = 0}) == 1);
  CHECK(clean_read_chance({.disks = 3, .error_rate = 0}) == 1);
  CHECK(approximate_clean_read_chance({.disks = 1, .disk_bytes = 1e15}) == 0);
  CHECK(clean_read_chance({.disks = 1, .disk_bytes = 1e15}) == doctest::Approx(std::exp(-8.0)));
}

TEST_CASE("What is no group or no read is refused with the value and the bound") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto refuses = [](const DiskGroup& group, const char* sentence) {
    CHECK_THROWS_WITH_AS(hours_to_loss(group), sentence, Error);
    CHECK_THROWS_WITH_AS(approximate_hours_to_loss(group), sentence, Error);
  };
  refuses({.locations = 2, .losses = 2}, "n = 2 locations do not exceed m = 2 losses");
  refuses({.locations = 2, .losses = 1, .mttf_hours = 0}, "MTTF = 0 hours is not a number above 0");
  refuses({.locations = 2, .losses = 1, .mttf_hours = nan},
          "MTTF = nan hours is not a number above 0");
  refuses({.locations = 2, .losses = 1, .mttf_hours = infinity},
          "MTTF = inf hours is not a number above 0");
  for (const auto& [mttr, text] : {std::pair{0.0, "0"}, std::pair{100.0, "100"}}) {
    const std::string sentence =
        std::string("MTTR = ") + text + " hours is not above 0 and below MTTF = 100 hours";
    refuses({.locations = 2, .losses = 1, .mttf_hours = 100, .mttr_hours = mttr}, sentence.c_str());
  }
  refuses({.locations = 300, .losses = 150},
          "with m = 150 the mean time to data loss exceeds 1e+300 hours");
  refuses({.locations = 2, .losses = 1, .unreadable = 1.5},
          "a disk is unreadable with probability 1.5, not 0 to 1");
  const DiskGroup six{.locations = 6, .losses = 2};
  for (const std::size_t disks : {0U, 7U}) {
    const std::string sentence =
        "a bad batch of " + std::to_string(disks) + " disks is not of 1 to n = 6";
    CHECK_THROWS_WITH_AS(recovery_chance(six, {disks, 100}), sentence.c_str(), Error);
    CHECK_THROWS_WITH_AS(batch_survival_chance(six, {disks, 100}), sentence.c_str(), Error);
  }
  CHECK_THROWS_WITH_AS(approximate_recovery_chance(six, {6, nan}),
                       "batch_mttf = nan hours is not a number above 0", Error);
  CHECK_THROWS_WITH_AS(
      latent_error_chance({.mean_hours = 100}),
      "a latent error after 100 hours and a scrub every 0 hours are not both times above 0", Error);
  CHECK_THROWS_WITH_AS(clean_read_chance({.disks = 1, .error_rate = 1}),
                       "error_rate = 1 is not below 1", Error);
  CHECK_THROWS_WITH_AS(clean_read_chance({.disks = 1, .disk_bytes = -1}),
                       "a disk of -1 bytes is not of 0 bytes or more", Error);
}

}  // namespace xorloom
