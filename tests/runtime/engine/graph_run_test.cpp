#include "runtime/engine/graph_run.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/plan_options.hpp"
#include "tests/runtime/engine/graph_scene.hpp"
#include "tests/runtime/engine/graph_trial.hpp"
#include "tests/support/chained_program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

void check_on_threads(const Code& code, GraphRun& run, std::size_t threads, std::size_t multiples,
                      std::size_t wanted_columns) {
  check_on_threads(code, run, threads, multiples, multiples % 2 * 13,
                   [&](std::uint8_t* const* chunks, std::size_t chunk_bytes) {
                     run.begin(chunks, chunk_bytes, wanted_columns, threads, Stores::kOrdinary);
                   });
}

TEST_CASE("any number of threads computes a graph of any number of cores") {
  const std::vector<std::size_t> numbers{1, 2, 3, 8};
  std::size_t turn = 0;
  for (const Isa isa : machine_isas()) {
    for (const std::string& spec : kGraphSpecs) {
      const Code code = make_code(spec);
      const Program program = encoding_program(code);
      for (const std::size_t cores : {1U, 2U, 3U, 6U, 1000U}) {
        const TaskGraph graph = graph_of(code, dealt_out(program, cores), isa);
        accept(code, encoding_map(code), graph);
        GraphRun run(graph);
        for (const std::size_t threads : test::one_by_turns(numbers, turn++)) {
          CAPTURE(spec);
          CAPTURE(to_string(isa));
          CAPTURE(cores);
          CAPTURE(threads);
          check_on_threads(code, run, threads, 1, 64);
          check_on_threads(code, run, threads, 17, 64);
          check_on_threads(code, run, threads, 40, 512);
        }
      }
    }
  }
}

TEST_CASE("two-input XORs of a plan run as they are planned") {
  const Code code = make_code("cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0");
  const Program program = chained(direct_encoding(code));
  for (const std::size_t cores : {1U, 2U, 6U, 64U}) {
    const CoreSchedule plan = schedule_on_cores(program, cores);
    const TaskGraph graph(code, parts_on_cores(program, plan, values_per_location(code)),
                          {.isa = choose_isa()});
    accept(code, encoding_map(code), graph);
    GraphRun run(graph);
    for (const std::size_t threads : {1U, 2U, 6U}) check_on_threads(code, run, threads, 33, 64);
  }
}

TEST_CASE("many calls come to an end, with more threads than cores and processors") {
  const Code code = make_code("cauchy:k=5,m=2,w=3");
  const TaskGraph graph = graph_of(code, dealt_out(encoding_program(code), 3), choose_isa());
  GraphRun run(graph);
  for (int call = 0; call < 300; ++call) check_on_threads(code, run, 5, 9, 64);
}

TEST_CASE("a wrong group is not accepted") {
  const Code code = make_code("cauchy:k=5,m=2,w=3");
  ProgramParts parts = parts_on_cores(dealt_out(direct_encoding(code), 2), 1);
  parts.parts[1] = parts.parts[0];
  const TaskGraph graph(code, parts, {.isa = choose_isa()});
  CHECK_THROWS_AS(accept(code, encoding_map(code), graph), Error);
}

TEST_CASE("runs that are given back are taken again") {
  const Code code = make_code("cauchy:k=5,m=2,w=3");
  SpareRuns runs(graph_of(code, dealt_out(direct_encoding(code), 2), Isa::kPortable));
  std::unique_ptr<GraphRun> first = runs.take<GraphRun>();
  const std::unique_ptr<GraphRun> second = runs.take<GraphRun>();
  CHECK(first != second);
  const GraphRun* const was = first.get();
  runs.give_back(std::move(first));
  CHECK(runs.take<GraphRun>().get() == was);
}

}  // namespace
}  // namespace xorloom
