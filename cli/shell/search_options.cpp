#include "cli/shell/search_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/shell/options.hpp"
#include "codes/text/error.hpp"
#include "codes/text/split.hpp"
#include "equations/ir/core_schedule.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kSearchGroup = "The search";
constexpr std::size_t kMaxSeconds = 31'536'000;
constexpr std::size_t kMaxSteps = std::size_t{1} << 50;
constexpr std::size_t kMaxLevels = 64;
constexpr std::size_t kMaxSeed = std::size_t{1} << 53;
constexpr std::size_t kUsualSeconds = 60;

constexpr std::array kNames = {"--effort", "--seconds", "--tries",
                               "--seed",   "--threads", "--store"};

void add_levels(Command& command, SearchOptions& options) {
  add_number(command, "--levels", options.levels, 1, kMaxLevels,
             "with --model lut4 or lut6: look for tables that are at most N levels deep; default: "
             "any depth");
}

/// Decimals of a price: kPricesOfUnit is 10^kDecimals.
constexpr std::size_t kDecimals = 3;

/// A number of one to six digits.
std::optional<std::size_t> digits(std::string_view text) {
  constexpr std::size_t kMostDigits = 6;
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  std::size_t number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = 10 * number + static_cast<std::size_t>(digit - '0');
  }
  return number;
}

}  // namespace

void add_gate_model(Command& command, SearchOptions& options) {
  add_choice(command, "--model", options.model, {"lut4", "lut6"},
             "write sums as lookup tables of 4 or 6 inputs, which no synthesiser takes apart; with "
             "--style iterative the search looks for few of them, instead of XORs");
  add_levels(command, options);
}

GatePrices parse_gate_prices(const std::string& text) {
  struct Named {
    std::string_view name;
    std::vector<GatePrices::Gate> gates;
  };
  const std::vector<Named> named = {{"avx2", {{2, kPricesOfUnit}}},
                                    {"avx512", {{3, kPricesOfUnit}}},
                                    {"lut4", {{4, kPricesOfUnit}}},
                                    {"lut6", {{6, kPricesOfUnit}}}};
  for (const auto& [name, gates] : named) {
    if (text == name) return GatePrices(gates);
  }
  const auto bad = [&](const std::string& part) {
    fail(Status::kInvalidArgument,
         fmt::format("--gates {}: '{}' is not a gate with its price, such as xor3=1.6 (above 0, up "
                     "to three decimals); names are avx2, avx512, lut4 and lut6",
                     text, part));
  };
  std::vector<GatePrices::Gate> gates;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const bool is_pair = part.starts_with("xor") && equals != std::string_view::npos;
    if (!is_pair) bad(std::string(part));
    const std::vector<std::string_view> price = split(part.substr(equals + 1), '.');
    std::string decimals(price.size() == 2 ? price[1] : "0");
    const auto inputs = digits(part.substr(3, equals - 3));
    const auto whole = digits(price[0]);
    const bool is_number =
        price.size() <= 2 && inputs && whole && digits(decimals) && decimals.size() <= kDecimals;
    if (!is_number) bad(std::string(part));
    decimals.resize(kDecimals, '0');
    gates.push_back({*inputs, kPricesOfUnit * *whole + *digits(decimals)});
    if (gates.back().price == 0) bad(std::string(part));
  }
  return GatePrices(gates);
}

void add_gates(Command& command, SearchOptions& options) {
  options.takes_gates = true;
  add_value(command, "--gates", "PRICES",
            "look for XOR gates of the lowest price, instead of few two-input XORs: "
            "xor2=1,xor3=1.6,xor4=2.2 gives the price of each kind of gate; avx2 and avx512 stand "
            "for XORs of two and of three, lut4 and lut6 for lookup tables. With --levels N: at "
            "most N gates deep",
            [&options](const std::string& text) { options.gates = parse_gate_prices(text); })
      .group = "Plans for cores, and lookup tables";
}

std::size_t gate_inputs(const SearchOptions& options) {
  if (options.gates) return options.gates->most_inputs();
  return options.model == "lut4" ? 4 : options.model == "lut6" ? 6 : 0;
}

void add_cores(Command& command, SearchOptions& options) {
  const bool has_style = takes(command, "--style");
  options.opens_gates = true;
  add_number(command, "--depth", options.depth, 1, kMaxLevels,
             fmt::format("{}look for few XORs in at most N levels of two-input XORs: no output "
                         "waits for more than N of them; default: any number",
                         has_style ? "with --style iterative: " : ""));
  add_number(
      command, "--cores", options.cores, 1, kMaxCores,
      fmt::format("add a plan for N cores: which core computes which XOR in which step; {} looks "
                  "for the fewest steps, not the fewest XORs",
                  has_style ? "--style iterative then" : "the search then"));
  add_choice(command, "--model", options.model, {"steps", "machine", "lut4", "lut6"},
             "with --cores: what the plan is made for. steps: the fewest steps, in each of which a "
             "core computes one XOR; machine: the least time on this machine, where loads and "
             "values that go to another core cost what is measured; default: steps. Without "
             "--cores: lut4 and lut6 look for few lookup tables of 4 or 6 inputs, instead of XORs; "
             "each equation is then one of them");
  add_levels(command, options);
  add_flag(command, "--atomic", options.is_atomic,
           "with --cores: compute each equation on one core, in consecutive steps");
  add_flag(command, "--front", options.whole_front,
           fmt::format("{}with --cores: also print equations that take more steps but fewer XORs; "
                       "without: print equations of every depth at which more levels save XORs",
                       has_style ? "with --style iterative. " : ""));
  for (const char* name : {"--depth", "--model", "--levels", "--atomic", "--front"}) {
    option_of(command, name).group = "Plans for cores, and lookup tables";
  }
}

void add_search(Command& command, SearchOptions& options, const std::string& usual_effort,
                const std::string& usual_threads) {
  add_choice(command, "--effort", options.effort, {"fast", "normal", "max"},
             "how long to search for fewer XORs: fast takes a moment, normal a second or two, max "
             "searches until --seconds or --tries is reached; default: " +
                 usual_effort);
  add_number(
      command, "--seconds", options.seconds, 1, kMaxSeconds,
      fmt::format("with --effort max: stop after N seconds; default: {}, unless --tries is given",
                  kUsualSeconds));
  add_number(command, "--tries", options.steps, 1, kMaxSteps,
             "with --effort max: stop after N tries of the search. The same tries and seed give "
             "the same equations, with any number of threads. With --seconds too, the search stops "
             "at whichever comes first. 1000000 tries take a second or so for a small code");
  option_of(command, "--tries").old_name = "--steps";  // --steps is an option for plans
  add_number(command, "--seed", options.seed, 0, kMaxSeed,
             "seed of the search; another seed leads to other equations; default: 1");
  add_threads(command, options.threads, "default: " + usual_threads);
  add_store(command, options.store.place, &options.store.file, "an atlas or a file of equations",
            "--library");
  for (const char* name : kNames) option_of(command, name).group = kSearchGroup;
}

std::optional<std::size_t> seconds_of(const SearchOptions& options) {
  if (options.seconds || options.effort != "max" || options.steps) return options.seconds;
  return kUsualSeconds;
}

Effort effort_of_search(const std::string& name) {
  return name == "max" ? Effort::kMax : name == "fast" ? Effort::kFast : Effort::kNormal;
}

void check_search(const SearchOptions& options) {
  if (options.whole_front && options.store.are_named()) {
    fail(Status::kInvalidArgument, "--store keeps one set of equations, and --front gives several");
  }
  const bool is_of_plan = options.model == "steps" || options.model == "machine";
  if (options.cores == 0 && (options.is_atomic || is_of_plan)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is about a plan, and needs --cores",
                     options.is_atomic ? "--atomic" : "--model " + options.model));
  }
  if (options.model == "machine" &&
      (options.whole_front || options.is_atomic || options.store.are_named())) {
    fail(Status::kInvalidArgument, "--model machine does not go with --front, --atomic or --store");
  }
  const bool has_gates = gate_inputs(options) != 0;
  const std::string gates = options.gates ? "--gates" : "--model " + options.model;
  if (options.gates && !options.model.empty()) {
    fail(Status::kInvalidArgument,
         fmt::format("--gates says what gates cost, and --model {} too: give one of them",
                     options.model));
  }
  if (options.depth != 0 && options.cores != 0) {
    fail(Status::kInvalidArgument,
         "--depth is about levels, and --cores about steps of a plan: give one of them");
  }
  if (has_gates && (options.depth != 0 || options.whole_front)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is about gates, and {} about two-input XORs: give one of them", gates,
                     options.depth != 0 ? "--depth" : "--front"));
  }
  if (options.depth != 0 && options.store.are_named()) {
    fail(Status::kInvalidArgument,
         "--store keeps equations of any depth, and --depth asks for another search: give one of "
         "them");
  }
  if (has_gates && options.cores != 0) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is about gates, and --cores about a plan: give one of them", gates));
  }
  if (options.levels != 0 && !has_gates) {
    fail(Status::kInvalidArgument,
         fmt::format("--levels is about gates, and needs {}--model lut4 or lut6",
                     options.takes_gates ? "--gates or " : ""));
  }
  if (options.effort == "max") return;
  for (const auto& [name, value] :
       {std::pair{"--seconds", options.seconds}, std::pair{"--tries", options.steps}}) {
    if (value) {
      fail(Status::kInvalidArgument,
           fmt::format("{} = {} needs --effort max, since --effort {} ends by itself", name, *value,
                       options.effort));
    }
  }
}

void add_style_and_search(Command& command, SearchOptions& options) {
  add_choice(command, "--style", options.style, {"direct", "iterative"},
             "whether equations share temporaries, which a search finds. direct: each equation "
             "stands alone; iterative: they share; default: direct. The search options need "
             "iterative");
  add_search(command, options);
}

void check_style_and_search(const Command& command, const SearchOptions& options,
                            bool chooses_reads) {
  for (const std::string name : kNames) {
    const bool has_effect = chooses_reads && name == "--effort";
    if (options.style != "direct" || !is_given(command, name) || has_effect) continue;
    fail(Status::kInvalidArgument,
         name + " needs --style iterative: direct equations are not searched for");
  }
  if (options.style == "direct" && options.whole_front) {
    fail(Status::kInvalidArgument,
         "--front needs --style iterative: direct equations have the same XORs in any plan");
  }
  if (options.style == "direct" && options.depth != 0) {
    fail(Status::kInvalidArgument,
         "--depth needs --style iterative: direct equations are not searched for");
  }
  check_search(options);
  if (options.style == "direct" && options.levels != 0) {
    fail(Status::kInvalidArgument,
         "--levels needs --style iterative: direct equations are not searched for");
  }
}

}  // namespace xorloom::cli
