#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/cli/report/reporting.hpp"
#include "tests/support/has.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

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
  CHECK(has(table_here(), "within 12 % for codes that the costs were not fitted"));
  CHECK_FALSE(has(table_here(), "Warning:"));
  // Suggestions are of codes on words, too.
  CHECK(has(shell("XDG_CACHE_HOME=" + folder.path().string() +
                      " $xorloom codes --suggest 3,2 | tr '\\n' ' '",
                  folder.path())
                .out,
            "This machine was measured for codes on packets alone"));
  rates["rates"][0]["held_out_error"] = 0.31;
  write_file(kept, rates.dump());
  CHECK(has(table_here(), "Warning: 31 % is a large error; measure before you choose."));
  // Each instruction set has its error, and the verdict that of its speed.
  rates["rates"][0]["held_out_error"] = 0.12;
  rates["rates"].push_back(rates["rates"][0]);
  rates["rates"][1].update({{"isa", "portable"}, {"held_out_error", 2.55}});
  if (run["isa"] != "portable") {
    write_file(kept, rates.dump());
    const std::string isa = run["isa"];
    CHECK(
        has(table_here(), "within 12 % (" + isa + "), 255 % (portable) for codes that the costs"));
    CHECK(has(table_here(), "Warning: 255 % is a large error"));
    const auto json = nlohmann::json::parse(report_here("").out);
    CHECK(json["prediction_error"]["held_out"] == 2.55);
    CHECK(json["prediction_errors"][0]["isa"] == isa);
    CHECK(json["prediction_errors"][0]["held_out"] == 0.12);
    CHECK(has(table_here(), "nine of ten predictions are within 12 %"));
  }
  rates["rates"].erase(1);
  // Rates are ignored if they are of an earlier model, of another machine, or invalid.
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

TEST_CASE("The verdict of a code has the speed that its arrangement runs at, and names its error") {
  const TemporaryFolder folder;
  const auto report_here = [&](const std::string& specs) {
    return nlohmann::json::parse(shell("XDG_CACHE_HOME=" + folder.path().string() +
                                           " $xorloom report " + specs +
                                           " --effort fast --cores 1 --format json",
                                       folder.path())
                                     .out);
  };
  const auto before = report_here("cauchy-good:k=4,m=2");
  const nlohmann::json moving{{"byte_read", 1e-15}, {"byte_written", 1e-15}, {"crowding", 0}};
  nlohmann::json rates = nlohmann::json::array();
  for (const auto& [arrangement, error] : {std::pair{"packet", 0.12}, {"word", 0.08}}) {
    rates.push_back({{"isa", before["sets"][1]["runs"][0]["isa"]},
                     {"arrangement", arrangement},
                     {"residual", 0.01},
                     {"held_out_error", error},
                     {"overlap", 8},
                     {"seconds",
                      {{"instruction", 1e-9},
                       {"load", 1e-9},
                       {"store", 1e-9},
                       {"multiplication", 1e-9},
                       {"call", 1e-9},
                       {"chunk", 1e-9}}},
                     {"moving", {{"l2", moving}, {"l3", moving}, {"memory", moving}}}});
  }
  std::filesystem::create_directory(folder.path() / "xorloom");
  const auto keep = [&] {
    write_file((folder.path() / "xorloom/machine.json").string(),
               nlohmann::json{{"format", "xorloom-machine"},
                              {"version", 2},
                              {"cpu", before["machine"]},
                              {"caches", before["caches"]},
                              {"rates", rates}}
                   .dump());
  };
  keep();
  const std::string of_packets = " (nine of ten predictions are within 12 %).";
  const std::string of_words = " (nine of ten predictions are within 8 %).";
  const std::string on_words = " Run on words, by multiplications, the code is predicted to encode";
  const auto verdicts = [&](const std::string& specs) { return report_here(specs)["verdict"]; };
  const auto mixed = verdicts("cauchy-good:k=4,m=2 rs:k=4,m=2 parity:k=2 rs:k=3,m=2");
  REQUIRE(mixed.size() == 4);
  CHECK(has(mixed[0].get<std::string>(), of_packets));
  CHECK(has(mixed[1].get<std::string>(), on_words));
  CHECK(has(mixed[1].get<std::string>(), of_words));
  CHECK(has(mixed[2].get<std::string>(), " is predicted to encode at "));
  CHECK_FALSE(has(mixed[2].get<std::string>(), "nine of ten"));
  CHECK(has(mixed[3].get<std::string>(), on_words));
  CHECK_FALSE(has(mixed[3].get<std::string>(), "nine of ten"));
  const std::string of_multiplications = "On words, a tile and its instructions are of";
  CHECK(has(xorloom({"report", "rs:k=4,m=2"}).out, of_multiplications));
  CHECK_FALSE(has(xorloom({"report", "cauchy-good:k=4,m=2"}).out, of_multiplications));
  const auto words_first = verdicts("rs:k=4,m=2 parity:k=2");
  CHECK(has(words_first[0].get<std::string>(), of_words));
  CHECK(has(words_first[1].get<std::string>(), of_packets));
  // A suggestion names the error of the code that it recommends.
  for (const bool is_swapped : {false, true}) {
    if (is_swapped) std::swap(rates[0]["held_out_error"], rates[1]["held_out_error"]);
    keep();
    const auto suggested =
        nlohmann::json::parse(shell("XDG_CACHE_HOME=" + folder.path().string() +
                                        " $xorloom codes --suggest 3,1 --format json",
                                    folder.path())
                                  .out);
    const std::string spec = suggested["recommended"]["to_encode"];
    const bool is_word = spec.find("arrangement=word") != std::string::npos;
    CHECK(has(suggested["verdict"][0].get<std::string>(),
              is_word == is_swapped ? "Nine of ten such predictions are within 12 %"
                                    : "Nine of ten such predictions are within 8 %"));
    CHECK(suggested["prediction_error"]["held_out"] == 0.12);
    CHECK(suggested["prediction_errors"].size() == 2);
    CHECK(suggested["prediction_errors"][is_swapped ? 1 : 0]["held_out"] == 0.12);
  }
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
  CHECK(has(table.out, "    on quick, predicted"));
  CHECK(has(table.out, "    on slow, predicted"));
  CHECK(has(table.out, "quick is Quick 1, L1 64 KiB;"));
  // A file is refused before anything is searched for.
  const auto refused = [&](const std::string& name, const std::string& text) {
    write_file((folder.path() / name).string(), text);
    const Outcome outcome = report_here("--rates " + name);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(has(outcome.err, name));
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
  auto shrinking = rates("Shrinking", 1e-9);
  shrinking["caches"]["l1"] = shrinking["caches"]["l3"].get<int>() + 1;
  refused("shrinking.json", shrinking.dump());
  // Rates of other codes alone cost nobody the report.
  auto words = rates("Words", 1e-9);
  for (auto& of : words["rates"]) of["arrangement"] = "word";
  write_file((folder.path() / "words.json").string(), words.dump());
  const Outcome without = report_here("--rates words.json");
  CHECK(without.status == 0);
  CHECK(has(without.out, "speeds on words: words.json has no rates"));
}

}  // namespace xorloom::test
