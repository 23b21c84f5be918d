// Word programs with sums of sums, some of which are temporaries that no chunk holds.

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/operands.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "tests/runtime/engine/graph_scene.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

/// Three locations of data and three that sums write, of two sub-chunks each.
Code layout(std::size_t w) {
  Code code;
  code.spec = "layout";
  code.field = Field(w);
  code.locations = 6;
  code.subchunks = 2;
  code.arrangement = Arrangement::kWord;
  return code;
}

struct Sums {
  Program program;
  LinearMap map;  ///< the program as one matrix from inputs to outputs
};

/// A program of `temporaries` temporaries and every cell from 6 on, in random order. Each is a sum
/// of up to 6 inputs or earlier sums.
Sums random_sums(const Code& code, std::size_t temporaries, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t elements = code.num_cells() + temporaries;
  std::vector<Cell> known{0, 1, 2, 3, 4, 5};
  std::vector<Cell> targets;
  for (Cell cell = 6; cell < elements; ++cell) targets.push_back(cell);
  std::ranges::shuffle(targets, random);
  Matrix rows(elements, 6);
  for (std::size_t i = 0; i < 6; ++i) rows(i, i) = 1;
  Sums result;
  result.map.inputs = known;
  std::vector<Equation> equations;
  for (const Cell target : targets) {
    std::vector<Operand> operands;
    for (std::size_t term = 0; term < 1 + random() % 6; ++term) {
      const Cell cell = known[random() % known.size()];
      if (coefficient_of(operands, cell) != 0) continue;
      const auto factor = static_cast<Field::Symbol>(
          random() % 3 == 0 ? 1 : 1 + random() % (code.field.size() - 1));
      add(operands, {cell, factor});
      add_scaled(code.field, rows.row(target), factor, rows.row(cell));
    }
    known.push_back(target);
    equations.push_back({target, std::move(operands)});
  }
  for (Cell cell = 6; cell < code.num_cells(); ++cell) result.map.outputs.push_back(cell);
  result.map.coefficients = Matrix(6, 6);
  for (std::size_t o = 0; o < 6; ++o) {
    std::ranges::copy(rows.row(6 + o), result.map.coefficients.row(o).begin());
  }
  result.program = program_over_symbols(code, result.map);
  result.program.equations = std::move(equations);
  return result;
}

/// Runs `computation` whole with each kind of stores, in two ranges, and as a graph on 1 and 2
/// threads; compares each result with the oracle.
void check_ways(const Code& code, const Sums& made, const Computation& computation, SpareRuns& runs,
                std::size_t chunk_bytes, std::size_t misalignment) {
  const Stripe before(code.locations, chunk_bytes, 5, misalignment);
  const Stripe expected = before;
  oracle_words(code, made.map, expected.chunks(), chunk_bytes);
  const std::size_t columns = computation.columns(chunk_bytes);
  const auto check = [&](const auto& run) {
    const Stripe stripe = before;
    run(stripe.chunks());
    REQUIRE(stripe == expected);
    REQUIRE(stripe.guards_intact());
  };
  for (const Stores stores : {Stores::kNear, Stores::kOrdinary, Stores::kNonTemporal}) {
    check([&](std::uint8_t* const* chunks) {
      computation.run(chunks, chunk_bytes, 0, columns, stores);
    });
  }
  check([&](std::uint8_t* const* chunks) {
    const std::size_t middle = columns / 3 / 64 * 64;
    computation.run(chunks, chunk_bytes, middle, columns);
    computation.run(chunks, chunk_bytes, 0, middle);
  });
  for (const std::size_t threads : {1UL, 2UL}) {
    check([&](std::uint8_t* const* chunks) {
      execute(computation, &runs, {Executor::kGraph, threads}, chunks, chunk_bytes);
    });
  }
}

}  // namespace

TEST_CASE("sums of sums agree with the oracle, whole, in ranges, past the caches and as a graph") {
  for (const std::size_t w : {4UL, 8UL, 16UL, 32UL}) {
    for (const std::size_t temporaries : {0UL, 3UL, 40UL, 400UL}) {
      const Code code = layout(w);
      const Sums made = random_sums(code, temporaries, w + temporaries);
      for (const Isa isa : machine_isas()) {
        const auto computation = make_computation(code, made.program, {.isa = isa});
        CAPTURE(w);
        CAPTURE(temporaries);
        CAPTURE(to_string(isa));
        SpareRuns runs(graph_of(code, dealt_out(made.program, 3), isa));
        check_ways(code, made, *computation, runs, 8, 0);
        check_ways(code, made, *computation, runs, 1000, 9);
        check_ways(code, made, *computation, runs, 2 * 4672, 0);
      }
    }
  }
}

TEST_CASE("more temporaries at once than the stack holds are refused") {
  const Code code = layout(8);
  Program program = program_over_symbols(code, {{0}, {6}, {}});
  Equation all{6, {}};
  for (Element t = 0; t < 4000; ++t) {
    const Element element = program.first_temporary() + t;
    program.equations.push_back({element, {{0, 1 + t % 255}}});
    all.operands.push_back(element);
  }
  program.equations.push_back(all);
  CHECK_THROWS_AS(make_computation(code, program, {.isa = Isa::kPortable}), Error);
}

}  // namespace xorloom
