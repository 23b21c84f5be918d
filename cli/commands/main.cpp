#include <sys/resource.h>

#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "cli/commands/program.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/parser.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

int complain(std::string sentence, ExitStatus status, const std::string& hint = {}) {
  // What a file or a shell put in must not reach the terminal as control characters.
  say("xorloom: error: " + printable(std::move(sentence)));
  if (!hint.empty()) say(hint);
  return static_cast<int>(status);
}

int run(int argc, char** argv) {
  Command program = make_program();
  const Call call = parse(program, argc, argv);
  switch (call.kind) {
    case Call::Kind::kHelp:
      print(help_text(*call.command));
      return 0;
    case Call::Kind::kVersion:
      print(version_text() + "\n");
      return 0;
    case Call::Kind::kWrong:
      return complain(call.sentence, exit_status(call.status),
                      full_name(*call.command) + " --help says more");
    case Call::Kind::kRun:
      call.command->run(*call.command);
      break;
  }
  return 0;
}

}  // namespace
}  // namespace xorloom::cli

int main(int argc, char** argv) {
  using namespace xorloom;
  // A reader that goes away ends the program without a word, whatever the parent chose.
  std::signal(SIGPIPE, SIG_DFL);
  // Each shard of a set is open at once.
  if (rlimit files{}; ::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  try {
    cli::clean_up_on_interrupt();
    return cli::run(argc, argv);
  } catch (const cli::RecoverableDamage& damage) {
    return cli::complain(damage.what(), cli::ExitStatus::kDamaged);
  } catch (const cli::FoundWorse&) {
    return static_cast<int>(cli::ExitStatus::kWorse);
  } catch (const Error& error) {
    return cli::complain(error.what(), cli::exit_status(error.kind()));
  } catch (const std::bad_alloc&) {
    return cli::complain("there is not enough memory", cli::ExitStatus::kEnvironment);
  } catch (const std::exception& error) {
    return cli::complain(error.what(), cli::ExitStatus::kEnvironment);
  }
}
