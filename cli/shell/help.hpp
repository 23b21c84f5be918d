#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

/// Width in columns of help and tables.
inline constexpr std::size_t kColumns = 80;

/// A row of help: an option, an argument, a command or an exit status.
struct HelpEntry {
  std::vector<std::string> names;  ///< "-o", "--output"
  std::string type;                ///< placeholder for the value; empty if it takes none
  std::string help;
};

struct HelpSection {
  std::string title;
  std::vector<HelpEntry> entries;  ///< at least one
};

/// Sections of help, in display order: commands, arguments, groups of options, and possible exit
/// statuses.
std::vector<HelpSection> help_sections(const Command& command);

/// The usage line: "xorloom equations SPEC [options]".
std::string usage(const Command& command);

/// The two parts of `about`: the line for the list of commands, and the paragraph of the command's
/// own help.
std::string summary(const Command& command);
std::string paragraph(const Command& command);

/// The first sentence or clause of an option's help, followed by its default if that is short.
std::string first_clause(const std::string& help);

/// Text of --help, for one screen. The command's own options have a clause each; of the groups that
/// it shares with other commands, only the names are listed.
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
std::string help_text(const Command& command);

/// Text of --help-all: like --help, with the whole help of each option.
std::string whole_help_text(const Command& command);

/// Breaks `text` at spaces; a word wider than a line breaks after ',' or '+'. All lines but the
/// first are indented by `indent` spaces; the first is assumed to start in column `indent`. No
/// newline at the end.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns = kColumns);

/// Number of columns of `text`: its code points.
std::size_t width(std::string_view text);

}  // namespace xorloom::cli
