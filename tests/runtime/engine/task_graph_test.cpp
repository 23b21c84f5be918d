#include "runtime/engine/task_graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "runtime/engine/computation.hpp"
#include "tests/runtime/engine/graph_scene.hpp"
#include "tests/support/chained_program.hpp"

namespace xorloom {
namespace {

TEST_CASE("groups follow those they read, on their core and elsewhere") {
  for (const char* spec : {"cauchy:k=5,m=2,w=3", "cauchy-good:k=4,m=3,w=4"}) {
    const Code code = make_code(spec);
    const Program program = chained(direct_encoding(code));
    for (const std::size_t cores : {1U, 2U, 5U, 100U}) {
      CAPTURE(spec);
      CAPTURE(cores);
      const TaskGraph graph = graph_of(code, dealt_out(program, cores), Isa::kPortable);
      CHECK(graph.cores().size() == std::min<std::size_t>(cores, program.equations.size()));
      std::size_t groups = 0;
      for (std::size_t c = 0; c < graph.cores().size(); ++c) {
        CHECK(!graph.cores()[c].empty());
        CHECK(std::ranges::is_sorted(graph.cores()[c]));
        groups += graph.cores()[c].size();
        for (const std::uint32_t g : graph.cores()[c]) CHECK(graph.groups()[g].core == c);
      }
      CHECK(groups == graph.groups().size());
      for (std::uint32_t g = 0; g < graph.groups().size(); ++g) {
        for (const std::uint32_t before : graph.groups()[g].reads) {
          CHECK(before < g);
          CHECK(std::ranges::count(graph.groups()[before].readers, g) == 1);
        }
      }
      CHECK(graph.depth() >= 2);
    }
  }
}

TEST_CASE("a location holds a row of values each where packets are narrow, else one") {
  CHECK(values_per_location(make_code("cauchy:k=5,m=2,w=3")) == 3);
  CHECK(values_per_location(make_code("cauchy:k=5,m=2,w=3,packet_bytes=4096")) == 1);
  CHECK(values_per_location(make_code("rs:k=5,m=2")) == 1);
}

TEST_CASE("blocks are whole narrow packets or parts of a wide one") {
  for (const std::size_t packet_bytes : {8U, 24U, 64U, 96U, 512U, 520U, 1000U, 4096U, 65536U}) {
    const Code code = make_code("cauchy:k=5,m=2,w=3,packet_bytes=" + std::to_string(packet_bytes));
    const TaskGraph graph = graph_of(code, dealt_out(direct_encoding(code), 2), Isa::kPortable);
    for (const std::size_t wanted : {0U, 1U, 64U, 100U, 1000U, 5000U}) {
      CAPTURE(packet_bytes);
      CAPTURE(wanted);
      const std::size_t block = graph.block_columns(wanted);
      CHECK(block % 8 == 0);
      const bool is_wide = packet_bytes > 512;
      CHECK((is_wide ? block <= packet_bytes : block % packet_bytes == 0));
      const std::size_t columns = 5 * packet_bytes;
      std::size_t end = 0;
      for (std::size_t b = 0; b < graph.num_blocks(columns, block); ++b) {
        const ColumnRange range = graph.block_range(b, columns, block);
        CHECK(range.begin == end);
        CHECK(range.end > range.begin);
        CHECK(range.end - range.begin <= block);
        end = range.end;
        // A block's columns fit in the bytes that a location of values has.
        CHECK(graph.distance(range.end - 8) - graph.distance(range.begin) <
              graph.value_bytes(block));
        if (is_wide) CHECK(range.begin / packet_bytes == (range.end - 1) / packet_bytes);
      }
      CHECK(end == columns);
      CHECK(graph.num_blocks(0, block) == 0);
    }
  }
  const Code words = make_code("rs:k=5,m=2");
  const TaskGraph graph =
      graph_of(words, dealt_out(direct_symbols(words, encoding_map(words)), 2), Isa::kPortable);
  CHECK(graph.block_columns(1) == 64);
  CHECK(graph.distance(777) == 777);
  CHECK(graph.value_bytes(640) == 640);
}

TEST_CASE("blocks of columns begin at multiples of 64 and of the column multiple") {
  CHECK(block_columns(0, 1) == 64);
  CHECK(block_columns(64, 1) == 64);
  CHECK(block_columns(65, 8) == 128);
  CHECK(block_columns(100, 24) == 192);
  CHECK(block_columns(1000, 4096) == 4096);
}

}  // namespace
}  // namespace xorloom
