#include "cli/commands/program.hpp"

#include "cli/shell/commands.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kProgramAbout =
    "a compiler and engine for erasure codes\n"
    "Xorloom stores a file as shards with redundancy, and recovers it when shards are lost or "
    "damaged. It compiles each erasure code into XOR equations, proves them, counts what they "
    "cost and runs them. Run xorloom COMMAND --help to learn more about a command. Numbers of "
    "bytes "
    "may end in K, M, G or T, which are binary: 64K is 65536. An error is one sentence on standard "
    "error that names the value and the bound.";

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
      info_command(),    bench_command(),     model_command(),       serve_command()};
  add_common_options(program);
  return program;
}

}  // namespace xorloom::cli
