#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace xorloom::test {

/// The names that a shared library exports, as nm prints them.
inline std::vector<std::string> exported(const std::string& path) {
  const std::string command = "nm -D --defined-only '" + path + "'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"),
                                                             ::pclose);
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int byte = 0; (byte = std::fgetc(pipe.get())) != EOF;)
    text.push_back(static_cast<char>(byte));
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string address, kind, name; lines >> address >> kind >> name;) {
    names.push_back(name.substr(0, name.find('@')));
  }
  REQUIRE_FALSE(names.empty());
  return names;
}

}  // namespace xorloom::test
