#include "cli/commands/man.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/commands/program.hpp"
#include "cli/shell/help.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kEnvironment =
    ".TP\n"
    ".B XORLOOM_ISA\n"
    "The instruction set to use if \\-\\-isa is not given.\n"
    "Naming one that the machine lacks is an error.\n";

/// Takes a UTF-8 character from the front of `text`. Precondition: `text` is valid UTF-8.
std::uint32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  std::uint32_t character = bytes == 1 ? first : first & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    character = character << 6U | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  text.remove_prefix(bytes);
  return character;
}

/// Escapes a line so that roff prints it unchanged: without escapes or a leading request, and with
/// signs that can be typed again.
std::string escaped(std::string_view line) {
  std::string text = line.starts_with('.') || line.starts_with('\'') ? "\\&" : "";
  while (!line.empty()) {
    const std::uint32_t character = take_character(line);
    switch (character) {
      case '\\':
        text += "\\e";
        break;
      case '-':
        text += "\\-";
        break;
      case '\'':
        text += "\\(aq";
        break;
      case '`':
        text += "\\(ga";
        break;
      case '^':
        text += "\\(ha";
        break;
      case '~':
        text += "\\(ti";
        break;
      default:
        text += character < 0x80 ? std::string(1, static_cast<char>(character))
                                 : fmt::format("\\[u{:04X}]", character);
    }
  }
  return text;
}

/// Wraps `text` into lines of roff that may be filled.
std::string filled(std::string_view text) {
  std::istringstream lines(wrapped(text, 0, 72));
  std::string result;
  for (std::string line; std::getline(lines, line);) result += escaped(line) + "\n";
  return result;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

std::string tag(const HelpEntry& entry) {
  std::string text;
  for (const std::string& name : entry.names) {
    if (!text.empty()) text += ", ";
    text += fmt::format("\\fB{}\\fR", escaped(name));
  }
  return entry.type.empty() ? text : fmt::format("{} \\fI{}\\fR", text, escaped(entry.type));
}

std::string see_also(const Command& command, const Command& program) {
  std::vector<std::string> pages;
  if (!is_program(command)) pages.push_back(man_name(program));
  for (const Command& other : program.commands) {
    if (other.name != command.name) pages.push_back(man_name(other));
  }
  std::string text;
  for (const std::string& page : pages) {
    text += fmt::format(".BR {} (1){}\n", escaped(page), page == pages.back() ? "" : ",");
  }
  return text;
}

}  // namespace

std::string man_name(const Command& command) {
  std::string name = full_name(command);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string man_page(const Command& command, const Command& program) {
  const std::string called = full_name(command);
  const std::string rest = usage(command).substr(called.size());
  std::string text =  // without hyphens, which names of commands do not have
      fmt::format(".TH {} 1 \"\" \"{}\" \"Xorloom\"\n.nh\n.ad l\n",
                  escaped(upper(man_name(command))), std::string("xorloom ") + version());
  text +=
      fmt::format(".SH NAME\n{} \\- {}\n", escaped(man_name(command)), escaped(summary(command)));
  text += fmt::format(".SH SYNOPSIS\n.B {}\n{}", called, filled(rest.substr(1)));
  text += ".SH DESCRIPTION\n" + filled(paragraph(command));
  for (const HelpSection& section : help_sections(command)) {
    text += fmt::format(".SH {}\n", escaped(upper(section.title)));
    for (const HelpEntry& entry : section.entries) {
      text += fmt::format(".TP\n{}\n{}", tag(entry), filled(entry.help));
    }
  }
  std::istringstream examples(command.examples);
  text += ".SH EXAMPLES\n.nf\n";
  for (std::string line; std::getline(examples, line);) text += escaped(line) + "\n";
  text += ".fi\n";
  if (is_program(command) || takes(command, "--isa")) {
    text += fmt::format(".SH ENVIRONMENT\n{}", kEnvironment);
  }
  return text + ".SH SEE ALSO\n" + see_also(command, program);
}

}  // namespace xorloom::cli
