#include "cli/measuring/machine_rates.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/chunk_block.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/streams.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "runtime/files/cache_directory.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kForm = "xorloom-machine";
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::size_t kRounds = 5;
constexpr std::size_t kFarRounds = 3;

/// Every code is timed so often, all of them before any is again, and its best time counts: where a
/// machine is shared, others take speed away for seconds, and never add to it.
constexpr int kPasses = 3;

/// Of the codes one in so many is timed in memory, where bytes are nearly all that counts.
constexpr std::size_t kFarOneIn = 3;

/// Codes that differ in what a tile needs of each thing.
constexpr std::array kPackets = {"cauchy-good:k=3,m=2,w=8",  "cauchy-good:k=5,m=3,w=8",
                                 "cauchy-good:k=8,m=3,w=8",  "cauchy-good:k=8,m=4,w=8",
                                 "cauchy-good:k=12,m=4,w=8", "cauchy-good:k=16,m=4,w=8",
                                 "cauchy-good:k=20,m=4,w=8", "cauchy-good:k=24,m=4,w=8",
                                 "cauchy-good:k=12,m=4,w=4", "cauchy-good:k=22,m=4,w=5"};
constexpr std::array kWords = {"rs:k=3,m=2",  "rs:k=5,m=3",  "rs:k=8,m=3",
                               "rs:k=8,m=4",  "rs:k=12,m=4", "isa-cauchy:k=8,m=4",
                               "rs:k=20,m=4", "raid6:k=8",   "isa-cauchy:k=16,m=4"};

constexpr std::size_t kMostLocations = 64;

double seconds_of_call(const Codec& codec, const std::vector<std::uint8_t*>& chunks,
                       std::size_t chunk_bytes, bool is_far) {
  const auto encode = [&](std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) check(codec.encode(chunks.data(), chunk_bytes));
  };
  return timed_alone(encode, is_far, is_far ? kFarRounds : kRounds);
}

struct LevelTiles {
  std::vector<TimedTile> l2;
  std::vector<TimedTile> l3;
  std::vector<TimedTile> memory;

  std::vector<TimedTile>& of(std::string_view level) {
    return level == "L2" ? l2 : level == "L3" ? l3 : memory;
  }
};

void time_code(const char* spec, const Options& options, const SystemDescription& machine,
               const ChunkBlock& block, bool times_far, LevelTiles& tiles) {
  const Code code = make_code(spec);
  const PlanExplanation explanation =
      explanation_of(code, encoding_map(code), for_encoding(plan_options(options)));
  const Codec codec = CodecAccess::codec_of(code, options);
  for (const std::size_t chunk_bytes : chunk_sizes(code, machine.caches, machine.memory_bytes)) {
    const std::size_t stripe_bytes = chunk_bytes * code.locations;
    const std::string_view level = level_of(stripe_bytes, machine.caches);
    if (level == "L1" || (level == "DRAM" && !times_far)) continue;
    const double seconds = seconds_of_call(codec, block.chunks(code.locations, chunk_bytes),
                                           chunk_bytes, stripe_bytes > machine.caches.l3);
    const double count =
        static_cast<double>(stripe_bytes) / static_cast<double>(bytes_of(explanation.tile));
    std::vector<TimedTile>& timed = tiles.of(level);
    const auto known = std::ranges::find(timed, explanation.tile, &TimedTile::counts);
    if (known == timed.end()) {
      timed.push_back({explanation.tile, seconds / count});
    } else {
      known->seconds = std::min(known->seconds, seconds / count);
    }
  }
}

MachineRates::Of measured(Isa isa, Arrangement arrangement, std::atomic<std::size_t>& done) {
  const SystemDescription machine = describe_system();
  const ChunkBlock block(most_stripe_bytes(machine.caches, machine.memory_bytes), kMostLocations);
  LevelTiles tiles;
  Options options;
  options.isa = isa;
  const auto time_all = [&](std::span<const char* const> specs) {
    for (const char* spec : specs) {
      time_code(spec, options, machine, block, done % kFarOneIn == 0, tiles);
      ++done;
    }
  };
  for (int pass = 0; pass < kPasses; ++pass) {
    if (arrangement == Arrangement::kWord) {
      time_all(kWords);
      continue;
    }
    for (const EquationForm style : {EquationForm::kDirect, EquationForm::kIterative}) {
      options.style = style;
      time_all(kPackets);
    }
  }
  return {isa, arrangement, fit_instruction_costs(tiles.l2), fit_instruction_costs(tiles.l3),
          fit_instruction_costs(tiles.memory)};
}

std::size_t num_timed(Arrangement arrangement) {
  return kPasses * (arrangement == Arrangement::kWord ? kWords.size() : 2 * kPackets.size());
}

Json json_of(const InstructionCosts& units) {
  return {{"instruction", units.instruction},
          {"load", units.load},
          {"store", units.store},
          {"multiplication", units.multiplication},
          {"byte", units.byte}};
}

InstructionCosts units_of(const Json& json) {
  const auto at = [&](const char* key) {
    const double seconds = json[key].real();
    if (!(seconds >= 0 && seconds < 1)) fail(Status::kParse, "a rate is not a time from 0 to 1 s");
    return seconds;
  };
  return {at("instruction"), at("load"), at("store"), at("multiplication"), at("byte")};
}

const char* name_of(Arrangement arrangement) {
  return arrangement == Arrangement::kWord ? "word" : "packet";
}

/// What rates depend on beside the code.
std::string machine_name() {
  const SystemDescription machine = describe_system();
  return fmt::format("{}, {} thread{}, L2 {}, L3 {}", machine.cpu, machine.threads,
                     machine.threads == 1 ? "" : "s", cache_text(machine.caches.l2),
                     cache_text(machine.caches.l3));
}

void keep(const MachineRates& rates) {
  const std::string path = rates_path();
  if (path.empty()) return;
  Json json{{"format", kForm}, {"version", kVersion}, {"cpu", rates.cpu}, {"rates", Json::array()}};
  for (const MachineRates::Of& of : rates.rates) {
    json["rates"].push_back(
        {{"isa", to_string(of.isa)},
         {"arrangement", name_of(of.arrangement)},
         {"seconds",
          {{"l2", json_of(of.l2)}, {"l3", json_of(of.l3)}, {"memory", json_of(of.memory)}}}});
  }
  try {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    write_output(path, json.dump(2) + "\n");
  } catch (const std::exception&) {
    // It is measured again the next time.
  }
}

std::optional<LevelSpeeds> speeds_of(
    const MachineRates::Of& rates, const TileWork& work,
    const std::function<double(const InstructionCosts&)>& seconds) {
  LevelSpeeds speeds;
  for (const auto& [units, speed] :
       {std::pair(&rates.l2, &speeds.l2), std::pair(&rates.l3, &speeds.l3),
        std::pair(&rates.memory, &speeds.memory)}) {
    const double time = seconds(*units);
    if (!(time > 0)) return std::nullopt;
    *speed = gigabytes_per_second(work.data_bytes, time);
  }
  return speeds;
}

}  // namespace

std::string rates_path() {
  const std::filesystem::path directory = user_cache_directory();
  return directory.empty() ? "" : (directory / "machine.json").string();
}

MachineRates kept_rates() {
  MachineRates rates{machine_name(), {}};
  const std::string path = rates_path();
  if (path.empty() || ::access(path.c_str(), R_OK) != 0) return rates;
  try {
    const Json json = Json::parse(read_text(path, kMostBytes));
    if (json["format"].text() != kForm || json["version"].whole() != kVersion ||
        json["cpu"].text() != rates.cpu) {
      return rates;
    }
    for (const Json& of : json["rates"]) {
      const Json& seconds = of["seconds"];
      rates.rates.push_back(
          {choose_isa(parse_isa(of["isa"].text())),
           of["arrangement"].text() == "word" ? Arrangement::kWord : Arrangement::kPacket,
           units_of(seconds["l2"]), units_of(seconds["l3"]), units_of(seconds["memory"])});
    }
  } catch (const std::exception&) {
    rates.rates.clear();  // it is measured anew
  }
  return rates;
}

const MachineRates::Of* find_rates(const MachineRates& rates, Isa isa, Arrangement arrangement) {
  const auto known = std::ranges::find_if(rates.rates, [&](const MachineRates::Of& of) {
    return of.isa == isa && of.arrangement == arrangement;
  });
  return known != rates.rates.end() ? &*known : nullptr;
}

const MachineRates::Of& measured_rates(MachineRates& rates, Isa isa, Arrangement arrangement) {
  if (const MachineRates::Of* known = find_rates(rates, isa, arrangement)) return *known;
  {
    std::atomic<std::size_t> done = 0;
    const ProgressLine line([&](std::size_t columns) {
      return fmt::format("measuring this machine once, {}: {} of {} codes", to_string(isa),
                         done.load(), num_timed(arrangement))
          .substr(0, columns);
    });
    rates.rates.push_back(measured(isa, arrangement, done));
  }
  keep(rates);
  return rates.rates.back();
}

std::optional<LevelSpeeds> predicted_speeds(const MachineRates::Of& rates, const TileWork& work) {
  return speeds_of(rates, work,
                   [&](const InstructionCosts& u) { return seconds_of(u, work.counts); });
}

std::optional<LevelSpeeds> roof_speeds(const MachineRates::Of& rates, const TileWork& work) {
  const auto bytes = static_cast<double>(bytes_of(work.counts));
  return speeds_of(rates, work, [&](const InstructionCosts& u) { return u.byte * bytes; });
}

}  // namespace xorloom::cli
