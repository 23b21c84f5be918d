#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/cli/terminal.hpp"
#include "tests/support/has.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kBenchSpec = "cauchy:k=3,m=2,w=3";

Json bench_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "bench");
  arguments.insert(arguments.end(), {"--threads", "1", "--format", "json"});
  const Outcome outcome = xorloom(arguments);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  Json json = Json::parse(outcome.out);
  CHECK(json["format"] == "xorloom-bench");
  CHECK(json["version"] == 3);
  return json;
}

void check_speed(const Json& speed) {
  CHECK(speed["seconds"] > 0.0);
  CHECK(speed["stripe_gb_per_s"].get<double>() / speed["data_gb_per_s"].get<double>() ==
        doctest::Approx(5.0 / 3.0));
}

/// Checks the fields that every operation of a benchmark has, single calls included.
void check_operation(const Json& operation) {
  check_speed(operation);
  CHECK(operation["chunks_read"] == 3);
  check_speed(operation["limit"]);
  CHECK_FALSE(operation["limit"]["variant"].get<std::string>().empty());
  CHECK(operation["share"].get<double>() > 0);
}

}  // namespace

TEST_CASE("A benchmark says what was measured where, every speed, and the limit of the same run") {
  const Json json = bench_json({kBenchSpec, "--chunk-bytes", "1920,3840"});
  CHECK_FALSE(json["machine"]["cpu"].get<std::string>().empty());
  CHECK(json["machine"]["threads"] >= 1);
  CHECK(json["machine"]["l1_bytes"] > 0);
  CHECK(json["machine"]["l2_bytes"] >= json["machine"]["l1_bytes"]);
  CHECK(json["machine"]["l3_bytes"] >= json["machine"]["l2_bytes"]);
  CHECK(json["machine"]["isas"][0] == "portable");
  REQUIRE(json["results"].size() == 4);
  for (const Json& result : json["results"]) {
    CHECK(result["k"] == 3);
    CHECK(result["m"] == 2);
    CHECK(result["w"] == 3);
    CHECK(result["packet_bytes"] == 64);
    CHECK(result["threads"] == 1);
    CHECK(result["executor"] == "auto");
    CHECK(result["level"] == "L1");
    CHECK(result["verified_by"] == "the oracle");
    CHECK(result["data_bytes"].get<int>() == 3 * result["chunk_bytes"].get<int>());
    CHECK(result["rounds"] >= 3);
    CHECK(result["processor_share"] > 0.0);
    check_speed(result["memcpy"]);
    REQUIRE(result["operations"].size() == 3);
    for (const Json& operation : result["operations"]) check_operation(operation);
    CHECK(result["operations"][0]["operation"] == "encode");
    CHECK(result["operations"][0]["chunks_written"] == 2);
    CHECK(result["operations"][1]["operation"] == "decode");
    CHECK(result["operations"][1]["lost"] == std::vector<int>{0});
    CHECK(result["operations"][2]["lost"] == std::vector<int>{0, 1});
  }
  CHECK(json["results"][0]["layout"] == "aligned");
  CHECK(json["results"][1]["layout"] == "staggered");
  CHECK(json["results"][3]["chunk_bytes"] == 3840);
}

TEST_CASE("Single calls are timed one by one for encoding and the decoding of most") {
  const Json json = bench_json({kBenchSpec, "--chunk-bytes", "192", "--layout", "aligned"});
  REQUIRE(json["results"].size() == 1);
  const Json& operations = json["results"][0]["operations"];
  CHECK_FALSE(operations[1].contains("single_calls"));
  for (const Json& calls : {operations[0]["single_calls"], operations[2]["single_calls"]}) {
    CHECK(calls["calls"] >= 1000);
    CHECK(calls["p50_seconds"] > 0.0);
    CHECK(calls["p99_seconds"] >= calls["p50_seconds"]);
    CHECK(calls["p99_9_seconds"] >= calls["p99_seconds"]);
  }
}

TEST_CASE("Codes whose locations hold data and redundancy are timed") {
  for (const char* spec : {"x-code:p=5", "hover:k=5,r=3,v=2,h=1"}) {
    const Json json =
        bench_json({spec, "--chunk-bytes", "4800", "--layout", "aligned", "--losses", "1"});
    CHECK(json["results"][0]["operations"].size() == 2);
  }
}

TEST_CASE("A benchmark keeps to the layout and the losses it is told") {
  const Json json = bench_json({"rs:k=3,m=2", "--chunk-bytes", "1000", "--layout", "staggered",
                                "--losses", "2", "--executor", "ranges", "--isa", "portable"});
  REQUIRE(json["results"].size() == 1);
  const Json& result = json["results"][0];
  CHECK(result["layout"] == "staggered");
  CHECK(result["executor"] == "ranges");
  CHECK(result["isa"] == "portable");
  REQUIRE(result["operations"].size() == 2);
  CHECK(result["operations"][1]["lost"] == std::vector<int>{0, 1});
}

TEST_CASE("The tables of a benchmark fit 80 columns and say what GB/s are") {
  const std::vector<std::string> arguments{
      "bench",         "rs:k=10,m=4", "cauchy-good:k=10,m=6,w=8,packet_bytes=8",
      "--chunk-bytes", "640",         "--isa",
      "portable",      "--threads",   "1",
      "--losses",      "1,2,3,4",     "--layout",
      "staggered",     "--effort",    "fast"};
  const Outcome outcome = xorloom(arguments);
  CHECK(outcome.status == 0);
  CHECK(widest_line(outcome.out) <= 80);
  for (const char* part : {"; portable ", "10^9 bytes of data", " XOR", "memcpy", "limit", "p99.9",
                           " 1 lost", " 4 lost", "staggered", " encodes at "}) {
    CAPTURE(part);
    CHECK(outcome.out.find(part) != std::string::npos);
  }
}

TEST_CASE("A benchmark says what its verdict does not judge, and of memcpy what is true") {
  const auto bench = [](const char* spec, const char* threads) {
    std::string text = xorloom({"bench", spec, "--chunk-bytes", "4K", "--threads", threads,
                                "--losses", "1", "--layout", "aligned", "--executor", "ranges"})
                           .out;
    std::ranges::replace(text, '\n', ' ');
    return text;
  };
  const std::string mirrors = bench("rs:k=1,m=1", "2");
  CHECK(has(mirrors, "Whether other programs were busy is judged on one thread alone"));
  CHECK_FALSE(has(mirrors, "writes less"));
  const std::string usual = bench("rs:k=2,m=1", "1");
  CHECK_FALSE(has(usual, "is judged on one thread alone"));
  CHECK(has(usual, "a code writes less"));
  for (const std::string& text : {mirrors, usual}) {
    // A share that the table withholds is not in the verdict either.
    std::smatch share;
    if (std::regex_search(text, share, std::regex("([0-9.]+) of plain XOR, and"))) {
      CHECK(std::stod(share[1]) <= 1.25);
    }
  }
}

TEST_CASE("An explanation says every choice, what it rests on and which option overrides it") {
  const Outcome outcome = xorloom({"bench", "cauchy-good:k=10,m=4,w=8", "rs:k=4,m=2", "--explain"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK(widest_line(outcome.out) <= 80);
  for (const char* part :
       {"\nisa ", "--isa", "\nstyle ", "--style", "\nengine ", "--engine", "\nstores ",
        "\nexecutor ", "\nencode ", "\ndecode 4 lost ", "packets of 64 bytes", "words of 8 bits",
        "DRAM", "decode 4 lost: fast"}) {
    CAPTURE(part);
    CHECK(outcome.out.find(part) != std::string::npos);
  }
}

TEST_CASE("An explanation as JSON has the thresholds, the choices of each plan and of each size") {
  const Outcome outcome =
      xorloom({"bench", "cauchy-good:k=10,m=4,w=8", "--explain", "--format", "json", "--threads",
               "2", "--chunk-bytes", "512,67108864", "--losses", "1,3", "--isa", "portable"});
  REQUIRE(outcome.status == 0);
  const Json json = Json::parse(outcome.out);
  CHECK(json["format"] == "xorloom-explanation");
  CHECK(json["version"] == 1);
  CHECK(json["machine"]["threads"] >= 1);
  REQUIRE(json["codes"].size() == 1);
  const Json& code = json["codes"][0];
  CHECK(code["isa"] == "portable");
  REQUIRE(code["operations"].size() == 3);
  for (const Json& operation : code["operations"]) {
    CHECK(operation["style"] == "iterative");
    CHECK(operation["shared_xors"] <= operation["direct_xors"]);
    CHECK(operation["engine"] == "kernels");
    CHECK(operation["why_kernels"] == "no machine code is written for portable");
    CHECK(operation["tile"]["loads"] > 0);
  }
  CHECK(code["operations"][2]["lost"] == std::vector<int>{0, 1, 2});
  REQUIRE(code["sizes"].size() == 2);
  const Json& small = code["sizes"][0];
  const Json& large = code["sizes"][1];
  CHECK(small["stores"] == "ordinary");
  CHECK(large["stores"] == "non-temporal");
  CHECK(small["threads"] == 1);
  CHECK(large["threads"] == 2);
  CHECK(large["level"] == "DRAM");
  CHECK(small["predicted_data_gb_per_s"].size() == 3);
}

TEST_CASE("Kernels of a wide code are explained with the threads that run them") {
  const Outcome outcome = xorloom({"bench", "cauchy-good:k=20,m=10,w=8", "--explain", "--threads",
                                   "2", "--losses", "1", "--isa", "portable", "--awake", "0"});
  CHECK(outcome.out.find("executor  ranges on 2 threads") != std::string::npos);
}

TEST_CASE("Choices follow the options that override them") {
  const auto encoding = [](const std::vector<std::string>& options) {
    std::vector<std::string> call{"bench",     "cauchy:k=4,m=2,w=4", "--losses", "1",
                                  "--explain", "--format",           "json"};
    call.insert(call.end(), options.begin(), options.end());
    return Json::parse(xorloom(call).out)["codes"][0]["operations"][0];
  };
  CHECK(encoding({})["style"] == "iterative");
  CHECK(encoding({"--style", "direct"})["style"] == "direct");
  CHECK(encoding({"--style", "direct"})["shared_xors"].is_null());
  CHECK(encoding({"--engine", "kernels"})["engine"] == "kernels");
  CHECK(encoding({"--engine", "kernels"})["why_kernels"] == "asked for");
  const Outcome code =
      xorloom({"bench", kBenchSpec, "--explain", "--engine", "code", "--format", "json"});
  if (code.status == 0) {  // else this machine has no machine code
    const std::string engine = Json::parse(code.out)["codes"][0]["choices"]["engine"];
    CHECK(engine.ends_with("; set by --engine"));
    CHECK_FALSE(has(engine, "kernels"));
  }
  CHECK(encoding({"--effort", "normal"})["shared_xors"] <= encoding({})["shared_xors"]);
}

TEST_CASE("A benchmark says on a terminal what it measures, and nothing with -q") {
  std::vector<std::string> call{"bench",     kBenchSpec, "--chunk-bytes", "192",
                                "--threads", "1",        "--effort",      "fast"};
  OnTerminal loud(call, 80);
  CHECK(loud.wait_for("chunks of 192 bytes, aligned"));
  CHECK(loud.finish() == 0);
  call.emplace_back("-q");
  OnTerminal quiet(call, 80);
  CHECK(quiet.finish() == 0);
  CHECK(quiet.written().empty());
}

TEST_CASE("What a benchmark cannot do is refused with the value and the bound") {
  const auto refusal = [](const std::vector<std::string>& arguments, std::string_view sentence) {
    std::vector<std::string> call{"bench", kBenchSpec};
    call.insert(call.end(), arguments.begin(), arguments.end());
    CHECK(not_refused(xorloom(call), sentence) == "");
  };
  refusal({"--losses", "3"}, "--losses = 3 exceeds the 2 that cauchy:k=3,m=2,w=3 survives");
  refusal({"--losses", "0"}, "--losses = 0 is not a whole number from 1 to 65535");
  refusal({"--layout", "paged"}, "--layout = 'paged' is not aligned or staggered");
  const std::vector<std::string> no_code{"--engine", "code",          "--isa",
                                         "portable", "--chunk-bytes", "192"};
  const std::string why =
      "--engine = code, but there is no machine code for this computation of cauchy:k=3,m=2,w=3 on "
      "portable: no machine code is written for portable";
  refusal(no_code, why);
  std::vector<std::string> explained = no_code;
  explained.emplace_back("--explain");
  refusal(explained, why);
  refusal({"--layout", "aligned", "--explain"},
          "--layout says where chunks lie while they are timed, and --explain times none");
  refusal({"--style", "shared"}, "--style = 'shared' is not direct, iterative or auto");
  refusal({"--engine", "jit"}, "--engine = 'jit' is not code, kernels or auto");
  refusal({"--effort", "max"}, "--effort = 'max' is not auto, fast, quick or normal");
}

}  // namespace xorloom::test
