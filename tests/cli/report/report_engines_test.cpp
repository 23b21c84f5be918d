#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/cli/worked_example.hpp"
#include "tests/support/hardware_tools.hpp"
#include "tests/support/temporary_folder.hpp"

// Reports on sets of equations as XOR engines.

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

nlohmann::json engines_report(const std::string& spec) {
  const Outcome outcome =
      xorloom({"report", spec, "--target", "verilog", "--effort", "fast", "--format", "json"});
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out);
}

}  // namespace

TEST_CASE("Each set is counted as engines of both tables with 0 to 4 ranks of registers") {
  const nlohmann::json all = engines_report(kWorkedExample);
  REQUIRE(all["sets"].size() == 4);
  CHECK(all["sets"][2]["source"] == "iterative, few LUT4");
  CHECK(all["sets"][3]["source"] == "iterative, few LUT6");
  for (const auto& set : all["sets"]) {
    CAPTURE(std::string(set["source"]));
    CHECK(set["data_bits_per_clock"] == 15);
    const bool is_of_one = set["source"].get<std::string>().find("few") != std::string::npos;
    CHECK(set["engines"].size() == (is_of_one ? 5 : 10));
    for (const auto& engine : set["engines"]) {
      const std::size_t ranks = engine["ranks"];
      const std::size_t depth = engine["depth"];
      const std::size_t most = (depth + ranks) / (ranks + 1);
      CHECK(engine["stage_depth"].get<std::size_t>() <= most);
      CHECK((engine["registers"] == 0) == (ranks == 0));
      if (!engine.contains("yosys")) continue;
      // yosys may find fewer tables than a count of sums one by one.
      CHECK(engine["yosys"]["tables"].get<std::size_t>() > 0);
      if (ranks != 0) {
        CHECK(engine["yosys"]["registers"].get<std::size_t>() >= ranks);
      }
    }
  }
  // Direct: six sums of 8 or 9 operands, each in three tables of 4 inputs.
  CHECK(all["sets"][0]["engines"][0]["tables"] == 18);
  CHECK(all.contains("yosys"));
  CHECK(all["yosys"].is_null() == !is_on_path("yosys"));
}

TEST_CASE("The table and the page have engines where they are asked for, and else do not") {
  // Without yosys, which takes its time, and is then left out.
  const TemporaryFolder folder;
  const std::string report = "PATH=/nowhere $xorloom report " + std::string(kWorkedExample) +
                             " --effort fast --target verilog";
  const Outcome table = shell(report, folder.path());
  CHECK(table.status == 0);
  CHECK(has(table.out, "\nas an XOR engine, per bit lane\n"));
  CHECK(has(table.out, "\n  1 rank of registers: LUT4 + registers"));
  CHECK(widest_line(table.out) <= 80);
  CHECK(has(table.out, "\nLeft out:\n  - what yosys counts, which is not installed\n"));
  const Outcome page = shell(report + " --format html", folder.path());
  CHECK(has(page.out, "1 · direct: the XOR engine</summary>"));
  CHECK(has(page.out, "<figcaption>Lookup tables of an engine, per bit lane</figcaption>"));
  CHECK(has(page.out, " LUT4 per bit lane (18 direct) and "));  // the same set
  CHECK(has(page.out, " LUT6 (12 direct)."));
  CHECK(has(page.out, " scope=\"row\">LUT4</th><td>18</td>"));
  CHECK(
      has(page.out, "3 · iterative, few LUT4: the XOR engine with a rank of registers</summary>"));
  const Outcome plain = xorloom({"report", kWorkedExample, "--effort", "fast"});
  CHECK(!has(plain.out, "engine"));
}

TEST_CASE("Engines are made of XORs") {
  CHECK(not_refused(xorloom({"report", kWorkedExample, "--target", "verilog", "--over", "symbols"}),
                    "--target verilog makes engines of XORs, not of --over symbols") == "");
  CHECK(not_refused(xorloom({"report", kWorkedExample, "--target", "vhdl"}),
                    "--target = 'vhdl' is not verilog") == "");
  const TemporaryFolder folder;
  const std::string symbols = folder / "symbols.json";
  CHECK(xorloom({"equations", "rs:k=2,m=1", "--over", "symbols", "--format", "json", "-o", symbols})
            .status == 0);
  CHECK(not_refused(xorloom({"report", "--equations", symbols, "--target", "verilog"}),
                    symbols + " has equations over symbols, and hardware takes those over bits") ==
        "");
}

TEST_CASE("A code too large for an engine is refused before any search, with the bound") {
  CHECK(not_refused(xorloom({"report", "rs:k=100,m=25", "--target", "verilog"}),
                    "rs:k=100,m=25,w=8,poly=0x11d,arrangement=word has 77300 XORs, and an engine "
                    "has at most 65536") == "");
}

TEST_CASE("Long values of engines stand apart in the table") {
  const TemporaryFolder folder;
  const Outcome outcome = shell(
      "PATH=/nowhere $xorloom report rs:k=60,m=12 --effort fast --target verilog", folder.path());
  CHECK(has(outcome.out, " 7199+7245 "));
  CHECK(widest_line(outcome.out) <= 80);
}

TEST_CASE("A signal ends yosys too, and its folder is removed") {
  for (const int signal : {SIGTERM, SIGINT}) {
    CAPTURE(signal);
    const TemporaryFolder folder;
    fs::create_directory(folder / "bin");
    folder.write("bin/yosys", "#!/bin/sh\necho $$ > \"$TMPDIR/../pid\"\nexec sleep 600\n");
    fs::permissions(folder / "bin/yosys", fs::perms::owner_all);
    fs::create_directory(folder / "tmp");
    // Only the program gets the signal, which a shell lets its background ignore.
    const std::string script = R"(
        export TMPDIR=$PWD/tmp PATH=$PWD/bin:$PATH
        env --default-signal=INT $xorloom report $spec --effort fast --target verilog &
        until [ -s pid ]; do sleep 0.1; done
        ls tmp
        kill -$signal $!
        wait $!
        echo "status $?"
        for i in {1..100}; do
          state=$(cut -d ' ' -f 3 /proc/$(cat pid)/stat 2>/dev/null)
          [[ -z $state || $state == Z ]] && echo 'yosys ended' && break
          sleep 0.1
        done)";
    const Outcome outcome =
        shell("spec=" + std::string(kWorkedExample) + " signal=" + std::to_string(signal) + script,
              folder.path());
    INFO(outcome.out);
    CHECK(outcome.out.starts_with("xorloom-"));
    CHECK(has(outcome.out, "status " + std::to_string(128 + signal) + "\n"));
    CHECK(outcome.out.ends_with("yosys ended\n"));
    CHECK(fs::is_empty(folder / "tmp"));
  }
}

}  // namespace xorloom::test
