#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/choosing/suggest.hpp"
#include "cli/choosing/suggest_report.hpp"
#include "cli/document/code_document.hpp"
#include "cli/document/writers.hpp"
#include "cli/pages/code_page.hpp"
#include "cli/pages/reads_page.hpp"
#include "cli/shell/code_title.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "codes/tolerance.hpp"
#include "gen/pictures/grids_svg.hpp"
#include "runtime/store/store.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kCodesAbout =
    "list the families of codes, or describe one code\n"
    "Without a SPEC, lists the families of codes. For each it gives the keys of a spec, their "
    "bounds, an example, and where the construction was published. With a SPEC, describes that "
    "code: its layout, what it survives and why, what it costs, and which cells are added up in "
    "each redundant cell. With the name of a family alone, describes the family. A location is one "
    "disk or file, and a cell is a symbol of it. The description is text or JSON or, with --format "
    "svg, a picture. --losses lists the sets of N lost locations that the code cannot rebuild. "
    "--suggest "
    "compares the codes with K data and M redundant chunks, and says which to take. It ranks "
    "encoding and decoding, and lists what each code survives and stores, what a repair reads, "
    "what an update writes, and which software writes the same bytes. Speeds are predicted from "
    "counts; with --measure each code encodes and decodes on this machine. --format html is a page "
    "with charts.";

constexpr const char* kCodesExamples =
    "xorloom codes | less\n"
    "xorloom codes rdp:k=4,p=5\n"
    "xorloom codes rdp:k=4,p=5 --format svg -o rdp.svg\n"
    "xorloom codes shec:k=4,m=3,c=2 --losses 3\n"
    "xorloom codes --suggest 10,4 --measure\n"
    "xorloom codes --suggest 10,4 --format html -o codes.html";

constexpr const char* kIntroduction =
    "A spec names a code: FAMILY:key=value,key=value. The first values may be numbers without "
    "keys, "
    "those of k, m and w: rs:10,4 is rs:k=10,m=4. Every command that takes a SPEC also takes -k, "
    "-m "
    "and -w. k is the number of data chunks, m the number "
    "of redundant chunks (lrc adds one per group). w is the number of bits of a field symbol, or "
    "of rows of an "
    "array. p is a prime that sets the number of rows. poly is the field's polynomial, such as "
    "0x11d. x and y are lists of field elements that make the matrix: x=1+2 is the list 1, 2. A "
    "code runs on "
    "packets (XORs of packet_bytes each) or on words (multiplications of symbols); "
    "arrangement=packet runs a code of words on packets. Every code that is accepted is proved to "
    "survive the losses it promises: any m losses, unless the family says otherwise. Beside the "
    "bounds of each family, k and m are at most 65536, the matrix that makes the redundancy from "
    "the data has at most 2^24 symbols (k times m, or as many rows times columns as the chunks "
    "have cells), and a code on packets takes at most 262144 XORs without sharing.";

std::string family_text(const Family& family) {
  std::string text = fmt::format("{}\n  {}\n", family.name, wrapped(family.summary, 2));
  const auto line = [&](const char* label, std::string_view content) {
    text += fmt::format("  {:<8} {}\n", label, wrapped(content, 11));
  };
  line("keys", family.keys);
  line("bounds", family.constraint);
  line("example", family.example);
  line("source", family.source);
  return text;
}

std::string table() {
  std::string text = wrapped(kIntroduction, 0) + "\n";
  for (const Family* family : families()) text += "\n" + family_text(*family);
  return text;
}

/// The family that `spec` names, if `spec` is a family's name alone and the family needs keys; else
/// null.
const Family* family_of(const std::string& spec) {
  for (const Family* family : families()) {
    if (family->name == spec && !family->keys.empty()) return family;
  }
  return nullptr;
}

struct CodesOptions {
  std::vector<std::string> specs;
  std::string spec;  ///< the first of `specs`
  std::vector<std::size_t> erased;
  std::optional<std::pair<std::size_t, std::size_t>> suggest;
  bool measures = false;
  std::optional<std::size_t> losses;
  std::string format;
  Options code;
  std::string output = "-";
};

/// Checks --format against what is asked for; returns it, or the default.
std::string format_of(const CodesOptions& options) {
  using Formats = std::vector<std::string>;
  const auto [what, formats] =
      options.suggest  ? std::pair{"suggestions come", Formats{"table", "json", "svg", "html"}}
      : options.losses ? std::pair{"sets of losses come", Formats{"text"}}
      : !options.erased.empty() ? std::pair{"what a repair reads comes", Formats{"text", "svg"}}
      : family_of(options.spec) != nullptr ? std::pair{"a family comes", Formats{"text"}}
      : !options.spec.empty() ? std::pair{"a code comes", Formats{"text", "json", "svg"}}
                              : std::pair{"the families come", Formats{"text"}};
  if (options.format.empty()) return formats.front();
  if (std::ranges::find(formats, options.format) != formats.end()) return options.format;
  fail(Status::kInvalidArgument, fmt::format("--format = {}, but {} as {}", options.format, what,
                                             fmt::join(formats, " or ")));
}

std::string suggestions(const CodesOptions& options, const std::string& format) {
  const auto [k, m] = *options.suggest;
  const Suggestions suggestions = suggest(k, m, options.code, options.measures);
  return written(suggestions_document(suggestions), format);
}

/// Lists the sets of locations that cannot be rebuilt, one per line as --erase takes them.
std::string sets_text(const std::string& name, const Code& code, std::size_t losses) {
  const std::vector<std::vector<std::size_t>> sets = sets_not_rebuilt(code, losses);
  const double number = sets_of(code, losses);
  const bool is_one = number == 1;
  const std::string all =
      fmt::format("{:.0f} {} of {}", number, is_one ? "set" : "sets", losses_text(losses));
  const bool are_all = static_cast<double>(sets.size()) == number;
  const std::string told =
      sets.empty() ? fmt::format("{}: {} {} can be rebuilt", name, is_one ? "the" : "all", all)
      : !are_all   ? fmt::format("{}: of {}, {} cannot be rebuilt", name, all, sets.size())
      : is_one     ? fmt::format("{}: the {} cannot be rebuilt", name, all)
                   : fmt::format("{}: none of the {} can be rebuilt", name, all);
  std::string text = wrapped(told, 0) + "\n";
  if (are_all) return text;
  for (const std::vector<std::size_t>& set : sets) {
    text += fmt::format("{}\n", fmt::join(set, ","));
  }
  return text;
}

std::string page(const CodesOptions& options, const std::string& format) {
  const Family* const family = family_of(options.spec);
  if (family != nullptr) return family_text(*family);
  if (!options.erased.empty()) {
    std::vector<std::pair<std::string, Code>> codes;
    for (const std::string& spec : options.specs) {
      codes.emplace_back(spec, code_of(spec, options.code));
    }
    return reads_page(codes, options.erased, format);
  }
  const Code code = code_of(options.spec, options.code);
  if (options.losses) return sets_text(short_spec(code), code, *options.losses);
  if (format == "svg") return svg_page(draw_code(code));
  const Tolerance tolerance = decide_tolerance(code, code.promised_losses);
  return format == "json" ? code_json(code, tolerance, costs_of(code)) : code_page(code, tolerance);
}

void run(const CodesOptions& options) {
  if (options.suggest && !options.spec.empty()) {
    fail(Status::kInvalidArgument, "--suggest finds codes itself, and takes no SPEC, -k, -m or -w");
  }
  if (options.measures && !options.suggest) {
    fail(Status::kInvalidArgument, "--measure times the codes that --suggest K,M finds");
  }
  if (options.code.wisdom != Store::kUser && !options.suggest) {
    fail(Status::kInvalidArgument, "--store is where --suggest K,M keeps what it searched");
  }
  if (options.losses && options.spec.empty()) {
    fail(Status::kInvalidArgument, "--losses lists the losses of one code: give its SPEC");
  }
  if (!options.erased.empty() && (options.spec.empty() || options.losses)) {
    fail(Status::kInvalidArgument,
         "--erase shows what a repair of SPEC reads: give a SPEC, and not --losses");
  }
  for (const std::string& spec : options.specs) {
    const Family* const family = family_of(spec);
    if (family == nullptr || (options.erased.empty() && !options.losses)) continue;
    fail(Status::kInvalidArgument,
         fmt::format("{} is about a code, and {} is a family: give a code of it, such as {}",
                     options.losses ? "--losses" : "--erase", spec, family->example));
  }
  if (options.specs.size() > 1 && options.erased.empty()) {
    fail(
        Status::kInvalidArgument,
        fmt::format("{} codes are given, but only --erase compares several", options.specs.size()));
  }
  const bool has_code_options = options.code.packet_bytes != 0 || options.code.allow_non_mds;
  if (options.spec.empty() && has_code_options) {
    fail(Status::kInvalidArgument, "--packet-bytes and --allow-non-mds need a SPEC");
  }
  const std::string format = format_of(options);
  Output output(options.output);
  const std::string text = options.suggest         ? suggestions(options, format)
                           : !options.spec.empty() ? page(options, format)
                                                   : table();
  output.finish(text);
}

}  // namespace

Command codes_command() {
  Command command{"codes", kCodesAbout, kCodesExamples};
  const auto options = std::make_shared<CodesOptions>();
  add_specs(command, options->specs, /*required=*/false);
  add_pair(command, "--suggest", "K,M", options->suggest, 1, kMostSuggested - 1,
           "compare the codes with K data and M redundant chunks");
  add_flag(command, "--measure", options->measures,
           "with --suggest: time each code on this machine, some tenths of a second each");
  add_store(command, options->code.wisdom, nullptr, "", "--wisdom", "with --suggest: ");
  add_number(command, "--losses", options->losses, 1, kMaxLocations,
             "list the sets of N lost locations that SPEC cannot rebuild");
  add_erase(command, options->erased,
            "for each SPEC, show which cells a repair of these lost locations reads, as few as "
            "xorloom finds; such as 0,3. Only with --erase may several SPECs be given");
  add_choice(command, "--format", options->format, {"text", "svg", "table", "json", "html"},
             "for a code text, json or svg, with --suggest table, json, svg or html. The families "
             "are text; default: text, and table with --suggest");
  add_output(command, options->output);
  add_packet_bytes(command, options->code);
  add_allow_non_mds(command, options->code);
  command.run = [options](const Command&) {
    if (!options->specs.empty()) options->spec = options->specs.front();
    run(*options);
  };
  return command;
}

}  // namespace xorloom::cli
