#include "equations/cores/contiguous.hpp"

#include <algorithm>

#include "equations/ir/cost.hpp"

namespace xorloom {
namespace {

/// The first piece of each group, if groups are filled one after the other up to a limit.
std::vector<std::size_t> filled(const std::vector<std::size_t>& work, std::size_t limit) {
  std::vector<std::size_t> firsts;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == 0 || sum + work[i] > limit) {
      firsts.push_back(i);
      sum = 0;
    }
    sum += work[i];
  }
  return firsts;
}

/// The least limit with which groups are at most that many.
std::size_t least_limit(const std::vector<std::size_t>& work, std::size_t groups) {
  std::size_t low = 0;
  std::size_t high = 0;
  for (const std::size_t w : work) {
    low = std::max(low, w);
    high += w;
  }
  while (low < high) {
    const std::size_t limit = low + (high - low) / 2;
    if (filled(work, limit).size() <= groups) {
      high = limit;
    } else {
      low = limit + 1;
    }
  }
  return low;
}

}  // namespace

std::size_t work_of(const Program& program, const Equation& equation) {
  const std::size_t work = program.is_xor() ? xors(equation) : equation.operands.size();
  return std::max<std::size_t>(1, work);
}

std::vector<std::size_t> contiguous_groups(const std::vector<std::size_t>& work,
                                           std::size_t groups) {
  const std::vector<std::size_t> firsts = filled(work, least_limit(work, groups));
  std::vector<std::size_t> group_of(work.size());
  std::size_t group = 0;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (group + 1 < firsts.size() && firsts[group + 1] == i) ++group;
    group_of[i] = group;
  }
  return group_of;
}

}  // namespace xorloom
