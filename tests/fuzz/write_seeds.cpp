#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fuzz/shard_fuzz.hpp"

/// Writes each seed as a file into a directory that is there: a corpus for the fuzzer to begin
/// with.
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int number = 0;
  for (const auto& seed : xorloom::test::shard_seeds()) {
    std::ofstream file(std::filesystem::path(argv[1]) / ("seed-" + std::to_string(number++)),
                       std::ios::binary);
    for (const std::uint8_t byte : seed) file.put(static_cast<char>(byte));
    if (!file.flush()) return 1;
  }
  std::printf("%d seeds\n", number);
  return 0;
}
