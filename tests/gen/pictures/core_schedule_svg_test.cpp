#include "gen/pictures/core_schedule_svg.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/cores/list_schedule.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

CoreSchedule plan_of(const Program& program, std::size_t cores) {
  return *proved_equations(make_code(kWorkedExample), program, "direct", cores).plan;
}

/// A program with a copy of an input, a copy of a computed output and a zero, on two cores.
struct Copies {
  Program program{5, 1, {0, 1}, {2, 3, 4}, {{2, {0, 1}}, {3, {2}}, {4, {0}}}};
  CoreSchedule plan{2, {{1, 0, 2, {0, 1}}}};
};

std::size_t sum(const DataPaths::Ways& ways) {
  std::size_t result = 0;
  for (const auto& entry : ways) result += entry.second.size();
  return result;
}

}  // namespace

TEST_CASE(
    "a chart of a plan has a box for each XOR, that names it, and a frame for each idle step") {
  const Program program = paper_iterative();
  for (const std::size_t cores : std::array<std::size_t, 4>{1, 2, 6, 40}) {
    CAPTURE(cores);
    const CoreSchedule plan = plan_of(program, cores);
    const Picture picture = draw_gantt(program, plan);
    CHECK(not_well_formed(svg_page(picture)) == "");
    const std::size_t whole = count_of(picture.body, "<path class=\"xl-done\"");
    CHECK(whole == program.equations.size());
    CHECK(whole + count_of(picture.body, "<path class=\"xl-part\"") == plan.steps.size());
    std::size_t idle = 0;
    for (const std::string& path :
         all_between(picture.body, "<path class=\"xl-idle\" d=\"", "\"")) {
      idle += count_of(path, "M");
    }
    CHECK(idle == cores * makespan(plan) - plan.steps.size());
    CHECK((count_of(picture.note, "Dashed frames") == 1) == (idle > 0));
    CHECK((count_of(picture.note, "Fainter boxes") == 1) == (whole < plan.steps.size()));
    for (const Equation& equation : program.equations) {
      const std::string name = element_name(program, equation.target);
      CAPTURE(name);
      CHECK(count_of(picture.body, "<title>" + name + " = XOR(") == 1);
      CHECK(count_of(picture.body, "<title>" + name + "'") == equation.operands.size() - 2);
    }
    for (std::size_t core = 0; core < cores; ++core) {
      CHECK(count_of(picture.body, fmt::format(">core {}</text>", core)) == 1);
    }
  }
}

TEST_CASE("titles of partial sums say what they are the sum of") {
  const Program program{4, 1, {0, 1, 2}, {3}, {{3, {0, 1, 2}}}};
  const CoreSchedule plan{1, {{0, 0, 4, {0, 1}}, {0, 1, 3, {2, 4}}}};
  check_core_schedule(program, plan);
  const Picture picture = draw_gantt(program, plan);
  CHECK(count_of(picture.body, "<title>3'1 = XOR(0,1)</title>") == 1);
  CHECK(count_of(picture.body, "<title>3 = XOR(2,3'1)</title>") == 1);
  CHECK(picture.head == "Plan on 1 core: 2 steps, 2 XORs, 100 % busy, 0 moves");
}

TEST_CASE("an equation has the same color in the chart of a plan on any cores") {
  const Program program = paper_iterative();
  for (const std::size_t cores : std::array<std::size_t, 2>{1, 6}) {
    const Picture picture = draw_gantt(program, plan_of(program, cores));
    for (const std::string& run : all_between(picture.body, "<g class=\"", "</g>")) {
      if (run.find("<title>16") != std::string::npos) CHECK(run.starts_with(ink(1) + "\""));
    }
  }
}

TEST_CASE("data paths carry each element that a core needs and each output to where it is kept") {
  const Program program = direct_encoding(make_code(kWorkedExample));
  const DataPaths paths = data_paths(program, plan_of(program, 6));
  CHECK(paths.sources.size() == 5);
  CHECK(paths.results.size() == 2);
  CHECK(sum(paths.writes) == 6);
  CHECK(paths.copies.empty());
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Program random = random_program(2 + seed % 5, 1 + seed % 3, seed % 9, seed);
    const CoreSchedule plan = schedule_on_cores(random, 3);
    const DataPaths ways = data_paths(random, plan);
    std::set<Element> moved;
    for (const auto& entry : ways.moves) moved.insert(entry.second.begin(), entry.second.end());
    CHECK(moved.size() == moves(random, plan));
    for (const auto& entry : ways.moves) CHECK(entry.first.first != entry.first.second);
    std::size_t zeros = 0;
    for (const Element output : random.outputs) {
      Element element = output;
      const std::vector<std::size_t> by = equation_of_element(random);
      while (by[element] != kNone && random.equations[by[element]].operands.size() == 1) {
        element = random.equations[by[element]].operands.front();
      }
      if (by[element] != kNone && random.equations[by[element]].operands.empty()) ++zeros;
    }
    CHECK(sum(ways.writes) + sum(ways.copies) + zeros == random.outputs.size());
  }
}

TEST_CASE("a copy goes to its place from where what it copies is") {
  const Copies scene;
  check_core_schedule(scene.program, scene.plan);
  const DataPaths paths = data_paths(scene.program, scene.plan);
  CHECK(paths.reads == DataPaths::Ways{{{0, 1}, {0}}, {{1, 1}, {1}}});
  CHECK(paths.writes == DataPaths::Ways{{{1, 0}, {2}}, {{1, 1}, {3}}});
  CHECK(paths.copies == DataPaths::Ways{{{0, 2}, {4}}});
  const Picture picture = *draw_paths(scene.program, scene.plan);
  CHECK(not_well_formed(svg_page(picture)) == "");
  CHECK(count_of(picture.body, "<title>copied: 4</title>") == 1);
  CHECK(count_of(picture.body, "<title>core 0 computes nothing: ") == 1);
}

TEST_CASE("the picture of data paths has a line for each path and names what goes along it") {
  const Program program = paper_iterative();
  const CoreSchedule plan = plan_of(program, 6);
  const DataPaths paths = data_paths(program, plan);
  const Picture picture = *draw_paths(program, plan);
  CHECK(not_well_formed(svg_page(picture)) == "");
  CHECK(picture.body.find(" id=") == std::string::npos);
  CHECK(count_of(picture.body, "<path class=\"xl-way\"") ==
        paths.reads.size() + paths.moves.size() + paths.writes.size());
  CHECK(count_of(picture.body, "tabindex=\"0\"") == 6);
  for (const auto& entry : paths.reads) {
    std::string elements;
    for (const Element element : entry.second) {
      elements += (elements.empty() ? "" : ",") + std::to_string(element);
    }
    CHECK(count_of(picture.body, fmt::format("<title>{} from chunk {} to core {}: {}</title>",
                                             entry.second.size(), entry.first.first,
                                             entry.first.second, elements)) == 1);
  }
  for (const char* box : {">0 1 2</text>", ">12 13 14</text>", ">15 16 17</text>"}) {
    CHECK(count_of(picture.body, box) == 1);
  }
}

TEST_CASE("plans of 10 + 4 locations on 32 cores fit a page, and larger ones say their bound") {
  const Program program = direct_encoding(make_code("cauchy-good:k=10,m=4,w=8"));
  const CoreSchedule plan = schedule_on_cores(program, 32);
  const Picture gantt = draw_gantt(program, plan);
  CHECK(gantt.width <= 1280);
  CHECK(svg_page(gantt).size() < 250'000);
  const std::optional<Picture> paths = draw_paths(program, plan);
  REQUIRE(paths);
  CHECK(paths->width <= 1280);
  CHECK(svg_page(*paths).size() < 250'000);
  CHECK(not_well_formed(svg_page(*paths)) == "");
  CHECK(draw_paths(program, schedule_on_cores(program, 64)));
  CHECK(!draw_paths(program, schedule_on_cores(program, 65)));
  CHECK(draw_gantt(program, schedule_on_cores(program, 256)).width <= 1280);
  CHECK_THROWS_WITH_AS(draw_gantt(program, schedule_on_cores(program, 257)),
                       "257 cores of a plan are more than the 256 that a picture has", Error);
  CHECK(draw_gantt(program, schedule_on_cores(program, 1)).width <= 1280);
}

}  // namespace xorloom
