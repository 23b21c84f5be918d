#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "xorloom/xorloom.h"
#include "xorloom/xorloom.hpp"

// XORLOOM_PROJECT_VERSION is project(VERSION) of CMakeLists.txt, and so that of the packages.

namespace xorloom {

TEST_CASE("the headers and the library say the version of the project") {
  CHECK(std::string(XORLOOM_VERSION) == XORLOOM_PROJECT_VERSION);
  CHECK(std::string(version()) == XORLOOM_PROJECT_VERSION);
  CHECK(std::string(xl_version()) == XORLOOM_PROJECT_VERSION);
}

TEST_CASE("the numbers of the version are those of its text") {
  CHECK(fmt::format("{}.{}.{}", XORLOOM_VERSION_MAJOR, XORLOOM_VERSION_MINOR,
                    XORLOOM_VERSION_PATCH) == XORLOOM_VERSION);
}

}  // namespace xorloom
