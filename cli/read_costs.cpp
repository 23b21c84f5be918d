#include "cli/read_costs.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string_view>

#include "codes/error.hpp"
#include "equations/fewest_reads.hpp"

namespace xorloom::cli {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

ReadCost parse(std::string_view item) {
  const std::size_t sign = item.rfind('=');
  const auto cost = sign == std::string_view::npos ? std::nullopt : number(item.substr(sign + 1));
  if (!cost || sign == 0 || *cost > kMostReadCost) {
    fail(Status::kInvalidArgument,
         fmt::format("--read-cost = {} does not say a place and its cost, a whole number from 0 to "
                     "{}, as in 3=20",
                     item.empty() ? "''" : item, kMostReadCost));
  }
  return {std::string(item.substr(0, sign)), *cost};
}

}  // namespace

void add_read_costs(CLI::App& app, std::vector<ReadCost>& costs, const std::string& places,
                    const std::string& help) {
  app.add_option_function<std::string>(
         "--read-cost",
         [&costs](const std::string& text) {
           for (std::string_view rest = text;;) {
             const std::string_view item = rest.substr(0, rest.find(','));
             costs.push_back(parse(item));
             if (item.size() == rest.size()) return;
             rest.remove_prefix(item.size() + 1);
           }
         },
         help)
      ->type_name(places + "=N,…");
}

std::vector<std::uint64_t> costs_by_location(const std::vector<ReadCost>& costs,
                                             std::size_t locations) {
  if (costs.empty()) return {};
  std::vector<std::uint64_t> result(locations, 1);
  std::vector<bool> is_named(locations);
  for (const ReadCost& cost : costs) {
    const auto location = number(cost.place);
    if (!location || *location >= locations) {
      fail(Status::kInvalidArgument,
           fmt::format("--read-cost names {}, which is not one of the locations 0 to {}",
                       cost.place, locations - 1));
    }
    if (is_named[*location]) {
      fail(Status::kInvalidArgument, fmt::format("--read-cost names {} twice", *location));
    }
    is_named[*location] = true;
    result[*location] = cost.cost;
  }
  return result;
}

}  // namespace xorloom::cli
