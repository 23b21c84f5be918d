#include "cli/commands/program.hpp"
#include "bench/lab/lab.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kLabAbout =
    "studies, comparisons with other libraries and figures of papers\n"
    "xorloom-lab has what studies of codes and papers ask for, and xorloom does not need: views on "
    "the time of encoding, other libraries and executors side by side, and the figures and models "
    "of papers beside what Xorloom does. Run xorloom-lab COMMAND --help to learn more about a "
    "command.";

constexpr const char* kLabExamples =
    "xorloom-lab study roofline cauchy-good:k=10,m=4,w=8\n"
    "xorloom-lab compare isa-cauchy:k=10,m=4 --against isal\n"
    "xorloom-lab paper-figure 5 --effort fast";

}  // namespace

const char* const kProgramName = "xorloom-lab";

Command make_program() {
  Command program{kProgramName, kLabAbout, kLabExamples};
  program.commands = {study_command(),        executors_command(), compare_command(),
                      paper_figure_command(), banks_command(),     zigzag_unit_command()};
  add_common_options(program);
  return program;
}

}  // namespace xorloom::cli
