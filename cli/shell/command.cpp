#include "cli/shell/command.hpp"

#include <algorithm>

#include "cli/shell/progress.hpp"
#include "codes/text/error.hpp"
#include "codes/text/split.hpp"

namespace xorloom::cli {
namespace {

bool has_name(const CommandOption& option, std::string_view name) {
  const std::vector<std::string_view> names = split(option.names, ',');
  return std::ranges::find(names, name) != names.end();
}

auto find(auto& options, std::string_view name) {
  return std::ranges::find_if(options,
                              [&](const CommandOption& option) { return has_name(option, name); });
}

}  // namespace

bool is_program(const Command& command) { return !command.commands.empty(); }

void add_common_options(Command& program) {
  constexpr auto kFlag = CommandOption::Kind::kFlag;
  const CommandOption help{kFlag, "-h,--help", "", "print this help"};
  program.options.push_back(help);
  program.options.push_back({kFlag, "-V,--version", "", "print the version"});
  for (Command& command : program.commands) {
    command.program = program.name;
    command.options.insert(command.options.begin(), help);
    command.options.push_back({kFlag, "-q,--quiet", "",
                               "print errors alone on standard error, and no progress",
                               [](const std::vector<std::string>&) { be_quiet(); }});
  }
}

std::string full_name(const Command& command) {
  return is_program(command) ? command.name : command.program + " " + command.name;
}

CommandOption& option_of(Command& command, std::string_view name) {
  const auto found = find(command.options, name);
  if (found == command.options.end()) {
    fail(Status::kInternal, std::string(name) + " is no option of " + full_name(command));
  }
  return *found;
}

void remove_option(Command& command, std::string_view name) {
  std::erase_if(command.options,
                [&](const CommandOption& option) { return has_name(option, name); });
}

bool takes(const Command& command, std::string_view name) {
  return find(command.options, name) != command.options.end();
}

bool is_given(const Command& command, std::string_view name) {
  const auto found = find(command.options, name);
  return found != command.options.end() && found->count != 0;
}

}  // namespace xorloom::cli
