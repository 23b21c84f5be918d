#include "cli/commands/program.hpp"

#include "cli/shell/commands.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kProgramAbout =
    "a compiler and engine for erasure codes\n"
    "Xorloom stores a file as shards with redundancy, and recovers it when shards are lost or "
    "damaged. It compiles each erasure code into XOR equations, proves them, counts what they "
    "cost and runs them. Run xorloom COMMAND --help to learn more about a command; --help-all "
    "tells all of it. Options that take bytes also take K, M, G or T, which are binary: 64K is "
    "65536; a SPEC has plain numbers. An error is one sentence on standard error that names the "
    "value and the bound.";

constexpr const char* kProgramExamples =
    "xorloom encode FILE -o DIR\n"
    "xorloom decode DIR -o FILE\n"
    "xorloom codes\n"
    "xorloom equations cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";

constexpr NamedCommand kCommands[] = {
    {"codes", codes_command},
    {"equations", equations_command},
    {"optimize", optimize_command},
    {"emit", emit_command},
    {"report", report_command},
    {"atlas", atlas_command},
    {"encode", encode_command},
    {"decode", decode_command},
    {"patch", patch_command},
    {"append", append_command},
    {"truncate", truncate_command},
    {"convert", convert_command},
    {"protect", protect_command},
    {"repair", repair_command},
    {"repair-plan", repair_plan_command},
    {"verify", verify_command},
    {"info", info_command},
    {"bench", bench_command},
    {"model", model_command},
    {"serve", serve_command},
};

}  // namespace

const char* const kProgramName = "xorloom";

Command make_program(std::string_view name) {
  Command program{kProgramName, kProgramAbout, kProgramExamples};
  add_commands(program, kCommands, name);
  return program;
}

}  // namespace xorloom::cli
