// Locally repairable codes as Ceph's lrc plugin lays them out for k, m and l: g = (k + m)/l groups.
// A group has k/g chunks of data, m/g chunks of global redundancy, and then the sum of these l
// chunks. One lost chunk of a group is the sum of the others.

#include <array>
#include <vector>

#include "codes/cell_sums.hpp"
#include "codes/families/families.hpp"
#include "codes/families/reed_solomon.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

void check_divides(std::size_t groups, const char* what, std::size_t number) {
  if (number % groups == 0) return;
  fail(Status::kInvalidArgument,
       "{} = {} is not a multiple of (k + m)/l = {}, the number of groups", what, number, groups);
}

Code build_lrc(Spec& spec) {
  constexpr std::size_t kMost = 255;
  const std::size_t k = spec.number("k", 1, kMost);
  const std::size_t m = spec.number("m", 1, kMost);
  const std::size_t l = spec.number("l", 1, kMost);
  const Field field(8);
  check_locations_fit(spec, k, m, field);
  if ((k + m) % l != 0) {
    fail(Status::kInvalidArgument, "k + m = {} is not a multiple of l = {}", k + m, l);
  }
  const std::size_t groups = (k + m) / l;
  check_divides(groups, "k", k);
  check_divides(groups, "m", m);
  const std::size_t data_of_group = k / groups;

  std::vector<Cell> data;
  std::vector<Cell> globals;
  std::vector<std::vector<Cell>> members(groups);
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t i = 0; i < l; ++i) {
      members[g].push_back(static_cast<Cell>(g * (l + 1) + i));
      (i < data_of_group ? data : globals).push_back(members[g].back());
    }
  }
  const Matrix matrix = reed_sol_van(field, k, m);
  CellSums sums(field, groups * (l + 1), 1, data, spec.limits());
  for (std::size_t r = 0; r < m; ++r) {
    std::vector<CellSum::Term> terms;
    for (std::size_t j = 0; j < k; ++j) terms.push_back({data[j], matrix(r, j)});
    sums.add(globals[r], std::move(terms));
  }
  for (std::size_t g = 0; g < groups; ++g) {
    sums.add(static_cast<Cell>(g * (l + 1) + l), members[g]);
  }
  return sums.code(
      "lrc", k, m, field.w(),
      "data and global redundancy alone are a Reed-Solomon code that survives m losses");
}

constexpr std::array kSameBytesLrc = {
    OtherSoftware{"Ceph", "lrc"},
};

}  // namespace

extern constexpr Family kLrc = {
    .name = "lrc",
    .keys = "k m l arrangement packet_bytes",
    .constraint = "k and m multiples of (k + m)/l, a whole number; k + m <= 256",
    .summary =
        "survives any m losses and often more, on words; one lost chunk is the sum of the l others "
        "of its group",
    .source =
        "Huang et al., Erasure coding in Windows Azure Storage, USENIX ATC 2012; Ceph's lrc plugin",
    .example = "lrc:k=8,m=4,l=3",
    .build = build_lrc,
    .same_bytes = kSameBytesLrc,
};

}  // namespace xorloom
