#include "gen/vector/grouped_tile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/pieces.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/fuse.hpp"
#include "equations/search/optimize.hpp"
#include "gen/vector/greedy_steps.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "tests/support/random_program.hpp"

namespace xorloom {
namespace {

const MachineFacts kThreeWay{64, 32, 3};
const MachineFacts kTwoWay{32, 16, 2};

/// Whether no group is read before another is done with.
bool reads_group_by_group(const Program& tile, const StreamGroups& groups) {
  std::size_t group = 0;
  for (const Equation& equation : tile.equations) {
    std::size_t next = group;
    for (const Operand& term : equation.operands) {
      if (term.element >= tile.inputs.size()) continue;
      if (groups.group_of_input[term.element] < group) return false;
      next = std::max(next, groups.group_of_input[term.element]);
    }
    group = next;
  }
  return true;
}

std::size_t most_terms(const Program& tile) {
  std::size_t most = 0;
  for (const auto& equation : tile.equations) most = std::max(most, equation.operands.size());
  return most;
}

TEST_CASE("Tiles by groups compute what their programs do") {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    CAPTURE(seed);
    const std::size_t rows = 1 + seed % 8;
    const Program program = random_program(16 + seed % 20, rows, 6 + seed, seed);
    for (const MachineFacts& machine : {kThreeWay, kTwoWay}) {
      const std::size_t copies = 64 / machine.vector_bytes;
      const Program steps = greedy_steps(dense(program), machine).tile;
      for (const Program& tile : {dense(program), unrolled(steps, copies)}) {
        const std::size_t number = tile.inputs.size() / program.inputs.size();
        const auto groups =
            stream_groups(tile, packet_places(program, number, 64, machine.vector_bytes), {});
        REQUIRE(groups);
        for (const bool shares_anew : {false, true}) {
          const Program grouped = grouped_tile(tile, *groups, machine, shares_anew);
          CHECK_NOTHROW(prove_tile(grouped, program, number));
        }
      }
    }
  }
}

TEST_CASE("Tiles of codes read their inputs group by group") {
  for (const char* spec :
       {"cauchy-good:k=10,m=4,w=8", "cauchy-good:k=28,m=4,w=5", "evenodd:k=10"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const Program direct = direct_encoding(code);
    std::vector<Program> bands = bands_of(direct, 2);
    Search search;
    search.effort = Effort::kFast;
    for (Program& band : bands) band = fuse_three_way(optimize(band, search));
    const Program program = stacked(direct, bands);
    const Program tile = greedy_steps(dense(program), kThreeWay).tile;
    const auto groups = stream_groups(tile, packet_places(program, 1, 64, 64), {});
    REQUIRE(groups);
    for (const bool shares_anew : {false, true}) {
      const Program grouped = grouped_tile(tile, *groups, kThreeWay, shares_anew);
      CHECK_NOTHROW(prove_tile(grouped, program, 1));
      CHECK(reads_group_by_group(grouped, *groups));
      CHECK(most_terms(grouped) <= 3);
    }
  }
}

TEST_CASE("Sums that are read once are written into their readers as instructions want them") {
  // Two groups: inputs 0 … 5 and 6 … 9, a row each. Value 10 = 0 + 6, output = 10 + 1 + 7.
  Program program{11, 1, {}, {10}, {}};
  for (Element i = 0; i < 10; ++i) program.inputs.push_back(i);
  program.equations = {{11, {{0}, {6}}}, {10, {{1}, {7}, {11}}}};
  const Program tile = dense(program);
  const auto groups = stream_groups(tile, packet_places(program, 1, 64, 64), {});
  REQUIRE(groups);
  for (const bool shares_anew : {false, true}) {
    const Program grouped = grouped_tile(tile, *groups, kThreeWay, shares_anew);
    // 0 + 1, then that + 6 + 7.
    REQUIRE(grouped.equations.size() == 2);
    CHECK(grouped.equations[0].operands.size() == 2);
    CHECK(grouped.equations[1].operands.size() == 3);
    CHECK(grouped.outputs[0] == grouped.equations[1].target);
  }
}

/// A program in which every output is the sum of all inputs, four of them to a stream.
Program full_program(std::size_t streams, std::size_t outputs) {
  Program program{streams + outputs, 4, {}, {}, {}};
  std::vector<Operand> sum;
  for (Element i = 0; i < 4 * streams; ++i) {
    program.inputs.push_back(i);
    sum.emplace_back(i);
  }
  for (Element o = 0; o < outputs; ++o) {
    program.outputs.push_back(static_cast<Element>(4 * streams + o));
    program.equations.push_back({program.outputs.back(), sum});
  }
  return program;
}

/// The streams of each group.
std::vector<std::size_t> sizes(std::size_t streams) {
  const Program program = full_program(streams, 4);
  const auto groups = stream_groups(dense(program), packet_places(program, 1, 64, 64), {});
  if (!groups) return {};
  std::vector<std::size_t> inputs(groups->number);
  for (const std::size_t group : groups->group_of_input) ++inputs[group];
  for (std::size_t& number : inputs) number /= 4;
  return inputs;
}

using Sizes = std::vector<std::size_t>;

TEST_CASE("Groups of streams fit a set, and the last one leaves room for outputs if it can") {
  CHECK(sizes(7) == Sizes{});
  CHECK(sizes(8) == Sizes{6, 2});
  CHECK(sizes(10) == Sizes{6, 4});
  CHECK(sizes(12) == Sizes{7, 5});
  CHECK(sizes(13) == Sizes{7, 6});
  CHECK(sizes(14) == Sizes{6, 6, 2});
  CHECK(sizes(20) == Sizes{7, 7, 6});
  CHECK(sizes(28) == Sizes{6, 6, 6, 6, 4});
  for (std::size_t streams = 8; streams < 100; ++streams) {
    CAPTURE(streams);
    const Sizes all = sizes(streams);
    std::size_t sum = 0;
    for (const std::size_t size : all) {
      CHECK(size >= 1);
      CHECK(size <= 7);
      sum += size;
    }
    CHECK(all.back() <= 6);
    CHECK(sum == streams);
    if (streams > 13) CHECK(all.back() <= all.front());
  }
}

TEST_CASE("Bands share nothing, and the one that ends a group begins the next") {
  const Program direct = direct_encoding(make_code("cauchy-good:k=14,m=4,w=8"));
  const Program tile = dense(stacked(direct, bands_of(direct, 2)));
  const auto groups = stream_groups(tile, packet_places(direct, 1, 64, 64), {});
  REQUIRE(groups);
  REQUIRE(groups->parts.size() == 9);
  // Direct sums share nothing, so that bands are as short as they may be.
  std::map<std::size_t, std::size_t> ends;
  for (std::size_t i = 0; i < 9; ++i) {
    const StreamGroups::Part& part = groups->parts[i];
    CHECK(part.group == i / 3);
    ends[part.begin] = part.end;
    if (i == 2 || i == 5) CHECK(part.begin == groups->parts[i + 1].begin);
  }
  CHECK(ends == std::map<std::size_t, std::size_t>{{0, 8}, {8, 20}, {20, 32}});
}

TEST_CASE("What values join is one band") {
  const Program program = full_program(10, 40);
  Program tile = dense(program);
  const Element first = tile.equations[0].target;
  for (std::size_t e = 1; e < tile.equations.size(); ++e) {
    tile.equations[e].operands = {{first}, {static_cast<Element>(e % 40)}};
  }
  const auto groups = stream_groups(tile, packet_places(program, 1, 64, 64), {});
  REQUIRE(groups);
  CHECK(groups->parts.size() == 2);
  CHECK(groups->parts[0].end == 40);
}

}  // namespace
}  // namespace xorloom
