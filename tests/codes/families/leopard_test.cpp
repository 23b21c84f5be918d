#include "codes/families/leopard.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <random>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "codes/tolerance.hpp"

namespace xorloom {
namespace {

using Symbol = Field::Symbol;
using Symbols = std::vector<Symbol>;

Symbol symbol_of(std::size_t value) { return static_cast<Symbol>(value); }

/// Leopard's way to encode one symbol per location: inverse transforms of groups of M data symbols,
/// their sum, and a transform. Products are made by shifts, and no matrix is used.
class Transforms {
 public:
  Transforms(const Field& field, std::size_t k, std::size_t m)
      : field_(field), k_(k), m_(m), size_(std::bit_ceil(m)) {}

  Symbols redundancy(const Symbols& data) const {
    Symbols sum(size_);
    for (std::size_t first = 0; first < k_; first += size_) {
      Symbols group(size_);
      for (std::size_t i = 0; i < size_ && first + i < k_; ++i) group[i] = data[first + i];
      inverse_transform(group, size_ + first);
      for (std::size_t i = 0; i < size_; ++i) sum[i] ^= group[i];
    }
    transform(sum, 0);
    sum.resize(m_);
    return sum;
  }

 private:
  /// Calls a butterfly with each pair of a level and the level's constant for it.
  template <class Butterfly>
  void level(Symbols& values, std::size_t first_point, std::size_t l, Butterfly butterfly) const {
    const std::size_t distance = std::size_t{1} << l;
    for (std::size_t block = 0; block < size_; block += 2 * distance) {
      const Symbol constant = symbol_of((first_point + block) >> l);
      for (std::size_t i = block; i < block + distance; ++i) {
        butterfly(values[i], values[i + distance], constant);
      }
    }
  }
  void inverse_transform(Symbols& values, std::size_t first_point) const {
    for (std::size_t l = 0; std::size_t{1} << l < size_; ++l) {
      level(values, first_point, l, [&](Symbol& x, Symbol& y, Symbol constant) {
        y ^= x;
        x ^= field_.multiply_by_shifts(constant, y);
      });
    }
  }
  void transform(Symbols& values, std::size_t first_point) const {
    for (auto l = static_cast<std::size_t>(std::countr_zero(size_)); l-- > 0;) {
      level(values, first_point, l, [&](Symbol& x, Symbol& y, Symbol constant) {
        x ^= field_.multiply_by_shifts(constant, y);
        y ^= x;
      });
    }
  }

  const Field& field_;
  std::size_t k_, m_, size_;
};

Symbols product(const Field& field, const Matrix& matrix, const Symbols& column) {
  Symbols result;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    Symbol sum = 0;
    for (std::size_t c = 0; c < matrix.columns(); ++c) {
      sum ^= field.multiply(matrix(r, c), column[c]);
    }
    result.push_back(sum);
  }
  return result;
}

}  // namespace

TEST_CASE("The symbols of Leopard's field are coordinates in a Cantor basis") {
  for (const std::size_t w : {std::size_t{8}, std::size_t{16}}) {
    const Field& field = leopard_field(w);
    for (std::size_t i = 0; i + 1 < w; ++i) {
      const Symbol next = Symbol{2} << i;
      CHECK((field.multiply(next, next) ^ next) == Symbol{1} << i);  // b[i + 1]^2 + b[i + 1] = b[i]
    }
  }
  CHECK(leopard_field(8).polynomial_of(0xff) == (1 ^ 214 ^ 152 ^ 146 ^ 86 ^ 200 ^ 88 ^ 230));
  CHECK(leopard_field(16).polynomial_of(0x8002) == (0xacca ^ 0x991e));
}

TEST_CASE("The matrix gives what additive transforms give") {
  struct Case {
    std::size_t k, m;
    std::size_t w = 8;
  };
  for (const Case& one :
       {Case{2, 1},  {4, 2},         {10, 4},       {28, 4},        {17, 3},    {128, 128},
        {223, 32},   {192, 64},      {5, 5},        {255, 1},       {254, 2},   {3, 100},
        {100, 100},  {2, 128},       {128, 65},     {37, 9},        {8, 8},     {7, 6},
        {10, 4, 16}, {129, 128, 16}, {223, 33, 16}, {1000, 20, 16}, {3, 70, 16}}) {
    const Field& field = leopard_field(one.w);
    const std::size_t k = one.k;
    const std::size_t m = one.m;
    CAPTURE(k);
    CAPTURE(m);
    const Matrix matrix = leopard_matrix(field, k, m);
    const Transforms transforms(field, k, m);
    std::mt19937 random(static_cast<std::uint32_t>(1000 * k + m));
    for (int turn = 0; turn < 3; ++turn) {
      Symbols data;
      for (std::size_t j = 0; j < k; ++j)
        data.push_back(static_cast<Field::Symbol>(random() % (1U << one.w)));
      CHECK(product(field, matrix, data) == transforms.redundancy(data));
    }
  }
}

TEST_CASE("One redundant location is the sum, and of one data location all are copies") {
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(leopard_matrix(leopard_field(8), 5, 1)(0, i) == 1);
    CHECK(leopard_matrix(leopard_field(8), 1, 5)(i, 0) == 1);
  }
}

TEST_CASE("Small codes of Leopard survive every m losses when all are tried") {
  for (const char* spec : {"leopard:k=4,m=2", "leopard:k=5,m=3", "leopard:k=3,m=5",
                           "leopard:k=1,m=3", "leopard:k=9,m=1", "leopard:k=6,m=6"}) {
    CAPTURE(spec);
    Code code = make_code(spec);
    CHECK(decide_tolerance(code, code.m).sets_tried == 0);
    code.proof.clear();
    CHECK(decide_tolerance(code, code.m).answer == Tolerance::Answer::kProved);
  }
}

TEST_CASE("A code of Leopard has symbols of 8 bits if its points fit them, else of 16") {
  for (const char* spec : {"leopard:k=128,m=128", "leopard:k=224,m=32", "leopard:k=255,m=1"}) {
    const Code code = make_code(spec);
    CHECK(code.promised_losses == code.m);
    CHECK(code.w == 8);
    CHECK(chunk_multiple(code) == 1);
  }
  for (const char* spec : {"leopard:k=129,m=128", "leopard:k=200,m=55", "leopard:k=1,m=129",
                           "leopard:k=4,m=2,w=16", "leopard:k=65000,m=200"}) {
    const Code code = make_code(spec);
    CHECK(code.w == 16);
    CHECK(chunk_multiple(code) == 64);  // 32 low bytes, 32 high ones
  }
  CHECK(make_code("leopard:k=4,m=2,w=16").spec == "leopard:k=4,m=2,w=16,arrangement=word");
  CHECK(make_code("leopard:k=4,m=2,w=16,arrangement=packet").plane_bytes == 0);
}

TEST_CASE("A code of Leopard fits its points into the field") {
  const std::string bound =
      "leopard needs M + k <= 256 for w = 8, where M is the power of two from m up; it is ";
  CHECK_THROWS_WITH_AS(make_code("leopard:k=129,m=128,w=8"), (bound + "257").c_str(), Error);
  CHECK_THROWS_WITH_AS(make_code("leopard:k=200,m=55,w=8"), (bound + "264").c_str(), Error);
  CHECK_THROWS_WITH_AS(make_code("leopard:k=1,m=129,w=8"), (bound + "257").c_str(), Error);
  CHECK_THROWS_WITH_AS(make_code("leopard:k=65000,m=600"),
                       "leopard needs M + k <= 65536 for w = 16, where M is the power of two from "
                       "m up; it is 66024",
                       Error);
  CHECK(make_code("leopard:k=4097,m=4096").parity.columns() == 4097);
  CHECK_THROWS_WITH_AS(make_code("leopard:k=4097,m=4096,arrangement=packet"),
                       "k times m = 16781312 exceeds 16777216", Error);
  CHECK_THROWS_WITH_AS(make_code("leopard:k=4097,m=4096", {.limits = {.symbols = 1U << 22}}),
                       "k times m = 16781312 exceeds 4194304, the bound for a code that a shard "
                       "names; option allow_large lifts it",
                       Error);
  CHECK_THROWS_WITH_AS(make_code("leopard:k=4,m=2,w=12"), "w = 12 is not 8 or 16, as leopard needs",
                       Error);
  CHECK_THROWS_AS(make_code("leopard:k=0,m=1"), Error);
  CHECK_THROWS_AS(make_code("leopard:k=1,m=0"), Error);
  CHECK_THROWS_AS(make_code("leopard:k=4,m=2,poly=0x12b"), Error);
}

}  // namespace xorloom
