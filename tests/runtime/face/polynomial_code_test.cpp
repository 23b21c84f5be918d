// RS(255, 223) as polynomials: symbol j of a codeword is the message, as a polynomial of degree
// below 223, at α^j. It is the same as a matrix, any 223 symbols determine the rest, and the word
// engine runs it as a code of one's own.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kSymbols = 255;
constexpr std::size_t kMessage = 223;
constexpr Field::Symbol kAlpha = 2;

using Symbols = std::vector<Field::Symbol>;

/// By Horner's rule, multiplying by shift and add.
Field::Symbol value_at(const Field& field, const Symbols& polynomial, Field::Symbol x) {
  Field::Symbol value = 0;
  for (std::size_t i = polynomial.size(); i-- > 0;) {
    value = field.multiply_by_shifts(value, x) ^ polynomial[i];
  }
  return value;
}

Symbols codeword(const Field& field, const Symbols& message) {
  Symbols symbols;
  for (std::size_t j = 0; j < kSymbols; ++j) {
    symbols.push_back(value_at(field, message, field.power(kAlpha, j)));
  }
  return symbols;
}

/// α^(i·j) in row j, column i.
Matrix generator_rows(const Field& field, const std::vector<std::size_t>& rows) {
  Matrix matrix(rows.size(), kMessage);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < kMessage; ++i) matrix(r, i) = field.power(kAlpha, i * rows[r]);
  }
  return matrix;
}

Symbols product(const Field& field, const Matrix& matrix, const Symbols& column) {
  Symbols result;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    Field::Symbol sum = 0;
    for (std::size_t c = 0; c < matrix.columns(); ++c) {
      sum ^= field.multiply(matrix(r, c), column[c]);
    }
    result.push_back(sum);
  }
  return result;
}

Symbols random_message(std::mt19937& random) {
  Symbols message(kMessage);
  for (Field::Symbol& symbol : message) symbol = random() & 0xff;
  return message;
}

std::vector<std::size_t> numbers(std::size_t first, std::size_t end) {
  std::vector<std::size_t> result(end - first);
  std::iota(result.begin(), result.end(), first);
  return result;
}

}  // namespace

TEST_CASE("RS(255, 223): polynomials and their matrix give the same symbols") {
  const Field field(8);
  const Matrix matrix = generator_rows(field, numbers(0, kSymbols));
  std::mt19937 random(223);
  for (int turn = 0; turn < 20; ++turn) {
    const Symbols message = random_message(random);
    CHECK(product(field, matrix, message) == codeword(field, message));
  }
}

TEST_CASE("RS(255, 223): any 223 symbols give the message back") {
  const Field field(8);
  std::mt19937 random(255);
  std::vector<std::size_t> places = numbers(0, kSymbols);
  for (int turn = 0; turn < 20; ++turn) {
    std::ranges::shuffle(places, random);
    const std::vector<std::size_t> kept(places.begin(), places.begin() + kMessage);
    const auto back = inverse(field, generator_rows(field, kept));
    REQUIRE(back);
    const Symbols message = random_message(random);
    const Symbols symbols = codeword(field, message);
    Symbols known;
    for (const std::size_t place : kept) known.push_back(symbols[place]);
    CHECK(product(field, *back, known) == message);
  }
}

TEST_CASE("RS(255, 223): the word engine encodes codewords, and rebuilds 32 lost locations") {
  const Field field(8);
  const Matrix to_message = inverse(field, generator_rows(field, numbers(0, kMessage))).value();
  const Matrix redundancy =
      multiply(field, generator_rows(field, numbers(kMessage, kSymbols)), to_message);
  nlohmann::json file{{"format", "xorloom-code"},
                      {"version", 1},
                      {"locations", kSymbols},
                      {"w", 8},
                      {"promise", 32}};
  file["data"] = numbers(0, kMessage);
  for (std::size_t r = 0; r < redundancy.rows(); ++r) {
    file["matrix"].push_back(Symbols(redundancy.row(r).begin(), redundancy.row(r).end()));
  }
  Options options;
  options.allow_non_mds = true;  // 32 of 255 are more sets than can be tried
  const Codec codec("file:" + file.dump(), options);
  const Stripe stripe(kSymbols, 200, 32);
  REQUIRE(codec.encode(stripe.chunks(), 200) == Status::kOk);

  for (const std::size_t byte : {0UL, 63UL, 199UL}) {
    Symbols data;
    Symbols symbols;
    for (std::size_t j = 0; j < kSymbols; ++j) symbols.push_back(stripe.chunk(j)[byte]);
    data.assign(symbols.begin(), symbols.begin() + kMessage);
    CHECK(codeword(field, product(field, to_message, data)) == symbols);
  }

  std::mt19937 random(32);
  std::vector<std::size_t> places = numbers(0, kSymbols);
  for (int turn = 0; turn < 5; ++turn) {
    std::ranges::shuffle(places, random);
    const std::vector<std::size_t> lost(places.begin(), places.begin() + 32);
    Stripe damaged = stripe;
    for (const std::size_t location : lost) damaged.lose(location);
    REQUIRE(codec.decode(damaged.chunks(), lost, 200) == Status::kOk);
    CHECK(damaged == stripe);
  }
}

}  // namespace xorloom
