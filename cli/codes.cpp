#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "cli/streams.hpp"
#include "cli/suggest.hpp"
#include "codes/error.hpp"
#include "codes/families.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kAbout =
    "the families of codes and what they allow\n"
    "Prints the families of codes: the keys a code spec may give, the bounds they have to keep, an "
    "example to start from, and where the construction was published. With --suggest, the codes of "
    "so many chunks instead, by what encoding them takes and how fast it should be here.";

constexpr const char* kExamples =
    "xorloom codes\n"
    "xorloom codes | less\n"
    "xorloom codes --suggest 10,4";

constexpr const char* kIntroduction =
    "A code is named by a spec, FAMILY:key=value,key=value: k is the number of data chunks, m that "
    "of redundant chunks, w the bits of a field symbol, or the rows of an array, p a prime that "
    "says how many rows, poly the field's polynomial as in 0x11d, x and y are points as in 1+2. A "
    "code runs on packets (XORs of packet_bytes each) or on words (multiplications of symbols); "
    "arrangement=packet puts one of words on packets. Any code that is taken has been proved to "
    "survive the losses it promises, whichever they are: m of them unless the family says "
    "otherwise.";

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

struct CodesOptions {
  std::optional<std::pair<std::size_t, std::size_t>> suggest;
  std::string format;
};

void run(const CodesOptions& options) {
  if (!options.suggest) {
    if (!options.format.empty()) {
      fail(Status::kInvalidArgument, "--format is how suggestions are told, and needs --suggest");
    }
    return print(table());
  }
  const auto [k, m] = *options.suggest;
  const Suggestions suggestions = suggest(k, m, choose_isa(""));
  print(options.format == "json" ? suggestions_json(suggestions).dump(2) + "\n"
                                 : suggestions_table(suggestions));
}

}  // namespace

Command add_codes(CLI::App& program) {
  CLI::App* app = program.add_subcommand("codes", kAbout);
  const auto options = std::make_shared<CodesOptions>();
  add_pair(*app, "--suggest", "K,M", options->suggest, 1, kMostSuggested - 1,
           "compare the codes of k data and m redundant chunks");
  add_choice(*app, "--format", options->format, {"table", "json"},
             "how suggestions are told; not given: table");
  app->footer(kExamples);
  return {app, [options] { run(*options); }};
}

}  // namespace xorloom::cli
