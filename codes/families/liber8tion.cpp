// Minimal-density RAID-6 for w = 8, where no formula is known: Plank found these matrices by
// search.

#include <fmt/format.h>

#include <array>

#include "codes/construction/array.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kRows = 8;

/// The block of a data location in Q: the one of each row, and a further one.
struct Block {
  std::array<std::size_t, kRows> one_of_row;
  std::size_t extra_row;
  std::size_t extra_column;
};

constexpr std::array<Block, 8> kBlocks = {{
    {{0, 1, 2, 3, 4, 5, 6, 7}, kRows, 0},  // the identity has none
    {{7, 3, 0, 2, 6, 1, 5, 4}, 4, 7},
    {{6, 2, 4, 0, 7, 3, 1, 5}, 1, 3},
    {{2, 5, 7, 6, 0, 3, 4, 1}, 5, 4},
    {{5, 6, 1, 7, 2, 4, 3, 0}, 2, 0},
    {{1, 2, 3, 4, 5, 6, 7, 0}, 7, 2},
    {{3, 0, 6, 5, 1, 7, 4, 2}, 6, 5},
    {{4, 7, 1, 5, 3, 2, 0, 6}, 3, 1},
}};

Code build_liber8tion(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kBlocks.size());
  static_cast<void>(spec.number_or("w", kRows, kRows, kRows));
  Code code = double_parity_code("liber8tion", k, kRows, [](std::size_t j, std::size_t l) {
    const Block& block = kBlocks[j];
    std::vector<std::size_t> rows = {block.one_of_row[l]};
    if (l == block.extra_row) rows.push_back(block.extra_column);
    return rows;
  });
  finish_packets(code, spec, fmt::format("liber8tion:k={},w={}", k, kRows));
  return code;
}

constexpr std::array kSameBytesLiber8tion = {
    OtherSoftware{"Jerasure", "liber8tion"},
    OtherSoftware{"Ceph", "jerasure liber8tion"},
};

}  // namespace

extern constexpr Family kLiber8tion = {
    .name = "liber8tion",
    .keys = "k w packet_bytes",
    .constraint = "k <= 8, w = 8",
    .summary = "RAID-6 of minimal density on packets for w = 8, found by search",
    .source =
        "Plank, A new minimum density RAID-6 code with a word size of eight, NCA 2008; Jerasure's "
        "liber8tion",
    .example = "liber8tion:k=6",
    .build = build_liber8tion,
    .same_bytes = kSameBytesLiber8tion,
};

}  // namespace xorloom
