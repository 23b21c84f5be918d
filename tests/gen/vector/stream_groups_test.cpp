#include "gen/vector/stream_groups.hpp"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/pieces.hpp"
#include "equations/ir/dense_program.hpp"
#include "gen/vector/tile_places.hpp"

namespace xorloom {
namespace {

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
