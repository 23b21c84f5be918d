#pragma once

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/hardware_tools.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {

// Prefix of the compilers' names, "aarch64-linux-gnu-" in a cross build to ARM.
#ifndef XORLOOM_COMPILER_PREFIX
#define XORLOOM_COMPILER_PREFIX ""
#endif

/// A compiler for this processor, for generated source.
struct Compiler {
  std::string name;
  bool is_cpp;
};

/// The compilers gcc, clang, g++ and clang++ that are on the PATH. A file of tests that needs one
/// holds no other tests, and each case begins with SKIP_WITHOUT_COMPILERS(compilers).
inline std::vector<Compiler> compilers() {
  std::vector<Compiler> found;
  for (const Compiler& compiler :
       std::vector<Compiler>{{XORLOOM_COMPILER_PREFIX "gcc", false},
                             {XORLOOM_COMPILER_PREFIX "clang", false},
                             {XORLOOM_COMPILER_PREFIX "g++", true},
                             {XORLOOM_COMPILER_PREFIX "clang++", true}}) {
    if (is_on_path(compiler.name)) found.push_back(compiler);
  }
  return found;
}

#define SKIP_WITHOUT_COMPILERS(compilers)                                   \
  if ((compilers).empty()) {                                                \
    MESSAGE("SKIPPED: there is no gcc, clang, g++ or clang++ on the PATH"); \
    return;                                                                 \
  }

/// Flags for generated source: its language, and warnings as errors.
inline std::string strict_flags(const Compiler& compiler) {
  return std::string(compiler.is_cpp ? "-std=c++17" : "-std=c11") +
         " -Wall -Wextra -pedantic -Wshadow -Wconversion -Wsign-conversion -Werror";
}

/// Runs a line of shell in a folder. Returns its output on both streams; empty if it exits with 0.
inline std::string complaint_of(const TemporaryFolder& folder, const std::string& line) {
  const std::string command =
      "cd '" + folder.path().string() + "' && { " + line + " ; } >complaint 2>&1";
  if (std::system(command.c_str()) == 0) return "";
  return "$ " + line + "\n" + folder.read("complaint");
}

/// A shared library that was just built.
class LoadedLibrary {
 public:
  explicit LoadedLibrary(const std::string& path) : handle_(::dlopen(path.c_str(), RTLD_NOW)) {
    if (handle_ == nullptr) throw std::runtime_error(::dlerror());
  }
  ~LoadedLibrary() { ::dlclose(handle_); }
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;

  template <typename Function>
  Function* function(const std::string& name) const {
    void* const symbol = ::dlsym(handle_, name.c_str());
    if (symbol == nullptr) throw std::runtime_error("the library has no " + name);
    return reinterpret_cast<Function*>(symbol);
  }

 private:
  void* handle_;
};

}  // namespace xorloom
