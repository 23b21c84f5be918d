#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// The commands that the program's help lists: what stands two columns in, below "Commands:".
std::vector<std::string> commands() {
  const std::string help = xorloom({"--help"}).out;
  const std::size_t begin = help.find("\nCommands:\n");
  std::istringstream lines(help.substr(begin, help.find("\n\n", begin) - begin));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ") || line.starts_with("   ")) continue;
    names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

/// The options that help lists at the beginning of its lines, as "--erase", after a short one or
/// none.
std::set<std::string> options(const std::string& help) {
  std::set<std::string> names;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  -")) continue;
    const std::size_t begin = line.find("--");
    const std::size_t end = line.find_first_not_of("-abcdefghijklmnopqrstuvwxyz", begin);
    if (begin == 2 || begin == 6) names.insert(line.substr(begin, end - begin));
  }
  return names;
}

std::string page(const std::string& name) {
  return read_file(std::string(XORLOOM_MAN_PAGES) + "/" + name + ".1");
}

/// Returns a page with its escaped signs as a reader sees and types them.
std::string unescaped(std::string text) {
  for (const auto& [escape, sign] : {std::pair{"\\-", "-"}, std::pair{"\\(aq", "'"}}) {
    for (std::size_t at = text.find(escape); at != std::string::npos; at = text.find(escape)) {
      text.replace(at, std::string(escape).size(), sign);
    }
  }
  return text;
}

/// Whether a program is there; says so if it is not.
bool has_program(const TemporaryFolder& folder, const std::string& name) {
  if (shell("command -v " + name, folder.path()).status == 0) return true;
  MESSAGE("not looked at with " << name << ", which is not installed");
  return false;
}

}  // namespace

TEST_CASE("There is a page for the program and for each command, and no other") {
  std::set<std::string> wanted{"xorloom.1"};
  for (const std::string& command : commands()) wanted.insert("xorloom-" + command + ".1");
  CHECK(wanted.size() > 10);
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(XORLOOM_MAN_PAGES)) {
    there.insert(entry.path().filename().string());
  }
  CHECK(there == wanted);
}

TEST_CASE("A page names every option of its command, and has the sections of a manual page") {
  for (const std::string& command : commands()) {
    CAPTURE(command);
    const std::string text = unescaped(page("xorloom-" + command));
    const std::set<std::string> names = options(xorloom({command, "--help-all"}).out);
    CHECK(names.contains("--help"));
    for (const std::string& name : names) {
      CAPTURE(name);
      CHECK(has(text, "\\fB" + name + "\\fR"));
    }
    for (const char* section :
         {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"}) {
      CHECK(has(text, std::string("\n.SH ") + section + "\n"));
    }
    CHECK(has(text, "\n.SH ENVIRONMENT\n") == names.contains("--isa"));
    CHECK(has(unescaped(page("xorloom")), "\\fB" + command + "\\fR\n"));
    CHECK(has(unescaped(page("xorloom")), ".BR xorloom-" + command + " (1)"));
  }
  CHECK(has(unescaped(page("xorloom-emit")), "packets are as SPEC says, if it is given"));
  CHECK(has(unescaped(page("xorloom-encode")), "packets are as --code says, if it is given"));
}

TEST_CASE("No line of a page is taken for a request that is none") {
  const std::set<std::string> requests{".TH", ".SH", ".TP", ".PP", ".B",
                                       ".BR", ".nf", ".fi", ".nh", ".ad"};
  for (const auto& entry : std::filesystem::directory_iterator(XORLOOM_MAN_PAGES)) {
    CAPTURE(entry.path());
    std::istringstream lines(read_file(entry.path().string()));
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      CHECK(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; }));
      CHECK(line.front() != '\'');
      if (line.front() == '.') CHECK(requests.contains(line.substr(0, line.find(' '))));
    }
  }
}

TEST_CASE("Formatters find nothing to warn of, and show what is to be typed as it is typed") {
  const TemporaryFolder folder;
  const std::string pages = XORLOOM_MAN_PAGES;
  if (has_program(folder, "groff")) {
    const Outcome all = shell(
        "for page in '" + pages + "'/*.1; do groff -man -ww -Tutf8 -z $page; done", folder.path());
    CHECK(all.status == 0);
    CHECK(all.err == "");
    const Outcome narrow =  // names of commands can be copied
        shell("for page in '" + pages + "'/*.1; do groff -man -Tutf8 -P-cbou -rLL=40n $page; done",
              folder.path());
    CHECK_FALSE(has(narrow.out, "\u2010\n"));
    const Outcome shown =
        shell("groff -man -Tascii -P-cbou '" + pages + "/xorloom-equations.1'", folder.path());
    CHECK(has(shown.out, "xorloom equations [SPEC] [options]"));
    CHECK(has(shown.out, "xorloom equations rdp:k=4,p=5 --erase 0 --reads min"));
    CHECK(has(shown.out, "--update N-N,"));
  }
  if (has_program(folder, "mandoc")) {
    // They have no date: what is generated does not depend on the time.
    const Outcome all = shell(
        "mandoc -Tlint -Wwarning '" + pages + "'/*.1 | grep -v 'WARNING: missing date' || true",
        folder.path());
    CHECK(all.out == "");
    CHECK(all.status == 0);
  }
}

}  // namespace xorloom::test
