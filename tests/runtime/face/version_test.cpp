#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "xorloom/xorloom.h"
#include "xorloom/xorloom.hpp"

// XORLOOM_PROJECT_VERSION is project(VERSION) of CMakeLists.txt, and so that of the packages.

namespace xorloom {

TEST_CASE("the headers and the library say the version of the project") {
  CHECK(std::string(XORLOOM_VERSION).starts_with(XORLOOM_PROJECT_VERSION));
  CHECK(std::string(version()) == XORLOOM_VERSION);
  CHECK(std::string(xl_version()) == XORLOOM_VERSION);
}

TEST_CASE("the text of the version is its numbers, and +dev if it is no release") {
  const std::string numbers =
      fmt::format("{}.{}.{}", XORLOOM_VERSION_MAJOR, XORLOOM_VERSION_MINOR, XORLOOM_VERSION_PATCH);
  const std::string rest = std::string(XORLOOM_VERSION).substr(numbers.size());
  CHECK(std::string(XORLOOM_VERSION).starts_with(numbers));
  CHECK((rest.empty() || rest == "+dev"));
}

}  // namespace xorloom
