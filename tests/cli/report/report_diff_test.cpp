#include <doctest/doctest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/cli/worked_example.hpp"
#include "tests/support/has.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using nlohmann::json;

/// A report and changed copies of it, as files.
struct Reports {
  TemporaryFolder folder;
  std::string old_report = folder / "old.json";
  json report;

  explicit Reports(const std::vector<std::string>& more = {"--cores", "1,6"}) {
    std::vector<std::string> call{"report", kWorkedExample, "--effort", "fast", "--format", "json"};
    call.insert(call.end(), more.begin(), more.end());
    report = json::parse(xorloom(call).out);
    folder.write("old.json", report.dump());
  }

  std::string changed(const std::function<void(json&)>& change) const {
    json copy = report;
    change(copy);
    folder.write("new.json", copy.dump());
    return folder / "new.json";
  }

  Outcome diff(const std::function<void(json&)>& change,
               const std::vector<std::string>& more = {}) {
    std::vector<std::string> call{"report", "--diff", old_report, changed(change)};
    call.insert(call.end(), more.begin(), more.end());
    return xorloom(call);
  }

  json diff_json(const std::function<void(json&)>& change,
                 const std::vector<std::string>& more = {}) {
    std::vector<std::string> options{"--format", "json"};
    options.insert(options.end(), more.begin(), more.end());
    return json::parse(diff(change, options).out);
  }

  /// Returns the error for a changed report, which must be refused.
  std::string refusal(const std::function<void(json&)>& change) {
    const Outcome outcome = diff(change);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  }
};

void set_speed(json& report, double gigabytes) {
  for (json& set : report["sets"]) {
    set["on_cores"][0]["measured_data_gb_per_s"] = gigabytes;
  }
}

}  // namespace

TEST_CASE("Nothing differs between a report and itself") {
  Reports reports;
  const Outcome outcome = reports.diff([](json&) {});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK(has(outcome.out, "\nnothing differs in the 3 sets that both have\n"));
  const json diff = reports.diff_json([](json&) {});
  CHECK(diff["format"] == "xorloom-report-diff");
  CHECK(diff["notes"].empty());
  CHECK(diff["sets"].size() == 3);
  CHECK(diff["sets"][0]["figures"].empty());
}

TEST_CASE("Speeds that were measured beside busy programs are not judged") {
  Reports reports;
  set_speed(reports.report, 50);
  reports.report["processor_share"] = 0.95;
  reports.folder.write("old.json", reports.report.dump());
  const auto slower = [](json& report) { set_speed(report, 25); };
  CHECK(reports.diff(slower).status == 1);
  const json diff = reports.diff_json([&](json& report) {
    slower(report);
    report["processor_share"] = 0.5;
  });
  CHECK(diff["worse"] == 0);
  CHECK(diff["other"] == 3);
  REQUIRE(diff["notes"].size() == 1);
  CHECK(has(diff["notes"][0].get<std::string>(),
            "it had a processor for 50 % of the time, so measured speeds are not judged"));
}

TEST_CASE("A set with more XORs is worse, and one with fewer is better") {
  Reports reports;
  const auto more = [](json& report) {
    json& set = report["sets"][1];
    set["xors"] = 2 * set["xors"].get<int>();
    set["temporaries"] = 7;
  };
  const Outcome worse = reports.diff(more);
  CHECK(worse.status == 1);
  CHECK(worse.err.empty());
  CHECK(widest_line(worse.out) <= 80);
  CHECK(has(worse.out, "+100.0 %  worse\n"));
  CHECK(has(worse.out, "2 figures differ in 1 of 3 sets: 1 is worse, 0 are better"));

  const json figures = reports.diff_json(more)["sets"][1]["figures"];
  CHECK(figures.size() == 2);
  CHECK(figures[0]["figure"] == "xors");
  CHECK(figures[0]["change"] == figures[0]["old"]);
  CHECK(figures[0]["verdict"] == "worse");
  CHECK(figures[1]["figure"] == "temporaries");
  CHECK(figures[1]["verdict"].is_null());

  reports.changed(more);
  const Outcome better =
      xorloom({"report", "--diff", reports.folder / "new.json", reports.old_report});
  CHECK(better.status == 0);
  CHECK(has(better.out, "-50.0 %  better\n"));
}

TEST_CASE("More steps of a plan are worse, even with fewer XORs") {
  Reports reports;
  const json diff = reports.diff_json([](json& report) {
    json& set = report["sets"][1];
    set["xors"] = set["xors"].get<int>() - 1;
    json& plan = set["on_cores"][1];
    plan["makespan"] = plan["makespan"].get<int>() + 1;
  });
  CHECK(diff["worse"] == 1);
  CHECK(diff["better"] == 1);
  CHECK(diff["sets"][1]["figures"][1]["figure"] == "makespan");
  CHECK(diff["sets"][1]["figures"][1]["cores"] == 6);
}

TEST_CASE("A speed differs beyond the tolerance, and slower is worse") {
  Reports reports;
  set_speed(reports.report, 100);
  reports.folder.write("old.json", reports.report.dump());
  const auto at = [](double speed) { return [speed](json& report) { set_speed(report, speed); }; };
  CHECK(reports.diff(at(95)).status == 0);
  CHECK(has(reports.diff(at(95)).out, "nothing differs"));
  CHECK(reports.diff(at(94)).status == 1);
  CHECK(reports.diff(at(106)).status == 0);
  CHECK(reports.diff_json(at(106))["better"] == 3);
  CHECK(reports.diff(at(94), {"--tolerance", "10"}).status == 0);
  CHECK(reports.diff(at(94), {"--tolerance", "10%"}).status == 0);
  CHECK(reports.diff(at(99.9), {"--tolerance", "0"}).status == 1);
  CHECK(has(reports.diff(at(94)).out, "GB/s on 1 thread, measured"));
}

TEST_CASE("What makes two reports less alike is said first") {
  Reports reports;
  const json diff = reports.diff_json([](json& report) {
    report["machine"] = "another processor";
    report["caches"]["l2"] = 999 << 10;
    report["search"]["seed"] = 2;
    report["sets"][0]["on_cores"].erase(1);
    set_speed(report, 50);
  });
  std::string notes;
  for (const json& note : diff["notes"]) notes += note.get<std::string>() + "\n";
  CHECK(has(notes, "the machines differ: "));
  CHECK(has(notes, "new: another processor\n"));
  CHECK(has(notes, "the caches differ: "));
  CHECK(has(notes, "the searches differ: old: effort fast, seed 1; new: effort fast, seed 2\n"));
  CHECK(has(notes, "old.json has plans for 6 cores\n"));
  CHECK(has(notes, "new.json has measured speeds\n"));
  CHECK(diff["worse"] == 0);
}

TEST_CASE("Sets that one report alone has are named") {
  Reports reports;
  const auto rename = [](json& report) { report["sets"][1]["source"] = "found\x1b.txt"; };
  const json diff = reports.diff_json(rename);
  CHECK(diff["only_in_old"].size() == 1);
  CHECK(diff["only_in_old"][0]["source"] == "iterative");
  CHECK(diff["only_in_new"].size() == 1);
  const Outcome outcome = reports.diff(rename);
  CHECK(outcome.status == 0);
  CHECK(has(outcome.out, "nothing differs in the 2 sets that both have"));
  CHECK(has(outcome.out, "found?.txt, iterative:"));  // no control character
  CHECK(widest_line(outcome.out) <= 80);
}

TEST_CASE("Sets that are called alike are compared in their order") {
  Reports reports;
  json& sets = reports.report["sets"];
  sets.push_back(sets[0]);
  sets[2]["xors"] = 50;
  reports.folder.write("old.json", reports.report.dump());
  CHECK(reports.diff([](json&) {}).status == 0);
  const json diff = reports.diff_json([](json& report) { report["sets"][2]["xors"] = 51; });
  CHECK(diff["worse"] == 1);
  CHECK(diff["sets"][2]["figures"][0]["old"] == 50);
  CHECK(reports.diff_json([](json& report) { report["sets"].erase(2); })["only_in_old"].size() ==
        1);
}

TEST_CASE("A report that is no report is refused with what is wrong") {
  Reports reports;
  const auto said = [&](const std::function<void(json&)>& change) {
    return reports.refusal(change);
  };
  CHECK(has(said([](json& r) { r["version"] = 2; }), "version 2 is not 1"));
  CHECK(has(said([](json& r) { r["format"] = "xorloom-bench"; }),
            "the format is 'xorloom-bench', not 'xorloom-report'"));
  CHECK(has(said([](json& r) { r.erase("caches"); }), "the report has no 'caches'"));
  CHECK(has(said([](json& r) { r["sets"] = json::array(); }), "sets is empty"));
  CHECK(has(said([](json& r) { r["sets"][1]["xors"] = -24; }),
            "sets[1].xors is -24, not a whole number"));
  CHECK(has(said([](json& r) { r["sets"][1]["xors"] = std::uint64_t{1} << 60; }),
            "sets[1].xors = 1152921504606846976 exceeds 9007199254740992"));
  CHECK(has(said([](json& r) { r["sets"][0]["style"] = "fast"; }),
            "sets[0].style is 'fast', not 'direct' or 'iterative'"));
  CHECK(has(said([](json& r) { r["sets"][0]["on_cores"] = 3; }),
            "sets[0].on_cores is 3, not an array"));
  CHECK(has(said([](json& r) { set_speed(r, -1); }),
            "sets[0].on_cores[0].measured_data_gb_per_s is -1.0, not a number from 0"));
  CHECK(has(said([](json& r) { r["sets"][0]["code"] = json::array(); }),
            "sets[0].code is of type array, not an object"));
  CHECK(has(said([](json& r) { r["erased"] = {0}; }), "they have no set in common"));
  CHECK(has(
      said([](json& r) {
        for (json& set : r["sets"]) set["source"] = "another";
      }),
      "have no set in common: two sets are compared if they have the same code, source and style"));

  const std::string text = reports.report.dump();
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, text.size() / 2}) {
    reports.folder.write("part.json", text.substr(0, bytes));
    const Outcome outcome =
        xorloom({"report", "--diff", reports.old_report, reports.folder / "part.json"});
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, "part.json: not JSON: "));
  }
  reports.folder.write("large.json", std::string((std::size_t{64} << 20) + 1, ' '));
  const Outcome large =
      xorloom({"report", "--diff", reports.folder / "large.json", reports.old_report});
  CHECK(large.status == 2);
  CHECK(has(large.err, "large.json has more than 67108864 bytes"));
}

TEST_CASE("A comparison is called with two reports and with options that it has") {
  Reports reports;
  const std::string& file = reports.old_report;
  CHECK(not_refused(xorloom({"report", "--diff", file}),
                    "--diff takes two reports, an old and a new one, but 1 is given") == "");
  CHECK(not_refused(xorloom({"report", "--diff", file, file, file}),
                    "--diff takes two reports, an old and a new one, but 3 are given") == "");
  CHECK(not_refused(xorloom({"report", "--diff", file, file, "--cores", "2"}),
                    "--diff takes no --cores") == "");
  CHECK(not_refused(xorloom({"report", "--diff", file, file, "--format", "svg"}),
                    "--diff has no picture: take --format table, json or html") == "");
  CHECK(not_refused(xorloom({"report", "--diff", "-", "-"}),
                    "both reports are standard input, which can be read once") == "");
  CHECK(not_refused(xorloom({"report", "rs:k=2,m=1", "--tolerance", "5"}),
                    "--tolerance needs --diff") == "");
  CHECK(xorloom({"report", "--diff", file, "-"}, {.in = read_file(file)}).status == 0);
  for (const char* tolerance : {"-1", "101", "nan", "%", "5%%"}) {
    CAPTURE(tolerance);
    const Outcome outcome = xorloom({"report", "--diff", file, file, "--tolerance", tolerance});
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, "is not a number from 0 to 100"));
  }
  CHECK(xorloom({"report", "--diff", file, reports.folder / "missing"}).status == 4);
  CHECK(xorloom({"report", "--diff", file, file, "-o", reports.folder / "no/such"}).status == 4);
}

}  // namespace xorloom::test
