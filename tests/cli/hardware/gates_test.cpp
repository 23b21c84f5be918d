#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/has.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

TEST_CASE("More effort never finds worse gates, and levels are kept at any effort") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  write_file(path,
             "101111001011\n011010010110\n111100011010\n100101101101\n010111010011\n"
             "110110100101\n001101111001\n101010011110\n011111000101\n110001011011\n"
             "000111101110\n111010110001\n");
  const auto gates = [&](const std::string& prices, std::vector<std::string> more) {
    std::vector<std::string> arguments{"optimize", path, "--gates", prices, "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return nlohmann::json::parse(xorloom(arguments).out).at("gates");
  };
  const auto price = [&](const std::string& prices, const std::vector<std::string>& more) {
    return gates(prices, more).at("price").get<double>();
  };
  for (const char* prices : {"xor2=1,xor3=1.6,xor4=2.2", "lut6"}) {
    CAPTURE(prices);
    const double fast = price(prices, {"--effort", "fast", "--store", "off"});
    CHECK(price(prices, {"--effort", "max", "--tries", "20000", "--store", "off"}) <= fast);
  }
  // Fewer moves of another start than normal effort had.
  const double normal = price("avx512", {"--store", "off"});
  CHECK(price("avx512", {"--effort", "max", "--tries", "20000000", "--store", "off"}) <= normal);
  // A result kept from an earlier search is never replaced by a worse one.
  const std::string store = folder / "store";
  const double kept = price("avx512", {"--store", store});
  for (const char* seed : {"2", "3"}) {
    CHECK(price("avx512",
                {"--store", store, "--effort", "max", "--tries", "1000", "--seed", seed}) <= kept);
  }
  CHECK(gates("avx512", {"--effort", "fast", "--levels", "3"}).at("depth") <= 3);
  CHECK(gates("avx512", {"--levels", "3"}).at("depth") <= 3);
  CHECK(not_refused(xorloom({"optimize", path, "--gates", "avx512", "--levels", "1"}),
                    "--levels = 1 is less than the 2 levels that an output of 8 inputs needs with "
                    "gates of 3 inputs") == "");
  // The cheapest gates of a sum are two, one after the other.
  for (const char* effort : {"fast", "normal"}) {
    CHECK(gates("xor2=1,xor8=90", {"--effort", effort, "--levels", "1"}).at("depth") == 1);
  }
}

}  // namespace xorloom::test
