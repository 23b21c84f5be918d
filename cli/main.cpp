#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/interrupt.hpp"
#include "cli/program.hpp"
#include "cli/shards.hpp"
#include "cli/streams.hpp"
#include "codes/error.hpp"

namespace xorloom::cli {
namespace {

constexpr int kDone = 0;
constexpr int kCouldNotBeDone = 1;
constexpr int kWrongCall = 2;

int exit_status(Status kind) {
  switch (kind) {
    case Status::kOk:
      return kDone;
    case Status::kInvalidArgument:
    case Status::kParse:
    case Status::kUnsupported:
      return kWrongCall;
    case Status::kIo:
    case Status::kDamaged:
    case Status::kInternal:
      break;
  }
  return kCouldNotBeDone;
}

int complain(std::string sentence, int status, const std::string& hint = {}) {
  // What a file or a shell put in must not reach the terminal as control characters.
  note("xorloom: error: " + printable(std::move(sentence)));
  if (!hint.empty()) note(hint);
  return status;
}

/// The subcommand that was named, or the program itself.
const CLI::App& named(const CLI::App& program) {
  const auto commands = program.get_subcommands();
  return commands.empty() ? program : *commands.front();
}

std::string pointer_to_help(const CLI::App& program) {
  const CLI::App& app = named(program);
  return fmt::format("xorloom{} --help says more", &app == &program ? "" : " " + app.get_name());
}

/// "codes, equations … or bench".
std::string command_names(const CLI::App& program) {
  std::string names;
  const auto commands = program.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : commands) {
    if (command != commands.front()) names += command == commands.back() ? " or " : ", ";
    names += command->get_name();
  }
  return names;
}

/// What the parser found wrong, as a sentence of ours.
std::string sentence_of(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<std::string> rest = program.remaining(true);
  if (&named(program) == &program) {
    const std::string commands = fmt::format("it is one of {}", command_names(program));
    if (rest.empty()) return "no command is given: " + commands;
    return fmt::format("there is no {} '{}': {}",
                       rest.front().starts_with('-') ? "option" : "command", rest.front(),
                       rest.front().starts_with('-') ? "a command comes first" : commands);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty()) {
    return fmt::format("'{}' is not expected", rest.front());
  }
  const std::string sentence = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    if (sentence.find("flag override") != std::string::npos) {
      return fmt::format("--{} takes no value", sentence.substr(0, sentence.find(' ')));
    }
    const bool missing = sentence.find("missing") != std::string::npos;
    return sentence.substr(0, sentence.find(':')) +
           (missing ? " needs a value" : " is given more than once");
  }
  return sentence.substr(0, sentence.find('\n'));
}

int run(int argc, char** argv) {
  CLI::App program;
  const std::vector<Command> commands = set_up(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(help_text(named(program)));
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    print(version.what());
    return kDone;
  } catch (const CLI::ParseError& error) {
    return complain(sentence_of(program, error), kWrongCall, pointer_to_help(program));
  } catch (const Error& error) {
    return complain(error.what(), exit_status(error.kind()), pointer_to_help(program));
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) command.run();
  }
  return kDone;
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
  } catch (const Error& error) {
    return cli::complain(error.what(), cli::exit_status(error.kind()));
  } catch (const std::bad_alloc&) {
    return cli::complain("there is not enough memory", cli::kCouldNotBeDone);
  } catch (const std::exception& error) {
    return cli::complain(error.what(), cli::kCouldNotBeDone);
  }
}
