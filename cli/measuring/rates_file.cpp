#include "cli/measuring/rates_file.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
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

/// A number of an object, within bounds.
double number(const Json& json, const char* key, double least, double most) {
  const double value = json[key].real();
  if (!(value >= least && value <= most)) {
    fail(Status::kParse, fmt::format("{} is {}, not {} to {}", key, value, least, most));
  }
  return value;
}

double seconds(const Json& json, const char* key) {
  // What took no time would make a speed endless.
  return number(json, key, 1e-18, 1);
}

Arrangement arrangement_in(const std::string& name) {
  for (const Arrangement arrangement : {Arrangement::kPacket, Arrangement::kWord}) {
    if (name == name_of(arrangement)) return arrangement;
  }
  fail(Status::kParse, fmt::format("arrangement is {}, not packet or word", name));
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

std::size_t cache(const Json& caches, const char* key) {
  constexpr double kMost = 1e12;
  return static_cast<std::size_t>(number(caches, key, 1, kMost));
}

MachineRates rates_of_text(const std::string& text) {
  const Json json = Json::parse(text);
  if (json["format"].text() != kForm) {
    fail(Status::kParse, fmt::format("the format is {}, not {}", json["format"].text(), kForm));
  }
  if (json["version"].whole() != kVersion) {
    fail(Status::kParse, fmt::format("the version is {}, not {}: measure the machine again",
                                     json["version"].whole(), kVersion));
  }
  const Json& caches = json["caches"];
  MachineRates rates{excerpt(printable(json["cpu"].text())),
                     {cache(caches, "l1"), cache(caches, "l2"), cache(caches, "l3")},
                     {}};
  const CacheSizes& sizes = rates.caches;
  if (sizes.l1 > sizes.l2 || sizes.l2 > sizes.l3) {
    fail(Status::kParse, fmt::format("its caches of {}, {} and {} bytes do not grow", sizes.l1,
                                     sizes.l2, sizes.l3));
  }
  for (const Json& of : json["rates"]) rates.rates.push_back(rates_of(of));
  if (rates.rates.empty()) fail(Status::kParse, "it has none");
  return rates;
}

}  // namespace

Json rates_json(const MachineRates& rates) {
  Json json{{"format", kForm},
            {"version", kVersion},
            {"cpu", rates.cpu},
            {"caches", {{"l1", rates.caches.l1}, {"l2", rates.caches.l2}, {"l3", rates.caches.l3}}},
            {"rates", Json::array()}};
  for (const MachineRates::Of& of : rates.rates) json["rates"].push_back(json_of(of));
  return json;
}

MachineRates rates_in(const std::string& path) {
  const std::string text = read_text(path, kMostBytes);
  try {
    return rates_of_text(text);
  } catch (const Error& error) {
    fail(Status::kParse,
         fmt::format("{} holds no rates of a machine: {}", input_name(path), error.what()));
  }
}

}  // namespace xorloom::cli
