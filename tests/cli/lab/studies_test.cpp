#include <doctest/doctest.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/has.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kBenchSpec = "cauchy:k=3,m=2,w=3";

/// Holds the rates of this machine, which take seconds to measure: by the first test that needs
/// them.
const TemporaryFolder& rates_cache() {
  static const TemporaryFolder cache;
  return cache;
}

}  // namespace

TEST_CASE("Executors stand side by side, measured and predicted") {
  const TemporaryFolder& cache = rates_cache();
  const std::string line = "XDG_CACHE_HOME=" + cache.path().string() +
                           " \"$lab\" executors rs:k=3,m=2 --threads 3 --chunk-bytes 1024,4096";
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
  for (const char* name : {"one thread", "ranges", "graph", "plan", "m/p"}) {
    CHECK(has(table.out, name));
  }
  const Outcome explained =
      shell("XDG_CACHE_HOME=" + cache.path().string() +
                " \"$xorloom\" bench rs:k=3,m=2 --threads 3 --explain --executor graph",
            cache.path());
  CHECK(widest_line(explained.out) <= 80);
  CHECK(explained.out.find("graph: encoding by that executor on all threads, predicted") !=
        std::string::npos);
  // The rates of this machine are known by now.
  const std::string parts = "XDG_CACHE_HOME=" + cache.path().string() +
                            " \"$lab\" study time rs:k=3,m=2 --chunk-bytes 16384";
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
  CHECK(not_refused(xorloom_lab({"executors", "rs:k=3,m=2", "--executor", "ranges,auto"}),
                    "--executor = 'auto' is not ranges, graph or plan") == "");
  CHECK(not_refused(xorloom({"bench", "rs:k=3,m=2", "--executor", "ranges,plan"}),
                    "--executor takes one executor: run xorloom-lab executors SPEC --executor "
                    "ranges,plan to compare them") == "");
}

TEST_CASE("What one instruction takes fits its column, be it short or long") {
  const TemporaryFolder& cache = rates_cache();
  const std::string line = "XDG_CACHE_HOME=" + cache.path().string() +
                           " \"$lab\" study time rs:k=3,m=2 --chunk-bytes 16384";
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
  const std::size_t line_at = study.out.find("picoseconds");
  const std::string costs = study.out.substr(line_at, study.out.find('\n', line_at) - line_at);
  for (const char* cost : {"0.0017", "1182", "1000", " 2 ", "2.35"}) CHECK(has(costs, cost));
  write_file(kept, measured);
}

TEST_CASE("Studies come as a table, as JSON and as a picture, of bytes that were compared") {
  const auto study = [](const std::string& name, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"study", name});
    const Outcome table = xorloom_lab(arguments);
    CHECK(table.status == 0);
    CHECK(widest_line(table.out) <= 80);
    arguments.insert(arguments.end(), {"--format", "svg"});
    CHECK(xorloom_lab(arguments).out.starts_with("<svg"));
    arguments.back() = "json";
    const Json json = Json::parse(xorloom_lab(arguments).out);
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
  const Json energy = study("energy", {kBenchSpec, "--chunk-bytes", "1920"});
  REQUIRE(energy["levels"].size() == 1);
  const Json& level = energy["levels"][0];
  CHECK(level["level"] == "L1");
  // 2 chunks of redundancy of 3 of data; 70 pJ an instruction, 20 pJ for 8 bytes from L1.
  const auto count = [&](const char* key) { return energy[key].get<double>(); };
  const double vector = count("vector_bytes");
  const double tiles = 2 * 1920 / (count("vectors_written") * vector);
  const double per_gb = 1e9 / (3 * 1920);
  const double instructions = tiles * count("instructions") * 70e-12 * per_gb;
  const double cache = tiles * (count("loads") + count("stores")) * vector / 8 * 20e-12 * per_gb;
  CHECK(level["instructions_joules_per_gb"].get<double>() == doctest::Approx(instructions));
  CHECK(level["first_cache_joules_per_gb"].get<double>() == doctest::Approx(cache));
  CHECK(level["beyond_joules_per_gb"] == 0.0);
  // Idle power is that of full load by another code, whichever sizes are asked for.
  CHECK(energy["full_load"]["spec"] == "cauchy-good:k=10,m=4,w=8");
  const double idle = energy["full_load"]["watts"];
  CHECK(level["idle_watts"] == idle);
  CHECK(level["joules_per_gb"].get<double>() ==
        doctest::Approx(instructions + cache + idle / level["data_gb_per_s"].get<double>()));
  CHECK(idle > 0.0);
  CHECK(energy["libraries"][0]["name"] == "xorloom");
  // Counted instructions are those of the machine code and of the call around it.
  const Json& ours = energy["libraries"][0];
  if (!ours["instructions_per_byte"].is_null() && energy["library_chunk_bytes"] == 1920) {
    const double counted = ours["instructions_per_byte"].get<double>() * 3 * 1920;
    CHECK(counted > tiles * count("instructions"));
    CHECK(counted < tiles * count("instructions") * 1.5 + 3000);
    CHECK(ours["joules_per_gb"].get<double>() ==
          doctest::Approx(ours["instructions_joules_per_gb"].get<double>() +
                          ours["beyond_joules_per_gb"].get<double>() +
                          ours["idle_joules_per_gb"].get<double>()));
  }
  // Past L1, each byte of a chunk costs once more: 100 pJ for 8 of them in caches, 1.95 nJ in DRAM.
  const auto beyond = [&](const std::string& chunk_bytes) {
    const Json far = Json::parse(xorloom_lab({"study", "energy", kBenchSpec, "--chunk-bytes",
                                              chunk_bytes, "--format", "json"})
                                     .out)["results"][0]["levels"][0];
    const double of_8_bytes = far["level"] == "DRAM" ? 1.95e-9 : 100e-12;
    CHECK(far["beyond_joules_per_gb"].get<double>() ==
          doctest::Approx(5.0 / 3 * 1e9 / 8 * of_8_bytes));
    return far["level"].get<std::string>();
  };
  CHECK(beyond("192000") != "L1");
  if (test::tries_all()) CHECK(beyond("192000000") == "DRAM");
  if (XORLOOM_BUILT_WITH_ISAL) {
    const Json libraries =
        study("energy", {"isa-cauchy:k=4,m=2", "--chunk-bytes", "1024"})["libraries"];
    REQUIRE(libraries.size() >= 2);
    CHECK(libraries[1]["name"] == "isal");
#if defined(__x86_64__)
    // More than one instruction for each vector of 64 bytes, and fewer than ten for each byte.
    for (const Json& library : libraries) {
      if (library["instructions_per_byte"].is_null()) continue;  // counting took too long
      CHECK(library["instructions_per_byte"] > 1.0 / 64);
      CHECK(library["instructions_per_byte"] < 10.0);
    }
#endif
  }
  const Json cold = study("cold", {"isa-cauchy:k=4,m=2", "--chunk-bytes", "640"});
  REQUIRE(cold["rows"].size() == 3);
  CHECK(cold["codec_seconds"] > 0.0);
  for (const Json& row : cold["rows"]) {
    for (const char* seconds : {"first_seconds", "again_seconds", "often_seconds"}) {
      CHECK(row[seconds] > 0.0);
    }
  }
  for (const Json& row : study("cold", {"lrc:k=4,m=2,l=3", "--chunk-bytes", "64"})["rows"]) {
    CHECK(row["peer_seconds"].is_null());  // they cannot decode it
  }
  const Json blocking = study("blocking", {"rs-poly:k=20,m=10"});
  REQUIRE(blocking["rows"].size() == 7);
  CHECK(blocking["rows"][0]["tiles"] == 5 * 3);
  CHECK(blocking["rows"][6]["tiles"] == 1);
}

#if defined(__linux__)
TEST_CASE("A plan is made for the processors that the process may use, and its bytes are right") {
  cpu_set_t usual;
  REQUIRE(sched_getaffinity(0, sizeof usual, &usual) == 0);
  const int kept = std::max(1, CPU_COUNT(&usual) / 2);
  cpu_set_t some = usual;
  // The first processors are not to be used.
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&some) > kept; ++cpu) {
    if (CPU_ISSET(cpu, &some)) CPU_CLR(cpu, &some);
  }
  REQUIRE(sched_setaffinity(0, sizeof some, &some) == 0);
  const Outcome outcome = xorloom_lab({"study", "threads", kBenchSpec, "--executor", "plan",
                                       "--chunk-bytes", "19200", "--format", "json"});
  REQUIRE(sched_setaffinity(0, sizeof usual, &usual) == 0);
  CHECK(outcome.status == 0);
  const Json rows = Json::parse(outcome.out)["results"][0]["rows"];
  CHECK(rows.back()["threads"] == kept);
}
#endif

TEST_CASE("Pages of studies and of executors have the machine, and a chart each") {
  const std::string page = xorloom_lab({"study", "latency", kBenchSpec, "--threads", "1",
                                        "--chunk-bytes", "1920", "--format", "html"})
                               .out;
  for (const char* part : {"<h1>Measured: latency</h1>", "<span>1 thread</span>", ">p99.9</th>",
                           "<h2 id=\"the-machine\">The machine</h2>", "processor"}) {
    CAPTURE(part);
    CHECK(has(page, part));
  }
}

TEST_CASE("Codes whose locations hold data and redundancy have studies") {
  for (const char* spec : {"x-code:p=5", "hover:k=5,r=3,v=2,h=1"}) {
    CHECK(xorloom_lab({"study", "threads", spec, "--chunk-bytes", "4800"}).status == 0);
  }
}

TEST_CASE("What a study cannot do is refused") {
  const TemporaryFolder folder;
  const std::string file = folder / "rebuilding.json";
  CHECK(xorloom({"equations", kBenchSpec, "--erase", "1", "--format", "json", "-o", file}).status ==
        0);
  const auto refused = [](const std::vector<std::string>& call, const std::string& sentence) {
    CHECK(not_refused(xorloom_lab(call), sentence) == "");
  };
  refused({"study", "threads", "--equations", file},
          file + " rebuilds, and a study looks at encoding");
  refused({"executors", "--equations", file},
          file + " rebuilds, and a comparison of executors looks at encoding");
  refused(
      {"study", "blocking", kBenchSpec},
      "cauchy:k=3,m=2,w=3 has no matrix of a symbol a chunk on words, which study blocking cuts "
      "into tiles");
  refused({"study", "blocking", "clay:k=4,m=2", "--format", "json"},
          "clay:k=4,m=2,d=5 has no matrix of a symbol a chunk on words, which study blocking cuts "
          "into tiles");
  refused({"study", "roofline", "rs:k=4,m=2", "--threads", "2"},
          "study roofline is of one core, and takes no --threads");
  refused({"study", "threads", kBenchSpec, "--losses", "1"}, "'--losses' is not expected");
  refused({"study", "threads", kBenchSpec, "--executor", "ranges,graph"},
          "--executor = 'ranges,graph' is not ranges, graph, plan, auto, opencl, cuda or hybrid");
  refused({"study", "fame", kBenchSpec},
          "there is no study 'fame': it is latency, threads, roofline, time, energy, cold or "
          "blocking");
  refused({"study", "fame"},
          "there is no study 'fame': it is latency, threads, roofline, time, energy, cold or "
          "blocking");
  CHECK(not_refused(xorloom({"bench", kBenchSpec, "--study", "threads"}),
                    "--study moved to another program: run xorloom-lab study NAME SPEC") == "");
}

TEST_CASE("Every command of the lab has help that fits 80 columns") {
  const Outcome program = xorloom_lab({"--help"});
  CHECK(program.status == 0);
  CHECK(program.out.starts_with("Usage: xorloom-lab COMMAND"));
  CHECK(xorloom_lab({"--version"}).out.starts_with("xorloom-lab "));
  for (const std::string command :
       {"study", "executors", "compare", "paper-figure", "banks", "zigzag-unit"}) {
    CAPTURE(command);
    CHECK(has(program.out, "\n  " + command + " "));
    const Outcome help = xorloom_lab({command, "--help"});
    CHECK(help.status == 0);
    CHECK(help.out.starts_with("Usage: xorloom-lab " + command + " "));
    CHECK(has(help.out, "\nExamples:\n  xorloom-lab " + command));
    CHECK(widest_line(help.out) <= 80);
  }
  const std::string study = xorloom_lab({"study", "--help"}).out;
  for (const char* name :
       {"latency: ", "threads: ", "roofline: ", "time: ", "energy: ", "cold: ", "blocking: "}) {
    CAPTURE(name);
    CHECK(has(study, name));
  }
  CHECK(xorloom_lab({"study"}).err.ends_with("\nxorloom-lab study --help says more\n"));
}

}  // namespace xorloom::test
