#include "cli/program.hpp"

#include <CLI/CLI.hpp>

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "a compiler and engine for erasure codes\n"
    "Xorloom compiles erasure codes: it turns a code of k data and m redundant chunks into XOR "
    "equations, proves them, says what they cost, and runs them on files. "
    "xorloom COMMAND --help says more about a command.";

constexpr const char* kExamples =
    "xorloom codes\n"
    "xorloom equations cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0\n"
    "xorloom encode FILE -o DIR\n"
    "xorloom decode DIR -o FILE";

}  // namespace

std::vector<Command> set_up(CLI::App& program) {
  program.name("xorloom");
  program.description(kAbout);
  program.footer(kExamples);
  program.set_help_flag("-h,--help", "print this help");
  program.set_version_flag("--version", "xorloom " XORLOOM_VERSION "\n", "print the version");
  program.require_subcommand(1);
  return {add_codes(program),  add_equations(program), add_optimize(program), add_emit(program),
          add_report(program), add_atlas(program),     add_encode(program),   add_decode(program),
          add_repair(program), add_verify(program),    add_info(program),     add_bench(program)};
}

}  // namespace xorloom::cli
