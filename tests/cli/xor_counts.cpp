#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/equation_checker.hpp"

// Runs `xorloom optimize --effort max` on every matrix of a folder, checks the output, and prints a
// table for people: xor_counts FOLDER SECONDS SEED…. If the folder has a records.json, the highest
// count of all seeds stands beside the best known one. scripts/xor-counts calls it.

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

std::string signed_text(std::size_t count, std::size_t than) {
  return count == than ? "0"
                       : fmt::format("{:+}", static_cast<long>(count) - static_cast<long>(than));
}

/// Equations of a matrix, searched for with a seed and checked. Throws if they are wrong.
CheckedEquations equations_of(const fs::path& matrix, const std::string& seconds,
                              const std::string& seed) {
  const Outcome outcome =
      xorloom({"optimize", matrix.string(), "--store", "off", "--effort", "max", "--seconds",
               seconds, "--seed", seed, "--threads", "1", "--format", "json"});
  CheckedEquations checked = check_equations(read_file(matrix.string()), outcome.out);
  if (!checked.flaw.empty()) {
    throw std::runtime_error(fmt::format("{}: {}", matrix.string(), checked.flaw));
  }
  return checked;
}

/// Returns the lower bound that `optimize --bound` proves for a matrix.
std::size_t bound_of(const fs::path& matrix) {
  const std::string text = xorloom({"optimize", matrix.string(), "--bound"}).out;
  constexpr std::string_view kBegin = "bound:";
  if (!text.starts_with(kBegin)) {
    throw std::runtime_error(fmt::format("{}: no bound in '{}'", matrix.string(), text));
  }
  return std::stoul(text.substr(kBegin.size()));
}

int print_counts(const fs::path& folder, const std::string& seconds,
                 const std::vector<std::string>& seeds) {
  std::map<std::string, nlohmann::json> records;
  if (fs::exists(folder / "records.json")) {
    for (const auto& record :
         nlohmann::json::parse(read_file((folder / "records.json").string()))) {
      records[record.at("name")] = record;
    }
  }
  std::vector<fs::path> matrices;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") matrices.push_back(entry.path());
  }
  std::ranges::sort(matrices);
  fmt::print(
      "| matrix | size | bound | XORs | best known | against it | reached | against it |\n"
      "|---|---|---|---|---|---|---|---|\n");
  std::size_t num_known = 0, num_published = 0, num_reached = 0, num_best = 0, num_bound = 0;
  for (const fs::path& path : matrices) {
    CheckedEquations checked;
    std::vector<std::size_t> counts;
    for (const std::string& seed : seeds) {
      checked = equations_of(path, seconds, seed);
      counts.push_back(checked.xors);
    }
    const std::size_t highest = std::ranges::max(counts);
    const std::size_t lowest = std::ranges::min(counts);
    const std::string name = path.stem().string();
    std::string rest;
    if (const auto record = records.find(name); record != records.end()) {
      const auto number = [&](const char* key) {
        return record->second.at(key).get<std::size_t>();
      };
      const bool is_published = record->second.at("kind") == "published";
      const std::size_t bound = std::max(number("lower_bound"), bound_of(path));
      rest = fmt::format("{} | {} | {}{} | {} | {} | {} |", bound, fmt::join(counts, ", "),
                         number("best_known"), is_published ? "" : " (re-run)",
                         signed_text(highest, number("best_known")), number("reached"),
                         signed_text(highest, number("reached")));
      ++num_known;
      num_published += static_cast<std::size_t>(is_published);
      num_best += static_cast<std::size_t>(highest <= number("best_known"));
      num_reached += static_cast<std::size_t>(highest <= number("reached"));
      num_bound += static_cast<std::size_t>(highest == bound);
      if (lowest < bound) {
        fmt::print(stderr, "{}: {} XORs are below the bound\n", path.string(), lowest);
        return 1;
      }
    } else {
      rest = fmt::format("| {} | | | | |", fmt::join(counts, ", "));
    }
    fmt::print("| {} | {} x {} | {}\n", name, checked.rows, checked.columns, rest);
    std::fflush(stdout);
  }
  fmt::print(
      "\nOf the best known counts {} are published and {} come from re-runs.\nWith every seed, {} "
      "of "
      "{} matrices with a record are at or below the best known count, {} at or below the count "
      "that a plain search reached, and {} at their proved bound.\n",
      num_published, num_known - num_published, num_best, num_known, num_reached, num_bound);
  return 0;
}

}  // namespace
}  // namespace xorloom::test

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: xor_counts FOLDER SECONDS SEED...\n");
    return 2;
  }
  try {
    return xorloom::test::print_counts(argv[1], argv[2], {argv + 3, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "xor_counts: {}\n", error.what());
    return 1;
  }
}
