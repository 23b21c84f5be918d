#include "runtime/atlas/loss_patterns.hpp"

#include <algorithm>
#include <limits>

namespace xorloom {
namespace {

/// Number of sets of `size` among n, or the largest integer if there are more.
std::uint64_t choices(std::size_t n, std::size_t size) {
  if (size > n) return 0;
  std::uint64_t result = 1;
  for (std::size_t i = 1; i <= std::min(size, n - size); ++i) {
    std::uint64_t product = 0;
    const std::size_t of = n - std::min(size, n - size) + i;
    if (__builtin_mul_overflow(result, of, &product)) {
      return std::numeric_limits<std::uint64_t>::max();
    }
    result = product / i;
  }
  return result;
}

}  // namespace

std::optional<std::uint64_t> number_of_patterns(std::size_t n, std::size_t losses,
                                                std::uint64_t most) {
  std::uint64_t sum = 0;
  for (std::size_t size = 0; size <= losses; ++size) {
    const std::uint64_t more = choices(n, size);
    if (more > most || sum > most - more) return std::nullopt;
    sum += more;
  }
  return sum;
}

std::uint64_t pattern_number(std::size_t n, std::span<const std::size_t> lost) {
  std::uint64_t number = 0;
  for (std::size_t size = 0; size < lost.size(); ++size) number += choices(n, size);
  std::size_t next = 0;
  for (std::size_t i = 0; i < lost.size(); ++i) {
    for (; next < lost[i]; ++next) number += choices(n - next - 1, lost.size() - i - 1);
    ++next;
  }
  return number;
}

std::vector<std::size_t> pattern_at(std::size_t n, std::uint64_t number) {
  std::size_t size = 0;
  for (; number >= choices(n, size); ++size) number -= choices(n, size);
  std::vector<std::size_t> lost;
  for (std::size_t next = 0; lost.size() < size; ++next) {
    const std::uint64_t with = choices(n - next - 1, size - lost.size() - 1);
    if (number < with) {
      lost.push_back(next);
    } else {
      number -= with;
    }
  }
  return lost;
}

}  // namespace xorloom
