// Array codes with two redundant locations: an array of bits, whose columns are locations and whose
// cells are their packets. One redundant location sums rows and the other sums lines across them,
// or both sum lines.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "codes/cell_sums.hpp"
#include "codes/families/families.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// Most rows, and most data locations, of a spec.
constexpr std::size_t kMostRows = 4096;

using RowNumbers = std::vector<std::size_t>;

void check_prime(const char* key, std::size_t number) {
  if (is_prime(number)) return;
  fail(Status::kInvalidArgument, "{} = {} is not a prime; the next one is {}", key, number,
       prime_from(number));
}

/// Reads the prime of `key` from a spec. Default: the smallest prime above 2 that is at least
/// `lowest`.
std::size_t read_prime(Spec& spec, const char* key, std::size_t lowest) {
  const std::size_t usual = prime_from(std::max<std::size_t>(3, lowest));
  const std::size_t prime = spec.number_or(key, 3, kMostRows, usual);
  check_prime(key, prime);
  return prime;
}

/// The locations that the second redundant location sums.
enum class Spread { kData, kDataAndFirstRedundant };

/// Returns a code of two redundant locations with w rows. Row l of the first is the sum of rows l
/// of all data locations. Row l of the second is the sum, over locations j, of the rows that
/// rows_of(j, l) returns. If `spread` includes the first redundant location, it is j = k.
///
/// Errors: throws kUnsupported if the code takes more than kMaxDirectXors.
template <typename RowsOf>
Code double_parity_code(std::string family, std::size_t k, std::size_t w, const RowsOf& rows_of,
                        Spread spread = Spread::kData) {
  check_xors_fit(k, 2 * w);
  CellSums sums(Field(1), k + 2, w, cells_of_locations(k, w, w), SpecLimits{});
  for (std::size_t l = 0; l < w; ++l) {
    std::vector<Cell> row;
    for (std::size_t j = 0; j < k; ++j) row.push_back(sums.cell(j, l));
    sums.add(sums.cell(k, l), row);
  }
  const std::size_t summed = spread == Spread::kData ? k : k + 1;
  for (std::size_t l = 0; l < w; ++l) {
    std::vector<Cell> cells;
    for (std::size_t j = 0; j < summed; ++j) {
      for (const std::size_t r : rows_of(j, l)) cells.push_back(sums.cell(j, r));
    }
    sums.add(sums.cell(k + 1, l), cells);
  }
  return sums.code(std::move(family), k, 2, w);
}

/// The EVENODD code: row parity, and diagonal parity, to each row of which the parity of one more
/// diagonal is added. A prime p gives p - 1 rows; locations past k count as zero.
Code build_evenodd(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMostRows);
  const std::size_t p = read_prime(spec, "p", k);
  check_at_most("k", k, "p", p);
  // Row p - 1 of the array is zero and not stored.
  Code code = double_parity_code("evenodd", k, p - 1, [p](std::size_t j, std::size_t l) {
    RowNumbers rows;
    const std::size_t own = (l + p - j % p) % p;
    if (own != p - 1) rows.push_back(own);
    if (j != 0) rows.push_back(p - 1 - j);
    return rows;
  });
  code.proof = "Blaum, Brady, Bruck and Menon's theorem: p is a prime above 2, k <= p";
  return code;
}

/// Row-diagonal parity: row parity, and the parity of diagonals that also run through the row
/// parity. A prime p gives p - 1 rows; locations past k count as zero.
Code build_rdp(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMostRows);
  const std::size_t p = read_prime(spec, "p", k + 1);
  check_at_most("k", k, "p - 1", p - 1);
  // The array has p columns, the last for the row parity. Columns k to p - 2 and row p - 1 are zero
  // and not stored.
  const auto rows_of = [k, p](std::size_t j, std::size_t l) {
    const std::size_t column = j == k ? p - 1 : j;
    const std::size_t row = (l + p - column) % p;
    return row == p - 1 ? RowNumbers{} : RowNumbers{row};
  };
  Code code = double_parity_code("rdp", k, p - 1, rows_of, Spread::kDataAndFirstRedundant);
  code.proof = "Corbett et al.'s theorem: p is a prime above 2, k < p";
  return code;
}

/// Minimal-density RAID-6 for w prime: Q adds the data rotated by their location, and one more bit
/// of each location but the first.
Code build_liberation(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMostRows);
  const std::size_t w = read_prime(spec, "w", k);
  check_at_most("k", k, "w", w);
  Code code = double_parity_code("liberation", k, w, [w](std::size_t j, std::size_t l) {
    RowNumbers rows = {(l + j) % w};
    const std::size_t y = j * (w - 1) / 2 % w;
    if (j > 0 && l == y) rows.push_back((y + j - 1) % w);
    return rows;
  });
  code.proof = "Plank's theorem for Liberation codes: w is a prime above 2, k <= w";
  return code;
}

constexpr std::array kSameBytesLiberation = {
    OtherSoftware{"Jerasure", "liberation"},
    OtherSoftware{"Ceph", "jerasure liberation", nullptr, true, 7},
};

/// Blaum and Roth's minimal-density RAID-6 for w + 1 prime: Q multiplies location j by x^j modulo
/// 1 + x + … + x^w, in the basis that Jerasure uses.
Code build_blaum_roth(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMostRows);
  const std::size_t usual = prime_from(std::max<std::size_t>(5, k + 1)) - 1;
  const std::size_t w = spec.number_or("w", 2, kMostRows, usual);
  check_at_most("k", k, "w", w);
  const std::size_t p = w + 1;
  Code code = double_parity_code("blaum-roth", k, w, [w, p](std::size_t j, std::size_t l) {
    if (j == 0 || l != w - j) return RowNumbers{(l + j) % p};
    const std::size_t half = j % 2 == 0 ? j / 2 : p / 2 + 1 + (j - 1) / 2;
    return RowNumbers{j - 1, half - 1};
  });
  // If w + 1 is not prime, some pairs of losses cannot be rebuilt, so make_code has to try them.
  if (is_prime(p)) code.proof = "Blaum and Roth's theorem: w + 1 is prime, k <= w";
  return code;
}

constexpr std::array kSameBytesBlaumRoth = {
    OtherSoftware{"Jerasure", "blaum_roth", [](const Code& code) { return is_prime(code.w + 1); }},
    OtherSoftware{"Ceph", "jerasure blaum_roth",
                  [](const Code& code) { return is_prime(code.w + 1) || code.w == 7; }, true, 7},
};

constexpr std::size_t kLiber8tionRows = 8;

/// The block of a data location in Q: the column of the one in each row, and one further one.
struct Block {
  std::array<std::size_t, kLiber8tionRows> one_of_row;
  std::size_t extra_row;
  std::size_t extra_column;
};

constexpr std::array<Block, 8> kBlocks = {{
    {{0, 1, 2, 3, 4, 5, 6, 7}, kLiber8tionRows, 0},  // identity: no further one
    {{7, 3, 0, 2, 6, 1, 5, 4}, 4, 7},
    {{6, 2, 4, 0, 7, 3, 1, 5}, 1, 3},
    {{2, 5, 7, 6, 0, 3, 4, 1}, 5, 4},
    {{5, 6, 1, 7, 2, 4, 3, 0}, 2, 0},
    {{1, 2, 3, 4, 5, 6, 7, 0}, 7, 2},
    {{3, 0, 6, 5, 1, 7, 4, 2}, 6, 5},
    {{4, 7, 1, 5, 3, 2, 0, 6}, 3, 1},
}};

/// Minimal-density RAID-6 for w = 8. No formula is known: Plank found these blocks by search.
Code build_liber8tion(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kBlocks.size());
  static_cast<void>(spec.number_or("w", kLiber8tionRows, kLiber8tionRows, kLiber8tionRows));
  Code code =
      double_parity_code("liber8tion", k, kLiber8tionRows, [](std::size_t j, std::size_t l) {
        const Block& block = kBlocks[j];
        RowNumbers rows = {block.one_of_row[l]};
        if (l == block.extra_row) rows.push_back(block.extra_column);
        return rows;
      });
  return code;
}

constexpr std::array kSameBytesLiber8tion = {
    OtherSoftware{"Jerasure", "liber8tion"},
    OtherSoftware{"Ceph", "jerasure liber8tion"},
};

/// X-code: p locations of p rows for a prime p. The last two rows are the parities of the diagonals
/// of slope 1 and -1 through the rows above. Every location holds data and redundancy.
Code build_x_code(Spec& spec) {
  const std::size_t p = spec.number("p", 3, kMostRows);
  check_prime("p", p);
  check_xors_fit(p - 2, 2 * p);
  CellSums sums(Field(1), p, p, cells_of_locations(p, p, p - 2), spec.limits());
  for (std::size_t j = 0; j < p; ++j) {
    std::vector<Cell> down;
    std::vector<Cell> up;
    for (std::size_t i = 0; i + 2 < p; ++i) {
      down.push_back(sums.cell((j + i + 2) % p, i));
      up.push_back(sums.cell((j + 2 * p - i - 2) % p, i));
    }
    sums.add(sums.cell(j, p - 2), down);
    sums.add(sums.cell(j, p - 1), up);
  }
  return sums.code("x-code", p - 2, 2, p, "Xu and Bruck's theorem: p is a prime above 2");
}

}  // namespace

extern constexpr Family kLiberation = {
    .name = "liberation",
    .keys = "k w packet_bytes",
    .constraint = "w a prime from 3 to 4096, k <= w",
    .summary =
        "RAID-6 of minimal density on packets: k - 1 + (k-1)/(2w) XORs per redundant bit, "
        "computed directly",
    .source = "Plank, The RAID-6 Liberation codes, FAST 2008; Jerasure's liberation",
    .example = "liberation:k=5,w=7",
    .build = build_liberation,
    .same_bytes = kSameBytesLiberation,
};

extern constexpr Family kBlaumRoth = {
    .name = "blaum-roth",
    .keys = "k w packet_bytes",
    .constraint =
        "w + 1 a prime, k <= w <= 4096; with other w, all losses are tried when the code is made",
    .summary = "RAID-6 of minimal density on packets, for other w than liberation takes",
    .source =
        "Blaum and Roth, On lowest density MDS codes, IEEE Trans. Inf. Theory 45(1), 1999; "
        "Jerasure's blaum_roth",
    .example = "blaum-roth:k=5,w=6",
    .build = build_blaum_roth,
    .same_bytes = kSameBytesBlaumRoth,
};

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

extern constexpr Family kEvenodd = {
    .name = "evenodd",
    .keys = "k p packet_bytes",
    .constraint = "p a prime from 3 to 4096, k <= p",
    .summary = "RAID-6 on packets in p - 1 rows: row parity and diagonals",
    .source = "Blaum, Brady, Bruck and Menon, EVENODD, IEEE Trans. Computers 44(2), 1995",
    .example = "evenodd:k=5,p=5",
    .build = build_evenodd,
};

extern constexpr Family kRdp = {
    .name = "rdp",
    .keys = "k p packet_bytes",
    .constraint = "p a prime from 3 to 4096, k < p",
    .summary = "RAID-6 on packets in p - 1 rows: diagonals run through the row parity",
    .source = "Corbett et al., Row-diagonal parity for double disk failure correction, FAST 2004",
    .example = "rdp:k=4,p=5",
    .build = build_rdp,
};

extern constexpr Family kXCode = {
    .name = "x-code",
    .keys = "p packet_bytes",
    .constraint = "p a prime from 3 to 4096",
    .summary =
        "survives any 2 losses, on packets; each location has p - 2 rows of data and 2 of "
        "redundancy",
    .source =
        "Xu and Bruck, X-Code: MDS array codes with optimal encoding, IEEE Trans. Inf. Theory "
        "45(1), 1999",
    .example = "x-code:p=5",
    .build = build_x_code,
};

}  // namespace xorloom
