#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <string>

#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/streams.hpp"
#include "codes/families.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "the families of codes and what they allow\n"
    "Prints the families of codes: the keys a code spec may give, the bounds they have to keep, an "
    "example to start from, and where the construction was published.";

constexpr const char* kExamples =
    "xorloom codes\n"
    "xorloom codes | less";

constexpr const char* kIntroduction =
    "A code is named by a spec, FAMILY:key=value,key=value: k is the number of data chunks, m that "
    "of "
    "redundant chunks, w the bits of a field symbol, poly the field's polynomial as in 0x11d, x "
    "and y "
    "are points as in 1+2. All but k and m have defaults. A code runs on packets (XORs of "
    "packet_bytes each) or on words (multiplications of symbols); arrangement=packet puts one of "
    "words "
    "on packets. Any code that is taken has been proved to survive any m losses.";

std::string table() {
  std::string text = wrapped(kIntroduction, 0) + "\n";
  const auto out = std::back_inserter(text);
  const auto line = [&](const char* label, std::string_view content) {
    fmt::format_to(out, "  {:<8} {}\n", label, wrapped(content, 11));
  };
  for (const Family& family : families()) {
    fmt::format_to(out, "\n{}\n  {}\n", family.name, wrapped(family.summary, 2));
    line("keys", family.keys);
    line("bounds", family.constraint);
    line("example", family.example);
    line("source", family.source);
  }
  return text;
}

}  // namespace

Command add_codes(CLI::App& program) {
  CLI::App* app = program.add_subcommand("codes", kAbout);
  app->footer(kExamples);
  return {app, [] { print(table()); }};
}

}  // namespace xorloom::cli
