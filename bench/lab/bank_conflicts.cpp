#include "bench/lab/bank_conflicts.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// The rest of a distribution at which its sum stops; the mean loses less than threads times this.
constexpr double kNegligible = 1e-13;

void check(const char* name, std::size_t value, std::size_t most) {
  if (value >= 1 && value <= most) return;
  fail(Status::kInvalidArgument, "{} = {} is not a whole number from 1 to {}", name, value, most);
}

/// By d, the probability that the threads read d distinct words.
std::vector<double> distinct_words(const BankAccess& access) {
  const auto words = static_cast<double>(access.words);
  std::vector<double> chance(access.threads + 1, 0.0);
  chance[0] = 1;
  for (std::size_t thread = 0; thread < access.threads; ++thread) {
    for (std::size_t d = thread + 1; d > 0; --d) {
      const double is_known = static_cast<double>(d) / words;
      const double is_new = std::max(0.0, 1 - static_cast<double>(d - 1) / words);
      chance[d] = chance[d] * is_known + chance[d - 1] * is_new;
    }
    chance[0] = 0;
  }
  return chance;
}

/// Distribution of the number of `read` words that lie in a bank of `here` words, if the banks
/// after it have `later` words: chance[i] is the probability of first + i. Words are read without
/// repetition, so it is hypergeometric.
struct WordsInBank {
  std::size_t first = 0;
  std::vector<double> chance{};
};

WordsInBank words_in_bank(std::size_t here, std::size_t later, std::size_t read) {
  WordsInBank result{.first = read > later ? read - later : 0};
  // Each from the one before it; the sum of all then makes them probabilities.
  double weight = 1;
  double sum = 0;
  for (std::size_t j = result.first; j <= std::min(here, read); ++j) {
    result.chance.push_back(weight);
    sum += weight;
    weight *= static_cast<double>((here - j) * (read - j)) /
              static_cast<double>((j + 1) * (later + j + 1 - read));
  }
  for (double& chance : result.chance) chance /= sum;
  return result;
}

/// The probability that no bank has more than `most` of the words that are read.
///
/// It walks over the banks. `left` holds, by r, the probability that no bank so far has more than
/// `most` and that r words lie in the banks to come.
double chance_of_at_most(const BankAccess& access, std::size_t most, std::vector<double> left) {
  std::size_t later = access.words;
  for (std::size_t bank = 0; bank < access.banks; ++bank) {
    const std::size_t here =
        access.words / access.banks + (bank < access.words % access.banks ? 1 : 0);
    const std::size_t before = later;
    later -= here;
    std::vector<double> next(left.size(), 0.0);
    for (std::size_t r = 0; r < left.size() && r <= before; ++r) {
      if (left[r] == 0) continue;
      const WordsInBank bank_words = words_in_bank(here, later, r);
      for (std::size_t i = 0; i < bank_words.chance.size(); ++i) {
        const std::size_t words = bank_words.first + i;
        if (words <= most) next[r - words] += left[r] * bank_words.chance[i];
      }
    }
    left = std::move(next);
  }
  return left[0];
}

}  // namespace

double mean_fullest_bank(const BankAccess& access) {
  check("threads", access.threads, kMostBankThreads);
  check("banks", access.banks, kMostBanks);
  check("words", access.words, kMostTableWords);
  const std::vector<double> distinct = distinct_words(access);
  // The mean of a whole number is the sum of the probabilities that it exceeds 0, 1, 2 and so on.
  double mean = 1;
  for (std::size_t most = 1; most < access.threads; ++most) {
    const double exceeds = 1 - chance_of_at_most(access, most, distinct);
    if (exceeds < kNegligible) break;
    mean += exceeds;
  }
  return mean;
}

}  // namespace xorloom
