#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xorloom::cli {

/// One option or argument of a command: what help says of it, and what reads its value.
struct CommandOption {
  enum class Kind {
    kFlag,      ///< takes no value
    kValue,     ///< takes a value, and is given once at most
    kValues,    ///< the same, and may be given again
    kArgument,  ///< stands by its position
    kArguments  ///< the same, one or more of them
  };

  Kind kind = Kind::kValue;
  std::string names;  ///< "-o,--output", or "FILE" of an argument
  std::string type;   ///< of the value, as help shows it
  std::string help;
  /// Takes the values as they were typed, the one of a kValue and none of a flag. Throws Error.
  std::function<void(const std::vector<std::string>&)> read = {};
  bool is_required = false;
  std::string stand_in = {};  ///< options that can be given in place of a required one: "-k,-m"
  std::string group = "Options";
  bool is_hidden = false;  ///< an old name: it is taken, and help does not show it
  bool writes = false;     ///< its value is a file that the command writes
  std::size_t count = 0;   ///< how often it was given, known once the command line is parsed
  std::vector<std::string> values = {};  ///< as they were typed, known then too
};

/// A command of the program, or the program itself: what can be typed, and what it then does.
struct Command {
  std::string name;
  std::string about;     ///< a line for the list of commands, a newline and a paragraph
  std::string examples;  ///< one a line
  std::vector<CommandOption> options = {};
  std::vector<std::function<void()>> settle = {};  ///< called once all values are read, before run
  std::function<void(const Command&)> run = {};
  std::vector<Command> commands = {};  ///< the program's own
  bool finds_damage = false;           ///< may end with ExitStatus::kDamaged or kWorse
  bool reads_data = false;             ///< may end with ExitStatus::kLost
  std::string program = "xorloom";     ///< that it is a command of
  /// Options that another program has, and what to run instead: "xorloom-lab study NAME SPEC".
  std::vector<std::pair<std::string, std::string>> moved = {};
};

/// Whether this is the program rather than one of its commands.
bool is_program(const Command& command);

/// Gives a program --help, --version and its name, and each of its commands --help, --quiet and the
/// name of the program.
void add_common_options(Command& program);

/// "xorloom" or "xorloom equations".
std::string full_name(const Command& command);

/// The option of one of its names, as in "--output". Errors: throws kInternal if there is none.
CommandOption& option_of(Command& command, std::string_view name);

/// Takes an option away that a command has of a group of options and cannot use.
void remove_option(Command& command, std::string_view name);

/// Throws kInvalidArgument if a file that the command is to write is one that it reads, or is named
/// as two outputs. Options and arguments of type FILE, MATRIX and SPEC read files.
void check_outputs(const Command& command);

/// Whether the command has such an option, and whether it was given.
bool takes(const Command& command, std::string_view name);
bool is_given(const Command& command, std::string_view name);

}  // namespace xorloom::cli
