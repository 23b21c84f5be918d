#include "bench/lab/bank_conflicts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// The number of distinct words in the fullest bank, counted from what the threads read.
std::size_t fullest_bank(const std::vector<std::size_t>& read, std::size_t banks) {
  std::vector<std::size_t> full(banks, 0);
  std::vector<std::size_t> words = read;
  std::ranges::sort(words);
  const auto end = std::unique(words.begin(), words.end());
  for (auto word = words.begin(); word != end; ++word) ++full[*word % banks];
  return std::ranges::max(full);
}

/// The mean over all that the threads can read.
double mean_of_all(const BankAccess& access) {
  std::vector<std::size_t> read(access.threads, 0);
  std::size_t sum = 0, number = 0;
  for (std::size_t thread = 0; thread < access.threads;) {
    sum += fullest_bank(read, access.banks);
    ++number;
    for (thread = 0; thread < access.threads && ++read[thread] == access.words; ++thread) {
      read[thread] = 0;
    }
  }
  return static_cast<double>(sum) / static_cast<double>(number);
}

double simulated_mean(const BankAccess& access, std::uint32_t seed, std::size_t accesses = 40'000) {
  std::mt19937 random(seed);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < accesses; ++i) {
    std::vector<std::size_t> read(access.threads);
    for (std::size_t& word : read) word = random() % access.words;
    sum += fullest_bank(read, access.banks);
  }
  return static_cast<double>(sum) / static_cast<double>(accesses);
}

}  // namespace

TEST_CASE("Two threads that read four words in two banks take 1.25 turns") {
  // One of the four words that the second thread can read is another word of the same bank.
  CHECK(mean_fullest_bank({.threads = 2, .banks = 2, .words = 4}) == doctest::Approx(1.25));
}

TEST_CASE("One thread, one word, or a bank for every word takes one turn") {
  CHECK(mean_fullest_bank({.threads = 1, .banks = 3, .words = 100}) == doctest::Approx(1));
  CHECK(mean_fullest_bank({.threads = 200, .banks = 3, .words = 1}) == doctest::Approx(1));
  CHECK(mean_fullest_bank({.threads = 30, .banks = 64, .words = 64}) == doctest::Approx(1));
  CHECK(mean_fullest_bank({.threads = 30, .banks = 100, .words = 64}) == doctest::Approx(1));
}

TEST_CASE("A single bank delivers as many words as there are distinct ones") {
  const double distinct = 64 * (1 - std::pow(63.0 / 64, 32));
  CHECK(mean_fullest_bank({.threads = 32, .banks = 1, .words = 64}) == doctest::Approx(distinct));
}

TEST_CASE("The mean is that of all that few threads can read") {
  for (std::size_t threads = 1; threads <= 5; ++threads) {
    for (std::size_t banks = 1; banks <= 4; ++banks) {
      for (std::size_t words = 1; words <= 7; ++words) {
        CAPTURE(threads);
        CAPTURE(banks);
        CAPTURE(words);
        const BankAccess access{threads, banks, words};
        CHECK(mean_fullest_bank(access) == doctest::Approx(mean_of_all(access)).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("The mean is within 0.02 of a simulation") {
  for (const BankDesign& design : kBankDesigns) {
    for (const std::size_t words : {kTableWordsOf32Bits, kPaperTableWords, std::size_t{1000}}) {
      const BankAccess access{design.threads, design.banks, words};
      const std::uint32_t seed = 11;
      CAPTURE(design.name);
      CAPTURE(words);
      CAPTURE(seed);
      CHECK(std::abs(mean_fullest_bank(access) - simulated_mean(access, seed)) < 0.02);
    }
  }
}

TEST_CASE("With every byte a word of its own, the means are the paper's") {
  for (const BankDesign& design : kBankDesigns) {
    CAPTURE(design.name);
    const double mean = mean_fullest_bank({design.threads, design.banks, kPaperTableWords});
    // The paper simulated: its 1.32 is 1.3266.
    CHECK(std::abs(mean - design.paper_mean) < 0.007);
  }
  CHECK(mean_fullest_bank({16, 16, kPaperTableWords}) == doctest::Approx(2.9193).epsilon(1e-5));
  // With four bytes of a table in each word of 32 bits, the mean is lower.
  CHECK(mean_fullest_bank({16, 16, kTableWordsOf32Bits}) == doctest::Approx(2.4719).epsilon(1e-5));
}

TEST_CASE("The largest access that is taken has a mean") {
  const double mean = mean_fullest_bank({kMostBankThreads, kMostBanks, kMostTableWords});
  CHECK(mean > 2);
  CHECK(mean < 5);
  const BankAccess two_banks{kMostBankThreads, 2, kMostTableWords};
  CHECK(std::abs(mean_fullest_bank(two_banks) - simulated_mean(two_banks, 12, 10'000)) < 0.2);
}

TEST_CASE("An access out of bounds is refused with the value and the bound") {
  CHECK_THROWS_WITH_AS(mean_fullest_bank({.threads = 0}),
                       "threads = 0 is not a whole number from 1 to 256", Error);
  CHECK_THROWS_WITH_AS(mean_fullest_bank({.banks = 1025}),
                       "banks = 1025 is not a whole number from 1 to 1024", Error);
  CHECK_THROWS_WITH_AS(mean_fullest_bank({.words = 65'537}),
                       "words = 65537 is not a whole number from 1 to 65536", Error);
}

}  // namespace xorloom
