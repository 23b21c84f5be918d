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
    if (i > 0) rows[i][i - 1] = -repair;
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
        const DiskGroup group{.locations = n, .losses = m, .mttf_hours = 100, .mttr_hours = mttr};
        CHECK(hours_to_loss(group) == doctest::Approx(solved_hours_to_loss(group)).epsilon(1e-9));
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
  CHECK_THROWS_WITH_AS(clean_read_chance({.disks = 1, .error_rate = 1}),
                       "error_rate = 1 is not below 1", Error);
  CHECK_THROWS_WITH_AS(clean_read_chance({.disks = 1, .disk_bytes = -1}),
                       "a disk of -1 bytes is not of 0 bytes or more", Error);
}

}  // namespace xorloom
