#include "equations/cores/program_parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/search/optimize.hpp"
#include "tests/support/chained_program.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

SpreadProgram dealt_out(const Program& program, std::size_t cores) {
  SpreadProgram spread{program, {}};
  for (std::size_t i = 0; i < program.equations.size(); ++i) spread.core_of.push_back(i % cores);
  return spread;
}

void check_parts(const ProgramParts& parts, const Program& program, std::size_t per_location) {
  prove_parts(parts, program);  // as it was when they were made, so that a test sees it
  CHECK(parts.per_location == per_location);
  std::set<Element> made;
  for (const auto& [core, part] : parts.parts) {
    check_program(part);
    CHECK(!part.equations.empty());
    for (const Element output : part.outputs) CHECK(made.insert(output).second);
  }
  for (const auto& [earlier, later] : parts.edges) {
    CHECK(earlier < later);
    const Program& from = parts.parts[earlier].program;
    const Program& to = parts.parts[later].program;
    CHECK(std::ranges::any_of(
        from.outputs, [&](Element output) { return std::ranges::count(to.inputs, output) != 0; }));
  }
  const std::size_t added = parts.parts.front().program.locations - program.locations;
  CHECK(added == (parts.handed_over + per_location - 1) / per_location);
}

TEST_CASE("parts compute their program, however its equations are dealt out") {
  for (const char* spec : {"cauchy:k=5,m=2,w=3", "cauchy-good:k=6,m=3,w=4"}) {
    const Code code = make_code(spec);
    const Program direct = direct_encoding(code);
    for (const Program& program :
         {direct, chained(direct), optimize(direct, {.effort = Effort::kFast})}) {
      for (const std::size_t cores : {1U, 2U, 3U, 7U, 1000U}) {
        for (const std::size_t per_location : {std::size_t{1}, code.rows()}) {
          CAPTURE(spec);
          CAPTURE(cores);
          check_parts(parts_on_cores(dealt_out(program, cores), per_location), program,
                      per_location);
        }
        const CoreSchedule plan = schedule_on_cores(program, cores);
        check_parts(parts_on_cores(program, plan, 1), program, 1);
      }
    }
  }
}

TEST_CASE("one core is one part, and nothing is handed over") {
  const Program program = chained(direct_encoding(make_code("cauchy:k=5,m=2,w=3")));
  const ProgramParts parts = parts_on_cores(dealt_out(program, 1), 1);
  CHECK(parts.parts.size() == 1);
  CHECK(parts.handed_over == 0);
  CHECK(parts.edges.empty());
}

TEST_CASE("programs over symbols are cut, too") {
  const Code code = make_code("rs:k=4,m=3");
  const Program program = direct_symbols(code, encoding_map(code));
  check_parts(parts_on_cores(dealt_out(program, 2), 1), program, 1);
}

TEST_CASE("a cell that is no output is handed over past the cells") {
  // Cell 2 is read by both others, but the program does not give it out.
  const Program program{2, 2, {0}, {1, 3}, {{2, {0}}, {1, {2}}, {3, {0, 2}}}};
  const ProgramParts parts = parts_on_cores({program, {0, 1, 1}}, 2);
  CHECK(parts.handed_over == 1);
  CHECK(parts.parts.front().program.outputs == std::vector<Element>{4});
}

TEST_CASE("parts that compute something else are not proved") {
  const Program program = chained(direct_encoding(make_code("cauchy:k=5,m=2,w=3")));
  ProgramParts parts = parts_on_cores(dealt_out(program, 2), 1);
  parts.parts.back().program.equations.back().operands.pop_back();
  CHECK_THROWS_AS(prove_parts(parts, program), Error);
}

}  // namespace
}  // namespace xorloom
