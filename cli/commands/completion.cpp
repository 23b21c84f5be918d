#include "cli/commands/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/shell/program_words.hpp"
#include "codes/families/families.hpp"
#include "codes/text/split.hpp"

namespace xorloom::cli {
namespace {

using Kind = CommandOption::Kind;
using Words = std::vector<std::string_view>;

bool is_argument(const CommandOption& option) {
  return option.kind == Kind::kArgument || option.kind == Kind::kArguments;
}

/// "-o" and "--output" for "-o,--output"; empty for an argument.
Words names_of(const CommandOption& option) {
  return is_argument(option) ? Words{} : split(option.names, ',');
}

/// Words that an option takes: its words, beside files, or those of its type, such as
/// "table|json|svg"; else empty.
Words values_of(const CommandOption& option) {
  if (!option.words.empty()) return {option.words.begin(), option.words.end()};
  const std::string_view type(option.type);
  if (type.empty()) return {};
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '|';
  };
  return std::ranges::all_of(type, is_plain) ? split(type, '|') : Words{};
}

/// True if an argument of the command is a code.
bool takes_spec(const Command& command) {
  return std::ranges::any_of(command.options, [](const CommandOption& option) {
    return is_argument(option) && option.names.starts_with("SPEC");
  });
}

/// The words that the first argument of the command may be; empty: files or a code.
std::string first_words(const Command& command) {
  const auto argument = std::ranges::find_if(command.options, is_argument);
  return argument == command.options.end() ? ""
                                           : fmt::format("{}", fmt::join(argument->words, " "));
}

std::string family_names() {
  Words names;
  for (const Family* family : families()) names.emplace_back(family->name);
  return fmt::format("{}", fmt::join(names, " "));
}

/// Cases of a shell by family, for the keys of its codes. `pattern` takes the family and the keys.
/// A code file has no keys.
std::string family_keys(std::string_view pattern) {
  std::string text;
  for (const Family* family : families()) {
    if (family->name == "file") continue;
    text += fmt::format(fmt::runtime(pattern), family->name, family->keys);
  }
  return text;
}

/// Short description of an option: its help up to the end of the first clause.
std::string summary(std::string_view help) {
  const std::size_t end = std::min({help.find(';'), help.find(". "), help.find(": "),
                                    help.find('\n'), help.find('('), help.size()});
  std::string text(help.substr(0, end));
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

std::string first_line(const Command& command) {
  return command.about.substr(0, command.about.find('\n'));
}

Words command_names(const Command& program) {
  Words names;
  for (const Command& command : program.commands) names.push_back(command.name);
  return names;
}

Words option_names(const Command& command) {
  Words names;
  for (const CommandOption& option : command.options) {
    std::ranges::copy(names_of(option), std::back_inserter(names));
  }
  return names;
}

/// Cases of bash: the values of each option of the command.
std::string bash_values(const Command& command) {
  std::string text;
  std::vector<std::string> others;
  for (const CommandOption& option : command.options) {
    if (is_argument(option) || option.kind == Kind::kFlag) continue;
    std::vector<std::string> patterns;
    for (const std::string_view name : names_of(option)) {
      patterns.push_back(in_quotes(fmt::format("{} {}", command.name, name)));
    }
    const Words values = values_of(option);
    if (option.type == "SPEC") {
      text += fmt::format("    {}) words=\"$families\" ;;\n", fmt::join(patterns, " | "));
    } else if (values.empty()) {
      std::ranges::copy(patterns, std::back_inserter(others));
    } else {
      text += fmt::format("    {}) words='{}' ;;\n", fmt::join(patterns, " | "),
                          fmt::join(values, " "));
    }
  }
  if (!others.empty()) text += fmt::format("    {}) return ;;\n", fmt::join(others, " | "));
  return text;
}

/// Escapes `text` for zsh's option specifications, in which brackets and colons are special.
std::string zsh_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_option(const CommandOption& option) {
  const Words values = values_of(option);
  const std::string what =
      option.kind == Kind::kFlag ? ""
      : option.type == "SPEC"    ? ":code:_xorloom_codes"
      : !option.words.empty()    ? fmt::format(":value: _xorloom_words {}", fmt::join(values, " "))
      : values.empty()
          ? fmt::format(":{}:_files", zsh_escaped(option.type.empty() ? "value" : option.type))
          : fmt::format(":value:({})", fmt::join(values, " "));
  std::string text;
  const Words names = names_of(option);
  const std::string repeats = option.kind == Kind::kValues ? "*"
                              : names.size() > 1 ? fmt::format("({})", fmt::join(names, " "))
                                                 : "";
  for (const std::string_view name : names) {
    text += fmt::format("        {} \\\n",
                        in_quotes(fmt::format("{}{}[{}]{}", repeats, name,
                                              zsh_escaped(summary(option.help)), what)));
  }
  return text;
}

}  // namespace

std::string bash_completion(const Command& program) {
  std::string values;
  std::string firsts;
  std::string options;
  for (const Command& command : program.commands) {
    values += bash_values(command);
    options += fmt::format("      {}) words={} ;;\n", command.name,
                           in_quotes(fmt::format("{}", fmt::join(option_names(command), " "))));
    if (takes_spec(command)) {
      options += fmt::format("      '{} SPEC') words=\"$families\" ;;\n", command.name);
    }
    if (const std::string first = first_words(command); !first.empty()) {
      firsts += fmt::format("      {}) words='{}' ;;\n", command.name, first);
    }
  }
  return fmt::format(R"(# Completes xorloom in bash. The program's own options made this file.

_xorloom_reply() {{
  # shellcheck disable=SC2207 # no word has a space
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}}

# Offers the keys of codes of family $1. $2: what stands between the colon and the cursor.
_xorloom_keys() {{
  local begin="${{current%"${{current##*,}}"}}" key keys='' words=''
  [[ ${{2##*,}} == *=* ]] && return # the value of a key
  case "$1" in
{keys}  esac
  for key in $keys; do
    [[ ,$2 == *",$key="* ]] || words+="$begin$key= "
  done
  compopt -o nospace 2> /dev/null
  _xorloom_reply "$words"
}}

_xorloom() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD - 1]}}"
  local command='' word words=''
  local families='{}'
  COMPREPLY=()
  # Bash splits words at = and at :, so that only the line has a code as it is typed.
  [[ $current == [=:] ]] && current=''
  if [[ ${{COMP_LINE:0:COMP_POINT}} =~ (^|[[:space:]=])([a-z0-9-]+):([^:[:space:]]*)$ ]]; then
    _xorloom_keys "${{BASH_REMATCH[2]}}" "${{BASH_REMATCH[3]}}"
    return
  fi
  if [[ $previous == = ]]; then
    previous="${{COMP_WORDS[COMP_CWORD - 2]}}"
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    [[ $word == -* ]] && continue
    command="$word"
    break
  done
  if [[ -z $command ]]; then
    _xorloom_reply '{} {}'
    return
  fi
  case "$command $previous" in # values of an option; files if it has other ones
{}  esac
  if [[ $previous == "$command" && $current != -* ]]; then
    case "$command" in # words of the first argument
{}    esac
  fi
  if [[ -z $words ]]; then
    [[ $current == -* ]] || command="$command SPEC"
    case "$command" in
{}    esac
  fi
  [[ -z $words ]] || _xorloom_reply "$words"
}}

complete -o bashdefault -o default -F _xorloom xorloom
)",
                     family_names(), fmt::join(command_names(program), " "),
                     fmt::join(option_names(program), " "), values, firsts, options,
                     fmt::arg("keys", family_keys("    {}) keys='{}' ;;\n")));
}

std::string zsh_completion(const Command& program) {
  std::string commands;
  std::string cases;
  for (const Command& command : program.commands) {
    commands += fmt::format("    {}\n", in_quotes(fmt::format("{}:{}", command.name,
                                                              zsh_escaped(first_line(command)))));
    cases += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const CommandOption& option : command.options) cases += zsh_option(option);
    if (const std::string first = first_words(command); !first.empty()) {
      cases += fmt::format("        {} \\\n", in_quotes(fmt::format("1:word:({})", first)));
    }
    cases +=
        fmt::format("        {}\n      ;;\n",
                    in_quotes(takes_spec(command) ? "*:code:_xorloom_codes" : "*:file:_files"));
  }
  std::string options;
  for (const CommandOption& option : program.options) options += zsh_option(option);
  return fmt::format(R"(#compdef xorloom
# Completes xorloom in zsh. The program's own options made this file.

_xorloom_codes() {{
  local -a families=({}) keys
  case ${{PREFIX%%:*}} in
{keys}  esac
  if [[ $PREFIX == *:* && -n $keys ]]; then
    compset -P '*[:,]'
    compadd -S = -a keys
    return
  fi
  _alternative 'families:family:compadd -S : -a families' 'files:file:_files'
}}

_xorloom_words() {{
  _alternative 'words:word:('"$*"')' 'files:file:_files'
}}

local -a commands=(
{})
if ((CURRENT > 2)); then
  shift words
  ((CURRENT--))
  case $words[1] in
{}  esac
elif [[ $PREFIX == -* ]]; then
  compadd -- {}
else
  _describe command commands
fi
)",
                     family_names(), commands, cases, fmt::join(option_names(program), " "),
                     fmt::arg("keys", family_keys("    {}) keys=({}) ;;\n")));
}

std::string fish_completion(const Command& program) {
  std::string text = fmt::format(
      R"(# Completes xorloom in fish. The program's own options made this file.
set -l commands {}

# Offers families of codes or, behind FAMILY:, the keys of its codes.
function __xorloom_codes
  set -l code (commandline -ct | string replace -r '^--[a-z-]+=' '')
  set -l keys
  switch (string replace -r ':.*' ':' -- $code)
{}  end
  if set -q keys[1]
    printf '%s=\n' (string replace -r '[^:,]*$' '' -- $code)$keys
  else
    printf '%s\n' {}
  end
end
)",
      fmt::join(command_names(program), " "), family_keys("    case {}:\n      set keys {}\n"),
      family_names());
  const auto add = [&](std::string_view condition, const CommandOption& option) {
    if (is_argument(option)) return;
    text += fmt::format("complete -c xorloom -n {}", in_quotes(condition));
    for (const std::string_view name : names_of(option)) {
      text += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                     : fmt::format(" -s {}", name.substr(1));
    }
    const Words values = values_of(option);
    if (option.kind != Kind::kFlag) text += " -r";
    if (option.type == "SPEC") text += " -a '(__xorloom_codes)'";
    if (!values.empty()) {
      text += fmt::format("{} -a '{}'", option.words.empty() ? " -f" : "", fmt::join(values, " "));
    }
    text += fmt::format(" -d {}\n", in_quotes(summary(option.help)));
  };
  for (const CommandOption& option : program.options) add("__fish_use_subcommand", option);
  for (const Command& command : program.commands) {
    text += fmt::format("complete -c xorloom -f -n __fish_use_subcommand -a {} -d {}\n",
                        command.name, in_quotes(first_line(command)));
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    if (takes_spec(command)) {
      text +=
          fmt::format("complete -c xorloom -n {} -a '(__xorloom_codes)'\n", in_quotes(condition));
    }
    if (const std::string first = first_words(command); !first.empty()) {
      text += fmt::format(
          "complete -c xorloom -f -n {} -a '{}'\n",
          in_quotes(fmt::format("{}; and not __fish_seen_subcommand_from {}", condition, first)),
          first);
    }
    for (const CommandOption& option : command.options) add(condition, option);
  }
  return text;
}

}  // namespace xorloom::cli
