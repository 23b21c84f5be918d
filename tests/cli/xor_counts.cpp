#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/equation_checker.hpp"

// Runs `xorloom optimize --effort max` on every matrix of a folder, checks what comes out, and
// prints a table for people: xor_counts FOLDER SECONDS SEED. Where the folder has a records.json,
// each count stands beside the best known one. scripts/xor-counts calls it.

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

std::string signed_text(std::size_t count, std::size_t than) {
  return count == than ? "0"
                       : fmt::format("{:+}", static_cast<long>(count) - static_cast<long>(than));
}

int print_counts(const fs::path& folder, const std::string& seconds, const std::string& seed) {
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
  std::size_t num_known = 0, num_reached = 0, num_best = 0, num_bound = 0;
  for (const fs::path& path : matrices) {
    const Outcome outcome =
        xorloom({"optimize", path.string(), "--effort", "max", "--seconds", seconds, "--seed", seed,
                 "--threads", "1", "--format", "json"});
    const CheckedEquations checked = check_equations(read_file(path.string()), outcome.out);
    if (!checked.flaw.empty()) {
      fmt::print(stderr, "{}: {}\n", path.string(), checked.flaw);
      return 1;
    }
    const std::string name = path.stem().string();
    std::string rest;
    if (const auto record = records.find(name); record != records.end()) {
      const auto number = [&](const char* key) {
        return record->second.at(key).get<std::size_t>();
      };
      const bool is_published = record->second.at("kind") == "published";
      rest = fmt::format("{} | {} | {}{} | {} | {} | {} |", number("lower_bound"), checked.xors,
                         number("best_known"), is_published ? "" : " (re-run)",
                         signed_text(checked.xors, number("best_known")), number("reached"),
                         signed_text(checked.xors, number("reached")));
      ++num_known;
      num_best += static_cast<std::size_t>(checked.xors <= number("best_known"));
      num_reached += static_cast<std::size_t>(checked.xors <= number("reached"));
      num_bound += static_cast<std::size_t>(checked.xors == number("lower_bound"));
      if (checked.xors < number("lower_bound")) {
        fmt::print(stderr, "{}: {} XORs are below the bound\n", path.string(), checked.xors);
        return 1;
      }
    } else {
      rest = fmt::format("| {} | | | | |", checked.xors);
    }
    fmt::print("| {} | {} x {} | {}\n", name, checked.rows, checked.columns, rest);
    std::fflush(stdout);
  }
  fmt::print(
      "\nOf {} matrices with a record, {} are at or below the best known count, {} are at or below "
      "the count that a plain search reached, and {} are at their proved bound.\n",
      num_known, num_best, num_reached, num_bound);
  return 0;
}

}  // namespace
}  // namespace xorloom::test

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: xor_counts FOLDER SECONDS SEED\n");
    return 2;
  }
  try {
    return xorloom::test::print_counts(argv[1], argv[2], argv[3]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "xor_counts: {}\n", error.what());
    return 1;
  }
}
