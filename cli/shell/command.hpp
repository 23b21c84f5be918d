#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xorloom::cli {

/// An option or argument of a command, with its help and the function that reads its value.
struct CommandOption {
  enum class Kind {
    kFlag,      ///< takes no value
    kValue,     ///< takes a value; given at most once
    kValues,    ///< takes a value; may be given several times
    kArgument,  ///< one positional argument
    kArguments  ///< one or more positional arguments
  };

  Kind kind = Kind::kValue;
  std::string names;  ///< "-o,--output"; "FILE" for a positional argument
  std::string type;   ///< placeholder for the value in help: "FILE"
  std::string help;
  /// Reads the values as typed: one for kValue, none for kFlag. Throws Error if a value is wrong.
  std::function<void(const std::vector<std::string>&)> read = {};
  std::vector<std::string> words = {};  ///< words that shells complete an argument with
  bool is_required = false;
  std::string stand_in = {};  ///< options that may replace a required one: "-k,-m"
  std::string group = "Options";
  std::string old_name = {};             ///< another name, not shown in help; "": none
  bool is_hidden = false;                ///< still accepted, but not shown in help
  bool writes = false;                   ///< the value names a file that the command writes
  std::string_view replaces = {};        ///< kind of kept file that `writes` may replace
  std::size_t count = 0;                 ///< number of times given; set by parse()
  std::vector<std::string> values = {};  ///< values as typed; set by parse()
};

/// The program or one of its commands: its options, its help, and what it runs.
struct Command {
  std::string name;
  std::string about;     ///< one line for the list of commands, '\n', then a paragraph
  std::string examples;  ///< command lines, one per line
  std::vector<CommandOption> options = {};
  std::vector<std::function<void()>> settle = {};  ///< called once all values are read, before run
  std::function<void(const Command&)> run = {};
  std::vector<Command> commands = {};  ///< commands of the program; empty for a command
  bool finds_damage = false;           ///< may end with ExitStatus::kDamaged or kWorse
  bool reads_data = false;             ///< may end with ExitStatus::kLost
  std::string program = "xorloom";     ///< name of the program that the command belongs to
  /// Options that moved to another program, each with the call to use instead: "xorloom-lab study
  /// NAME SPEC".
  std::vector<std::pair<std::string, std::string>> moved = {};
};

/// True for the program itself, false for one of its commands.
bool is_program(const Command& command);

/// A command, and the function that makes it.
struct NamedCommand {
  std::string_view name;
  Command (*make)();
};

/// Adds to `program` the command of `all` that has `name`, or all commands if none has it. Adds
/// --help and --version to the program and --help, --help-all and --quiet to each command.
void add_commands(Command& program, std::span<const NamedCommand> all, std::string_view name);

/// Name with its program: "xorloom" or "xorloom equations".
std::string full_name(const Command& command);

/// Returns the option that has `name`, such as "--output". Errors: throws kInternal if there is
/// none.
CommandOption& option_of(Command& command, std::string_view name);

/// Removes an option that came with a group of options but that the command cannot use.
void remove_option(Command& command, std::string_view name);

/// Throws kInvalidArgument if an output file is also an input, is named by two options, or is a
/// shard, a protection file or an atlas that the command may not replace. Options and arguments of
/// type FILE, MATRIX and SPEC count as inputs.
void check_outputs(const Command& command);

// Files that hold redundancy or the work of hours. Only the command that writes such a file
// replaces it.

inline constexpr std::string_view kShard = "a shard of a set";
inline constexpr std::string_view kProtectionFile = "a protection file";
inline constexpr std::string_view kAtlas = "an atlas";

/// Kind of the file `path`, by its content: kShard, kProtectionFile or kAtlas. Empty: none of
/// these, or no regular file.
std::string_view kept_kind(const std::string& path);

/// Throws kInvalidArgument if `path` is one of these files, but not of the kind `replaceable`.
/// `command` is the name of the command that would write it.
void check_not_kept(const std::string& path, std::string_view command,
                    std::string_view replaceable = {});

/// True if the command has the option `name` (takes), and if it was given (is_given).
bool takes(const Command& command, std::string_view name);
bool is_given(const Command& command, std::string_view name);

/// The first option that is given and has none of some names. nullptr: there is none.
const CommandOption* given_besides(const Command& command, std::span<const std::string_view> names);

}  // namespace xorloom::cli
