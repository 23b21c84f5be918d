#include "equations/files/equation_file.hpp"

#include <algorithm>
#include <utility>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "codes/text/text_file.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {

void set_plan(EquationFile& file, CoreSchedule plan) {
  // An atomic plan is not the one that takes the fewest steps.
  const std::size_t steps = makespan(schedule_on_cores(file.program, plan.cores));
  file.plan_cost = {std::min(steps, makespan(plan)), atomic_makespan(file.program, plan.cores),
                    moves(file.program, plan)};
  file.plan = std::move(plan);
}

Code named_code(std::string_view spec) {
  return make_code(spec,
                   {.packet_bytes = 0, .allow_non_mds = true, .limits = {.opens_files = false}});
}

EquationFile proved_equations(const Code& code, Program program, std::string style,
                              std::size_t cores) {
  check_program(program);
  prove(program, code);
  EquationFile file{.code = EquationFile::CodeName::of(code),
                    .style = std::move(style),
                    .program = std::move(program),
                    .proved = true};
  if (cores != 0) set_plan(file, schedule_on_cores(file.program, cores));
  return file;
}

EquationFile proved_equations(const Program& direct, Program program) {
  check_program(program);
  prove(program, direct);
  return {.style = "iterative", .program = std::move(program), .proved = true};
}

void check_size(const Program& program) {
  const std::size_t end = program.end_of_elements();
  const bool too_wide = program.rows != 0 && program.locations > kMaxElements / program.rows;
  if (too_wide || end > kMaxElements) {
    fail(Status::kParse, "{} locations of {} rows with temporaries exceed {} elements",
         program.locations, program.rows, kMaxElements);
  }
}

EquationFile read_equations(std::string_view text, const Code* code) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) fail(Status::kParse, "the equations file is empty");
  EquationFile file = text[first] == '{' ? parse_json(text) : parse_text(text, code);
  check_size(file.program);
  sort_equations(file.program);
  check_program(file.program);

  std::optional<Code> own;
  if (file.code) {
    own = named_code(file.code->spec);
    const EquationFile::CodeName name = EquationFile::CodeName::of(*own);
    if (file.code->family != name.family || file.code->k != name.k || file.code->m != name.m ||
        file.code->w != name.w) {
      fail(Status::kParse, "the code is named {} with k = {}, m = {}, w = {}, but its spec is {}",
           excerpt(file.code->family), file.code->k, file.code->m, file.code->w,
           excerpt(name.spec));
    }
    file.code = name;
    code = &*own;
  }
  if (code != nullptr) {
    if (const auto sentence = find_disagreement(file.program, *code)) {
      fail(Status::kParse, "the equations are not those of {}: {}", code->name(), *sentence);
    }
    file.code = EquationFile::CodeName::of(*code);
    file.proved = true;
  }
  if (file.plan) {
    check_core_schedule(file.program, *file.plan);
    set_plan(file, *std::move(file.plan));
  }
  return file;
}

}  // namespace xorloom
