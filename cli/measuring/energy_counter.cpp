#include "cli/measuring/energy_counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace xorloom::cli {
namespace {

/// The number that a file holds; nullopt, with errno set, if there is none.
std::optional<std::uint64_t> counter_in(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  if (errno == 0) errno = EINVAL;
  return std::nullopt;
}

/// True for "intel-rapl:0". False for its parts, such as "intel-rapl:0:1", which it counts too.
/// AMD's packages have the same names.
bool is_package(const std::string& name) {
  return name.starts_with("intel-rapl:") && std::ranges::count(name, ':') == 1;
}

}  // namespace

EnergyCounter::EnergyCounter(std::string root) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(root, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_package(entry->path().filename())) names.push_back(entry->path().filename());
  }
  std::ranges::sort(names);
  if (names.empty()) {
    why_none_ = fmt::format("no energy is measured: {} shows no counter of a processor", root);
  }
  for (const std::string& name : names) {
    const std::string folder = root + "/" + name;
    const std::string path = folder + "/energy_uj";
    const auto now = counter_in(path);
    if (!now) {
      why_none_ =
          fmt::format("no energy is measured: {} cannot be read: {}", path, std::strerror(errno));
      packages_.clear();
      return;
    }
    packages_.push_back({path, *now, counter_in(folder + "/max_energy_range_uj").value_or(0)});
  }
}

std::optional<double> EnergyCounter::joules() {
  if (packages_.empty()) return std::nullopt;
  double sum = 0;
  for (Package& package : packages_) {
    const auto now = counter_in(package.path);
    if (!now || (*now < package.last && package.range < package.last)) return std::nullopt;
    const std::uint64_t passed =
        *now >= package.last ? *now - package.last : package.range - package.last + *now;
    package.last = *now;
    sum += static_cast<double>(passed) * 1e-6;
  }
  return sum;
}

}  // namespace xorloom::cli
