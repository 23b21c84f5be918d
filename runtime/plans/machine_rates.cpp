#include "runtime/plans/machine_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/files/cache_directory.hpp"
#include "runtime/files/cached_files.hpp"

namespace xorloom {
namespace {

constexpr const char* kForm = "xorloom-machine";
constexpr std::uint64_t kVersion = 2;
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::array kLevels = {"l2", "l3", "memory"};

const char* name_of(Arrangement arrangement) {
  return arrangement == Arrangement::kWord ? "word" : "packet";
}

Json json_of(const MachineRates::Of& of) {
  const CoreCosts& costs = of.costs;
  Json moving;
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    const MovingCosts& level = costs.moving[i];
    moving[kLevels[i]] = {{"byte_read", level.byte_read},
                          {"byte_written", level.byte_written},
                          {"crowding", level.crowding}};
  }
  return {{"isa", to_string(of.isa)},
          {"arrangement", name_of(of.arrangement)},
          {"residual", of.error.residual},
          {"held_out_error", of.error.held_out},
          {"overlap", costs.overlap},
          {"seconds",
           {{"instruction", costs.instruction},
            {"load", costs.load},
            {"store", costs.store},
            {"multiplication", costs.multiplication},
            {"call", costs.call},
            {"chunk", costs.chunk}}},
          {"moving", std::move(moving)}};
}

Json json_of(const KernelRates& kernel) {
  return {{"byte", kernel.byte}, {"operation", kernel.operation}};
}

Json json_of(const DeviceRates& of) {
  return {{"executor", to_string(of.executor)},
          {"devices", of.devices},
          {"seconds",
           {{"call", of.call},
            {"byte_staged", of.byte_staged},
            {"byte_in", of.byte_in},
            {"byte_out", of.byte_out}}},
          {"packets", json_of(of.packets)},
          {"words", json_of(of.words)}};
}

/// The number json[key]. Throws kParse unless it is from `least` to `most`.
double number(const Json& json, const char* key, double least, double most) {
  const double value = json[key].real();
  if (!(value >= least && value <= most)) {
    fail(Status::kParse, "{} is {}, not {} to {}", key, value, least, most);
  }
  return value;
}

double seconds(const Json& json, const char* key) {
  // A time of 0 would make a speed infinite.
  return number(json, key, 1e-18, 1);
}

Arrangement arrangement_in(const std::string& name) {
  for (const Arrangement arrangement : {Arrangement::kPacket, Arrangement::kWord}) {
    if (name == name_of(arrangement)) return arrangement;
  }
  fail(Status::kParse, "arrangement is {}, not packet or word", name);
}

MachineRates::Of rates_of(const Json& json) {
  const Json& time = json["seconds"];
  CoreCosts costs{seconds(time, "instruction"),
                  seconds(time, "load"),
                  seconds(time, "store"),
                  seconds(time, "multiplication"),
                  {},
                  seconds(time, "call"),
                  seconds(time, "chunk"),
                  number(json, "overlap", 1, 64)};
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    const Json& level = json["moving"][kLevels[i]];
    costs.moving[i] = {seconds(level, "byte_read"), seconds(level, "byte_written"),
                       number(level, "crowding", 0, 1)};
  }
  return {parse_isa(json["isa"].text()),
          arrangement_in(json["arrangement"].text()),
          costs,
          {number(json, "residual", 0, 1e3), number(json, "held_out_error", 0, 1e3)}};
}

KernelRates kernel_of(const Json& json) {
  return {seconds(json, "byte"), seconds(json, "operation")};
}

DeviceRates device_of(const Json& json) {
  const Executor executor = parse_executor(json["executor"].text());
  if (!runs_on_devices(executor)) {
    fail(Status::kParse, "executor {} has no devices", to_string(executor));
  }
  const Json& time = json["seconds"];
  return {executor,
          json["devices"].text(),
          seconds(time, "call"),
          seconds(time, "byte_staged"),
          seconds(time, "byte_in"),
          seconds(time, "byte_out"),
          kernel_of(json["packets"]),
          kernel_of(json["words"])};
}

std::size_t cache(const Json& caches, const char* key) {
  constexpr double kMost = 1e12;
  return static_cast<std::size_t>(number(caches, key, 1, kMost));
}

/// Names what rates depend on besides the code: the processor, its threads and its caches.
std::string machine_name(const CacheSizes& caches, std::size_t threads) {
  return fmt::format("{}, {}, L2 {}, L3 {}", processor_name(), counted(threads, "thread"),
                     cache_text(caches.l2), cache_text(caches.l3));
}

}  // namespace

Json rates_json(const MachineRates& rates) {
  Json json{{"format", kForm},
            {"version", kVersion},
            {"cpu", rates.cpu},
            {"caches", {{"l1", rates.caches.l1}, {"l2", rates.caches.l2}, {"l3", rates.caches.l3}}},
            {"rates", Json::array()}};
  for (const MachineRates::Of& of : rates.rates) json["rates"].push_back(json_of(of));
  for (const DeviceRates& of : rates.devices) json["devices"].push_back(json_of(of));
  return json;
}

MachineRates rates_of_text(const std::string& text) {
  const Json json = Json::parse(text);
  if (json["format"].text() != kForm) {
    fail(Status::kParse, "the format is {}, not {}", json["format"].text(), kForm);
  }
  if (json["version"].whole() != kVersion) {
    fail(Status::kParse, "the version is {}, not {}: measure the machine again",
         json["version"].whole(), kVersion);
  }
  const Json& caches = json["caches"];
  MachineRates rates{excerpt(printable(json["cpu"].text())),
                     {cache(caches, "l1"), cache(caches, "l2"), cache(caches, "l3")},
                     {}};
  const CacheSizes& sizes = rates.caches;
  if (sizes.l1 > sizes.l2 || sizes.l2 > sizes.l3) {
    fail(Status::kParse, "its caches of {}, {} and {} bytes do not grow", sizes.l1, sizes.l2,
         sizes.l3);
  }
  for (const Json& of : json["rates"]) rates.rates.push_back(rates_of(of));
  if (rates.rates.empty()) fail(Status::kParse, "it has none");
  if (const Json* devices = json.find("devices")) {
    for (const Json& of : *devices) rates.devices.push_back(device_of(of));
  }
  return rates;
}

std::string rates_path() {
  const std::filesystem::path directory = user_cache_directory();
  return directory.empty() ? "" : (directory / "machine.json").string();
}

MachineRates kept_rates() {
  const Machine& machine = this_machine();
  MachineRates none{machine_name(machine.caches, machine.cores), machine.caches, {}};
  const std::string path = rates_path();
  if (path.empty()) return none;
  try {
    const std::vector<std::uint8_t> bytes = cached_bytes(path, kMostBytes);
    if (bytes.empty()) return none;
    MachineRates kept = rates_of_text({bytes.begin(), bytes.end()});
    if (kept.cpu == none.cpu) return kept;
  } catch (const std::exception&) {
    // The rates are measured again.
  }
  return none;
}

const MachineRates::Of* find_rates(const MachineRates& rates, Isa isa, Arrangement arrangement) {
  const auto known = std::ranges::find_if(rates.rates, [&](const MachineRates::Of& of) {
    return of.isa == isa && of.arrangement == arrangement;
  });
  return known != rates.rates.end() ? &*known : nullptr;
}

std::string description_of(const DeviceSet& set) {
  std::string text;
  for (const auto& pool : set.pools) {
    const Device& device = pool->device();
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", device.name(), device.driver());
  }
  return text;
}

}  // namespace xorloom
