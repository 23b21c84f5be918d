#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
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
  CHECK(json["version"] == 2);
  return json;
}

void check_speed(const Json& speed) {
  CHECK(speed["seconds"] > 0.0);
  CHECK(speed["stripe_gb_per_s"].get<double>() / speed["data_gb_per_s"].get<double>() ==
        doctest::Approx(5.0 / 3.0));
}

/// Where the rates of this machine are kept, which take seconds to measure: by the first test that
/// needs them.
const TemporaryFolder& rates_cache() {
  static const TemporaryFolder cache;
  return cache;
}

/// What every operation tells, single calls and all.
void check_operation(const Json& operation) {
  check_speed(operation);
  CHECK(operation["chunks_read"] == 3);
  check_speed(operation["limit"]);
  CHECK_FALSE(operation["limit"]["variant"].get<std::string>().empty());
  CHECK(operation["share"].get<double>() > 0);
  CHECK(operation["peers"].empty());
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

TEST_CASE("Codes whose locations hold data and redundancy are timed, and still compared") {
  for (const char* spec : {"x-code:p=5", "hover:k=5,r=3,v=2,h=1"}) {
    const Json json =
        bench_json({spec, "--chunk-bytes", "4800", "--layout", "aligned", "--losses", "1"});
    CHECK(json["results"][0]["operations"].size() == 2);
    CHECK(xorloom({"bench", spec, "--study", "threads", "--chunk-bytes", "4800"}).status == 0);
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
  std::vector<std::string> arguments{
      "bench",         "rs:k=10,m=4", "cauchy-good:k=10,m=6,w=8,packet_bytes=8",
      "--chunk-bytes", "640",         "--isa",
      "portable",      "--threads",   "1",
      "--losses",      "1,2,3,4",     "--layout",
      "staggered"};
  if (XORLOOM_BUILT_WITH_ISAL && XORLOOM_BUILT_WITH_JERASURE) {
    arguments.insert(arguments.end(), {"--against", "isal,jerasure"});
  }
  const Outcome outcome = xorloom(arguments);
  CHECK(outcome.status == 0);
  CHECK(widest_line(outcome.out) <= 80);
  for (const char* part : {"portable kernels", "GB/s is 10^9 bytes of data per second", "share",
                           "memcpy", "limit by", "p99.9", "1 lost", "4 lost", "staggered"}) {
    CAPTURE(part);
    CHECK(outcome.out.find(part) != std::string::npos);
  }
}

TEST_CASE("A peer runs beside ours, or is refused where the program was built without it") {
  const auto check_peer = [](const std::string& name, const std::string& library, bool built_with,
                             const std::string& how) {
    CAPTURE(name);
    const std::vector<std::string> arguments{
        "isa-cauchy:k=3,m=2", "--chunk-bytes", "1024", "--losses", "2", "--against", name};
    if (built_with) {
      const Json json = bench_json(arguments);
      for (const Json& operation : json["results"][0]["operations"]) {
        REQUIRE(operation["peers"].size() == 1);
        const Json& peer = operation["peers"][0];
        CHECK(peer["name"] == name);
        CHECK(peer["how"] == how);
        CHECK(peer["ratio"] > 0.0);
        check_speed(peer);
      }
    } else {
      std::vector<std::string> call = arguments;
      call.insert(call.begin(), "bench");
      CHECK(not_refused(xorloom(call), "--against = '" + name +
                                           "': this program was built without " + library) == "");
    }
  };
  check_peer("isal", "libisal", XORLOOM_BUILT_WITH_ISAL, "words");
  check_peer("jerasure", "libJerasure", XORLOOM_BUILT_WITH_JERASURE, "words");
  check_peer("leopard", "Leopard", XORLOOM_BUILT_WITH_LEOPARD, "symbols of 8 bits");
}

TEST_CASE("A library says which version it is, and only those that run are named") {
  if (!XORLOOM_BUILT_WITH_ISAL) return;
  if (!XORLOOM_BUILT_WITH_JERASURE) return;
  const std::vector<std::string> arguments{
      "isa-cauchy:k=3,m=2", "--chunk-bytes", "1024", "--losses", "1", "--layout", "aligned"};
  CHECK(bench_json(arguments)["libraries"].empty());
  std::vector<std::string> call = arguments;
  call.insert(call.end(), {"--against", "isal,jerasure"});
  const Json libraries = bench_json(call)["libraries"];
  REQUIRE(libraries.size() == 2);
  CHECK(libraries[0]["library"] == "libisal");
  const std::string version = libraries[0]["version"];
  CHECK(std::ranges::count(version, '.') == 2);
  CHECK(libraries[1]["name"] == "jerasure");
  CHECK(libraries[1]["version"].is_null());
  call.insert(call.begin(), {"bench", "--threads", "1"});
  CHECK(xorloom(call).out.find("\nagainst isal: libisal " + version + "; ec_encode_data") !=
        std::string::npos);
}

TEST_CASE("Leopard writes the bytes of family leopard, and decodes what it wrote of other codes") {
  if (!XORLOOM_BUILT_WITH_LEOPARD) return;
  struct Call {
    const char* spec;
    const char* how;
  };
  for (const Call& call :
       {Call{"leopard:k=5,m=3", "symbols of 8 bits"}, Call{"leopard:k=1,m=1", "symbols of 8 bits"},
        Call{"leopard:k=7,m=1", "symbols of 8 bits"},
        Call{"leopard:k=20,m=17", "symbols of 8 bits"},
        Call{"cauchy-good:k=6,m=3,w=4", "symbols of 8 bits"},
        Call{"rs:k=249,m=7", "symbols of 16 bits"}}) {
    CAPTURE(call.spec);
    const Json json = bench_json(
        {call.spec, "--chunk-bytes", "512", "--layout", "staggered", "--against", "leopard"});
    for (const Json& operation : json["results"][0]["operations"]) {
      REQUIRE(operation["peers"].size() == 1);
      CHECK(operation["peers"][0]["how"] == call.how);
    }
  }
  // More redundancy than data, chunks that are no lines, and redundancy that is not a location.
  for (const char* spec : {"leopard:k=2,m=3", "x-code:p=5"}) {
    const Json json = bench_json({spec, "--chunk-bytes", "960", "--losses", "1", "--layout",
                                  "aligned", "--against", "leopard"});
    CHECK(json["results"][0]["operations"][0]["peers"].empty());
  }
}

TEST_CASE("A peer that has no such code is left out") {
  if (!XORLOOM_BUILT_WITH_ISAL) return;
  const Json json = bench_json({kBenchSpec, "--chunk-bytes", "192", "--losses", "1", "--layout",
                                "aligned", "--against", "isal"});
  for (const Json& operation : json["results"][0]["operations"]) check_operation(operation);
}

TEST_CASE("Jerasure's packets are tried in several sizes, and the fastest is named") {
  if (!XORLOOM_BUILT_WITH_JERASURE) return;
  const Json json = bench_json({kBenchSpec, "--chunk-bytes", "12288", "--losses", "2", "--layout",
                                "aligned", "--against", "jerasure"});
  for (const Json& operation : json["results"][0]["operations"]) {
    REQUIRE(operation["peers"].size() == 1);
    CHECK(operation["peers"][0]["how"].get<std::string>().find(" B packets") != std::string::npos);
  }
}

TEST_CASE("An explanation says every choice, what it rests on and which option overrides it") {
  const Outcome outcome = xorloom({"bench", "cauchy-good:k=10,m=4,w=8", "rs:k=4,m=2", "--explain"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK(widest_line(outcome.out) <= 80);
  for (const char* part :
       {"\n  isa ", "--isa", "\n  style ", "--style", "\n  engine ", "--engine", "\n  stores ",
        "\n  executor ", "\nencode ", "\ndecode 4 lost ", "packets of 64 bytes", "words of 8 bits",
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

TEST_CASE("Executors stand side by side, measured and predicted") {
  const TemporaryFolder& cache = rates_cache();
  const std::string line = "XDG_CACHE_HOME=" + cache.path().string() +
                           " \"$xorloom\" bench rs:k=3,m=2 --threads 3 --chunk-bytes 1024,4096 "
                           "--executor ranges,graph,plan";
  const Outcome outcome = shell(line + " --format json", cache.path());
  CHECK(outcome.status == 0);
  const Json json = Json::parse(outcome.out);
  CHECK(json["format"] == "xorloom-executors");
  CHECK(json["version"] == 1);
  REQUIRE(json["codes"].size() == 1);
  const Json& code = json["codes"][0];
  CHECK(code["threads"] == 3);
  REQUIRE(code["rows"].size() == 2);
  for (const Json& row : code["rows"]) {
    CHECK(row["one_thread"]["seconds"] > 0.0);
    REQUIRE(row["executors"].size() == 3);
    CHECK(row["executors"][1]["executor"] == "graph");
    for (const Json& executor : row["executors"]) {
      CHECK(executor["seconds"] > 0.0);
      CHECK(executor["predicted_seconds"] > 0.0);
      CHECK(executor["data_gb_per_s"].get<double>() ==
            doctest::Approx(row["data_bytes"].get<double>() / 1e9 /
                            executor["seconds"].get<double>()));
    }
  }
  const Outcome table = shell(line, cache.path());
  CHECK(table.status == 0);
  CHECK(widest_line(table.out) <= 80);
  CHECK(table.out.find("one thread         ranges           graph             plan") !=
        std::string::npos);
  const Outcome explained =
      shell("XDG_CACHE_HOME=" + cache.path().string() +
                " \"$xorloom\" bench rs:k=3,m=2 --threads 3 --explain --executor graph",
            cache.path());
  CHECK(widest_line(explained.out) <= 80);
  CHECK(explained.out.find("graph: encoding by that executor on all threads, predicted") !=
        std::string::npos);
  // The rates of this machine are known by now.
  const std::string parts = "XDG_CACHE_HOME=" + cache.path().string() +
                            " \"$xorloom\" bench rs:k=3,m=2 --study time --chunk-bytes 16384";
  const Outcome study = shell(parts, cache.path());
  CHECK(study.status == 0);
  CHECK(widest_line(study.out) <= 80);
  CHECK(study.out.find("% of the predicted time") != std::string::npos);
  CHECK(shell(parts + " --format svg", cache.path()).out.starts_with("<svg"));
  const Json time = Json::parse(shell(parts + " --format json", cache.path()).out)["results"][0];
  CHECK(time["tile"]["loads"] > 0.0);
  REQUIRE(time["levels"].size() == 1);
  const Json& level = time["levels"][0];
  CHECK(level["seconds"] > 0.0);
  double sum = 0;
  for (const char* part : {"instructions", "loads", "stores", "multiplications", "bytes"}) {
    CHECK(level["shares"][part] >= 0.0);
    CHECK(level["seconds_of_one"][part] >= 0.0);
    sum += level["shares"][part].get<double>();
  }
  CHECK(sum == doctest::Approx(1));
  CHECK(not_refused(xorloom({"bench", "rs:k=3,m=2", "--executor", "ranges,auto"}),
                    "--executor auto chooses between the others, and is not compared with them") ==
        "");
  CHECK(not_refused(xorloom({"bench", "rs:k=3,m=2", "--executor", "ranges,plan", "--losses", "1"}),
                    "several executors are compared by encoding alone, without --losses") == "");
}

TEST_CASE("What one instruction takes fits its column, be it short or long") {
  const TemporaryFolder& cache = rates_cache();
  const std::string line = "XDG_CACHE_HOME=" + cache.path().string() +
                           " \"$xorloom\" bench rs:k=3,m=2 --study time --chunk-bytes 16384";
  REQUIRE(shell(line, cache.path()).status == 0);
  const std::string kept = cache.path() / "xorloom" / "machine.json";
  const std::string measured = read_file(kept);
  Json rates = Json::parse(read_file(kept));
  for (Json& rate : rates["rates"]) {
    rate["seconds"] = {{"instruction", 1.6774e-15}, {"load", 1.1823e-9}, {"store", 9.9964e-10},
                       {"multiplication", 2e-12},   {"call", 1e-8},      {"chunk", 1e-9}};
    for (Json& moving : rate["moving"]) {
      moving = {{"byte_read", 2.3514e-12}, {"byte_written", 2.3514e-12}, {"crowding", 0}};
    }
  }
  write_file(kept, rates.dump());
  const Outcome study = shell(line, cache.path());
  CHECK(study.status == 0);
  CHECK(widest_line(study.out) <= 80);
  CHECK(has(study.out, ", picoseconds            0.0017   1182   1000      2   2.35\n"));
  write_file(kept, measured);
}

TEST_CASE("Studies come as a table, as JSON and as a picture, of bytes that were compared") {
  const auto study = [](const std::string& name, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"bench", "--study", name});
    const Outcome table = xorloom(arguments);
    CHECK(table.status == 0);
    CHECK(widest_line(table.out) <= 80);
    arguments.insert(arguments.end(), {"--format", "svg"});
    CHECK(xorloom(arguments).out.starts_with("<svg"));
    arguments.back() = "json";
    const Json json = Json::parse(xorloom(arguments).out);
    CHECK(json["format"] == "xorloom-study");
    CHECK(json["version"] == 1);
    CHECK(json["study"] == name);
    REQUIRE(json["results"].size() == 1);
    return json["results"][0];
  };
  const Json latency = study("latency", {kBenchSpec, "--threads", "2", "--chunk-bytes", "1920"});
  REQUIRE(latency["rows"].size() == 2);
  for (const Json& row : latency["rows"]) {
    CHECK(row["calls"] >= 1000);
    double before = 0;
    for (const Json& quantile : row["quantiles"]) {
      CHECK(quantile["seconds"] >= before);
      before = quantile["seconds"];
    }
    CHECK(row["most_seconds"] >= before);
  }
  const Json threads = study("threads", {kBenchSpec, "--threads", "3", "--chunk-bytes", "19200"});
  REQUIRE(threads["rows"].size() == 3);
  CHECK(threads["rows"][2]["threads"] == 3);
  CHECK(threads["rows"][0]["speedup"] == 1.0);
  // Either the kernel counts or it is said why not.
  CHECK(threads["why_no_counters"].get<std::string>().empty() !=
        threads["rows"][0]["last_cache_hits"].is_null());
  const Json roofline = study("roofline", {kBenchSpec, "--chunk-bytes", "1920"});
  CHECK(roofline["operations_per_byte"] > 0.0);
  CHECK(roofline["peak_operations_per_s"] > 1e8);
  REQUIRE(roofline["levels"].size() == 1);
  CHECK(roofline["levels"][0]["operations_per_s"] > 0.0);
  const Json cold = study("cold", {"isa-cauchy:k=4,m=2", "--chunk-bytes", "640"});
  REQUIRE(cold["rows"].size() == 3);
  CHECK(cold["codec_seconds"] > 0.0);
  for (const Json& row : cold["rows"]) {
    for (const char* seconds : {"first_seconds", "again_seconds", "often_seconds"}) {
      CHECK(row[seconds] > 0.0);
    }
  }
  const Json blocking = study("blocking", {"rs-poly:k=20,m=10"});
  REQUIRE(blocking["rows"].size() == 7);
  CHECK(blocking["rows"][0]["tiles"] == 5 * 3);
  CHECK(blocking["rows"][6]["tiles"] == 1);
}

TEST_CASE("What a study cannot do is refused") {
  const TemporaryFolder folder;
  const std::string file = folder / "rebuilding.json";
  CHECK(xorloom({"equations", kBenchSpec, "--erase", "1", "--format", "json", "-o", file}).status ==
        0);
  CHECK(not_refused(xorloom({"bench", "--equations", file, "--study", "threads"}),
                    file + " rebuilds, and --study looks at encoding") == "");
  CHECK(not_refused(xorloom({"bench", "--equations", file, "--executor", "ranges,plan"}),
                    file + " rebuilds, and a comparison of executors looks at encoding") == "");
  CHECK(not_refused(xorloom({"bench", kBenchSpec, "--study", "blocking"}),
                    "cauchy:k=3,m=2,w=3 has no matrix of a symbol a chunk on words, which --study "
                    "blocking cuts into tiles") == "");
  CHECK(not_refused(xorloom({"bench", "clay:k=4,m=2", "--study", "blocking", "--format", "json"}),
                    "clay:k=4,m=2,w=8 has no matrix of a symbol a chunk on words, which --study "
                    "blocking cuts into tiles") == "");
  CHECK(not_refused(xorloom({"bench", "rs:k=4,m=2", "--study", "roofline", "--threads", "2"}),
                    "--study roofline is of one core, and takes no --threads") == "");
  CHECK(not_refused(xorloom({"bench", kBenchSpec, "--format", "svg"}),
                    "--format svg draws a --study, and none is given") == "");
  CHECK(not_refused(xorloom({"bench", kBenchSpec, "--study", "threads", "--losses", "1"}),
                    "--study encodes alone, and takes no --losses") == "");
  CHECK(not_refused(
            xorloom({"bench", kBenchSpec, "--study", "threads", "--executor", "ranges,graph"}),
            "--study takes one executor") == "");
  CHECK(not_refused(xorloom({"bench", kBenchSpec, "--study", "fame"}),
                    "--study = 'fame' is not latency, threads, roofline, time, cold or blocking") ==
        "");
}

TEST_CASE("Kernels of a wide code are explained with the threads that run them") {
  const Outcome outcome = xorloom({"bench", "cauchy-good:k=20,m=10,w=8", "--explain", "--threads",
                                   "2", "--losses", "1", "--isa", "portable", "--awake", "0"});
  CHECK(outcome.out.find("  executor  ranges on 2 threads") != std::string::npos);
}

TEST_CASE("Choices follow the options that override them") {
  const auto encoding = [](const std::vector<std::string>& options) {
    std::vector<std::string> call{"bench", "cauchy:k=4,m=2,w=4", "--explain", "--format", "json"};
    call.insert(call.end(), options.begin(), options.end());
    return Json::parse(xorloom(call).out)["codes"][0]["operations"][0];
  };
  CHECK(encoding({})["style"] == "iterative");
  CHECK(encoding({"--style", "direct"})["style"] == "direct");
  CHECK(encoding({"--style", "direct"})["shared_xors"].is_null());
  CHECK(encoding({"--engine", "kernels"})["engine"] == "kernels");
  CHECK(encoding({"--engine", "kernels"})["why_kernels"] == "asked for");
  CHECK(encoding({"--effort", "normal"})["shared_xors"] <= encoding({})["shared_xors"]);
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
  refusal({"--style", "shared"}, "--style = 'shared' is not direct, iterative or auto");
  refusal({"--engine", "jit"}, "--engine = 'jit' is not code, kernels or auto");
  refusal({"--effort", "max"}, "--effort = 'max' is not auto, fast, quick or normal");
  refusal({"--against", "isa"}, "--against = 'isa' is not isal, jerasure or leopard");
  refusal({"--against", "isal,"}, "--against = '' is not isal, jerasure or leopard");
  refusal({"--against", "isal,isal"}, "--against names isal twice");
}

}  // namespace xorloom::test
