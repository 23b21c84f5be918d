// One table of exit statuses: help, manual pages, docs and what each command does agree.

#include <doctest/doctest.h>

#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// The statuses with their meanings, as a help lists them.
std::map<int, std::string> statuses_of(const std::string& help) {
  const std::string title = "\nExit status:\n";
  REQUIRE(has(help, title));
  std::istringstream lines(help.substr(help.find(title) + title.size()));
  std::map<int, std::string> statuses;
  int status = -1;
  for (std::string line; std::getline(lines, line) && line.starts_with("  ");) {
    if (std::isdigit(static_cast<unsigned char>(line[2])) != 0) {
      status = line[2] - '0';
      line.erase(2, 1);
    }
    const std::string text = line.substr(line.find_first_not_of(' '));
    statuses[status] += (statuses[status].empty() ? "" : " ") + text;
  }
  return statuses;
}

std::vector<std::string> commands() {
  std::istringstream lines(xorloom({"--help"}).out);
  std::vector<std::string> names;
  bool is_in = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Commands:") is_in = true;
    if (line.empty()) is_in = false;
    if (is_in && line.starts_with("  ") && line[2] != ' ') {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return names;
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\\' || c == '`'; });
  return text;
}

/// A call of a command, what comes before it in the shell, and the status it ends with.
struct Scenario {
  int status;
  std::string call;
};

// Before each: "file", a set "d" of it with 4 + 2 shards, a protection file p.xorloom of it and a
// folder.
const std::vector<Scenario> kScenarios = {
    {0, "$xorloom codes rs:4,2"},
    {2, "$xorloom codes rs:4,0"},
    {2, "$xorloom codes rs:4,2 --erase 0-2"},
    {4, "$xorloom codes file:none.json"},
    {0, "$xorloom equations cauchy:5,2,3 --erase 0"},
    {2, "$xorloom equations cauchy:5,2,3 --erase 0-2"},
    {4, "$xorloom equations cauchy:5,2,3 -o no/where"},
    {0, "echo 11 | $xorloom optimize -"},
    {2, "echo 12 | $xorloom optimize -"},
    {4, "$xorloom optimize none"},
    {0, "$xorloom emit rs:4,2 --target c"},
    {2, "$xorloom emit rs:4,2 --target c --erase 0-2"},
    {2, "$xorloom emit rs:4,2 --target verilog --erase 0-2"},
    {4, "$xorloom emit rs:4,2 --target c --equations none"},
    {0, "$xorloom report cauchy:2,1,2 --effort fast"},
    {1,
     "$xorloom report cauchy-good:4,2 --effort fast --format json -o a; "
     "$xorloom report cauchy-good:4,2 --effort fast --format json | sed 's/\"xors\": [1-9]/&9/' > "
     "b; $xorloom report --diff a b"},
    {2, "$xorloom report cauchy:2,1,2 --erase 0-2"},
    {4, "$xorloom report --equations none"},
    {0, "$xorloom atlas rs:2,1 -o a"},
    {2, "$xorloom atlas rs:2,1 -o -"},
    {4, "$xorloom atlas rs:2,1 -o no/where"},
    {0, "$xorloom encode file -o e"},
    {2, "$xorloom encode file -o d"},
    {4, "$xorloom encode none -o e"},
    {0, "rm d/*-0.shard; $xorloom decode d -o back"},
    {2, "$xorloom decode d -o back --set 00000000000000000000"},
    {3, "rm d/*-[012].shard; $xorloom decode d -o back"},
    {3, "rm d/*-[012].shard; $xorloom decode d -o back --salvage"},
    {4, "$xorloom decode folder -o back"},
    {0, "rm d/*-0.shard; $xorloom patch d file --at 0"},
    {2, "$xorloom patch d file --at 1"},
    {3, "rm d/*-[012].shard; $xorloom patch d file --at 0"},
    {4, "$xorloom patch folder file --at 0"},
    {0, "$xorloom append d file"},
    {2, "$xorloom append file"},
    {3, "rm d/*-[012].shard; $xorloom append d file"},
    {4, "$xorloom append d none"},
    {0, "$xorloom truncate d --length 1"},
    {2, "$xorloom truncate d --length 1000000"},
    {3, "rm d/*-[012].shard; $xorloom truncate d --length 1"},
    {4, "$xorloom truncate folder --length 1"},
    {0, "$xorloom convert d --code rs:4,3"},
    {2, "$xorloom convert d --code rs:4"},
    {3, "rm d/*-[012].shard; $xorloom convert d --code rs:4,3"},
    {4, "$xorloom convert folder --code rs:4,3"},
    {0, "$xorloom protect file -o q.xorloom"},
    {1,
     "touch -r file stamp; printf x | dd of=file conv=notrunc; touch -r stamp file; $xorloom "
     "protect file -o p.xorloom --replace"},
    {2, "$xorloom protect file -o p.xorloom"},
    {4,
     "for at in 50 $(($(wc -c < p.xorloom) - 50)); do printf x | dd of=p.xorloom bs=1 seek=$at "
     "conv=notrunc; done; $xorloom protect --update -o p.xorloom"},
    {4, "$xorloom protect none -o q.xorloom"},
    {0, "rm d/*-0.shard; $xorloom repair d"},
    {1,
     "$xorloom encode file -o e --raw --code rs:4,2; printf x | dd of=e/0 conv=notrunc; "
     "$xorloom repair e --raw --code rs:4,2 --deep"},
    {2, "$xorloom repair d --assume-wrong 1"},
    {3, "rm d/*-[012].shard; $xorloom repair d"},
    {3, "rm file; $xorloom repair p.xorloom"},
    {4, "$xorloom repair folder"},
    {0, "$xorloom repair-plan rs:4,2 --topology racks.json --erase 0"},
    {2, "$xorloom repair-plan rs:4,2 --topology racks.json --erase 0-2"},
    {0, "$xorloom serve --socket s & sleep 0.5; kill -TERM $!; wait $!"},
    {2, "$xorloom serve --address localhost"},
    {4, "$xorloom serve --socket no/where"},
    {4, "$xorloom repair-plan rs:4,2 --topology none --erase 0"},
    {0, "$xorloom verify d"},
    {0, "$xorloom verify p.xorloom"},
    {1, "rm d/*-0.shard; $xorloom verify d"},
    {2, "$xorloom verify d --base folder"},
    {3, "rm d/*-[012].shard; $xorloom verify d"},
    {3, "rm file; $xorloom verify p.xorloom"},
    {4, "$xorloom verify folder"},
    {0, "$xorloom info d"},
    {1,
     "$xorloom atlas rs:2,1 -o a; printf x | dd of=a bs=1 seek=$(($(wc -c < a) - 4)) conv=notrunc; "
     "$xorloom info a"},
    {2, "$xorloom info d --format svg"},
    {3,
     "$xorloom atlas rs:2,1 -o a; printf x | dd of=a bs=1 seek=100 conv=notrunc; $xorloom info a"},
    {4, "$xorloom info folder"},
    {0, "$xorloom bench rs:2,1 --chunk-bytes 512 --threads 1 --executor ranges"},
    {2, "$xorloom bench rs:2,1 --losses 2"},
    {4, "$xorloom bench file:none.json"},
    {0, "$xorloom model durability raid6:14"},
    {2, "$xorloom model bank"},
    {4, "$xorloom model durability raid6:14 > /dev/full"},
};

std::string command_of(const Scenario& scenario) {
  const std::size_t begin = scenario.call.rfind("$xorloom ") + 9;
  return scenario.call.substr(begin, scenario.call.find(' ', begin) - begin);
}

}  // namespace

TEST_CASE("Every command ends with each status that its help lists, and with no other") {
  std::map<std::string, std::set<int>> seen;
  for (const Scenario& scenario : kScenarios) {
    CAPTURE(scenario.call);
    const TemporaryFolder folder(memory_directory());
    folder.write("file", random_bytes(10'000, 1));
    folder.write("racks.json", read_file(std::string(XORLOOM_EXAMPLES) + "/racks.json"));
    REQUIRE(shell("mkdir folder; $xorloom encode file -o d -k 4 -m 2 && "
                  "$xorloom protect file -o p.xorloom",
                  folder.path())
                .status == 0);
    const Outcome outcome = shell(scenario.call, folder.path());
    CHECK_MESSAGE(outcome.status == scenario.status, outcome.err);
    seen[command_of(scenario)].insert(scenario.status);
  }
  for (const std::string& command : commands()) {
    CAPTURE(command);
    std::set<int> listed;
    for (const auto& [status, meaning] : statuses_of(xorloom({command, "--help-all"}).out)) {
      listed.insert(status);
    }
    CHECK(seen[command] == listed);
  }
}

TEST_CASE("Help, manual pages and docs say the same of the statuses") {
  const std::map<int, std::string> all = statuses_of(xorloom({"--help"}).out);
  REQUIRE(all.size() == 5);
  const std::string docs = read_file(std::string(XORLOOM_DOCS) + "/changing.md");
  for (const auto& [status, meaning] : all) {
    CHECK(has(docs, "| " + std::to_string(status) + " | " + meaning + " |\n"));
  }
  for (const std::string& command : commands()) {
    CAPTURE(command);
    const std::string page =
        without_spaces(read_file(std::string(XORLOOM_MAN_PAGES) + "/xorloom-" + command + ".1"));
    const std::map<int, std::string> some = statuses_of(xorloom({command, "--help-all"}).out);
    for (const auto& each : all) {
      const int status = each.first;
      // A command leaves out what another one alone means.
      const std::size_t other = each.second.find("; of ");
      const bool is_its_own =
          other == std::string::npos || each.second.substr(other).starts_with("; of " + command);
      const std::string meaning = is_its_own ? each.second : each.second.substr(0, other);
      CAPTURE(status);
      if (some.contains(status)) CHECK(some.at(status) == meaning);
      CHECK(has(page, without_spaces(meaning)) == some.contains(status));
    }
  }
}

}  // namespace xorloom::test
