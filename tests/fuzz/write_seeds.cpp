#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/fuzz/atlas_fuzz.hpp"
#include "tests/fuzz/shard_fuzz.hpp"

namespace {

/// Whether each seed was written as a file into a directory, which is made.
bool write(const std::filesystem::path& directory,
           const std::vector<std::vector<std::uint8_t>>& seeds) {
  std::filesystem::create_directories(directory);
  int number = 0;
  for (const auto& seed : seeds) {
    std::ofstream file(directory / ("seed-" + std::to_string(number++)), std::ios::binary);
    for (const std::uint8_t byte : seed) file.put(static_cast<char>(byte));
    if (!file.flush()) return false;
  }
  std::printf("%d seeds in %s\n", number, directory.c_str());
  return true;
}

}  // namespace

/// Writes corpora for the fuzzers to begin with into directories in one.
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path directory = argv[1];
  const bool are_written = write(directory / "shard", xorloom::test::shard_seeds()) &&
                           write(directory / "atlas", xorloom::test::atlas_seeds());
  return are_written ? 0 : 1;
}
