#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

const std::vector<std::string> kCommands = {
    "codes",       "equations", "optimize", "emit",     "report",  "atlas",   "encode",
    "decode",      "patch",     "append",   "truncate", "convert", "protect", "repair",
    "repair-plan", "verify",    "info",     "bench",    "model",   "serve"};

/// The words of two or more capitals.
std::set<std::string> words_in(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  const auto end = [&](char next) {
    if (word.size() > 1 && std::isalnum(static_cast<unsigned char>(next)) == 0) words.insert(word);
    word.clear();
  };
  char before = ' ';
  for (const char c : text + ' ') {
    if (c >= 'A' && c <= 'Z' &&
        (!word.empty() || std::isalnum(static_cast<unsigned char>(before)) == 0)) {
      word += c;
    } else {
      end(c);
    }
    before = c;
  }
  return words;
}

/// Lines of a screen.
constexpr std::ptrdiff_t kMostHelpLines = 60;

}  // namespace

TEST_CASE("The program's help names every command and fits a terminal of 80 columns") {
  const Outcome help = xorloom({"--help"});
  CHECK(help.status == 0);
  CHECK(help.err.empty());
  CHECK(has(help.out, "--help-all"));
  CHECK(widest_line(help.out) <= 80);
  CHECK(std::ranges::count(help.out, '\n') <= kMostHelpLines);
  for (const std::string& command : kCommands) CHECK(has(help.out, "\n  " + command + " "));
}

TEST_CASE("Every command's help has a usage line, options and examples, and fits 80 columns") {
  for (const std::string& command : kCommands) {
    CAPTURE(command);
    const Outcome help = xorloom({command, "--help"});
    CHECK(help.status == 0);
    CHECK(help.err.empty());
    CHECK(help.out.starts_with("Usage: xorloom " + command + " "));
    CHECK(has(help.out, "\nOptions:\n"));
    CHECK(has(help.out, "\nExamples:\n  "));
    CHECK(widest_line(help.out) <= 80);
    CHECK(xorloom({command, "-h"}).out == help.out);
    CHECK(std::ranges::count(help.out, '\n') <= kMostHelpLines);
    const Outcome whole = xorloom({command, "--help-all"});
    CHECK(whole.status == 0);
    CHECK(whole.out.size() >= help.out.size());
    CHECK(widest_line(whole.out) <= 80);
  }
}

TEST_CASE("Short help tells a default whole or not at all") {
  const auto one_line = [](const std::string& text) {
    std::string line;
    std::istringstream words(text);
    for (std::string word; words >> word;) line += word + " ";
    return line;
  };
  const std::string bench = one_line(xorloom({"bench", "--help"}).out);
  CHECK(has(bench, "default: 1, 2 and more, up to all that the code survives "));
  CHECK(has(one_line(xorloom({"repair-plan", "--help"}).out),
            "default: a 256th of the chunk, but at least 32 KiB and at most 1 MiB "));
}

TEST_CASE("Help explains a status by what the command itself may mean by it") {
  CHECK_FALSE(has(xorloom({"encode", "--help-all"}).out, "of atlas:"));
  CHECK(has(xorloom({"atlas", "--help-all"}).out, "of atlas:"));
  CHECK(has(xorloom({"report", "--help-all"}).out, "got worse"));
  CHECK_FALSE(has(xorloom({"verify", "--help-all"}).out, "got worse"));
}

TEST_CASE("Help speaks of no value that the command does not take") {
  // Words of the field and names of variables, not of values.
  const std::set<std::string> known = {"XOR",  "GF",   "JSON", "HTML",    "SVG",  "GPU", "CUDA",
                                       "AVX",  "GFNI", "FPGA", "MB",      "ARCS", "XDG", "CACHE",
                                       "HOME", "ISA",  "CPU",  "XORLOOM", "KiB",  "MDS", "CNOT"};
  for (const std::string& command : kCommands) {
    CAPTURE(command);
    const std::string help = xorloom({command, "--help"}).out;
    const std::string usage = help.substr(0, help.find("\n\n"));
    const std::size_t options = help.find("\nArguments:\n") != std::string::npos
                                    ? help.find("\nArguments:\n")
                                    : help.find("\nOptions:\n");
    const std::string paragraph = help.substr(usage.size(), options - usage.size());
    const std::string rest = help.substr(options, help.find("\nExamples:\n") - options);
    std::set<std::string> taken = words_in(usage);
    std::istringstream lines(rest);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("  ") || line[2] == ' ') continue;
      taken.merge(words_in(line.substr(0, line.find("  ", 2))));
    }
    for (const std::string& word : words_in(paragraph + rest)) {
      CAPTURE(word);
      CHECK((taken.contains(word) || known.contains(word)));
    }
    // Several options take a file or a directory, so that the paragraph has to mean one that all
    // see: in the usage line or with -o.
    for (const char* word : {"FILE", "DIR", "PATH", "OFFSET", "BYTES"}) {
      const bool is_output = has(rest, std::string("-o, --output ") + word);
      if (words_in(paragraph).contains(word)) CHECK((words_in(usage).contains(word) || is_output));
    }
  }
}

TEST_CASE("The help of the program and of bench fits a screen of 60 lines") {
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"--help"}, {"bench", "--help"}}) {
    const std::string help = xorloom(call).out;
    CHECK(std::count(help.begin(), help.end(), '\n') <= 60);
  }
}

TEST_CASE("What runs bytes can be told how, and its help says so") {
  for (const std::string command : {"encode", "decode", "repair", "verify", "bench"}) {
    CAPTURE(command);
    const std::string help = xorloom({command, "--help-all"}).out;
    for (const char* option :
         {"--executor ranges|graph|plan|auto|opencl|cuda|hybrid", "--isa portable|", "--threads N",
          "--style direct|iterative|auto", "--engine code|kernels|auto",
          "--effort auto|fast|normal",
          command == "verify" ? "--store user|shipped|off|DIR" : "--store PLACE"}) {
      CHECK(has(help, option));
    }
  }
}

TEST_CASE("Help is given whatever else stands on the line") {
  CHECK(xorloom({"equations", "--help"}).out == xorloom({"equations", "no-such", "--help"}).out);
}

TEST_CASE("The version is a line of its own, before one on the build") {
  const Outcome version = xorloom({"--version"});
  CHECK(version.status == 0);
  const auto machine = nlohmann::json::parse(
      xorloom({"bench", "parity:k=2", "--explain", "--format", "json"}).out)["machine"];
  std::string isas;
  for (const auto& isa : machine["isas"]) {
    isas += (isas.empty() ? "" : ", ") + isa.get<std::string>();
  }
  CHECK(version.out.starts_with("xorloom "));
  CHECK(
      version.out.substr(version.out.find('\n')) ==
      fmt::format("\nbuilt by {}; runs here: {}\n", machine["compiler"].get<std::string>(), isas));
}

TEST_CASE("Wrong usage is one sentence and a pointer to the right help") {
  const std::string commands =
      "it is one of codes, equations, optimize, emit, report, atlas, encode, decode, patch, "
      "append, truncate, convert, protect, repair, repair-plan, verify, info, bench, model or "
      "serve";
  CHECK(not_refused(xorloom({}), "no command is given: " + commands) == "");
  CHECK(not_refused(xorloom({"weave"}), "there is no command 'weave': " + commands) == "");
  for (const char* const help : {"--help", "-h"}) {
    CHECK(not_refused(xorloom({"weave", help}), "there is no command 'weave': " + commands) == "");
  }
  CHECK(not_refused(xorloom({"-v"}), "there is no option '-v': -V prints the version") == "");
  CHECK(not_refused(xorloom({"--fast"}), "there is no option '--fast': a command comes first") ==
        "");
  CHECK(not_refused(
            xorloom({"equations"}),
            "SPEC, -k, -m, -w or --equations is required: the code, such as cauchy-good:10,4") ==
        "");
  CHECK(not_refused(xorloom({"equations", "rdp:k=4", "all"}), "'all' is not expected") == "");
  CHECK(not_refused(xorloom({"codes", "--all"}), "'--all' is not expected") == "");
  CHECK(not_refused(xorloom({"report", "--cores"}), "--cores needs a value") == "");
  CHECK(not_refused(xorloom({"report", "--cores", "1", "--cores", "2"}),
                    "--cores is given more than once") == "");
  for (const char* flag : {"raw", "replace", "allow-non-mds"}) {
    CHECK(not_refused(xorloom({"encode", std::string("--") + flag + "=5"}),
                      std::string("--") + flag + " takes no value") == "");
  }
  CHECK(xorloom({}).err.ends_with("\nxorloom --help says more\n"));
  CHECK(xorloom({"equations"}).err.ends_with("\nxorloom equations --help says more\n"));
}

}  // namespace xorloom::test
