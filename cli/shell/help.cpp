#include "cli/shell/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "cli/shell/exit_status.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kMaxNames = 28;  // wider names put the text on the next line

/// A line break, followed by `indent` spaces.
std::string new_line(std::size_t indent) {
  std::string text(indent + 1, ' ');
  text.front() = '\n';
  return text;
}

/// "-o, --output FILE".
std::string names_of(const HelpEntry& entry) {
  std::string names = fmt::format("{}", fmt::join(entry.names, ", "));
  return entry.type.empty() ? names : names + " " + entry.type;
}

bool is_argument(const CommandOption& option) {
  return option.kind == CommandOption::Kind::kArgument ||
         option.kind == CommandOption::Kind::kArguments;
}

HelpEntry entry_of(const CommandOption& option) {
  HelpEntry entry{{}, option.type, option.help};
  for (std::size_t begin = 0; begin <= option.names.size();) {
    const std::size_t end = std::min(option.names.find(',', begin), option.names.size());
    entry.names.push_back(option.names.substr(begin, end - begin));
    begin = end + 1;
  }
  return entry;
}

std::string text_of(const HelpSection& section) {
  std::size_t column = 0;
  for (const HelpEntry& entry : section.entries) {
    const std::size_t columns = width(names_of(entry));
    if (columns <= kMaxNames) column = std::max(column, columns);
  }
  column += 4;
  std::string text = fmt::format("\n{}:\n", section.title);
  for (const HelpEntry& entry : section.entries) {
    const std::string names = names_of(entry);
    text += "  " + names;
    const std::size_t used = width(names) + 2;
    text += used + 2 <= column ? std::string(column - used, ' ') : new_line(column);
    text += wrapped(entry.help, column) + "\n";
  }
  return text;
}

/// The longest prefix of `word` that ends in ',' or '+' and has at most `columns` columns.
std::string_view head_that_fits(std::string_view word, std::size_t columns) {
  std::size_t size = 0;
  for (std::size_t at = word.find_first_of(",+"); at < word.size();
       at = word.find_first_of(",+", at + 1)) {
    if (width(word.substr(0, at + 1)) > columns) break;
    size = at + 1;
  }
  return word.substr(0, size);
}

HelpSection shortened(HelpSection section) {
  for (HelpEntry& entry : section.entries) entry.help = first_clause(entry.help);
  return section;
}

/// Names of a section's options on one line: "The code: -k, -m, -w".
std::string names_text(const HelpSection& section) {
  std::string names;
  for (const HelpEntry& entry : section.entries) {
    names += (names.empty() ? "" : ", ") + entry.names.back();
  }
  return wrapped(fmt::format("{}: {}", section.title, names), 2) + "\n";
}

/// True if the command, or any command of the program, may end with `status`.
bool can_end(const Command& command, ExitStatus status) {
  if (is_program(command)) {
    return std::ranges::any_of(command.commands,
                               [&](const Command& each) { return can_end(each, status); });
  }
  return status == ExitStatus::kDamaged ? command.finds_damage
         : status == ExitStatus::kLost  ? command.reads_data
                                        : true;
}

/// Meanings of a status for a command, or for a program and its commands.
std::string meaning_of(const Command& command, const StatusMeaning& status) {
  const auto is_named = [&](const Command& each) { return each.name == status.command; };
  const bool has_another =
      is_program(command) ? std::ranges::any_of(command.commands, is_named) : is_named(command);
  return fmt::format("{}{}{}", status.meaning, has_another ? "; of " : "",
                     has_another ? status.there : "");
}

/// The whole sentences that fit kMostLetters bytes, then a hint at --help-all. Returns `text` if it
/// fits.
std::string first_sentences(const std::string& text) {
  constexpr std::size_t kMostLetters = 640;
  if (text.size() <= kMostLetters) return text;
  const std::size_t end = text.rfind(". ", kMostLetters);
  return (end == std::string::npos ? text : text.substr(0, end + 1)) + " --help-all says more.";
}

std::string help_head(const Command& command, const std::string& about) {
  return fmt::format("Usage: {}\n\n{}\n", usage(command), wrapped(about, 0));
}

std::string help_examples(const Command& command) {
  std::string_view examples = command.examples;
  std::string text = examples.empty() ? "" : "\nExamples:\n";
  while (!examples.empty()) {
    const std::string_view line = examples.substr(0, examples.find('\n'));
    examples.remove_prefix(std::min(examples.size(), line.size() + 1));
    text += fmt::format("  {}\n", line);
  }
  return text;
}

}  // namespace

std::string first_clause(const std::string& help) {
  constexpr std::size_t kMostOfDefault = 60;
  constexpr std::string_view kDefault = "default: ";
  std::string text = help.substr(0, std::min(help.find("; "), help.find(". ")));
  const std::size_t at = help.rfind(kDefault);
  if (at == std::string::npos || at < text.size()) return text;
  const std::size_t end = std::min(help.find("; ", at), help.find(". ", at));
  const std::string value = help.substr(at, end == std::string::npos ? end : end - at);
  return value.size() > kDefault.size() + kMostOfDefault ? text : text + "; " + value;
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column > indent && column + 1 + width(word) > columns) {
      result += new_line(indent);
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    std::size_t left = width(word);  // a spec is one word of any length
    while (column + left > columns) {
      const std::string_view part = head_that_fits(word, columns - column);
      if (part.empty()) break;
      result += part;
      result += new_line(indent);
      column = indent;
      word.remove_prefix(part.size());
      left -= width(part);
    }
    result += word;
    column += left;
  }
  return result;
}

std::string usage(const Command& command) {
  std::string text = full_name(command);
  if (is_program(command)) return text + " COMMAND …";
  for (const CommandOption& option : command.options) {
    if (!is_argument(option)) continue;
    const std::string name =
        option.names + (option.kind == CommandOption::Kind::kArguments ? "…" : "");
    const bool is_required = option.is_required && option.stand_in.empty();
    text += is_required ? fmt::format(" {}", name) : fmt::format(" [{}]", name);
  }
  for (const CommandOption& option : command.options) {
    if (is_argument(option) || !option.is_required) continue;
    text += fmt::format(" {} {}", option.names.substr(0, option.names.find(',')), option.type);
  }
  return text + " [options]";
}

std::string summary(const Command& command) {
  return command.about.substr(0, command.about.find('\n'));
}

std::string paragraph(const Command& command) {
  return command.about.substr(command.about.find('\n') + 1);
}

std::vector<HelpSection> help_sections(const Command& command) {
  std::vector<HelpSection> sections;
  if (is_program(command)) {
    sections.push_back({"Commands", {}});
    for (const Command& each : command.commands) {
      sections.back().entries.push_back({{each.name}, "", summary(each)});
    }
  }
  const auto add = [&](const std::string& title, const auto& belongs) {
    std::vector<HelpEntry> entries;
    for (const CommandOption& option : command.options) {
      if (!option.is_hidden && belongs(option)) entries.push_back(entry_of(option));
    }
    if (!entries.empty()) sections.push_back({title, std::move(entries)});
  };
  add("Arguments", is_argument);
  std::vector<std::string> groups = {"Options"};
  for (const CommandOption& option : command.options) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  for (const std::string& group : groups) {
    add(group,
        [&](const CommandOption& option) { return !is_argument(option) && option.group == group; });
  }
  sections.push_back({"Exit status", {}});
  for (const StatusMeaning& each : exit_statuses()) {
    if (!can_end(command, each.status)) continue;
    sections.back().entries.push_back(
        {{fmt::format("{}", static_cast<int>(each.status))}, "", meaning_of(command, each)});
  }
  return sections;
}

std::string help_text(const Command& command) {
  std::string text = help_head(
      command, is_program(command) ? paragraph(command) : first_sentences(paragraph(command)));
  std::string brief;
  for (const HelpSection& section : help_sections(command)) {
    if (is_program(command) || section.title == "Arguments") {
      text += text_of(section);
    } else if (section.title == "Options") {
      text += text_of(shortened(section));
    } else {
      brief += names_text(section);
    }
  }
  if (!brief.empty()) text += "\nMore, which --help-all describes:\n" + brief;
  return text + help_examples(command);
}

std::string whole_help_text(const Command& command) {
  std::string text = help_head(command, paragraph(command));
  for (const HelpSection& section : help_sections(command)) text += text_of(section);
  return text + help_examples(command);
}

}  // namespace xorloom::cli
