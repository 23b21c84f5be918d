#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

/// Columns of a terminal that help and tables fit.
inline constexpr std::size_t kColumns = 80;

/// An option, an argument or a command, as help lists it.
struct HelpEntry {
  std::vector<std::string> names;  ///< "-o", "--output"
  std::string type;                ///< of the value, empty if it takes none
  std::string help;
};

struct HelpSection {
  std::string title;
  std::vector<HelpEntry> entries;  ///< at least one
};

/// All that the program or one of its commands takes, in the order in which it is listed, and the
/// exit statuses that it may end with.
std::vector<HelpSection> help_sections(const Command& command);

/// "xorloom equations SPEC [options]".
std::string usage(const Command& command);

/// The line that tells a command in a list of them, and the paragraph that says what it does.
std::string summary(const Command& command);
std::string paragraph(const Command& command);

/// Prints of --help, on one screen, for the program or one of its commands: each option of its own
/// with a clause, and of the options that it shares with other commands the names:
///
///     Usage: xorloom equations SPEC [options]
///
///     <the description, a paragraph>
///
///     Options:
///       --erase N,…         what it does, …
///
///     Examples:
///       xorloom equations …
///
/// A command's description is a line for the list of commands, a newline and the paragraph; its
/// footer holds the examples, one a line.
std::string help_text(const Command& command);

/// The same with all that is said of each option: what --help-all prints.
std::string whole_help_text(const Command& command);

/// Text broken at spaces, and a word too wide for a line after its ',' and '+', every line after
/// the first beginning with `indent` spaces. The first line is taken to begin in column `indent`
/// too. Ends without a newline.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns = kColumns);

/// Columns a text takes, a code point being one.
std::size_t width(std::string_view text);

}  // namespace xorloom::cli
