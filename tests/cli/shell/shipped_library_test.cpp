#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

/// What the README of the library says of each code.
struct Shipped {
  const char* spec;
  const char* name;
  std::size_t xors;
  std::size_t
      known;  ///< the fewest that were published or found by published algorithms, 0 if none are
};

constexpr Shipped kShipped[] = {
    {"cauchy-good:k=4,m=2,w=8", "cauchy-good_k=4_m=2_w=8.json", 55, 0},
    {"cauchy-good:k=6,m=3,w=8", "cauchy-good_k=6_m=3_w=8.json", 140, 179},
    {"cauchy-good:k=10,m=4,w=4", "cauchy-good_k=10_m=4_w=4.json", 103, 138},
    {"cauchy-good:k=10,m=4,w=8", "cauchy-good_k=10_m=4_w=8.json", 335, 422},
};

std::string path_of(const Shipped& code) { return std::string(XORLOOM_LIBRARY) + "/" + code.name; }

}  // namespace

TEST_CASE("Four usual codes come with Xorloom, and each is what its page says, proved") {
  const std::string page = read_file(std::string(XORLOOM_LIBRARY) + "/README.md");
  std::set<std::string> names;
  for (const Shipped& code : kShipped) {
    CAPTURE(code.spec);
    names.insert(code.name);
    const Outcome taken = xorloom({"equations", code.spec, "--style", "iterative", "--library",
                                   XORLOOM_LIBRARY, "--effort", "normal", "--format", "json"});
    CHECK(taken.status == 0);
    CHECK(taken.err ==
          fmt::format("xorloom: from {}, {} XORs, proved\n", path_of(code), code.xors));
    const auto json = nlohmann::json::parse(taken.out);
    CHECK(json["cost"]["xors"] == code.xors);
    CHECK(json["proof"]["holds"] == true);
    if (code.known != 0) CHECK(code.xors < code.known);
    CHECK(page.find(fmt::format("| `{}` | {} |", code.spec, code.xors)) != std::string::npos);
  }
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(XORLOOM_LIBRARY)) {
    if (entry.path().extension() == ".json") there.insert(entry.path().filename().string());
  }
  CHECK(there == names);
}

TEST_CASE("They were made by the command that is in scripts/make-library") {
  const std::string script = read_file(std::string(XORLOOM_LIBRARY) + "/../scripts/make-library");
  for (const Shipped& code : kShipped) {
    CAPTURE(code.spec);
    const auto search = nlohmann::json::parse(read_file(path_of(code)))["search"];
    CHECK(search["effort"] == "max");
    CHECK(search["seed"] == 1);
    const std::size_t millions = search["steps"].get<std::size_t>() / 1'000'000;
    CHECK(script.find(fmt::format("\n{} {}\n", code.spec, millions)) != std::string::npos);
  }
}

}  // namespace xorloom::test
