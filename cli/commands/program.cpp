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
