#include "runtime/engine/word_kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/accepted_kernels.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "tests/runtime/face/allocations.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;

constexpr std::size_t kWidths[] = {4, 8, 16, 32};

struct Layout {
  std::size_t w;
  std::size_t plane_bytes = 0;
};
constexpr Layout kLayouts[] = {{4}, {8}, {16}, {32}, {16, 32}};

Code word_layout(std::size_t locations, std::size_t subchunks, Field field,
                 std::size_t plane_bytes = 0) {
  Code code;
  code.plane_bytes = plane_bytes;
  code.spec = "layout";
  code.field = std::move(field);
  code.locations = locations;
  code.subchunks = subchunks;
  code.arrangement = Arrangement::kWord;
  return code;
}

/// Random coefficients, many of them 0 or 1, from half of the cells to all others but one; the last
/// output is zero.
LinearMap random_map(const Code& code, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Cell> cells(code.locations * code.subchunks);
  std::iota(cells.begin(), cells.end(), Cell{0});
  std::ranges::shuffle(cells, random);
  const auto half = cells.begin() + static_cast<std::ptrdiff_t>(cells.size() / 2);
  LinearMap map{{cells.begin(), half}, {half, cells.end() - 1}, {}};
  std::ranges::sort(map.inputs);
  std::ranges::sort(map.outputs);
  map.coefficients = Matrix(map.outputs.size(), map.inputs.size());
  for (std::size_t o = 0; o + 1 < map.outputs.size(); ++o) {
    for (Field::Symbol& symbol : map.coefficients.row(o)) {
      const std::uint64_t kind = random() % 4;
      symbol = kind < 2 ? static_cast<Field::Symbol>(kind)
                        : static_cast<Field::Symbol>(random() % code.field.size());
    }
  }
  return map;
}

/// Coefficients that are not 0, some of them 1, from the first cells to all others.
LinearMap dense_map(const Code& code, std::size_t inputs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Cell> cells(code.locations * code.subchunks);
  std::iota(cells.begin(), cells.end(), Cell{0});
  const auto end_of_inputs = cells.begin() + static_cast<std::ptrdiff_t>(inputs);
  LinearMap map{{cells.begin(), end_of_inputs}, {end_of_inputs, cells.end()}, {}};
  map.coefficients = Matrix(map.outputs.size(), inputs);
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    for (std::size_t i = 0; i < inputs; ++i) {
      const bool is_one = i == 0 || (i == 1 && o == 1);
      map.coefficients(o, i) =
          is_one ? 1 : static_cast<Field::Symbol>(1 + random() % (code.field.size() - 1));
    }
  }
  return map;
}

Stripe expected(const Code& code, const LinearMap& map, const Stripe& stripe) {
  Stripe result = stripe;
  oracle_words(code, map, result.chunks(), result.chunk_bytes());
  return result;
}

void check_whole(const Code& code, const LinearMap& map, Isa isa, std::size_t chunk_bytes,
                 std::size_t misalignment) {
  const auto computation = make_computation(code, direct_symbols(code, map), {.isa = isa});
  Stripe stripe(code.locations, chunk_bytes, chunk_bytes, misalignment);
  const Stripe want = expected(code, map, stripe);
  computation->run(stripe.chunks(), chunk_bytes, 0, computation->columns(chunk_bytes));
  CHECK(stripe == want);
  CHECK(stripe.guards_intact());
}

}  // namespace

TEST_CASE("random maps agree with the oracle at every width, length and alignment") {
  for (const Isa isa : machine_isas()) {
    for (const std::size_t w : kWidths) {
      for (const std::size_t units :
           Sizes{0,  1,   2,   3,   15,  16,  17,  31,  32,   33,   63,   64,
                 65, 127, 128, 129, 255, 256, 257, 320, 1023, 1024, 1025, 1100}) {
        const std::uint64_t seed = w + units;
        INFO(to_string(isa), ", w = ", w, ", ", units, " units, seed ", seed);
        const Code code = word_layout(7, 1, Field(w));
        const std::size_t chunk_bytes = units * chunk_multiple(code);
        check_whole(code, random_map(code, seed), isa, chunk_bytes, seed % 7 * 5);
      }
    }
  }
}

TEST_CASE("maps between sub-chunks agree with the oracle") {
  for (const Isa isa : machine_isas()) {
    for (const std::size_t w : kWidths) {
      for (const std::size_t units : Sizes{1, 64, 77, 1091}) {
        const std::uint64_t seed = w * units;
        INFO(to_string(isa), ", w = ", w, ", ", units, " units, seed ", seed);
        const Code code = word_layout(4, 3, Field(w));
        check_whole(code, random_map(code, seed), isa, units * chunk_multiple(code), 3);
      }
    }
  }
}

TEST_CASE("fields over other polynomials and in other bases are multiplied in") {
  for (const Isa isa : machine_isas()) {
    const std::vector<Field::Symbol> basis{1,   3,    7,    15,   31,   63,    127,   255,
                                           511, 1023, 2047, 4095, 8191, 16383, 32767, 65535};
    for (const Field& field :
         {Field(4, 0x19), Field(8, 0x12d), Field(16, 0x1002d),
          Field(4, 0x13, std::span(basis).first(4)), Field(8, 0x11d, std::span(basis).first(8)),
          Field(16, 0x1002d, basis)}) {
      INFO(to_string(isa), ", ", field_text(field));
      const Code code = word_layout(8, 1, field);
      check_whole(code, random_map(code, 9), isa, 700, 1);
    }
  }
}

TEST_CASE("every coefficient and every symbol of eight bits meet") {
  Code code = word_layout(257, 1, Field(8));
  LinearMap map{{0}, {}, Matrix(256, 1)};
  for (Cell output = 1; output <= 256; ++output) {
    map.outputs.push_back(output);
    map.coefficients(output - 1, 0) = output - 1;
  }
  for (const Isa isa : machine_isas()) {
    Stripe stripe(257, 256, 1);
    for (std::size_t i = 0; i < 256; ++i) stripe.chunk(0)[i] = static_cast<std::uint8_t>(i);
    const Stripe want = expected(code, map, stripe);
    make_computation(code, direct_symbols(code, map), {.isa = isa})
        ->run(stripe.chunks(), 256, 0, 256);
    CHECK(stripe == want);
  }
}

TEST_CASE("every number of symbols up to three vectors' worth comes out right, and no other byte") {
  for (const Isa isa : machine_isas()) {
    for (const Layout& layout : kLayouts) {
      const std::size_t w = layout.w;
      const std::size_t plane_bytes = layout.plane_bytes;
      const Code code = word_layout(9, 1, Field(w), plane_bytes);
      const LinearMap map = dense_map(code, 5, w);
      const WordKernels program(code, direct_symbols(code, map), isa);
      const std::size_t unit = chunk_multiple(code);
      const std::size_t most = 3 * program.facts().sizes.rest_bytes + unit;
      for (const std::size_t misalignment : Sizes{0, 13}) {
        const Stripe before(9, most, w, misalignment);
        const Stripe want = expected(code, map, before);
        for (std::size_t bytes = 0; bytes <= most; bytes += unit) {
          for (const Stores stores : {Stores::kOrdinary, Stores::kNonTemporal}) {
            INFO(to_string(isa), ", w = ", w, " in planes of ", plane_bytes, ", ", bytes,
                 " bytes, misaligned by ", misalignment);
            Stripe stripe = before;
            program.run(stripe.chunks(), bytes, 0, bytes, stores);
            bool right = true;
            for (std::size_t l = 0; l < 9; ++l) {
              const auto split = static_cast<std::ptrdiff_t>(bytes);
              right &= std::equal(stripe.chunk(l).begin(), stripe.chunk(l).begin() + split,
                                  want.chunk(l).begin());
              right &= std::equal(stripe.chunk(l).begin() + split, stripe.chunk(l).end(),
                                  before.chunk(l).begin() + split);
            }
            CHECK(right);
          }
        }
      }
    }
  }
}

TEST_CASE("rows over the same inputs are computed together, as many as there are") {
  for (const Isa isa : machine_isas()) {
    for (const Layout& layout : kLayouts) {
      const std::size_t w = layout.w;
      const std::size_t plane_bytes = layout.plane_bytes;
      for (const std::size_t rows : Sizes{1, 2, 3, 4, 5, 6, 7, 8, 9, 17}) {
        const Code code = word_layout(6 + rows, 1, Field(w), plane_bytes);
        const LinearMap map = dense_map(code, 6, rows);
        const WordKernels program(code, direct_symbols(code, map), isa);
        const LoopSizes sizes = program.facts().sizes;
        const std::size_t bytes =
            2 * sizes.block_bytes + sizes.rest_bytes + 3 * chunk_multiple(code);
        for (const std::size_t misalignment : Sizes{0, 5}) {
          for (const Stores stores : {Stores::kOrdinary, Stores::kNonTemporal}) {
            INFO(to_string(isa), ", w = ", w, " in planes of ", plane_bytes, ", ", rows,
                 " rows, misaligned by ", misalignment);
            Stripe stripe(code.locations, bytes, rows, misalignment);
            const Stripe want = expected(code, map, stripe);
            program.run(stripe.chunks(), bytes, 0, bytes, stores);
            CHECK(stripe == want);
            CHECK(stripe.guards_intact());
          }
        }
      }
    }
  }
}

TEST_CASE("rows made from other inputs cost no more than their own coefficients") {
  const Code code = word_layout(8, 1, Field(8));
  LinearMap map{{0, 1, 2, 3}, {4, 5, 6, 7}, Matrix(4, 4)};
  for (std::size_t o = 0; o < 4; ++o) {
    map.coefficients(o, o % 2) = 7;
    map.coefficients(o, 2 + o % 2) = 1;
  }
  const WordKernels program(code, direct_symbols(code, map), Isa::kPortable);
  CHECK(program.cost() == 8);
}

TEST_CASE("ranges of columns add up to the whole") {
  for (const Isa isa : machine_isas()) {
    for (const std::size_t w : kWidths) {
      INFO(to_string(isa), ", w = ", w, ", seed ", w);
      std::mt19937_64 random(w);
      const Code code = word_layout(9, 2, Field(w));
      const LinearMap map = random_map(code, w);
      const auto computation = make_computation(code, direct_symbols(code, map), {.isa = isa});
      const std::size_t chunk_bytes = 2 * (4000 + w);
      const std::size_t columns = computation->columns(chunk_bytes);
      CHECK(columns == 4000 + w);
      Stripe stripe(9, chunk_bytes, w, 11);
      const Stripe want = expected(code, map, stripe);
      for (std::size_t begin = 0; begin < columns;) {
        const std::size_t width = computation->facts().column_multiple * (1 + random() % 19);
        const std::size_t end = std::min(columns, begin + width);
        computation->run(stripe.chunks(), chunk_bytes, begin, end);
        begin = end;
      }
      CHECK(stripe == want);
      CHECK(stripe.guards_intact());
    }
  }
}

TEST_CASE("an output costs as much as it has coefficients") {
  const Code code = word_layout(5, 1, Field(8));
  LinearMap map{{0, 1, 2}, {3, 4}, Matrix(2, 3)};
  map.coefficients(0, 0) = 1;
  map.coefficients(0, 2) = 7;
  const auto computation =
      make_computation(code, direct_symbols(code, map), {.isa = Isa::kPortable});
  CHECK(computation->cost() == 3);
}

TEST_CASE("a map of one row of ones is a plain sum, without factors") {
  for (const Isa isa : machine_isas()) {
    for (const Layout& layout : kLayouts) {
      INFO(to_string(isa), ", w = ", layout.w, ", planes of ", layout.plane_bytes);
      const Code code = word_layout(6, 1, Field(layout.w), layout.plane_bytes);
      LinearMap map{{0, 1, 2, 3, 4}, {5}, Matrix(1, 5)};
      std::ranges::fill(map.coefficients.row(0), Field::Symbol{1});
      const WordKernels plain(code, map, isa);
      map.coefficients(0, 3) = 2;
      const WordKernels scaled(code, map, isa);
      CHECK(plain.memory_bytes() < scaled.memory_bytes());
      CHECK(plain.facts().kernel_rows ==
            1U << kRowBits);  // accepted as what adds without multiplying
      CHECK(scaled.facts().kernel_rows == 1);
      map.coefficients(0, 3) = 1;
      const std::size_t chunk_bytes = 13 * chunk_multiple(code);
      Stripe stripe(6, chunk_bytes, 1, 3);
      const Stripe want = expected(code, map, stripe);
      plain.run(stripe.chunks(), chunk_bytes, 0, chunk_bytes, Stores::kNear);
      CHECK(stripe == want);
      CHECK(stripe.guards_intact());
    }
  }
}

TEST_CASE("tables are held against the field they are to multiply in") {
  for (const std::size_t w : Sizes{4, 8, 16}) {
    const Code code = word_layout(8, 1, Field(w));
    LinearMap map{{0}, {1}, Matrix(1, 1)};
    map.coefficients(0, 0) = 2;
    const WordKernels program(code, direct_symbols(code, map), Isa::kPortable);
    CHECK(!program.find_wrong_product(code.field).has_value());
    const std::uint64_t other = w == 4 ? 0x19 : w == 8 ? 0x12d : 0x1002d;
    CHECK(program.find_wrong_product(Field(w, other)).has_value());
  }
}

TEST_CASE("words of other widths are refused") {
  const Code code = word_layout(3, 1, Field(5));
  CHECK_THROWS_WITH_AS(
      WordKernels(code, direct_symbols(code, {{0}, {1}, Matrix(1, 1)}), Isa::kPortable),
      "w = 5, but words have 4, 8, 16 or 32 bits", Error);
}

TEST_CASE("running on words allocates nothing") {
  for (const Isa isa : machine_isas()) {
    for (const std::size_t w : kWidths) {
      const Code code = word_layout(7, 1, Field(w));
      const auto computation =
          make_computation(code, direct_symbols(code, random_map(code, 2)), {.isa = isa});
      const Stripe stripe(7, 3000, 1);
      const AllocationCount allocations;
      computation->run(stripe.chunks(), 3000, 0, 3000);
      CHECK(allocations.so_far() == 0);
    }
  }
}

}  // namespace xorloom
