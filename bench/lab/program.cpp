#include "cli/commands/program.hpp"
#include "bench/lab/lab.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kLabAbout =
    "studies, comparisons with other libraries and figures of papers\n"
    "xorloom-lab has what studies of codes and papers ask for, and xorloom does not need: views on "
    "the time of encoding, other libraries and executors side by side, and the figures and models "
    "of papers beside what Xorloom does. Run xorloom-lab COMMAND --help to learn more about a "
    "command. Sizes in bytes may end in K, M, G or T, which are binary: 64K is 65536.";

constexpr const char* kLabExamples =
    "xorloom-lab study roofline cauchy-good:k=10,m=4,w=8\n"
    "xorloom-lab compare isa-cauchy:k=10,m=4 --against isal\n"
    "xorloom-lab paper-figure 5 --effort fast";

constexpr NamedCommand kCommands[] = {
    {"study", study_command},     {"executors", executors_command},
    {"compare", compare_command}, {"paper-figure", paper_figure_command},
    {"banks", banks_command},     {"zigzag-unit", zigzag_unit_command},
};

}  // namespace

const char* const kProgramName = "xorloom-lab";

Command make_program(std::string_view name) {
  Command program{kProgramName, kLabAbout, kLabExamples};
  add_commands(program, kCommands, name);
  return program;
}

}  // namespace xorloom::cli
