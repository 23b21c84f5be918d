#include "cli/commands/program.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/shell/commands.hpp"
#include "cli/shell/progress.hpp"
#include "xorloom/xorloom.hpp"

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

Command make_program() {
  constexpr auto kFlag = CommandOption::Kind::kFlag;
  Command program{"xorloom", kProgramAbout, kProgramExamples};
  program.options.push_back({kFlag, "-V,--version", "", "print the version"});
  program.commands = {
      codes_command(),   equations_command(), optimize_command(),    emit_command(),
      report_command(),  atlas_command(),     encode_command(),      decode_command(),
      patch_command(),   append_command(),    truncate_command(),    convert_command(),
      protect_command(), repair_command(),    repair_plan_command(), verify_command(),
      info_command(),    bench_command(),     model_command()};
  const auto add_help = [](Command& command) {
    command.options.insert(command.options.begin(), {kFlag, "-h,--help", "", "print this help"});
  };
  add_help(program);
  std::ranges::for_each(program.commands, add_help);
  const CommandOption quiet{kFlag, "-q,--quiet", "",
                            "print errors alone on standard error, and no progress",
                            [](const std::vector<std::string>&) { be_quiet(); }};
  for (Command& command : program.commands) {
    command.options.insert(
        command.options.begin() + 1,
        {kFlag, "--help-all", "", "print all that there is to say of each option"});
    command.options.push_back(quiet);
  }
  return program;
}

std::string version_text() { return std::string("xorloom ") + version(); }

}  // namespace xorloom::cli
