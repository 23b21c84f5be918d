#include "bench/gpu/codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "gen/source/emit.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom::gpu_bench {
namespace {

/// Optimises direct equations as the library does before it writes a kernel.
Program as_in_plans(const Code& code, Program direct) {
  if (code.arrangement == Arrangement::kWord) return direct;
  return optimize(direct, search_of(plan_options(Options{}).effort));
}

}  // namespace

std::string spec_of(Family family, std::size_t k, std::size_t m) {
  return fmt::format("{}:k={},m={},w=8", family == Family::kWords ? "rs" : "cauchy-good", k, m);
}

Code code_of(Family family, std::size_t k, std::size_t m) {
  return make_code(spec_of(family, k, m));
}

std::vector<std::size_t> lost_data(std::size_t k, std::size_t m) {
  std::vector<std::size_t> data(k);
  std::iota(data.begin(), data.end(), std::size_t{0});
  std::mt19937 random{static_cast<unsigned int>(256 * k + m)};
  std::shuffle(data.begin(), data.end(), random);
  data.resize(std::min(k, m));
  std::ranges::sort(data);
  return data;
}

Program encoding_of(const Code& code) {
  return as_in_plans(code, direct_encoding(code, {}, over_of(code)));
}

Program decoding_of(const Code& code, const std::vector<std::size_t>& lost) {
  return as_in_plans(code, direct_decoding(code, lost, {}, {}, over_of(code)));
}

}  // namespace xorloom::gpu_bench
