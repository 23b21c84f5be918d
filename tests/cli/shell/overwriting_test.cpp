// No command destroys what it reads.

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

const std::string kExamples = XORLOOM_EXAMPLES;
const std::string kPaper = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";

}  // namespace

TEST_CASE("No command writes its output over a file that it reads") {
  const TemporaryFolder folder;
  folder.write("m.txt", "110\n011\n");
  folder.write("code.json", read_file(kExamples + "/lrc_12_2_2.json"));
  folder.write("racks.json", read_file(kExamples + "/racks.json"));
  folder.write("e.txt", read_file(kExamples + "/paper_iterative.txt"));
  shell("$xorloom report rs:4,2 --format json -o report.json; ln -s m.txt link", folder.path());
  const std::string emit = "emit " + kPaper + " --target c ";
  const std::vector<std::pair<std::string, std::string>> calls = {
      {"codes file:code.json -o code.json", "code.json"},
      {"codes file:code.json --erase 0 -o ./code.json", "code.json"},
      {"equations file:code.json -o code.json", "code.json"},
      {"equations --equations e.txt -o e.txt", "e.txt"},
      {"equations rs:2,1 --style iterative --store e.txt -o e.txt", "e.txt"},
      {"optimize m.txt --store e.txt -o e.txt", "e.txt"},
      {emit + "--style iterative --store e.txt -o e.txt", "e.txt"},
      {"report rs:2,1 --store shipped --store e.txt -o e.txt", "e.txt"},
      {"optimize m.txt -o m.txt", "m.txt"},
      {"optimize link -o m.txt", "m.txt"},
      {"optimize m.txt -o link", "m.txt"},
      {"optimize - -o m.txt < m.txt", "m.txt"},
      {emit + "--equations e.txt -o e.txt", "e.txt"},
      {emit + "--equations e.txt --header e.txt", "e.txt"},
      {"emit file:code.json --target c -o code.json", "code.json"},
      {"emit rs:4,2 --target verilog --testbench e.txt --equations e.txt", "e.txt"},
      {"report file:code.json -o code.json", "code.json"},
      {"report --equations e.txt -o e.txt", "e.txt"},
      {"report --diff report.json report.json -o report.json", "report.json"},
      {"bench file:code.json -o code.json", "code.json"},
      {"atlas file:code.json -o code.json", "code.json"},
      {"repair-plan rs:4,2 --erase 0 --topology racks.json -o racks.json", "racks.json"},
  };
  for (const auto& each : calls) {
    const std::string& call = each.first;
    const std::string& name = each.second;
    CAPTURE(call);
    const std::string before = folder.read(name);
    REQUIRE(!before.empty());
    const Outcome outcome = shell("$xorloom " + call, folder.path());
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, " would replace "));
    CHECK(has(outcome.err, ": name another file\n"));
    CHECK(folder.read(name) == before);
  }
  CHECK(shell("$xorloom optimize m.txt -o other", folder.path()).status == 0);
}

TEST_CASE("No output replaces a shard, a protection file or an atlas") {
  const TemporaryFolder folder;
  folder.write("file", random_bytes(10'000, 1));
  folder.write("m.txt", "110\n011\n");
  REQUIRE(shell("$xorloom encode file -o d -k 2 -m 1 && cp d/*-0.shard shard && "
                "$xorloom encode file -o other -k 2 -m 1 && $xorloom protect file -o protection && "
                "$xorloom atlas rs:2,1 -o atlas",
                folder.path())
              .status == 0);
  for (const auto& [name, kind] :
       {std::pair{"shard", "a shard of a set"}, std::pair{"protection", "a protection file"},
        std::pair{"atlas", "an atlas"}}) {
    const std::string before = folder.read(name);
    for (const std::string call :
         {"equations rs:2,1", "optimize m.txt", "report rs:2,1", "codes rs:2,1", "bench rs:2,1",
          "emit rs:2,1 --target c", "decode other", "decode other --bytes 0-9",
          "decode other --salvage"}) {
      CAPTURE(call);
      const Outcome outcome = shell("$xorloom " + call + " -o " + name, folder.path());
      CHECK(outcome.status == 2);
      CHECK(has(outcome.err, std::string(name) + " is " + kind + ", and " +
                                 call.substr(0, call.find(' ')) +
                                 " does not overwrite it: name another file"));
      CHECK(folder.read(name) == before);
    }
  }
  CHECK(shell("$xorloom atlas rs:2,1 -o atlas", folder.path()).status == 0);
  CHECK(shell("$xorloom atlas rs:2,1 -o shard", folder.path()).status == 2);
}

TEST_CASE("Two outputs are two files") {
  const TemporaryFolder folder;
  const Outcome outcome = shell("$xorloom emit rs:4,2 --target c -o a --header ./a", folder.path());
  CHECK(not_refused(outcome, "--header and --output name the same file, a") == "");
  CHECK(folder.names().empty());
  CHECK(shell("$xorloom emit rs:4,2 --target c -o /dev/null --header /dev/null", folder.path())
            .status == 0);
}

TEST_CASE("A shard is no input of a change of its own set") {
  const TemporaryFolder folder;
  folder.write("file", random_bytes(10'000, 1));
  REQUIRE(shell("$xorloom encode file -o d -k 2 -m 1", folder.path()).status == 0);
  for (const char* const call :
       {"append d d/*-0.shard", "patch d --at 0 d/*-0.shard", "append d < d/*-2.shard"}) {
    const Outcome outcome = shell(std::string("$xorloom ") + call, folder.path());
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, "is a shard of the set that is to be changed"));
  }
  CHECK(shell("$xorloom decode d -o - | cmp - file", folder.path()).status == 0);
}

}  // namespace xorloom::test
