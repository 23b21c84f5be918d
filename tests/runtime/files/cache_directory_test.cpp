#include "runtime/files/cache_directory.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

namespace xorloom {
namespace {

/// An environment variable, for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    ::setenv(name, value, 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (before_.empty()) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, before_.c_str(), 1);
    }
  }

 private:
  const char* name_;
  std::string before_;
};

TEST_CASE("The cache is where the environment says, by an absolute path") {
  const Variable home("HOME", "/home/somebody");
  const auto cache_with = [](const char* xdg) {
    const Variable cache("XDG_CACHE_HOME", xdg);
    return user_cache_directory().string();
  };
  CHECK(cache_with("/var/cache") == "/var/cache/xorloom");
  CHECK(cache_with("") == "/home/somebody/.cache/xorloom");
  CHECK(cache_with("cache") == "/home/somebody/.cache/xorloom");
}

TEST_CASE("Without a home there is no cache") {
  const Variable home("HOME", "");
  const Variable cache("XDG_CACHE_HOME", "");
  CHECK(user_cache_directory().empty());
}

}  // namespace
}  // namespace xorloom
