#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/cli/worked_example.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kPublished = XORLOOM_EXAMPLES "/paper_iterative.txt";

/// The published equations as a file of their own, with a plan for six cores.
std::string planned_file(const TemporaryFolder& folder) {
  std::string file = folder / "plan.json";
  CHECK(xorloom({"equations", kWorkedExample, "--equations", kPublished, "--cores", "6", "--format",
                 "json", "-o", file})
            .status == 0);
  return file;
}

}  // namespace

TEST_CASE("Given equations are printed, planned and drawn as they are") {
  const TemporaryFolder folder;
  const Outcome text = xorloom({"equations", kWorkedExample, "--equations", kPublished});
  CHECK(text.status == 0);
  CHECK(has(text.out, "\n# cost: 33 XORs, longest equation 5, 8 temporaries\n"));
  CHECK(has(text.out, "\neq.11: 17 = XOR(3,4,8,E,H)\n"));
  const Outcome planned = xorloom({"equations", "--equations", planned_file(folder)});
  CHECK(has(planned.out, "\n# plan on 6 cores: 6 steps, "));
  const Outcome fewer = xorloom({"equations", "--equations", planned_file(folder), "--cores", "2"});
  CHECK(has(fewer.out, "\n# plan on 2 cores: 17 steps, "));
  const Outcome drawn =
      xorloom({"equations", kWorkedExample, "--equations", kPublished, "--format", "svg"});
  CHECK(drawn.out.starts_with("<svg"));
  CHECK(has(drawn.out, "<title>17 = XOR(3,4,8,E,H)</title>"));
}

TEST_CASE("Packets of given equations are those that the call asks for, or its error") {
  const TemporaryFolder folder;
  const std::string file = folder / "e.json";
  REQUIRE(xorloom({"equations", "cauchy:3,2,3", "--format", "json", "-o", file}).status == 0);
  CHECK(not_refused(xorloom({"equations", "--equations", file, "--packet-bytes", "128"}),
                    "--packet-bytes = 128 contradicts packet_bytes = 64 of the code") == "");
  CHECK(not_refused(xorloom({"equations", "--equations", kPublished, "--packet-bytes", "128"}),
                    std::string("--packet-bytes is about a code, and ") + kPublished +
                        " names none: give its SPEC") == "");
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"cauchy:3,2,3", "--packet-bytes", "128"},
        std::vector<std::string>{"cauchy:3,2,3,packet_bytes=128"}}) {
    std::vector<std::string> call{"equations", "--equations", file, "--format", "json"};
    call.insert(call.end(), how.begin(), how.end());
    CHECK(has(xorloom(call).out, "packet_bytes=128"));
  }
}

TEST_CASE("What a repair reads comes back with its equations from JSON") {
  const TemporaryFolder folder;
  const std::vector<std::vector<std::string>> requests = {
      {"rdp:k=4,p=5", "--erase", "0", "--reads", "min"},
      {"rdp:k=4,p=5", "--erase", "0,5", "--want", "0"},
      {"rdp:k=4,p=5", "--erase", "0", "--reads", "min", "--read-cost", "1=7"},
      {"clay:k=4,m=2", "--erase", "1", "--over", "symbols"}};
  for (std::vector<std::string> call : requests) {
    call.insert(call.begin(), "equations");
    const Outcome text = xorloom(call);
    CHECK(has(text.out, "\n# reads: "));
    call.insert(call.end(), {"--format", "json", "-o", folder / "file.json"});
    REQUIRE(xorloom(call).status == 0);
    CHECK(xorloom({"equations", "--equations", folder / "file.json"}).out == text.out);
  }
  std::string json = folder.read("file.json");
  json.replace(json.find("\"cells\":"), 8, "\"cells\":9");
  folder.write("wrong.json", json);
  CHECK(has(xorloom({"equations", "--equations", folder / "wrong.json"}).err, "'reads' says 9"));
}

TEST_CASE("Given equations of an update are reported beside those of the code") {
  const TemporaryFolder folder;
  for (const char* format : {"text", "json"}) {
    CAPTURE(format);
    const std::string file = folder / format;
    REQUIRE(xorloom({"equations", kWorkedExample, "--update", "2", "--format", format, "-o", file})
                .status == 0);
    const Json report = Json::parse(xorloom({"report", kWorkedExample, "--update", "2",
                                             "--equations", file, "--format", "json"})
                                        .out);
    CHECK(report["updated"] == Json::array({2}));
    REQUIRE(report["sets"].size() == 3);
    CHECK(report["sets"][2]["xors"] == report["sets"][0]["xors"]);
    CHECK(has(xorloom({"report", "--update", "2", "--equations", file, "--format", "html"}).out,
              "What it costs to update location 2: "));
    for (const std::vector<std::string>& call :
         {std::vector<std::string>{"emit", "--target", "c"}, std::vector<std::string>{"bench"}}) {
      std::vector<std::string> given = call;
      given.insert(given.end(), {kWorkedExample, "--equations", file});
      CHECK(has(xorloom(given).err,
                "has equations of an update, and those that encode or rebuild "
                "are needed: emit --update makes a function of an update"));
    }
    CHECK(has(xorloom({"report", "--equations", file}).err,
              "--update those whose changes they carry over"));
  }
  CHECK(not_refused(xorloom({"report", kWorkedExample, "--update", "2", "--measure"}),
                    "--measure is about encoding and rebuilding, not about --update") == "");
  CHECK(not_refused(xorloom({"report", kWorkedExample, "--update", "2", "--erase", "1"}),
                    "--update changes data that is there, and --erase names what is lost: give "
                    "one of them") == "");
}

TEST_CASE("Given equations are what encodes, on six threads, and the bytes are the code's") {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  write_file(file, random_bytes(100'000, 20));
  CHECK(
      xorloom({"encode", file, "-o", folder / "made", "--raw", "--code", kWorkedExample}).status ==
      0);
  const std::string plan = planned_file(folder);
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--equations", plan, "--executor", "plan"},
        {"--equations", plan, "--executor", "graph"},
        {"--equations", kPublished, "--code", kWorkedExample, "--executor", "ranges"}}) {
    std::vector<std::string> arguments{"encode", file,        "-o", folder / "given",
                                       "--raw",  "--threads", "6",  "--replace"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    CHECK(xorloom(arguments).status == 0);
    const Outcome differs = shell("diff -r made given", folder.path());
    CHECK(differs.status == 0);
  }
}

TEST_CASE("Equations without outputs are refused by every command, and nothing is written") {
  const TemporaryFolder folder;
  folder.write("data", random_bytes(4000, 1));
  folder.write("bits.txt", "code: parity:k=4\noutputs: \n");
  folder.write("bare.txt", "outputs:\n");
  folder.write("comment.txt", "# nothing\n");
  folder.write("words.txt", "code: rs:k=4,m=2\nfield: w=8,poly=0x11d\noutputs:\n");
  Json json = Json::parse(xorloom({"equations", "parity:k=4", "--format", "json"}).out);
  for (const char* key : {"outputs", "equations"}) json[key] = Json::array();
  for (const char* key : {"cost", "proof"}) json.erase(key);
  folder.write("json.json", json.dump());
  const std::string said = "the equations have no outputs: they compute nothing";
  for (const auto& [file, spec] :
       std::vector<std::pair<std::string, std::string>>{{"bits.txt", "parity:k=4"},
                                                        {"bare.txt", "parity:k=4"},
                                                        {"words.txt", "rs:k=4,m=2"},
                                                        {"json.json", "parity:k=4"}}) {
    const std::string path = folder / file;
    for (const std::vector<std::string>& call :
         {std::vector<std::string>{"encode", folder / "data", "-o", folder / "chunks", "--raw",
                                   "--code", spec},
          {"equations", spec},
          {"emit", spec, "--target", "c"},
          {"bench", spec},
          {"report", spec}}) {
      std::vector<std::string> with = call;
      with.insert(with.end(), {"--equations", path});
      CAPTURE(fmt::format("{}", fmt::join(with, " ")));
      const Outcome outcome = xorloom(with);
      CHECK(outcome.status == 2);
      CHECK(has(outcome.err, said));
    }
  }
  CHECK(!std::filesystem::exists(folder / "chunks"));
  CHECK(has(xorloom({"equations", "--equations", folder / "comment.txt"}).err, said));
}

TEST_CASE("Given equations are what is timed, and the losses are those that they rebuild") {
  const TemporaryFolder folder;
  const auto timed = [&](const std::string& file) {
    const Outcome outcome =
        xorloom({"bench", "--equations", file, "--executor", "plan", "--threads", "6",
                 "--chunk-bytes", "1920", "--layout", "staggered", "--format", "json"});
    CHECK(outcome.status == 0);
    return Json::parse(outcome.out)["results"][0]["operations"];
  };
  CHECK(timed(planned_file(folder)).size() == 3);
  const std::string rebuilding = folder / "rebuilding.json";
  CHECK(xorloom({"equations", kWorkedExample, "--erase", "1,6", "--cores", "2", "--format", "json",
                 "-o", rebuilding})
            .status == 0);
  const Json operations = timed(rebuilding);
  REQUIRE(operations.size() == 2);
  CHECK(operations[1]["lost"] == std::vector<int>{1, 6});
}

TEST_CASE("Given equations are what is emitted, beside what is asked for") {
  const TemporaryFolder folder;
  const Outcome published =
      xorloom({"emit", kWorkedExample, "--equations", kPublished, "--target", "c"});
  CHECK(published.status == 0);
  CHECK(has(published.out, "33 XORs"));
  const std::string rebuilding = folder / "rebuilding.txt";
  CHECK(xorloom({"equations", kWorkedExample, "--erase", "1", "-o", rebuilding}).status == 0);
  CHECK(has(xorloom({"emit", "--equations", rebuilding, "--target", "c"}).out, "_decode_1("));
  CHECK(has(xorloom({"emit", "--equations", rebuilding, "--target", "c", "--erase", "1"}).err,
            "rebuilding.txt rebuilds {1}, which --erase gives, too"));
}

TEST_CASE("Given equations over symbols run where a code lies in words, and only there") {
  const TemporaryFolder folder;
  const std::string symbols = folder / "symbols.json";
  const std::string bits = folder / "bits.json";
  CHECK(xorloom({"equations", "rs:k=4,m=2", "--over", "symbols", "--format", "json", "-o", symbols})
            .status == 0);
  CHECK(xorloom({"equations", "rs:k=4,m=2", "--format", "json", "-o", bits}).status == 0);
  const std::string file = folder / "file";
  write_file(file, random_bytes(5000, 21));
  CHECK(xorloom({"encode", file, "-o", folder / "made", "--raw", "--code", "rs:k=4,m=2"}).status ==
        0);
  CHECK(xorloom({"encode", file, "-o", folder / "given", "--raw", "--equations", symbols}).status ==
        0);
  CHECK(shell("diff -r made given", folder.path()).status == 0);
  CHECK(not_refused(xorloom({"encode", file, "-o", folder / "bits", "--raw", "--equations", bits}),
                    bits + " has equations over bits, but rs:k=4,m=2,w=8 runs on words, which take "
                           "symbols") == "");
}

TEST_CASE("A plan that does not hold is refused in one sentence by every command") {
  const TemporaryFolder folder;
  const Json whole = Json::parse(read_file(planned_file(folder)));
  const std::string file = folder / "file";
  const std::string data = folder / "data";
  write_file(data, random_bytes(1000, 22));
  const auto refused = [&](const Json& json, const std::string& reason) {
    write_file(file, json.dump());
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"equations"},
          {"emit", "--target", "c"},
          {"bench"},
          {"report"},
          {"encode", data, "-o", folder / "c", "--raw"}}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--equations", file});
      const Outcome outcome = xorloom(arguments);
      CHECK(outcome.status == 2);
      CHECK(outcome.out.empty());
      CHECK_MESSAGE(has(outcome.err, reason), outcome.err);
      CHECK(outcome.err.starts_with("xorloom: error: " + file + ": "));
      CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
    }
  };
  Json json = whole;
  json["plan"]["cores"] = 0;
  refused(json, "the plan is for 0 cores, which is not one of 1 to 4096");
  json["plan"]["cores"] = 100'000;
  refused(json, "the plan is for 100000 cores, which is not one of 1 to 4096");
  json = whole;
  json["plan"]["steps"][32][1] = 4;  // in the step that makes its operand
  refused(json, "step 4 of the plan is out of order");
  json = whole;
  json["plan"]["steps"][20][3] = {3, 5};
  refused(json, "the plan does not compute its equations");
  json = whole;
  json["plan"]["steps"].erase(3);  // an operand that is never made
  refused(json, "step 1 of the plan reads L, which is neither an input nor computed");
  json = whole;
  json["equations"][0]["xor"] = {4, 6};  // the plan is of another program, and so is the code
  refused(json, "the equations are not those of");
  json = whole;
  json["equations"][0]["xor"] = {4, 24};  // 24 needs 22
  json["equations"][3]["xor"] = {7, 9, 22};
  refused(json, "cycle");
  CHECK_FALSE(std::filesystem::exists(folder / "c"));
}

TEST_CASE("What says how equations are made does not go with given ones") {
  const std::vector<std::string> given{"equations", kWorkedExample, "--equations", kPublished};
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--erase", "1"},
                                               {"--style", "direct"},
                                               {"--rows", "0"},
                                               {"--depth", "3"},
                                               {"--model", "lut4"},
                                               {"--levels", "2"}}) {
    std::vector<std::string> arguments = given;
    arguments.insert(arguments.end(), more.begin(), more.end());
    CHECK(not_refused(xorloom(arguments), more.front() +
                                              " says how equations are made, and --equations gives "
                                              "them") == "");
  }
  CHECK(not_refused(xorloom({"emit", kWorkedExample, "--equations", kPublished, "--target", "c",
                             "--effort", "normal"}),
                    "--effort says how equations are made, and --equations gives them") == "");
  CHECK(not_refused(xorloom({"encode", "file", "-o", "c", "--raw", "--equations", kPublished,
                             "--store", "off"}),
                    "--store says how equations are made, and --equations gives them") == "");
  CHECK(not_refused(xorloom({"encode", "file", "-o", "c", "--raw", "--equations", kPublished,
                             "--style", "direct"}),
                    "--style says how equations are made, and --equations gives them") == "");
  CHECK(not_refused(xorloom({"equations", "--equations", kPublished}), "") != "");
  CHECK(has(xorloom({"bench", "rs:k=4,m=2", "rdp:k=4", "--equations", kPublished}).err,
            "--equations FILE is for one code, and 2 SPECs are given"));
  CHECK(has(xorloom({"encode", "file", "-o", "c", "--equations", kPublished}).err, "--raw"));
}

}  // namespace xorloom::test
