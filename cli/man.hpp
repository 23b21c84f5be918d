#pragma once

#include <string>

namespace CLI {
class App;
}

namespace xorloom::cli {

/// The manual page of the program or one of its commands, in roff with the man macros. All that it
/// says of options is what --help says.
///
/// Shape: `program` is the program that `app` is, or is a command of.
std::string man_page(const CLI::App& app, const CLI::App& program);

/// "xorloom" or "xorloom-equations", as the page is called.
std::string man_name(const CLI::App& app);

}  // namespace xorloom::cli
