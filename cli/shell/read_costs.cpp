#include "cli/shell/read_costs.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "cli/shell/options.hpp"
#include "codes/text/error.hpp"
#include "equations/reads/fewest_reads.hpp"

namespace xorloom::cli {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

PlaceCost parse(std::string_view item) {
  const std::size_t sign = item.rfind('=');
  const auto cost = sign == std::string_view::npos ? std::nullopt : number(item.substr(sign + 1));
  if (!cost || sign == 0 || *cost > kMostReadCost) {
    fail(Status::kInvalidArgument, fmt::format("--read-cost = {} is not a place and its cost such "
                                               "as 3=20, with a whole number from 0 to {}",
                                               item.empty() ? "''" : excerpt(item), kMostReadCost));
  }
  return {std::string(item.substr(0, sign)), *cost};
}

}  // namespace

void add_read_costs(Command& command, std::vector<PlaceCost>& costs, const std::string& places,
                    const std::string& help) {
  add_value(command, "--read-cost", places + "=N,…", help, [&costs](const std::string& text) {
    for (std::string_view rest = text;;) {
      const std::string_view item = rest.substr(0, rest.find(','));
      costs.push_back(parse(item));
      if (item.size() == rest.size()) return;
      rest.remove_prefix(item.size() + 1);
    }
  });
}

}  // namespace xorloom::cli
