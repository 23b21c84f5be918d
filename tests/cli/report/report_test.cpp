#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/cli/report/reporting.hpp"
#include "tests/support/has.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// A row of the table with its blanks made one.
bool has_row(const std::string& table, const std::string& row) {
  std::string squeezed;
  std::unique_copy(table.begin(), table.end(), std::back_inserter(squeezed),
                   [](char a, char b) { return a == ' ' && b == ' '; });
  return squeezed.find("\n" + row + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("The report puts the paper's iterative equations beside the direct ones") {
  const Outcome outcome =
      xorloom({"report", kWorkedExample, "--equations", kIterative, "--cores", "1,6"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK(widest_line(outcome.out) <= 80);
  CHECK(has_row(outcome.out, "XORs 45 24 25 33"));
  CHECK(has_row(outcome.out, " lower bound, same sums of inputs 24 24 24 24"));
  CHECK(has_row(outcome.out, "XORs per redundant bit 7.50 4.00 4.17 5.50"));
  CHECK(has_row(outcome.out, "F = (XORs per bit + 1) / k 1.70 1.00 1.03 1.30"));
  CHECK(has_row(outcome.out, "longest equation, in XORs 8 3 1 5"));
  CHECK(has_row(outcome.out, "longest path, in XORs 8 15 5 7"));
  CHECK(has_row(outcome.out, "temporaries 0 9 19 8"));
  CHECK(has_row(outcome.out, " steps, any XOR on any core 8 10 5 6"));
  CHECK(has_row(outcome.out, " steps, one core per equation (atomic) 8 15 5 7"));
  CHECK(has_row(outcome.out, " efficiency 0.94 0.75 1.50 1.25"));
  CHECK(has_row(outcome.out, " efficiency 0.94 0.50 1.50 1.07"));
}

TEST_CASE("The JSON form of the report holds the figures of the table") {
  const auto json = report({kWorkedExample, "--equations", kIterative, "--cores", "6"});
  CHECK(json["format"] == "xorloom-report");
  CHECK(json["version"] == 1);
  const auto& direct = json["sets"][0];
  CHECK(json["sets"].size() == 4);
  CHECK(json["sets"][1]["xors"] == 24);
  const auto& iterative = json["sets"][3];
  CHECK(direct["xors"] == 45);
  CHECK(direct["on_cores"][0]["speedup"] == doctest::Approx(45.0 / 8));
  CHECK(iterative["xors"] == 33);
  CHECK(iterative["direct_xors"] == 45);
  CHECK(iterative["longest_path"] == 7);
  CHECK(iterative["style"] == "iterative");
  CHECK(iterative["on_cores"][0]["atomic_efficiency"] == doctest::Approx(45.0 / 7 / 6));
  CHECK(iterative["on_cores"][0]["efficiency"] == doctest::Approx(45.0 / 6 / 6));
}

TEST_CASE("Equations that were saved are reported like those they were saved from") {
  const TemporaryFolder folder;
  const std::string spec = "cauchy-good:k=4,m=2,w=4";
  for (const char* format : {"text", "json"}) {
    CAPTURE(format);
    const std::string file = folder / format;
    CHECK(xorloom({"equations", spec, "--format", format, "-o", file}).status == 0);
    const auto json = report({spec, "--equations", file, "--cores", "1,3", "--effort", "fast"});
    auto read = json["sets"].back();
    read["source"] = "direct";
    CHECK(json["sets"][0] == read);
    CHECK(report({"--equations", file})["sets"][0]["code"] == json["sets"][0]["code"]);
  }
}

TEST_CASE("Decoding equations are reported against the direct decoding") {
  const TemporaryFolder folder;
  const std::string file = folder / "decode.json";
  const std::vector<std::string> erase{"--erase", "0,3"};
  CHECK(xorloom({"equations", kWorkedExample, "--erase", "0,3", "--format", "json", "-o", file})
            .status == 0);
  CHECK(has(xorloom({"report", "--equations", file, "--erase", "0,3"}).out, " They read "));
  const auto json = report({kWorkedExample, "--erase", "0,3", "--equations", file});
  CHECK(json["erased"] == std::vector<int>{0, 3});
  CHECK(json["sets"][0]["output_bits"] == 6);
  const auto& read = json["sets"].back();
  CHECK(read["direct_xors"] == json["sets"][0]["xors"]);
  CHECK(read["reads"]["locations"] == 5);
  CHECK(read["reads"]["bytes_per_byte"] == 2.5);
  CHECK(not_refused(xorloom({"report", kWorkedExample, "--equations", file}),
                    file +
                        " computes 6 elements, other than the 6 redundant ones: --erase names "
                        "the locations that equations rebuild, --update those whose changes they "
                        "carry over") == "");
}

TEST_CASE("Equations of an update are taken for the same locations alone") {
  const TemporaryFolder folder;
  const std::string file = folder / "u0.txt";
  for (const char* over : {"bits", "symbols"}) {
    CAPTURE(over);
    CHECK(xorloom({"equations", "raid6:k=4", "--update", "0", "--over", over, "-o", file}).status ==
          0);
    CHECK(xorloom({"report", "raid6:k=4", "--update", "0", "--equations", file}).status == 0);
    const std::string elements = over == std::string("bits") ? "8 elements" : "1 element";
    for (const char* other : {"3", "0-1"}) {
      CHECK(not_refused(xorloom({"report", "raid6:k=4", "--update", other, "--equations", file}),
                        file + " carries over changes of " + elements +
                            " of location 0, and --update names " + other) == "");
    }
  }
}

TEST_CASE(
    "Equations of a rebuild can beat the bound of other sums, which the verdict leaves open") {
  // Set 2 is at its own bound, and the fourth, which sums up other cells, takes fewer XORs.
  const TemporaryFolder folder;
  folder.write("few.txt",
               "T26 = XOR(7,20)\n0 = XOR(6,9,14,25,T26)\nT27 = XOR(6,8,17)\n1 = XOR(4,24,T27)\n"
               "T28 = XOR(15,26,T27)\n2 = XOR(13,T26,T28)\n3 = XOR(9,19,T28)\n");
  std::vector<std::string> call{"cauchy:k=4,m=3,w=4", "--erase", "0", "--effort", "fast"};
  const auto json = report(call);
  CHECK(json["sets"].back()["xors"] == json["sets"].back()["lower_bound"]);
  call.insert(call.begin(), "report");
  call.insert(call.end(), {"--format", "html"});
  const std::string bound = " direct ones; for the same sums of survivors, fewer are impossible.";
  CHECK(has(xorloom(call).out, " take 17 XORs instead of 25" + bound));
  call.insert(call.end(), {"--equations", folder / "few.txt"});
  CHECK(has(xorloom(call).out, " take 15 XORs instead of 25" + bound));
}

TEST_CASE("Many sets are broken into tables that fit 80 columns") {
  std::vector<std::string> arguments{"report"};
  arguments.insert(arguments.end(), {"--effort", "fast"});
  for (int m = 1; m <= 6; ++m)
    arguments.push_back("cauchy-good:k=6,m=" + std::to_string(m) + ",w=4");
  const Outcome outcome = xorloom(arguments);
  CHECK(outcome.status == 0);
  CHECK(widest_line(outcome.out) <= 80);
  CHECK(has_row(outcome.out, "set 1 2 3 4"));
  CHECK(has_row(outcome.out, "set 9 10 11 12"));
}

TEST_CASE("Specs wider than a line are broken between their points") {
  const Outcome outcome =
      xorloom({"report", "cauchy:k=10,m=4,w=8", "cauchy-good:k=10,m=4,w=8", "--effort", "fast"});
  CHECK(outcome.status == 0);
  CHECK(widest_line(outcome.out) <= 80);
}

TEST_CASE("Equations may come from standard input") {
  const Outcome outcome =
      xorloom({"report", kWorkedExample, "--equations", "-"}, {.in = read_file(kIterative)});
  CHECK(outcome.status == 0);
  CHECK(has_row(outcome.out, "XORs 45 24 33"));
}

TEST_CASE("Equations that name no code are reported for the SPEC that they are right for") {
  const std::vector<std::string> call{"report",       "cauchy-good:k=4,m=2,w=4",
                                      kWorkedExample, "--effort",
                                      "fast",         "--format",
                                      "json",         "--equations"};
  const auto with = [&](const std::string& file) {
    std::vector<std::string> arguments = call;
    arguments.push_back(file);
    return arguments;
  };
  const auto json = nlohmann::json::parse(xorloom(with(kIterative)).out);
  CHECK(json["sets"][4]["xors"] == 33);
  CHECK(json["sets"][4]["code"] == json["sets"][2]["code"]);
  std::string text = read_file(kIterative);
  CHECK(xorloom(with("-"), {.in = text}).status == 0);
  text.replace(text.find("C = XOR(11,12)"), 14, "C = XOR(11,13)");
  const Outcome outcome = xorloom(with("-"), {.in = text});
  CHECK(outcome.status == 2);
  CHECK(has(outcome.err, "the equations are not those of cauchy-good:k=4,m=2,w=4"));
}

TEST_CASE("Equations that are wrong are refused, and the output that differs is named") {
  std::string text = read_file(kIterative);
  text.replace(text.find("C = XOR(11,12)"), 14, "C = XOR(11,13)");
  const Outcome outcome = xorloom({"report", kWorkedExample, "--equations", "-"}, {.in = text});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("xorloom: error: standard input: the equations are not those of"));
}

TEST_CASE("Words have their tiles beside the direct equations, since no equations run on them") {
  const auto json = report({"rs:k=4,m=2", "--effort", "fast"});
  CHECK_FALSE(json["sets"][0]["runs"].empty());
  CHECK(json["sets"][1]["runs"].empty());
  CHECK(json["sets"][1]["xors"] < json["sets"][0]["xors"]);
}

TEST_CASE("What reads the least stands beside what takes the fewest XORs") {
  const auto json = report({"rdp:k=4,p=5", "--erase", "0", "--effort", "fast"});
  CHECK(json["sets"].back()["source"] == "iterative, fewest reads");
  CHECK(json["sets"].back()["reads"]["read"] < json["sets"][0]["reads"]["read"]);
}

TEST_CASE("Numbers of cores may be ranges, and the largest has equations of its own") {
  const auto json = report({kWorkedExample, "--cores", "1-6"});
  REQUIRE(json["sets"].size() == 3);
  const auto& set = json["sets"][2];
  CHECK(set["source"] == "iterative for 6 cores");
  CHECK(set["on_cores"].size() == 6);
  CHECK(set["on_cores"][5]["makespan"] < json["sets"][1]["on_cores"][5]["makespan"]);
  CHECK(report({"cauchy-good:k=10,m=4", "--cores", "2", "--effort", "fast"})["sets"].size() == 2);
  CHECK(not_refused(xorloom({"report", kWorkedExample, "--cores", "0-3"}),
                    "--cores = 0 is not a whole number from 1 to 4096") == "");
}

TEST_CASE(
    "The set of few XORs is the same with --cores, and one for cores that has fewer is told") {
  // The quick search for few XORs finds more of them than the one for few steps.
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{kWorkedExample, "--effort", "fast"},
        {"cauchy-good:k=4,m=2,w=4", "--erase", "0,1", "--effort", "fast"}}) {
    const auto alone = report(call);
    std::vector<std::string> with_cores = call;
    with_cores.insert(with_cores.end(), {"--cores", "1-6"});
    const auto json = report(with_cores);
    CHECK(json["sets"][1]["source"] == "iterative");
    CHECK(json["sets"][1]["xors"] == alone["sets"][1]["xors"]);
    for (const auto& set : json["sets"]) CHECK(set["lower_bound"] <= set["xors"]);
  }
  const auto json = report({kWorkedExample, "--effort", "fast", "--cores", "1-6"});
  REQUIRE(json["sets"].size() == 3);
  CHECK(json["sets"][2]["source"] == "iterative for 6 cores");
  CHECK(json["sets"][2]["xors"] < json["sets"][1]["xors"]);
}

TEST_CASE("A rebuild has no F, and every set of a task has one baseline") {
  const Outcome outcome = xorloom({"report", "rdp:k=4,p=5", "--erase", "0", "--effort", "fast"});
  CHECK(outcome.out.find("F = (XORs") == std::string::npos);
  CHECK(outcome.out.find("without sharing, k - 1") == std::string::npos);
  CHECK(has_row(outcome.out, " direct XORs on one core 12 12 12"));
}

TEST_CASE("Over symbols the report has multiplications and runs, and no plans for cores") {
  const Outcome table = xorloom({"report", "clay:k=4,m=2", "--over", "symbols"});
  CHECK(table.status == 0);
  CHECK(has_row(table.out, "multiplications 120 48"));
  const Outcome rebuilt =
      xorloom({"report", "clay:k=4,m=2", "--over", "symbols", "--erase", "0", "--format", "html"});
  CHECK(has(rebuilt.out, "instead of 4.00, with 36 multiplications and 36 XORs."));
  CHECK(has_row(table.out, "XORs per redundant symbol 8.00 4.50"));
  CHECK_FALSE(has(table.out, "in steps of"));
  CHECK(widest_line(table.out) <= 80);
  const Outcome form = xorloom({"report", "clay:k=4,m=2", "--over", "symbols", "--format", "json"});
  const auto set = nlohmann::json::parse(form.out)["sets"][1];
  CHECK(set["over"] == "symbols");
  CHECK(set["multiplications"] == 48);
  CHECK(set["output_bits"] == 16 * 8);
  CHECK(set["lower_bound"].is_null());
  CHECK(set["on_cores"].empty());
  CHECK_FALSE(set["runs"].empty());
  const Outcome page = xorloom({"report", "rs:k=4,m=2", "--over", "symbols", "--format", "html"});
  CHECK(has(page.out, "XORs and multiplications"));
  CHECK(has(page.out, "2 x 4 symbols, 8 that are not zero"));
  CHECK(has(page.out, "<title>5 = SUM(0,0x46*1,0x8f*2,0xc8*3)</title>"));
  const Outcome refused = xorloom({"report", "rs:k=4,m=2", "--over", "symbols", "--cores", "2"});
  CHECK(refused.status == 2);
  CHECK(has(refused.err, "--cores plans XORs"));
}

TEST_CASE("Saved equations over symbols stand beside those over bits") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "symbols.json";
  CHECK(xorloom({"equations", "rs:k=4,m=2", "--over", "symbols", "--format", "json", "-o", file})
            .status == 0);
  const Outcome table = xorloom({"report", "rs:k=4,m=2", "--effort", "fast", "--equations", file});
  CHECK(table.status == 0);
  CHECK(has_row(table.out, "multiplications - - 3"));
  CHECK(has_row(table.out, " direct XORs on one core 86 86 -"));
  const std::string json =
      xorloom({"report", "rs:k=4,m=2", "--effort", "fast", "--equations", file, "--format", "json"})
          .out;
  const std::string verdict = nlohmann::json::parse(json)["verdict"][0];
  CHECK(verdict.starts_with("The best equations over bits (set 2, iterative) take "));
  CHECK(has(verdict,
            " Over symbols, the best (set 3, symbols.json, direct) take 3 multiplications and 6 "
            "XORs."));
  const std::string bits = folder / "bits.json";
  REQUIRE(xorloom({"equations", "rs:k=4,m=2", "--format", "json", "-o", bits}).status == 0);
  CHECK(not_refused(xorloom({"report", "rs:k=4,m=2", "--over", "symbols", "--equations", bits}),
                    bits + " has equations over bits, and --over symbols is about symbols: "
                           "give one of them") == "");
  CHECK(has(table.out, "XORs per redundant element "));
}

TEST_CASE("Where no set takes fewer steps than the direct equations, the verdict says so") {
  const auto json = report({"hamming:k=4,m=3", "--effort", "fast", "--cores", "1-3"});
  CHECK(has(json["verdict"][0].get<std::string>(),
            " takes 2 steps, as many as the direct equations."));
}

TEST_CASE("Kernels have no bytes of code, and no steps have no speedup") {
  CHECK(has(xorloom({"report", "--help"}).out, "XORLOOM_ISA"));  // no report looks at it
  const Outcome words = xorloom({"report", "rs:k=2,m=1,w=16"});
  CHECK_FALSE(has(words.out, "  bytes of code "));
  CHECK(has(words.out, "Without bytes of code, kernels run"));
  CHECK_FALSE(has(xorloom({"report", "parity:k=1", "--cores", "1-3"}).out, "    speedup"));
  CHECK(report({"parity:k=1", "--cores", "1-3"})["sets"][0]["on_cores"][1]["speedup"].is_null());
  const Outcome page = xorloom({"report", "parity:k=1", "--cores", "1-3", "--format", "html"});
  CHECK(has(page.out, "<title>1 · direct: 3, 0</title>"));
}

TEST_CASE("A bare matrix is reported, and equations of one") {
  const TemporaryFolder folder;
  folder.write("m.txt", "0110\n1111\n1010\n");
  const std::string matrix = folder / "m.txt";
  const std::string equations = folder / "e.json";
  REQUIRE(xorloom({"optimize", matrix, "--format", "json", "-o", equations}).status == 0);
  const Outcome all = xorloom({"report", matrix, "--equations", equations, "--format", "json"});
  CHECK(all.err.empty());
  const nlohmann::json sets = nlohmann::json::parse(all.out)["sets"];
  REQUIRE(sets.size() == 3);
  for (const nlohmann::json& set : sets)
    CHECK(set["code"]["name"] == "m.txt, a matrix of 3 x 4 bits");
  CHECK(sets[0]["xors"] == 5);
  CHECK(sets[2]["xors"] == 4);
  folder.write("same.txt", "0110\n1111\n1010\n");
  const Outcome both = xorloom({"report", folder / "same.txt", matrix, matrix, "--format", "json"});
  const nlohmann::json once = nlohmann::json::parse(both.out)["sets"];
  CHECK(once.size() == 2);  // direct and iterative: the same code is reported once
  CHECK(once[0]["code"]["name"] == "same.txt = m.txt, a matrix of 3 x 4 bits");
  const Outcome twice = xorloom({"report", "rs:2,1", "rs:k=2,m=1", "--format", "json"});
  CHECK(
      nlohmann::json::parse(twice.out)["sets"].size() ==
      nlohmann::json::parse(xorloom({"report", "rs:2,1", "--format", "json"}).out)["sets"].size());
  const nlohmann::json alone = nlohmann::json::parse(
      xorloom({"report", "--equations", equations, "--format", "json"}).out)["sets"];
  REQUIRE(alone.size() == 1);
  CHECK(alone[0]["direct_xors"] == 5);
  const auto measures = [&](const std::string& arguments, const std::string& words) {
    const Outcome page = shell(
        "XDG_CACHE_HOME=$PWD/none $xorloom report " + arguments + " --format html", folder.path());
    return has(page.out, ">" + words + "</code> <code class=\"whole\">--measure</code>");
  };
  CHECK(measures("m.txt", "m.txt"));
  CHECK(measures("m.txt --cores 1-3",
                 "m.txt</code> <code class=\"whole\">--cores</code> <code class=\"whole\">1-3"));
  CHECK(measures("--equations e.json", "--equations</code> <code class=\"whole\">e.json"));
  const Outcome piped = shell("$xorloom report - --format json < m.txt", folder.path());
  CHECK(has(piped.out, "standard input, a matrix of 3 x 4 bits"));
  CHECK(not_refused(xorloom({"report", matrix, "-k", "4"}),
                    "-k, -m and -w do not go with " + matrix + ", which is no family of codes") ==
        "");
  folder.write("named", "0110\n");
  CHECK(has(shell("$xorloom report named -k 3", folder.path()).err,
            "-k, -m and -w do not go with named, which is no family of codes"));
  folder.write("bad.txt", "0110\n11\n");
  CHECK(has(xorloom({"report", folder / "bad.txt"}).err, "bad.txt: "));
}

TEST_CASE("A code from a file is named by its file and its note") {
  const TemporaryFolder folder;
  folder.write("own.json",
               R"({"format":"xorloom-code","version":1,"note":"two sums","locations":4,)"
               R"("data":[0,1],"bits":["11","10"]})");
  const Outcome table = xorloom({"report", "file:" + (folder / "own.json"), "--allow-non-mds"});
  CHECK(table.err.empty());
  CHECK(has(table.out, "1  direct: own.json: two sums\n"));
}

}  // namespace xorloom::test
