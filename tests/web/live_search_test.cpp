#include "web/live_search.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "codes/text/json.hpp"

namespace xorloom::web {
namespace {

TEST_CASE("A search tells its progress, and proved equations that get better") {
  std::vector<std::size_t> told;
  std::vector<std::size_t> written;
  double part = 0;
  const Json question{{"ask", "equations"},
                      {"code", "cauchy-good:k=10,m=4"},
                      {"style", "iterative"},
                      {"effort", "max"},
                      {"tries", 3'000'000}};
  const Answer found =
      answer(question.dump(), {.on_progress =
                                   [&](std::size_t xors, std::size_t bound, double done) {
                                     CHECK(bound <= xors);
                                     told.push_back(xors);
                                     part = done;
                                   },
                               .on_equations =
                                   [&](const std::string& json) {
                                     const EquationFile file = read_equations(json);  // proves them
                                     CHECK(file.proved);
                                     written.push_back(file.program.equations.size());
                                   }});
  REQUIRE(found.status == Status::kOk);
  REQUIRE(told.size() > 1);
  REQUIRE(!written.empty());
  CHECK(told.back() <= told.front());
  CHECK(part > 0);
  CHECK(part <= 1);
  const std::size_t xors = Json::parse(found.text)["cost"]["xors"].whole();
  CHECK(xors <= told.back());
  // Listening changes nothing.
  CHECK(answer(question.dump()).text == found.text);
}

}  // namespace
}  // namespace xorloom::web
