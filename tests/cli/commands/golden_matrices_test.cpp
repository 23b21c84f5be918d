#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/equation_checker.hpp"
#include "tests/support/golden.hpp"

namespace xorloom::test {
namespace {

/// The XORs of a golden matrix with some effort, checked; 0 if they are wrong.
std::size_t xors_of(const std::filesystem::path& matrix, const char* effort) {
  const Outcome outcome =
      xorloom({"optimize", matrix.string(), "--effort", effort, "--format", "json"});
  CHECK(outcome.status == 0);
  const CheckedEquations checked = check_equations(read_file(matrix.string()), outcome.out);
  CHECK(checked.flaw == "");
  return checked.flaw.empty() ? checked.xors : 0;
}

}  // namespace

TEST_CASE("Fast, every golden matrix is computed with XORs between its bound and its rows apart") {
  const std::filesystem::path folder = golden_data("xor-matrices");
  SKIP_WITHOUT_GOLDEN_DATA(folder);
  const auto records = nlohmann::json::parse(read_file((folder / "records.json").string()));
  REQUIRE(records.size() >= 49);
  for (const auto& record : records) {
    const auto name = record.at("name").get<std::string>();
    CAPTURE(name);
    const std::size_t xors = xors_of(folder / (name + ".txt"), "fast");
    CHECK(xors >= record.at("lower_bound").get<std::size_t>());
    // Within a third of the best that is known.
    CHECK(3 * xors <= 4 * record.at("best_known").get<std::size_t>());
  }
}

TEST_CASE("With normal effort RS(10,4) takes at most 340 XORs, and a decoding 410") {
  const std::filesystem::path folder = golden_data("xor-matrices");
  SKIP_WITHOUT_GOLDEN_DATA(folder);
  CHECK(xors_of(folder / "isal_rs_k10m4w8.txt", "normal") <= 340);
  CHECK(xors_of(folder / "isal_rs_k10m4w8_dec_2_4_5_6.txt", "normal") <= 410);
  CHECK(xors_of(folder / "ex_cauchy_k5m2w3.txt", "normal") == 24);
}

TEST_CASE("With normal effort AES takes at most 91 XORs, and Whirlwind 173, its published count") {
  const std::filesystem::path folder = golden_data("xor-matrices");
  SKIP_WITHOUT_GOLDEN_DATA(folder);
  CHECK(xors_of(folder / "AES.txt", "normal") <= 91);
  CHECK(xors_of(folder / "Whirlwind_M0.txt", "normal") <= 173);
}

TEST_CASE("In place, AES takes at most the published 91 XORs, and as many backwards") {
  const std::filesystem::path folder = golden_data("xor-matrices");
  SKIP_WITHOUT_GOLDEN_DATA(folder);
  const std::string matrix = (folder / "AES.txt").string();
  const Outcome outcome = xorloom({"optimize", matrix, "--in-place", "--effort", "max", "--tries",
                                   "1000000", "--seed", "3", "--format", "json"});
  const CheckedEquations checked = check_in_place(read_file(matrix), outcome.out);
  CHECK(checked.flaw == "");
  CHECK(checked.xors <= 91);
}

}  // namespace xorloom::test
