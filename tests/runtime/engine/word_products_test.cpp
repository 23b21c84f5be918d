#include "runtime/engine/word_products.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "codes/field/matrix.hpp"
#include "codes/text/error.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom {
namespace {

using Bytes = std::vector<std::uint8_t>;

Field::Symbol symbol_at(const Bytes& bytes, std::size_t at, std::size_t symbol_bytes) {
  Field::Symbol symbol = 0;
  for (std::size_t i = 0; i < symbol_bytes; ++i) {
    symbol |= Field::Symbol{bytes[at + i]} << (8 * i);
  }
  return symbol;
}

/// Buffers at odd addresses.
struct Buffers {
  Buffers(std::mt19937& random, std::size_t count, std::size_t bytes) {
    for (std::size_t i = 0; i < count; ++i) {
      Bytes& buffer = all.emplace_back(bytes + 1);
      for (std::uint8_t& byte : buffer) byte = static_cast<std::uint8_t>(random());
    }
    for (Bytes& buffer : all) pointers.push_back(buffer.data() + 1);
  }
  Bytes content(std::size_t i) const { return {all[i].begin() + 1, all[i].end()}; }
  std::vector<Bytes> all;
  std::vector<std::uint8_t*> pointers;
};

void check_products(const WordProducts& products, std::size_t rows, std::size_t columns,
                    std::size_t bytes, bool adds) {
  const Field& field = products.field();
  const std::size_t symbol_bytes = field.w() / 8;
  CAPTURE(field.w());
  CAPTURE(rows);
  CAPTURE(columns);
  CAPTURE(bytes);
  CAPTURE(adds);
  std::mt19937 random(static_cast<unsigned int>(rows * columns + bytes));
  const Matrix matrix = matrix_of(rows, columns, [&](std::size_t, std::size_t) {
    const std::uint64_t bits = random();
    return bits % 7 == 0 ? 0 : static_cast<Field::Symbol>(bits % field.size());
  });
  const Buffers reads(random, columns, bytes);
  const Buffers sums(random, rows, bytes);
  std::vector<Bytes> expected;
  for (std::size_t r = 0; r < rows; ++r) {
    Bytes& sum = expected.emplace_back(adds ? sums.content(r) : Bytes(bytes));
    for (std::size_t c = 0; c < columns; ++c) {
      const Bytes read = reads.content(c);
      for (std::size_t at = 0; at < bytes; at += symbol_bytes) {
        const Field::Symbol product =
            field.multiply(matrix(r, c), symbol_at(read, at, symbol_bytes));
        for (std::size_t i = 0; i < symbol_bytes; ++i) {
          sum[at + i] = static_cast<std::uint8_t>(sum[at + i] ^ product >> (8 * i));
        }
      }
    }
  }
  REQUIRE(products.is_accepted(rows));
  products.run({rows, columns, bytes, reads.pointers.data(), sums.pointers.data(), adds}, matrix);
  for (std::size_t r = 0; r < rows; ++r) REQUIRE(sums.content(r) == expected[r]);
}

}  // namespace

TEST_CASE("products with any matrix are sums of products of the field, on every instruction set") {
  for (const Isa isa : machine_isas()) {
    CAPTURE(to_string(isa));
    for (const std::size_t w : {8UL, 16UL, 32UL}) {
      const WordProducts products(Field(w), isa);
      for (const bool adds : {false, true}) {
        for (std::size_t rows = 1; rows <= 9; ++rows) {
          for (const std::size_t bytes : {w / 8, 64UL, 132UL, 1540UL}) {
            check_products(products, rows, 1, bytes, adds);
            check_products(products, rows, 3, bytes, adds);
          }
        }
        check_products(products, 2, 0, 64, adds);
        check_products(products, 3, 150, 260, adds);     // more columns than a kernel reads at once
        check_products(products, 11, 40, 20'004, adds);  // several slices of several parts
      }
    }
  }
}

TEST_CASE("where one pass is made, a sum may take the place of what it is a sum of") {
  std::mt19937 random(1);
  const WordProducts* const products = default_products(8);
  REQUIRE(products != nullptr);
  REQUIRE(products->is_accepted(1));
  REQUIRE(products->is_one_pass(1, 2));
  const Buffers apart(random, 3, 3000);
  std::vector<std::uint8_t*> reads{apart.pointers[0], apart.pointers[1]};
  const auto coefficient = [](std::size_t, std::size_t c) { return Field::Symbol(77 + c); };
  products->run({1, 2, 3000, reads.data(), &apart.pointers[2]}, coefficient);
  const Bytes expected = apart.content(2);
  products->run({1, 2, 3000, reads.data(), reads.data()}, coefficient);
  CHECK(apart.content(0) == expected);
}

TEST_CASE("the table has the factors that are made one by one") {
  for (const std::size_t w : {8UL, 16UL, 32UL}) {
    const Field field(w);
    for (const Isa isa : machine_isas()) {
      const WordProducts products(field, isa);
      const WordFactors factors(field, word_kernel_of(w, isa).form);
      for (Field::Symbol i = 0; i < 256; ++i) {
        const Field::Symbol symbol = w == 8 ? i : (i * 0x9e3779b9U) >> (32 - w);
        Bytes looked_up(factors.bytes());
        Bytes made(factors.bytes());
        products.write_factors(
            1, 1, [&](std::size_t, std::size_t) { return symbol; }, looked_up.data());
        factors.write(symbol, made.data());
        CAPTURE(w);
        CAPTURE(symbol);
        CHECK(looked_up == made);
      }
    }
  }
}

TEST_CASE("words of other widths have no products") {
  CHECK_THROWS_AS(WordProducts(Field(7), Isa::kPortable), Error);
}

}  // namespace xorloom
