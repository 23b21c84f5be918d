#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

/// A code's counts in the README of the library.
struct Shipped {
  const char* spec;
  std::size_t xors;
  std::size_t known;  ///< the fewest published, or found by published algorithms; 0: none
};

constexpr Shipped kShipped[] = {
    {"cauchy-good:k=4,m=2,w=8", 55, 0},
    {"cauchy-good:k=6,m=3,w=8", 140, 179},
    {"cauchy-good:k=10,m=4,w=4", 103, 138},
    {"cauchy-good:k=10,m=4,w=8", 326, 422},
};

}  // namespace

TEST_CASE("Four usual codes come with Xorloom, and each is what its page says, proved") {
  const std::string page = read_file(std::string(XORLOOM_LIBRARY) + "/README.md");
  for (const Shipped& code : kShipped) {
    CAPTURE(code.spec);
    const Outcome taken =
        xorloom({"equations", code.spec, "--style", "iterative", "--format", "json"});
    CHECK(taken.status == 0);
    CHECK(taken.err == fmt::format("xorloom: encoding of {}: {} XORs, from the library\n",
                                   code.spec, code.xors));
    const auto json = nlohmann::json::parse(taken.out);
    CHECK(json["cost"]["xors"] == code.xors);
    CHECK(json["proof"]["holds"] == true);
    if (code.known != 0) CHECK(code.xors < code.known);
    CHECK(page.find(fmt::format("| `{}` | {} |", code.spec, code.xors)) != std::string::npos);
    // They were made by the command that is in scripts/make-library.
    const std::string script = read_file(std::string(XORLOOM_LIBRARY) + "/../scripts/make-library");
    CHECK(json["search"]["effort"] == "max");
    CHECK(json["search"]["seed"] == 1);
    const std::size_t millions = json["search"]["steps"].get<std::size_t>() / 1'000'000;
    const std::string line = fmt::format("\n{} {}", code.spec, millions);
    CHECK((has(script, line + "\n") || has(script, line + " ")));
  }
}

TEST_CASE("emit, report and optimize begin with what comes with Xorloom, too") {
  const std::string spec = "cauchy-good:k=10,m=4,w=8";
  const Outcome emitted = xorloom({"emit", spec, "--target", "c", "--style", "iterative"});
  CHECK(has(emitted.out, "326 XORs"));
  CHECK(has(emitted.err, ": 326 XORs, from the library\n"));
  const Outcome reported = xorloom({"report", spec, "--effort", "fast"});
  CHECK(has(reported.err, ": 326 XORs, from the library\n"));
  // The same map as a bare matrix, without a spec.
  const auto direct = nlohmann::json::parse(xorloom({"equations", spec, "--format", "json"}).out);
  std::string matrix = "32 80\n";
  for (const auto& equation : direct["equations"]) {
    std::string row(80, '0');
    for (const std::size_t input : equation["xor"]) row[input] = '1';
    matrix += row + "\n";
  }
  const Outcome optimized = xorloom({"optimize", "-"}, {.in = matrix});
  CHECK(has(optimized.out, "# cost: 326 XORs"));
  CHECK(optimized.err == "xorloom: matrix: 326 XORs, from the library\n");
}

TEST_CASE("Programs for machine code are a start, and a search that finds no better one says so") {
  const Outcome fast = xorloom(
      {"equations", "cauchy-good:k=12,m=4,w=8", "--style", "iterative", "--effort", "fast"});
  CHECK(fast.status == 0);
  CHECK(has(fast.err, ", from the library; "));
  CHECK(has(fast.err, "; this search found "));
  const Outcome anew = xorloom({"equations", "cauchy-good:k=12,m=4,w=8", "--style", "iterative",
                                "--effort", "fast", "--store", "off"});
  CHECK(anew.err.empty());
}

}  // namespace xorloom::test
