#include "equations/files/equation_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "codes/text/text_file.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/files/json.hpp"
#include "equations/files/text.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

EquationFile::CodeName name_of(const Code& code) {
  return {code.family, code.spec, code.k, code.m, code.w};
}

}  // namespace

EquationFile proved_equations(const Code& code, Program program, std::string style,
                              std::size_t cores) {
  check_program(program);
  prove(program, code);
  EquationFile file{name_of(code), std::move(style), std::move(program),
                    std::nullopt,  std::nullopt,     true};
  if (cores != 0) file.plan = schedule_on_cores(file.program, cores);
  return file;
}

EquationFile proved_equations(const Program& direct, Program program) {
  check_program(program);
  prove(program, direct);
  return {std::nullopt, "iterative", std::move(program), std::nullopt, std::nullopt, true};
}

void check_size(const Program& program) {
  const std::size_t end = program.end_of_elements();
  const bool too_wide = program.rows != 0 && program.locations > kMaxElements / program.rows;
  if (too_wide || end > kMaxElements) {
    fail(Status::kParse, fmt::format("{} locations of {} rows with temporaries exceed {} elements",
                                     program.locations, program.rows, kMaxElements));
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
    own = make_code(file.code->spec,
                    {.packet_bytes = 0, .allow_non_mds = true, .limits = {.opens_files = false}});
    const EquationFile::CodeName name = name_of(*own);
    if (file.code->family != name.family || file.code->k != name.k || file.code->m != name.m ||
        file.code->w != name.w) {
      fail(Status::kParse,
           fmt::format("the code is named {} with k = {}, m = {}, w = {}, but its spec is {}",
                       excerpt(file.code->family), file.code->k, file.code->m, file.code->w,
                       excerpt(name.spec)));
    }
    file.code = name;
    code = &*own;
  }
  if (code != nullptr) {
    if (const auto sentence = find_disagreement(file.program, *code)) {
      fail(Status::kParse,
           fmt::format("the equations are not those of {}: {}", code->name(), *sentence));
    }
    file.code = name_of(*code);
    file.proved = true;
  }
  if (file.plan) check_core_schedule(file.program, *file.plan);
  return file;
}

}  // namespace xorloom
