#include "cli/shell/parser.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/shell/help.hpp"
#include "cli/shell/program_words.hpp"
#include "codes/text/closest.hpp"
#include "codes/text/error.hpp"
#include "codes/text/split.hpp"

namespace xorloom::cli {
namespace {

using Kind = CommandOption::Kind;

/// Reads the values of an option or argument. An empty one is refused: it is an unset variable of a
/// script, more often than not.
void read_values(const CommandOption& option, const std::vector<std::string>& values) {
  if (std::ranges::find(values, "") != values.end()) {
    fail(Status::kInvalidArgument, "{} is empty", split(option.names, ',').back());
  }
  option.read(values);
}

CLI::Option* add(CLI::App& app, CommandOption& option) {
  const std::string names = option.names + (option.old_name.empty() ? "" : "," + option.old_name);
  if (option.kind == Kind::kFlag) {
    return app.add_flag_callback(option.names, [&option] { option.read({}); })
        ->disable_flag_override();
  }
  if (option.kind == Kind::kValue || option.kind == Kind::kArgument) {
    const auto read = [&option](const std::string& text) { read_values(option, {text}); };
    return app.add_option_function<std::string>(names, read);
  }
  const auto read = [&option](const std::vector<std::string>& texts) {
    read_values(option, texts);
  };
  return app.add_option_function<std::vector<std::string>>(names, read)
      ->allow_extra_args(option.kind == Kind::kArguments);
}

/// Builds the parser's copy of a command or, with all its commands, of the program.
void build(CLI::App& app, Command& command) {
  // Gives the options for help that CLI11 adds by itself our names.
  app.set_help_flag("-h,--help");
  if (command.commands.empty()) app.set_help_all_flag("--help-all");
  for (CommandOption& option : command.options) {
    if (option.read) add(app, option);
  }
  for (Command& each : command.commands) build(*app.add_subcommand(each.name), each);
}

void count(const CLI::App& app, Command& command) {
  for (CommandOption& option : command.options) {
    if (!option.read) continue;
    const std::string name = option.names.substr(option.names.rfind(',') + 1);
    option.count = app.count(name);
    if (option.kind != Kind::kFlag) option.values = app.get_option(name)->results();
  }
}

/// The command that was named, else the program.
Command& named(const CLI::App& app, Command& program) {
  const auto parsed = app.get_subcommands();
  if (parsed.empty()) return program;
  for (Command& command : program.commands) {
    if (command.name == parsed.front()->get_name()) return command;
  }
  return program;
}

/// "codes, equations … or bench".
std::string command_names(const Command& program) {
  std::string names;
  for (const Command& command : program.commands) {
    if (&command != &program.commands.front()) {
      names += &command == &program.commands.back() ? " or " : ", ";
    }
    names += command.name;
  }
  return names;
}

/// Ends the sentence about an unknown command `name`: a similar name, else all commands.
std::string other_commands(const Command& program, std::string_view name) {
  std::vector<std::string_view> names{"help"};
  for (const Command& command : program.commands) names.emplace_back(command.name);
  const std::string meant = did_you_mean(name, names);
  return meant.empty() ? fmt::format(": it is one of {}", command_names(program)) : meant;
}

std::string no_command_text(const Command& program, std::string_view name) {
  return fmt::format("there is no command '{}'{}", excerpt(name), other_commands(program, name));
}

/// First word of a call if it is neither an option nor a command, else empty: "nonsense --help".
std::string unknown_command(const Command& program, std::span<const char* const> words) {
  if (words.size() < 2 || words[1][0] == '-') return {};
  const auto is_named = [&](const Command& each) { return each.name == words[1]; };
  return std::ranges::any_of(program.commands, is_named) ? std::string() : std::string(words[1]);
}

std::vector<std::string_view> option_names(const Command& command) {
  std::vector<std::string_view> names;
  for (const CommandOption& option : command.options) {
    for (const std::string_view name : split(option.names, ',')) {
      if (name.starts_with('-')) names.push_back(name);
    }
  }
  return names;
}

/// "; did you mean '--output'?" for "--out", "--outptu" or "--outptu=FILE"; "" if none is similar.
std::string meant_option(const Command& command, std::string_view word) {
  return word.starts_with("--")
             ? did_you_mean(word.substr(0, word.find('=')), option_names(command))
             : std::string();
}

/// Sentence about an unexpected word, with the most similar option: "'--oops' is not expected".
std::string unexpected(const Command& command, std::string_view word) {
  const std::vector<std::string_view> names = option_names(command);
  const std::string_view name = word.substr(0, word.find('='));
  for (const auto& [option, instead] : command.moved) {
    if (name == option) return fmt::format("{} moved to another program: {}", option, instead);
  }
  if (std::ranges::find(names, name) != names.end()) {
    return fmt::format("'{}' is not expected there: options of {} stand behind its name", name,
                       command.name);
  }
  return fmt::format("'{}' is not expected{}", excerpt(word), meant_option(command, word));
}

/// Describes the parser's error in a sentence of ours.
std::string sentence_of(const CLI::App& app, const Command& command, const CLI::ParseError& error) {
  const std::vector<std::string> rest = app.remaining(true);
  if (is_program(command)) {
    if (rest.empty()) {
      return fmt::format("no command is given: it is one of {}", command_names(command));
    }
    if (rest.front() == "-v") return "there is no option '-v': -V prints the version";
    if (rest.front().starts_with('-')) {
      const std::string meant = meant_option(command, rest.front());
      return fmt::format("there is no option '{}'{}", excerpt(rest.front()),
                         meant.empty() ? ": a command comes first" : meant);
    }
    return no_command_text(command, rest.front());
  }
  const auto wrong = std::ranges::find_if(
      rest, [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); });
  if (wrong != rest.end()) return unexpected(command, *wrong);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty()) {
    return unexpected(command, rest.front());
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
  return excerpt(sentence.substr(0, sentence.find('\n')), 400);
}

/// Answers "help" and "help COMMAND".
Call help_call(Command& program, std::span<const char* const> words) {
  if (words.size() < 2) return {Call::Kind::kHelp, &program, {}, Status::kOk};
  for (const Command& command : program.commands) {
    if (command.name == words[1]) return {Call::Kind::kHelp, &command, {}, Status::kOk};
  }
  return {Call::Kind::kWrong, &program, no_command_text(program, words[1]),
          Status::kInvalidArgument};
}

/// Options that may replace a required one.
std::vector<std::string_view> stand_ins(const CommandOption& option) {
  return option.stand_in.empty() ? std::vector<std::string_view>() : split(option.stand_in, ',');
}

/// "--output DIR is required: directory for the shards".
std::string required_text(const CommandOption& option) {
  std::string names(split(option.names, ',').back());
  if (!option.type.empty()) names += " " + option.type;
  const std::vector<std::string_view> others = stand_ins(option);
  for (const std::string_view& name : others) {
    names += fmt::format("{}{}", &name == &others.back() ? " or " : ", ", name);
  }
  return fmt::format("{} is required: {}", names, first_clause(option.help));
}

}  // namespace

Call parse(Command& program, int argc, const char* const* argv) {
  if (argc > 1 && argv[1] == std::string_view("help")) {
    return help_call(program, {argv + 1, static_cast<std::size_t>(argc) - 1});
  }
  CLI::App app;
  app.name(program.name);
  build(app, program);
  app.set_version_flag("-V,--version", program.name);
  app.require_subcommand(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    if (const std::string name = unknown_command(program, {argv, std::size_t(argc)});
        !name.empty()) {
      return {Call::Kind::kWrong, &program, no_command_text(program, name),
              Status::kInvalidArgument};
    }
    return {Call::Kind::kHelp, &named(app, program), {}, Status::kOk};
  } catch (const CLI::CallForAllHelp&) {
    return {Call::Kind::kWholeHelp, &named(app, program), {}, Status::kOk};
  } catch (const CLI::CallForVersion&) {
    const std::string_view word = argv[1];
    if (word.starts_with("-V") && word.size() > 2) {
      return {Call::Kind::kWrong, &program, fmt::format("there is no option '{}'", excerpt(word)),
              Status::kInvalidArgument};
    }
    return {Call::Kind::kVersion, &program, {}, Status::kOk};
  } catch (const CLI::ParseError& error) {
    const Command& command = named(app, program);
    return {Call::Kind::kWrong, &command, sentence_of(app, command, error),
            Status::kInvalidArgument};
  } catch (const Error& error) {
    return {Call::Kind::kWrong, &named(app, program), error.what(), error.kind()};
  }
  Command& command = named(app, program);
  count(*app.get_subcommands().front(), command);
  for (const CommandOption& option : command.options) {
    const std::vector<std::string_view> others = stand_ins(option);
    const auto is_there = [&](std::string_view name) { return is_given(command, name); };
    const bool is_needed = option.is_required || !others.empty();
    if (!is_needed || option.count > 0 || std::ranges::any_of(others, is_there)) continue;
    return {Call::Kind::kWrong, &command, required_text(option), Status::kInvalidArgument};
  }
  try {
    for (const auto& settle : command.settle) settle();
  } catch (const Error& error) {
    return {Call::Kind::kWrong, &command, naming_option(error.what(), command), error.kind()};
  }
  return {Call::Kind::kRun, &command, {}, Status::kOk};
}

}  // namespace xorloom::cli
