#include "runtime/kernels/word_factors.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;

constexpr FactorForm kForms[] = {FactorForm::kCoefficient, FactorForm::kNibbles, FactorForm::kBits};

std::vector<std::uint8_t> factor(const WordFactors& factors, Field::Symbol coefficient) {
  std::vector<std::uint8_t> result(factors.bytes());
  factors.write(coefficient, result.data());
  return result;
}

}  // namespace

TEST_CASE("factors of every form and width are held against the field") {
  std::mt19937_64 random(1);
  for (const FactorForm form : kForms) {
    for (const std::size_t w : Sizes{4, 8, 16, 32}) {
      const Field field(w);
      const WordFactors factors(field, form);
      for (int i = 0; i < 40; ++i) {
        const auto coefficient = i < 3 ? static_cast<Field::Symbol>(i)
                                       : static_cast<Field::Symbol>(random() % field.size());
        const auto bytes = factor(factors, coefficient);
        CHECK(!factors.find_wrong_entry(field, coefficient, bytes.data()).has_value());
      }
    }
  }
}

TEST_CASE("any bit of a factor that is wrong is found") {
  for (const FactorForm form : kForms) {
    for (const std::size_t w : Sizes{4, 8, 16, 32}) {
      const Field field(w);
      const WordFactors factors(field, form);
      const Field::Symbol coefficient = 11;
      auto bytes = factor(factors, coefficient);
      for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        INFO("w = ", w, ", bit ", bit);
        CHECK(factors.find_wrong_entry(field, coefficient, bytes.data()).has_value());
        bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
      }
    }
  }
}

TEST_CASE("a wrong entry is named with what it should be") {
  const Field field(8);
  const WordFactors nibbles(field, FactorForm::kNibbles);
  auto table = factor(nibbles, 2);
  CHECK(table[1] == 2);
  CHECK(table[16 + 8] == 0x1d);
  table[16 + 8] = 0x1c;
  CHECK(nibbles.find_wrong_entry(field, 2, table.data()) ==
        "the table of 0x2 has 0x1c at entry 24, not 0x1d");
  const WordFactors bits(field, FactorForm::kBits);
  CHECK(factor(bits, 1) == std::vector<std::uint8_t>{0x80, 0x40, 0x20, 0x10, 8, 4, 2, 1});
}

TEST_CASE("factors in another basis are held against that field alone") {
  const Field plain(8);
  const Field field(8, 0x11d, std::vector<Field::Symbol>{1, 3, 7, 15, 31, 63, 127, 255});
  for (const FactorForm form : kForms) {
    for (Field::Symbol coefficient = 2; coefficient < 256; ++coefficient) {
      const auto bytes = factor(WordFactors(field, form), coefficient);
      REQUIRE(!WordFactors(plain, form).find_wrong_entry(field, coefficient, bytes.data()));
      if (form == FactorForm::kCoefficient && field.polynomial_of(coefficient) == coefficient) {
        continue;
      }
      REQUIRE(WordFactors(field, form).find_wrong_entry(plain, coefficient, bytes.data()));
    }
  }
}

}  // namespace xorloom
