#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

const std::string kScripts = XORLOOM_COMPLETIONS;

/// Returns the output of a shell command; empty if the command fails.
std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  return ::pclose(pipe) == 0 ? text : "";
}

bool is_installed(const std::string& shell) {
  return std::system(("command -v " + shell + " >/dev/null").c_str()) == 0;
}

/// Returns what bash offers to complete the end of a line, which is `words` behind "xorloom ".
std::string offered(const TemporaryFolder& folder, const std::string& words) {
  const std::string script = (folder.path() / "try.bash").string();
  std::string split;  // as bash splits words at : and =
  for (const char c : words) {
    split += c == ':' || c == '=' ? std::string{' ', c, ' '} : std::string{c};
  }
  write_file(script, "source '" + kScripts + "/xorloom.bash'\nCOMP_LINE=\"xorloom " + words +
                         "\"\nCOMP_POINT=${#COMP_LINE}\nCOMP_WORDS=(xorloom " + split +
                         (words.ends_with(' ') ? " ''" : "") +
                         ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_xorloom\n"
                         "echo \"${COMPREPLY[*]}\"\n");
  std::string text = output_of("bash '" + script + "'");
  REQUIRE(!text.empty());
  text.pop_back();
  return text;
}

}  // namespace

TEST_CASE("bash completes commands, options, their values and families") {
  const TemporaryFolder folder;
  CHECK(offered(folder, "enc") == "encode");
  CHECK(offered(folder, "--v") == "--version");
  CHECK(offered(folder, "bench --exec") == "--executor");
  CHECK(offered(folder, "encode --executor p") == "plan");
  CHECK(offered(folder, "report --format ") == "table json html svg");
  CHECK(offered(folder, "bench cauchy-good:k=4,m=2 --chunk") == "--chunk-bytes");
  CHECK(offered(folder, "equations rs") == "rs rs-poly");
  CHECK(offered(folder, "convert shards --code rs") == "rs rs-poly");
  CHECK(offered(folder, "model ") == "durability cluster");
  CHECK(offered(folder, "model durability rs") == "rs rs-poly");
  CHECK(offered(folder, "report --target ") == "verilog");
  CHECK(offered(folder, "equations --store s") == "shipped");
  CHECK(offered(folder, "encode --store ") == "user shipped off");
  CHECK(offered(folder, "report --format=j") == "json");
  CHECK(offered(folder, "report --format=") == "table json html svg");
}

TEST_CASE("bash completes the keys of a code, but those that it has") {
  const TemporaryFolder folder;
  CHECK(offered(folder, "codes parity:") == "k= packet_bytes=");
  CHECK(offered(folder, "codes parity:k=4,p") == "4,packet_bytes=");
  CHECK(offered(folder, "codes rs:4,m=2,") ==
        "2,k= 2,w= 2,poly= 2,matrix= 2,arrangement= 2,packet_bytes=");
  CHECK(offered(folder, "encode photos --code=rs:4,2,arr") == "4,2,arrangement=");
  CHECK(offered(folder, "codes rs:k=4,arrangement=") == "");
  CHECK(offered(folder, "codes parity:l") == "");
}

TEST_CASE("bash leaves files to itself") {
  const TemporaryFolder folder;
  CHECK(offered(folder, "encode photos") == "");
  CHECK(offered(folder, "encode photos -o ") == "");
  CHECK(offered(folder, "decode shards --wisdom ") == "");
  CHECK(offered(folder, "codes file:") == "");
  CHECK(offered(folder, "codes file:m") == "");
}

TEST_CASE("every command and option is in the script of each shell") {
  const std::string bash = read_file(kScripts + "/xorloom.bash");
  const std::string zsh = read_file(kScripts + "/_xorloom");
  const std::string fish = read_file(kScripts + "/xorloom.fish");
  const std::vector<std::string> commands{"codes", "equations", "optimize", "emit",        "report",
                                          "atlas", "encode",    "decode",   "repair",      "verify",
                                          "info",  "bench",     "model",    "repair-plan", "serve"};
  for (const std::string& command : commands) {
    CAPTURE(command);
    const std::string help = xorloom({command, "--help"}).out;
    CHECK(zsh.find("    " + command + ")\n") != std::string::npos);
    CHECK(fish.find("__fish_use_subcommand -a " + command + " ") != std::string::npos);
    for (std::size_t at = help.find("\n  -"); at != std::string::npos;
         at = help.find("\n  -", at + 1)) {
      const std::size_t begin = help.find("--", at);
      const std::size_t end = help.find_first_not_of("-abcdefghijklmnopqrstuvwxyz", begin);
      const std::string option = help.substr(begin, end - begin);
      CAPTURE(option);
      CHECK(bash.find(option) != std::string::npos);
      CHECK(zsh.find(option + "[") != std::string::npos);
      CHECK(fish.find("__fish_seen_subcommand_from " + command + "'") != std::string::npos);
      CHECK(fish.find(" -l " + option.substr(2) + " ") != std::string::npos);
    }
  }
}

TEST_CASE("zsh and fish read their scripts") {
  if (is_installed("zsh")) {
    CHECK(std::system(("zsh -n '" + kScripts + "/_xorloom'").c_str()) == 0);
  } else {
    MESSAGE("zsh is not installed");
  }
  if (is_installed("fish")) {
    const std::string read = "fish -N -c \"source '" + kScripts + "/xorloom.fish'; complete -C '";
    CHECK(output_of(read + "xorloom enc'\"").starts_with("encode"));
    CHECK(output_of(read + "xorloom encode --executor pl'\"").starts_with("plan"));
    CHECK(output_of(read + "xorloom encode --store sh'\"").starts_with("shipped"));
    CHECK(
        output_of(read + "xorloom codes parity:k=4,p'\"").starts_with("parity:k=4,packet_bytes="));
  } else {
    MESSAGE("fish is not installed");
  }
}

}  // namespace xorloom::test
