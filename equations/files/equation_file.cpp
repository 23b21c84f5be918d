#include "equations/files/equation_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/families/families.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/text_file.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

/// Throws kParse unless the stated reads are those of the program. `left`, `cost` and `least` are
/// taken as stated.
void check_reads(const RepairReads& stated, const Program& program, const Code& code) {
  const Over over = program.is_xor() ? Over::kBits : Over::kSymbols;
  RepairReads found = repair_reads(code, {.over = over}, program);
  const bool has_left =
      stated.left >= found.read && stated.left <= found.left && found.rebuilt != 0;
  found.left = stated.left;
  found.cost = stated.cost;
  found.least = stated.least;
  if (has_left && stated == found) return;
  fail(Status::kParse, "'reads' says {} of {}, but the equations read {}", stated.read,
       counted(stated.left, "cell"), found.read);
}

/// Completes or checks the style of a parsed file. Direct equations may be called iterative, since
/// the best result of a search may share nothing.
void check_style(EquationFile& file) {
  const std::optional<std::string> why = why_not_direct(file.program);
  if (file.style.empty()) file.style = why ? "iterative" : "direct";
  if (file.style == "direct" && why) {
    fail(Status::kParse, "the style is direct, but the equations are iterative: {}", *why);
  }
}

/// Sorts, checks and proves a parsed file.
void check(EquationFile& file, const Code* code) {
  check_size(file.program);
  sort_equations(file.program);
  check_program(file.program);
  // Equations without outputs would hold for any code, and be taken for those that encode.
  if (file.program.outputs.empty()) {
    fail(Status::kParse, "the equations have no outputs: they compute nothing");
  }
  check_style(file);

  std::optional<Code> own;
  if (file.code) {
    own = named_code(file.code->spec);
    const EquationFile::CodeName name = EquationFile::CodeName::of(*own);
    // Files of 0.2.0 call the rows of a code file's chunk w.
    const bool is_other_w = file.code->w != name.w && name.family != "file";
    if (file.code->family != name.family || file.code->k != name.k || file.code->m != name.m ||
        is_other_w) {
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
  if (file.reads && (code == nullptr || !file.program.virtuals.empty())) {
    fail(Status::kParse, "'reads' is about a code whose chunks are rebuilt");
  }
  if (file.reads) check_reads(*file.reads, file.program, *code);
  if (file.plan) {
    check_core_schedule(file.program, *file.plan);
    set_plan(file, *std::move(file.plan));
  }
}

}  // namespace

std::optional<std::string> why_not_direct(const Program& program) {
  const std::vector<std::size_t> assigned_by = equation_of_element(program);
  for (const auto& [target, operands] : program.equations) {
    const std::string name = element_name(program, target);
    if (target >= program.first_temporary()) return fmt::format("{} is a temporary", name);
    for (const Element operand : operands) {
      if (assigned_by[operand] == kNone) continue;
      return fmt::format("that of {} reads {}, {}", name, element_name(program, operand),
                         operand < program.first_temporary() ? "an output" : "a temporary");
    }
  }
  return std::nullopt;
}

void set_plan(EquationFile& file, CoreSchedule plan) {
  file.plan_cost = {makespan(plan), atomic_makespan(file.program, plan.cores),
                    moves(file.program, plan)};
  file.plan = std::move(plan);
}

void set_whole(EquationFile& file, const UsedPart& part, const BitMatrix& whole) {
  if (part.is_whole()) return;
  file.program = part.in_whole(file.program);
  check_program(file.program);
  prove(file.program, whole);
  if (!file.plan) return;
  set_plan(file, part.in_whole(*std::move(file.plan)));
  check_core_schedule(file.program, *file.plan);
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

std::vector<EquationFile> read_equation_sets(std::string_view text, const Code* code) {
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    fail(Status::kParse, "this is not text: byte {} is zero", zero);
  }
  text = without_mark(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) fail(Status::kParse, "the equations file is empty");
  std::vector<EquationFile> files = text[first] == '{' ? parse_json(text) : parse_text(text, code);
  for (EquationFile& file : files) check(file, code);
  return files;
}

EquationFile read_equations(std::string_view text, const Code* code) {
  std::vector<EquationFile> files = read_equation_sets(text, code);
  if (files.size() == 1) return std::move(files.front());
  fail(Status::kParse, "these are {} sets of equations; give one of them", files.size());
}

}  // namespace xorloom
