#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

constexpr const char* kWorkedExample = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";
constexpr const char* kIterative = XORLOOM_EXAMPLES "/paper_iterative.txt";

/// A row of the table with its blanks made one.
bool has_row(const std::string& table, const std::string& row) {
  std::string squeezed;
  std::unique_copy(table.begin(), table.end(), std::back_inserter(squeezed),
                   [](char a, char b) { return a == ' ' && b == ' '; });
  return squeezed.find("\n" + row + "\n") != std::string::npos;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

nlohmann::json report(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "report");
  arguments.insert(arguments.end(), {"--format", "json"});
  return nlohmann::json::parse(xorloom(arguments).out);
}

}  // namespace

TEST_CASE("The report puts the paper's iterative equations beside the direct ones") {
  const Outcome outcome =
      xorloom({"report", kWorkedExample, "--equations", kIterative, "--cores", "1,6"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK(widest_line(outcome.out) <= 80);
  CHECK(has_row(outcome.out, "XORs 45 24 26 33"));
  CHECK(has_row(outcome.out, " lower bound, same inputs and outputs 24 24 24 24"));
  CHECK(has_row(outcome.out, "XORs per redundant bit 7.50 4.00 4.33 5.50"));
  CHECK(has_row(outcome.out, "F, over the optimum 1.70 1.00 1.07 1.30"));
  CHECK(has_row(outcome.out, "longest equation, in XORs 8 3 1 5"));
  CHECK(has_row(outcome.out, "longest path, in XORs 8 15 4 7"));
  CHECK(has_row(outcome.out, "temporaries 0 9 20 8"));
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
  const auto json = report({kWorkedExample, "--erase", "0,3", "--equations", file});
  CHECK(json["erased"] == std::vector<int>{0, 3});
  CHECK(json["sets"][0]["output_bits"] == 6);
  const auto& read = json["sets"].back();
  CHECK(read["direct_xors"] == json["sets"][0]["xors"]);
  CHECK(read["reads"]["locations"] == 5);
  CHECK(read["reads"]["bytes_per_byte"] == 2.5);
  CHECK(not_refused(xorloom({"report", kWorkedExample, "--equations", file}),
                    file +
                        " computes 6 elements, which are not the 6 redundant ones: --erase names "
                        "the locations that equations rebuild") == "");
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
  CHECK(contains(outcome.err, "the equations are not those of cauchy-good:k=4,m=2,w=4"));
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

TEST_CASE("Figure 5 of the paper is its formulas, point by point") {
  const auto json = report({"--paper-figure", "5", "--effort", "fast", "--seconds", "600"});
  CHECK(json["parts"].size() == 3);
  for (const auto& part : json["parts"]) {
    const double m = part["m"];
    CHECK(part["points"].size() == 32);
    for (const auto& point : part["points"]) {
      const double k = point["k"];
      CAPTURE(m);
      CAPTURE(k);
      CHECK(point["optimal"] == doctest::Approx((k - 1) * m));
      CHECK(point["cauchy"] == doctest::Approx((2.5 * k - 1) * m));
      CHECK(point["classical"] == doctest::Approx(2.3 * (k - 1) * m));
      CHECK(point["direct_on_cores"] == doctest::Approx((2.5 * k - 1) / 8 / 0.93));
      CHECK(point["iterative_on_cores"] == doctest::Approx((2.5 * k - 1) / 8 / 1.07));
      CHECK(point["fpga"] == doctest::Approx(std::ceil(k / 8) * 18 + (std::ceil(k / 8) - 1) * m));
      CHECK(point["made_iterative"] <= point["made_direct"]);
      CHECK(point["made_iterative_on_cores"] <= point["made_direct_on_cores"]);
      CHECK(point["made_direct"] >= point["optimal"]);
    }
  }
  CHECK(json["codes"] == 96);
  CHECK(json["codes_shared"] == 96);
  CHECK(not_refused(xorloom({"report", "--paper-figure", "5", kWorkedExample}),
                    "--paper-figure takes no SPEC") == "");
  CHECK(not_refused(xorloom({"report", "--paper-figure", "5", "--measure"}),
                    "--paper-figure takes no --measure") == "");
  CHECK(not_refused(xorloom({"report", "--equations", kIterative, "--atlas", "none"}),
                    "--atlas needs a SPEC") == "");
}

TEST_CASE("The parameters of the paper's model are options, and a budget ends the searches") {
  const auto json = report({"--paper-figure", "5", "--factor", "2", "--symbol-bits", "4", "--cores",
                            "3", "--efficiency", "0.5,1.25", "--slower-clock", "10",
                            "--multipliers", "4", "--effort", "fast", "--seconds", "600"});
  CHECK(json["codes"] == 14 + 12 + 10);  // k + m is at most 16
  for (const auto& part : json["parts"]) {
    const double m = part["m"];
    CHECK(part["cores"] == 3);
    for (const auto& point : part["points"]) {
      const double k = point["k"];
      CAPTURE(m);
      CAPTURE(k);
      CHECK(point["cauchy"] == doctest::Approx((2 * k - 1) * m));
      CHECK(point["direct_on_cores"] == doctest::Approx((2 * k - 1) * m / 3 / 0.5));
      CHECK(point["iterative_on_cores"] == doctest::Approx((2 * k - 1) * m / 3 / 1.25));
      CHECK(point["fpga"] ==
            doctest::Approx(std::ceil(k / 4) * std::ceil(m / 4) * 10 + (std::ceil(k / 4) - 1) * m));
      CHECK(point["made_direct"].is_null() == (k + m > 16));
    }
  }
  const auto stopped = report({"--paper-figure", "5", "--effort", "normal", "--seconds", "1"});
  CHECK(stopped["codes"] == 96);
  CHECK(stopped["codes_searched"] < 96);
  CHECK(stopped["budget_seconds"] == 1);
  const Outcome table = xorloom({"report", "--paper-figure", "5", "--seconds", "1"});
  CHECK(table.out.find("The searches were stopped after 1 s: ") != std::string::npos);
  CHECK(widest_line(table.out) <= 80);
  const Outcome svg =
      xorloom({"report", "--paper-figure", "5", "--seconds", "1", "--format", "svg"});
  CHECK(svg.out.starts_with("<svg"));
  CHECK(svg.out.find("Steps per bit of 6 redundant chunks") != std::string::npos);
}

TEST_CASE("What is no parameter of the model is refused with the value") {
  const auto refused = [](std::vector<std::string> options, const std::string& sentence) {
    options.insert(options.begin(), {"report", "--paper-figure", "5"});
    CHECK(not_refused(xorloom(options), sentence) == "");
  };
  refused({"--factor", "0"}, "--factor = 0 is not a number above 0, such as 1.2e6");
  refused({"--factor", "nan"}, "--factor = nan is not a number above 0, such as 1.2e6");
  refused({"--slower-clock", "x"}, "--slower-clock = x is not a number above 0, such as 1.2e6");
  refused({"--symbol-bits", "17"}, "--symbol-bits = 17 is not a whole number from 1 to 16");
  for (const char* bad : {"0.9", "0.9,0", "0.9,1,1", "0.9,", ",1", "inf,1", ""}) {
    refused({"--efficiency", bad}, std::string("--efficiency = ") + (*bad == '\0' ? "''" : bad) +
                                       " is not two numbers above 0, such as 0.93,1.07");
  }
  refused({"--cores", "1-3"}, "--paper-figure has one number of cores, p");
  refused({"--effort", "max"},
          "--paper-figure searches for 96 codes and takes only --effort fast or normal");
  CHECK(not_refused(xorloom({"report", kWorkedExample, "--factor", "2"}),
                    "--factor needs --paper-figure") == "");
  CHECK(not_refused(xorloom({"report", kWorkedExample, "--format", "svg"}),
                    "--format svg needs --paper-figure; html has pictures of codes") == "");
}

TEST_CASE("The set of the fewest XORs has no more than the one for cores") {
  // The quick search for few XORs finds more of them than the one for few steps.
  const auto json = report({kWorkedExample, "--cores", "1-6", "--effort", "fast"});
  for (const auto& set : json["sets"]) CHECK(json["sets"][1]["xors"] <= set["xors"]);
  const auto rebuilding =
      report({"cauchy-good:k=4,m=2,w=4", "--erase", "0,1", "--cores", "1-4", "--effort", "fast"});
  for (const auto& set : rebuilding["sets"]) {
    CHECK(rebuilding["sets"][1]["xors"] <= set["xors"]);
    CHECK(set["lower_bound"] <= set["xors"]);
  }
}

TEST_CASE("A rebuild has no F, and every set of a task has one baseline") {
  const Outcome outcome = xorloom({"report", "rdp:k=4,p=5", "--erase", "0", "--effort", "fast"});
  CHECK(outcome.out.find("F, over the optimum") == std::string::npos);
  CHECK(outcome.out.find("the optimum, k - 1") == std::string::npos);
  CHECK(has_row(outcome.out, " direct XORs on one core 12 12 12"));
}

TEST_CASE("The page has the figures and the pictures, loads nothing and runs nothing") {
  const Outcome outcome = xorloom(
      {"report", kWorkedExample, "--equations", kIterative, "--cores", "1-6", "--format", "html"});
  CHECK(outcome.status == 0);
  const std::string& page = outcome.out;
  CHECK(page.starts_with("<!DOCTYPE html>\n"));
  CHECK(page.ends_with("</html>\n"));
  for (const char* needle :
       {"<td>45</td>", "<td>33</td>", "<td>5.62</td>", "<td>0.94</td>", "<td>1.07</td>",
        "<td>1.25</td>", "<td>8 \u00b7 5.62\u00d7</td>",
        "4 \u00b7 paper_iterative.txt: the equations as a graph",
        "1 \u00b7 direct: the plan on 6 cores, 8 steps", "its data paths",
        "Bitmatrix: 6 x 15 bits, 51 ones", "speedup over the direct XORs on one core",
        "XORs against steps on 6 cores",
        "24 XORs, proved minimal; 45 direct. On 6 cores it takes "
        "5 steps instead of 8.",
        "<a href=\"#figures\">Figures</a>", "<h2 id=\"figures\">"}) {
    CAPTURE(needle);
    CHECK(page.find(needle) != std::string::npos);
  }
  for (const char* foreign : {"<script", "http://", "https://", "@import", "url("}) {
    std::string rest = page;
    for (std::size_t at = 0; (at = rest.find("http://www.w3.org/", at)) != std::string::npos;) {
      rest.erase(at, 18);  // what SVG is called loads nothing
    }
    CAPTURE(foreign);
    CHECK(rest.find(foreign) == std::string::npos);
  }
}

TEST_CASE("A page about 10 + 4 stays under 1 MB") {
  const Outcome outcome = xorloom({"report", "cauchy-good:k=10,m=4", "--format", "html", "--effort",
                                   "fast", "--cores", "1,2,4,8,16,32"});
  CHECK(outcome.status == 0);
  CHECK(outcome.out.size() < 1'000'000);
  CHECK(outcome.out.find("the plan on 32 cores") != std::string::npos);
}

TEST_CASE("Plans are drawn on no more cores than gain something") {
  const Outcome outcome = xorloom({"report", kWorkedExample, "--cores", "1,2,4,8,16,32", "--format",
                                   "html", "--effort", "fast"});
  CHECK(contains(outcome.out, "2 \u00b7 iterative: the plan on "));
  CHECK(contains(outcome.out, "; more cores gain nothing"));
  CHECK_FALSE(contains(outcome.out, "2 \u00b7 iterative: the plan on 32 cores"));
}

TEST_CASE("Several codes are column groups, which their specs name, wherever sets come from") {
  const TemporaryFolder folder;
  const std::string file = folder / "first.json";
  CHECK(xorloom({"equations", kWorkedExample, "--format", "json", "-o", file}).status == 0);
  const std::vector<std::string> arguments{"report", kWorkedExample, "rs:k=5,m=2", "--equations",
                                           file,     "--effort",     "fast",       "--format"};
  auto as = [&](const char* format) {
    std::vector<std::string> all = arguments;
    all.emplace_back(format);
    return xorloom(all).out;
  };
  const auto json = nlohmann::json::parse(as("json"));
  REQUIRE(json["sets"].size() == 5);
  CHECK(json["sets"][2]["source"] == file);
  CHECK(json["sets"][3]["code"]["family"] == "rs");
  const std::string page = as("html");
  CHECK(contains(page, "colspan=\"3\" scope=\"colgroup\">cauchy:k=5,<wbr>m=2,"));
  CHECK(contains(page, "colspan=\"2\" scope=\"colgroup\">rs:k=5,<wbr>m=2,"));
  CHECK(contains(page, "<li>cauchy 5 + 2, w = 3: "));
}

TEST_CASE("What this machine was measured to take is what speeds are predicted from") {
  const TemporaryFolder folder;
  const std::string spec = "cauchy-good:k=4,m=2";
  const auto report_here = [&](const std::string& options) {
    return shell("XDG_CACHE_HOME=" + folder.path().string() + " $xorloom report " + spec +
                     " --effort fast --format json " + options,
                 folder.path());
  };
  const auto before = nlohmann::json::parse(report_here("").out);
  const auto& run = before["sets"][1]["runs"][0];
  CHECK_FALSE(run.contains("predicted_data_gb_per_s"));
  const auto moving = [](double byte, double crowding) {
    return nlohmann::json{{"byte_read", byte}, {"byte_written", 2 * byte}, {"crowding", crowding}};
  };
  std::filesystem::create_directory(folder.path() / "xorloom");
  const std::string kept = (folder.path() / "xorloom/machine.json").string();
  nlohmann::json rates{
      {"format", "xorloom-machine"},
      {"version", 2},
      {"cpu", before["machine"]},
      {"caches", before["caches"]},
      {"rates",
       {{{"isa", run["isa"]},
         {"arrangement", "packet"},
         {"residual", 0.07},
         {"held_out_error", 0.12},
         {"overlap", 1},
         {"seconds",
          {{"instruction", 1e-18},
           {"load", 1e-9},
           {"store", 1e-18},
           {"multiplication", 1e-18},
           {"call", 1e-18},
           {"chunk", 1e-18}}},
         {"moving",
          {{"l2", moving(1e-18, 0)}, {"l3", moving(1e-11, 0)}, {"memory", moving(1e-11, 1)}}}}}}};
  write_file(kept, rates.dump());
  const auto after = nlohmann::json::parse(report_here("").out);
  const auto& tile = run["tile"];
  const auto& predicted = after["sets"][1]["runs"][0]["predicted_data_gb_per_s"];
  const double data = tile["data_bytes"].get<double>();
  const double loads = tile["loads"].get<double>() * 1e-9;
  const double bytes = (data + 2 * data / 2) * 1e-11;  // two redundant chunks to four
  CHECK(predicted["l1"] == doctest::Approx(data / 1e9 / loads));
  CHECK(predicted["l2"] == doctest::Approx(data / 1e9 / loads));
  CHECK(predicted["l3"] == doctest::Approx(data / 1e9 / (loads + bytes)));
  CHECK(predicted["memory"] == doctest::Approx(data / 1e9 / (loads + 37 * bytes)));
  CHECK(after["prediction_error"]["held_out"] == 0.12);
  const auto table_here = [&] {
    return shell("XDG_CACHE_HOME=" + folder.path().string() + " $xorloom report " + spec +
                     " --effort fast | tr '\\n' ' '",
                 folder.path())
        .out;
  };
  CHECK(contains(table_here(), "within 12 % for codes that were left out, and within 7 % for"));
  CHECK_FALSE(contains(table_here(), "Warning:"));
  rates["rates"][0]["held_out_error"] = 0.31;
  write_file(kept, rates.dump());
  CHECK(contains(table_here(), "Warning: 31 % is a large error; measure before you choose."));
  // Of an earlier model it says nothing, as of another machine, or what is not whole.
  rates["version"] = 1;
  write_file(kept, rates.dump());
  CHECK(nlohmann::json::parse(report_here("").out) == before);
  rates["version"] = 2;
  rates["rates"][0]["seconds"]["load"] = 0;
  write_file(kept, rates.dump());
  CHECK(nlohmann::json::parse(report_here("").out) == before);
  rates["cpu"] = "another";
  write_file(kept, rates.dump());
  CHECK(nlohmann::json::parse(report_here("").out) == before);
  write_file(kept, rates.dump().substr(0, 200));
  CHECK(nlohmann::json::parse(report_here("").out) == before);
}

TEST_CASE("Rates that were kept on other machines predict for these, side by side") {
  const TemporaryFolder folder;
  const auto report_here = [&](const std::string& options) {
    return shell("XDG_CACHE_HOME=" + folder.path().string() +
                     " $xorloom report cauchy-good:k=4,m=2 --effort fast " + options,
                 folder.path());
  };
  const auto run = nlohmann::json::parse(report_here("--format json").out)["sets"][1]["runs"][0];
  const auto rates = [&](const std::string& cpu, double load) {
    const nlohmann::json moving{{"byte_read", 1e-15}, {"byte_written", 1e-15}, {"crowding", 0}};
    return nlohmann::json{{"format", "xorloom-machine"},
                          {"version", 2},
                          {"cpu", cpu},
                          {"caches", {{"l1", 65536}, {"l2", 2097152}, {"l3", 33554432}}},
                          {"rates",
                           {{{"isa", run["isa"]},
                             {"arrangement", "packet"},
                             {"residual", 0.1},
                             {"held_out_error", load > 1e-9 ? 0.4 : 0.1},
                             {"overlap", 8},
                             {"seconds",
                              {{"instruction", 1e-18},
                               {"load", load},
                               {"store", 1e-18},
                               {"multiplication", 1e-18},
                               {"call", 1e-18},
                               {"chunk", 1e-18}}},
                             {"moving", {{"l2", moving}, {"l3", moving}, {"memory", moving}}}}}}};
  };
  write_file((folder.path() / "quick.json").string(), rates("Quick 1", 1e-9).dump());
  write_file((folder.path() / "slow.json").string(), rates("Slow 2", 2e-9).dump());
  const Outcome form = report_here("--format json --rates quick.json --rates slow.json");
  REQUIRE(form.status == 0);
  const auto json = nlohmann::json::parse(form.out);
  REQUIRE(json["machines"].size() == 2);
  CHECK(json["machines"][0]["name"] == "quick");
  CHECK(json["machines"][0]["caches"]["l1"] == 65536);
  CHECK(json["machines"][1]["cpu"] == "Slow 2");
  CHECK(json["machines"][1]["prediction_error"]["held_out"] == 0.4);
  const auto& elsewhere = json["sets"][1]["runs"][0]["elsewhere"];
  REQUIRE(elsewhere.size() == 2);
  CHECK(elsewhere[1]["machine"] == "slow");
  CHECK(elsewhere[0]["predicted_data_gb_per_s"]["l2"].get<double>() ==
        doctest::Approx(2 * elsewhere[1]["predicted_data_gb_per_s"]["l2"].get<double>()));
  const Outcome table = report_here("--rates quick.json --rates slow.json");
  CHECK(widest_line(table.out) <= 80);
  CHECK(contains(table.out, "    on quick, predicted"));
  CHECK(contains(table.out, "    on slow, predicted"));
  CHECK(contains(table.out, "quick is Quick 1, L1 64 KiB;"));
  // A file is refused before anything is searched for.
  const auto refused = [&](const std::string& name, const std::string& text) {
    write_file((folder.path() / name).string(), text);
    const Outcome outcome = report_here("--rates " + name);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, name));
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
  };
  refused("text.json", "no rates");
  refused("list.json", "[]");
  auto old = rates("Old", 1e-9);
  old["version"] = 1;
  refused("old.json", old.dump());
  auto negative = rates("Negative", -1);
  refused("negative.json", negative.dump());
  auto none = rates("None", 1e-9);
  none["rates"] = nlohmann::json::array();
  refused("none.json", none.dump());
}

TEST_CASE("Over symbols the report has multiplications and runs, and no plans for cores") {
  const Outcome table = xorloom({"report", "clay:k=4,m=2", "--over", "symbols"});
  CHECK(table.status == 0);
  CHECK(has_row(table.out, "multiplications 120 48"));
  CHECK(has_row(table.out, "XORs per redundant symbol 8.00 4.50"));
  CHECK_FALSE(contains(table.out, "in steps of"));
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
  CHECK(contains(page.out, "XORs and multiplications"));
  CHECK(contains(page.out, "2 x 4 symbols, 8 that are not zero"));
  CHECK(contains(page.out, "<title>5 = SUM(0,0x46*1,0x8f*2,0xc8*3)</title>"));
  const Outcome refused = xorloom({"report", "rs:k=4,m=2", "--over", "symbols", "--cores", "2"});
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "--cores plans XORs"));
}

TEST_CASE("Saved equations over symbols stand beside those over bits") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "symbols.json";
  CHECK(xorloom({"equations", "rs:k=4,m=2", "--over", "symbols", "--format", "json", "-o", file})
            .status == 0);
  const Outcome table = xorloom({"report", "rs:k=4,m=2", "--effort", "fast", "--equations", file});
  CHECK(table.status == 0);
  CHECK(has_row(table.out, "multiplications - - 3"));
  CHECK(contains(table.out, "XORs per redundant element "));
}

}  // namespace xorloom::test
