#include "cli/commands/program.hpp"

#include "cli/shell/commands.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kProgramAbout =
    "a compiler and engine for erasure codes\n"
    "Xorloom stores a file as shards with redundancy, and recovers it when shards are lost or "
    "damaged. It compiles each erasure code into XOR equations, proves them, counts what they "
    "cost and runs them. Run xorloom COMMAND --help to learn more about a command. The exit "
    "status is 0 if the work is done, 1 if damage was found that repair can rebuild or if "
    "report --diff found something worse, 2 if the "
    "command line or a text that it names is wrong, 3 if data is lost, and 4 if the system "
    "refused: "
    "no such file or set, no permission, a full disk, not enough memory.";

constexpr const char* kProgramExamples =
    "xorloom encode FILE -o DIR\n"
    "xorloom decode DIR -o FILE\n"
    "xorloom codes\n"
    "xorloom equations cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";

}  // namespace

const char* const kProgramName = "xorloom";

Command make_program() {
  Command program{kProgramName, kProgramAbout, kProgramExamples};
  program.commands = {
      codes_command(),   equations_command(), optimize_command(),    emit_command(),
      report_command(),  atlas_command(),     encode_command(),      decode_command(),
      patch_command(),   append_command(),    truncate_command(),    convert_command(),
      protect_command(), repair_command(),    repair_plan_command(), verify_command(),
      info_command(),    bench_command(),     model_command()};
  add_common_options(program);
  return program;
}

}  // namespace xorloom::cli
