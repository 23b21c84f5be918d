// Zigzag codes: for r = 2 those of Tamo, Wang and Bruck, with the coefficients of Qin et al. A
// location has r^(k-1) sub-chunks, numbered by k - 1 digits to the base r, the first being the
// lowest. Let e_0 = 0, and let e_j raise digit j by one, all digits mod r. Redundant location l has
// in row x
//
//     the sum over j of c_j,l(x + l·e_j) · D_j[x + l·e_j],
//
// so that l = 0 is plain parity of rows, and the others run through the rows in zigzags. c is a
// power of 2:
//
//     r = 2:      c_j,1(y) is 2 if digits 1 … j of y have an odd sum, else 1
//     r = 3, 4:   c_j,l(y) is 2^(rj) if digit j of y is below l, else 1. So location l contains
//                 A_j^l·D_j, with matrices A_j that commute and A_j^r = 2^(rj)
//
// Proof that any r losses are survived, r = 2: for lost data i < j, row parity and zigzags fall
// into cycles of two rows each: D_i[y] + D_j[y], D_i[z] + D_j[z], c_i(y)·D_i[y] + c_j(z)·D_j[z] and
// c_i(z)·D_i[z] + c_j(y)·D_j[y], with z = y + e_i + e_j. The determinant of a cycle is
// c_i(y)·c_i(z) + c_j(y)·c_j(z). For i > 0 the first product is 2, since y and z differ in one of
// the digits 1 … i, and the second is 1 or 4, since they differ in two of 1 … j. For i = 0 the
// first is 1 and the second 2. These differ in every field of two bits or more.
//
// r = 3, 4: any s lost data and s redundant locations L give a matrix of blocks A_j^l. The blocks
// commute, so it is invertible if the matrix of numbers a_j^l is, for all common eigenvalues a_j of
// the A_j; they have a_j^r = 2^(rj). For r = 4 that is a_j = 2^j alone. The determinants are, up to
// the product of the a_j and of all a_i + a_j, which is not zero since the a_j^r differ,
//
//     L = {0, 2}, {1, 3}         a + b
//     L = {0, 3}                 (a^3 + b^3) / (a + b)      not zero as 8^j differ
//     L = {0, 1, 3}, {0, 2, 3}   a + b + c, a·b·c·(1/a + 1/b + 1/c)
//     others                     1
//
// and no three of 1, 2, 4, 8 or of their inverses add up to zero in a field of four bits or more.

#include <vector>

#include "codes/cell_sums.hpp"
#include "codes/families/families.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kMostSubchunks = 64;

/// The row numbers of a location as vectors of digits.
class Rows {
 public:
  Rows(std::size_t k, std::size_t r) : r_(r), powers_{0} {
    for (std::size_t j = 1; j < k; ++j) {
      powers_.push_back(count_);
      count_ *= r;
      if (count_ > kMostSubchunks) {
        fail(Status::kInvalidArgument, "k = {}, r = {} takes {}^{} sub-chunks, more than {}", k, r,
             r, k - 1, kMostSubchunks);
      }
    }
  }

  std::size_t count() const { return count_; }

  /// Digit j of a row, from 1.
  std::size_t digit(std::size_t row, std::size_t j) const { return row / powers_[j] % r_; }

  /// The sum of digits 1 … j.
  std::size_t digit_sum(std::size_t row, std::size_t j) const {
    std::size_t sum = 0;
    for (std::size_t i = 1; i <= j; ++i) sum += digit(row, i);
    return sum;
  }

  /// `row` with digit j raised by l, mod r; for j = 0, `row` itself.
  std::size_t raised(std::size_t row, std::size_t j, std::size_t l) const {
    if (j == 0) return row;
    const std::size_t old = digit(row, j);
    return row - old * powers_[j] + (old + l) % r_ * powers_[j];
  }

 private:
  std::size_t r_;
  std::size_t count_ = 1;
  std::vector<std::size_t> powers_;  ///< by j: the power of r of digit j
};

/// Redundant location l takes 2 to this power times row y of data j.
std::size_t exponent(const Rows& rows, std::size_t r, std::size_t j, std::size_t l, std::size_t y) {
  if (j == 0 || l == 0) return 0;
  if (r == 2) return rows.digit_sum(y, j) % 2;
  return rows.digit(y, j) < l ? r * j : 0;
}

/// Errors: throws kInvalidArgument unless the field is large enough for the proof.
void check_field(const Field& field, std::size_t k, std::size_t r) {
  if (r == 2) return;
  check_at_most("r", r, "w", field.w());
  const Field::Symbol eight = field.power(2, 3);
  for (std::size_t j = 1; j < k; ++j) {
    if (field.power(eight, j) != 1) continue;
    fail(Status::kInvalidArgument,
         "k = {} exceeds {}, the number of different powers of 8 in the field of 2^{} symbols over "
         "{:#x}",
         k, j, field.w(), field.polynomial());
  }
}

/// The cells that rebuild data j: 1/r of each other location, such that redundant rows contain only
/// rows of other data that are read, too. These are the rows whose digit j is 0. For j = 0, they
/// are the rows whose digits add up to 0 mod r, or in redundant location l to -l.
std::vector<Cell> cells_to_read(const Rows& rows, std::size_t k, std::size_t r, std::size_t j) {
  std::vector<Cell> cells;
  for (std::size_t location = 0; location < k + r; ++location) {
    if (location == j) continue;
    const std::size_t l = location < k ? 0 : location - k;
    for (std::size_t row = 0; row < rows.count(); ++row) {
      const std::size_t digit = j == 0 ? rows.digit_sum(row, k - 1) + l : rows.digit(row, j);
      if (digit % r == 0) cells.push_back(static_cast<Cell>(location * rows.count() + row));
    }
  }
  return cells;
}

Code build_zigzag(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  const std::size_t r = spec.number("r", 2, 4);
  const Field field = spec.field(spec.number_or("w", 0, kAnyNumber, 8));
  const Rows rows(k, r);
  check_field(field, k, r);

  CellSums sums(field, k + r, rows.count(), cells_of_locations(k, rows.count(), rows.count()),
                spec.limits());
  for (std::size_t l = 0; l < r; ++l) {
    for (std::size_t row = 0; row < rows.count(); ++row) {
      std::vector<CellSum::Term> terms;
      for (std::size_t j = 0; j < k; ++j) {
        const std::size_t y = rows.raised(row, j, l);
        terms.push_back({sums.cell(j, y), field.power(2, exponent(rows, r, j, l, y))});
      }
      sums.add(sums.cell(k + l, row), std::move(terms));
    }
  }
  Code code = sums.code("zigzag", k, r, field.w());
  code.repair_cells.resize(k + r);
  for (std::size_t j = 0; j < k; ++j) code.repair_cells[j] = cells_to_read(rows, k, r, j);
  code.proof = r == 2 ? "Tamo, Wang and Bruck's theorem: the two products of coefficients of every "
                        "cycle of rows and zigzags differ"
                      : "powers of commuting matrices whose eigenvalues differ have no singular "
                        "square part";
  return code;
}

}  // namespace

extern constexpr Family kZigzag = {
    .name = "zigzag",
    .keys = "k r w poly arrangement packet_bytes",
    .constraint =
        "r = 2, 3 or 4; r^(k-1) <= 64 sub-chunks; r > 2: r <= w; words: w = 4, 8, 16 or 32; "
        "packets: w = 2 to 16 or 32",
    .summary =
        "survives any r losses, on words; a data chunk is rebuilt from 1/r of each other chunk",
    .source =
        "Tamo, Wang and Bruck, Zigzag codes: MDS array codes with optimal rebuilding, IEEE Trans. "
        "Inf. Theory 59(3), 2013",
    .example = "zigzag:k=4,r=2",
    .build = build_zigzag,
};

}  // namespace xorloom
