#include "cli/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

namespace xorloom::cli {
namespace {

constexpr std::size_t kMaxNames = 28;  // columns of an option's names before the text moves below

/// The end of a line and the beginning of the next.
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

HelpEntry entry_of(const CLI::Option& option) {
  if (option.get_positional()) return {{option.get_name(true)}, "", option.get_description()};
  HelpEntry entry{{}, "", option.get_description()};
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  if (option.get_type_size() != 0) entry.type = option.get_type_name();
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

/// The longest beginning of a word that ends in ',' or '+' and fits so many columns.
std::string_view head_that_fits(std::string_view word, std::size_t columns) {
  std::size_t size = 0;
  for (std::size_t at = word.find_first_of(",+"); at < word.size();
       at = word.find_first_of(",+", at + 1)) {
    if (width(word.substr(0, at + 1)) > columns) break;
    size = at + 1;
  }
  return word.substr(0, size);
}

}  // namespace

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
    while (column + width(word) > columns) {
      const std::string_view part = head_that_fits(word, columns - column);
      if (part.empty()) break;
      result += part;
      result += new_line(indent);
      column = indent;
      word.remove_prefix(part.size());
    }
    result += word;
    column += width(word);
  }
  return result;
}

std::string usage(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  if (parent == nullptr) return fmt::format("{} COMMAND …", app.get_name());
  std::string text = fmt::format("{} {}", parent->get_name(), app.get_name());
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name =
        option->get_name(true) + (option->get_items_expected_max() > 1 ? "…" : "");
    text += option->get_required() ? fmt::format(" {}", name) : fmt::format(" [{}]", name);
  }
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || !option->get_required()) continue;
    const bool has_short = !option->get_snames().empty();
    text += has_short ? " -" + option->get_snames().front() : " --" + option->get_lnames().front();
    text += " " + option->get_type_name();
  }
  return text + " [options]";
}

std::string summary(const CLI::App& app) {
  const std::string both = app.get_description();
  return both.substr(0, both.find('\n'));
}

std::string paragraph(const CLI::App& app) {
  const std::string both = app.get_description();
  return both.substr(both.find('\n') + 1);
}

std::vector<HelpSection> help_sections(const CLI::App& app) {
  std::vector<HelpSection> sections;
  const auto add = [&](const std::string& title, std::vector<HelpEntry> entries) {
    if (!entries.empty()) sections.push_back({title, std::move(entries)});
  };
  std::vector<HelpEntry> commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands.push_back({{command->get_name()}, "", summary(*command)});
  }
  add("Commands", std::move(commands));

  std::vector<HelpEntry> arguments;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) arguments.push_back(entry_of(*option));
  }
  add("Arguments", std::move(arguments));

  std::vector<std::string> groups = app.get_groups();
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& group) { return group == "Options"; });
  for (const std::string& group : groups) {
    std::vector<HelpEntry> options;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() || option->get_group() != group) continue;
      options.push_back(entry_of(*option));
    }
    add(group, std::move(options));
  }
  return sections;
}

std::string help_text(const CLI::App& app) {
  std::string text = fmt::format("Usage: {}\n\n{}\n", usage(app), wrapped(paragraph(app), 0));
  for (const HelpSection& section : help_sections(app)) text += text_of(section);
  const std::string footer = app.get_footer();
  std::string_view examples = footer;
  if (!examples.empty()) text += "\nExamples:\n";
  while (!examples.empty()) {
    const std::string_view line = examples.substr(0, examples.find('\n'));
    examples.remove_prefix(std::min(examples.size(), line.size() + 1));
    text += fmt::format("  {}\n", line);
  }
  return text;
}

}  // namespace xorloom::cli
