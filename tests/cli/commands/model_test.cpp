#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

using Json = nlohmann::json;

Json model(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "model");
  arguments.insert(arguments.end(), {"--format", "json"});
  const Outcome outcome = xorloom(arguments);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  Json json = Json::parse(outcome.out);
  CHECK(json["format"] == "xorloom-model-" + arguments[1]);
  CHECK(json["version"] == 1);
  return json;
}

std::string refused_model(std::vector<std::string> arguments, const std::string& sentence) {
  arguments.insert(arguments.begin(), "model");
  return not_refused(xorloom(arguments), sentence);
}

}  // namespace

TEST_CASE("model durability gives the paper's group its mean time to data loss") {
  const Json json = model({"durability", "raid6:k=14"});
  CHECK(json["locations"] == 16);
  CHECK(json["losses"] == 2);
  CHECK(json["hours_to_loss"]["formula"].get<double>() == doctest::Approx(8.93e11).epsilon(0.001));
  CHECK(json["years_to_loss"]["formula"].get<double>() == doctest::Approx(1.02e8).epsilon(0.002));
  CHECK(json["hours_to_loss"]["exact"].get<double>() == doctest::Approx(8.93e11).epsilon(0.01));
  CHECK(json["disks_read"] == 14);
  const Json ten = model({"durability", "raid6:k=10"});
  CHECK(ten["clean_read"]["formula"].get<double>() == doctest::Approx(std::pow(0.992, 10)));
}

TEST_CASE("model durability derives the time of a repair from what it reads") {
  // 2.5 bytes read per byte of a disk of 1e12 bytes, at 1e8 bytes per second.
  const Json clay = model({"durability", "clay:k=4,m=2", "--rate", "1e8"});
  CHECK(clay["bytes_read_per_byte_rebuilt"] == 2.5);
  CHECK(clay["mttr_hours"].get<double>() == doctest::Approx(25'000.0 / 3600));
  const Json rs = model({"durability", "rs:k=4,m=2", "--rate", "1e8", "--disk-bytes", "2e12"});
  CHECK(rs["mttr_hours"].get<double>() == doctest::Approx(80'000.0 / 3600));
  CHECK(rs["nines"]["exact"] < clay["nines"]["exact"]);
}

TEST_CASE("model durability counts bits that cannot be read, and scrubs that find them") {
  const Json json = model({"durability", "raid6:k=14"});
  CHECK(json["unreadable_disk"].get<double>() == doctest::Approx(1 - std::exp(-0.008)));
  // With two disks lost, one of 14 others has such a bit with a probability of 10.6 %.
  const double fatal = 1 - std::exp(-0.112);
  CHECK(json["hours_to_loss_with_unreadable"]["formula"].get<double>() ==
        doctest::Approx(1.2e6 * 1.2e6 / (16 * 15 * 24) / (14.0 / 1.2e6 * 24 + fatal)));
  CHECK(json["nines_with_unreadable"]["exact"] < json["nines"]["exact"]);
  const auto scrubbed = [&](const char* hours) {
    const Json with = model({"durability", "raid6:k=14", "--latent", "9259", "--scrub", hours});
    CHECK(with["hours_to_loss"] == json["hours_to_loss"]);
    return with["hours_to_loss_with_unreadable"]["exact"].get<double>();
  };
  CHECK(scrubbed("168") > scrubbed("1680"));
  CHECK(scrubbed("168") < json["hours_to_loss_with_unreadable"]["exact"].get<double>());
}

TEST_CASE("model durability says how well a group outlives a bad batch") {
  const Json json = model({"durability", "raid6:k=8", "--batch-mttf", "168"});
  CHECK(json["batch"]["disks"] == 10);
  CHECK(json["batch"]["recovery"]["formula"].get<double>() ==
        doctest::Approx(0.6587).epsilon(1e-3));
  CHECK(json["batch"]["recovery"]["exact"] < 0.70);
  const Json diverse = model({"durability", "raid6:k=8", "--batch-mttf", "168", "--batch", "2"});
  CHECK(diverse["batch"]["recovery"]["exact"] > 0.98);
  CHECK(diverse["batch"]["survival"]["exact"] > json["batch"]["survival"]["exact"]);
}

TEST_CASE("model cluster loses more groups to unreadable bits, and counts those of a bad batch") {
  const std::vector<std::string> call{"cluster", "rs:k=4,m=2", "--nodes", "300",       "--groups",
                                      "20",      "--mttf",     "1e4",     "--samples", "20000"};
  const Json usual = model(call)["codes"][0];
  CHECK(!usual.contains("batch"));
  std::vector<std::string> more = call;
  more.insert(more.end(), {"--error-rate", "1e-15", "--latent", "9259", "--scrub", "168", "--batch",
                           "60", "--batch-mttf", "168"});
  const Json hard = model(more)["codes"][0];
  CHECK(hard["hours_to_loss"]["mean"] < usual["hours_to_loss"]["mean"]);
  CHECK(hard["hours_to_loss"]["chain"] < usual["hours_to_loss"]["chain"]);
  CHECK(hard["batch"]["nodes_left"] == 0);
  CHECK(hard["batch"]["groups_lost"].get<double>() / hard["groups"].get<double>() ==
        doctest::Approx(hard["batch"]["share_lost"].get<double>()));
  CHECK(hard["batch"]["chain"] > 0.0);
  CHECK(hard["batch"]["chain"] < 1.0);
  more.insert(more.end(), {"--failures", "20"});
  more.insert(more.begin(), "model");
  const Outcome early = xorloom(more);
  CHECK(has(early.out, "of the batch had not failed yet: take more --failures."));
}

TEST_CASE("model durability takes the losses that a code promises, whatever it is") {
  const Json lrc = model({"durability", "lrc:k=4,m=2,l=3", "--mttf", "1e5", "--mttr", "10"});
  CHECK(lrc["locations"] == 8);
  CHECK(lrc["losses"] == 2);
  CHECK(lrc["hours_to_loss"]["formula"].get<double>() ==
        doctest::Approx(1e15 / (8.0 * 7 * 6 * 100)));
  CHECK(model({"durability", "parity:k=4"})["losses"] == 1);
  // This code promises 2, and some sets of 2 are lost.
  CHECK(model({"durability", "blaum-roth:k=4,w=7", "--allow-non-mds"})["losses"] == 1);
}

TEST_CASE("model cluster compares codes, and its simulation agrees with the chain") {
  const Json json = model({"cluster", "rs:k=4,m=2", "clay:k=4,m=2", "--nodes", "50", "--groups",
                           "6", "--mttf", "2e4", "--failures", "500", "--samples", "100000"});
  REQUIRE(json["codes"].size() == 2);
  for (const Json& code : json["codes"]) {
    CHECK(code["node_failures"] == 500);
    CHECK(code["groups"] == 50);
    const Json& hours = code["hours_to_loss"];
    CHECK(hours["low"] < hours["mean"]);
    // The chain neglects some effects, so its result may leave the interval by up to 10 %.
    CHECK(hours["chain"].get<double>() > 0.9 * hours["low"].get<double>());
    CHECK(hours["chain"].get<double>() < 1.1 * hours["high"].get<double>());
    CHECK(code["loss_in_a_year"]["any"] > code["loss_in_a_year"]["object"]);
  }
  CHECK(json["codes"][1]["bytes_read_per_byte_rebuilt"][0] == 2.5);
  CHECK(json["codes"][1]["repair_bytes_per_second"] < json["codes"][0]["repair_bytes_per_second"]);
}

TEST_CASE("model cluster has the textbook durability of RAID 6 in its confidence interval") {
  const Json hours = model({"cluster", "raid6:k=14", "--nodes", "16", "--groups", "1", "--mttf",
                            "1.2e6", "--mttr", "24"})["codes"][0]["hours_to_loss"];
  CHECK(hours["low"] < 8.93e11);
  CHECK(hours["high"] > 8.93e11);
}

TEST_CASE("A group of two disks reads one disk") {
  const Outcome outcome = xorloom({"model", "durability", "rs:1,1"});
  CHECK(has(outcome.out, "1 disk of 1e+12 bytes"));
}

TEST_CASE("The tables of model fit a terminal of 80 columns") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"model", "durability", "raid6:k=14"},
        {"model", "durability", "cauchy-good:k=10,m=4,w=8", "--rate", "1e8"},
        {"model", "durability", "rs:k=10,m=4", "--latent", "9259", "--scrub", "168", "--batch-mttf",
         "168"},
        {"model", "cluster", "cauchy-good:k=10,m=4,w=8", "--samples", "1000", "--latent", "9259",
         "--scrub", "168", "--batch-mttf", "168", "--batch", "20"},
        {"model", "cluster", "rs:k=4,m=2", "cauchy-good:k=10,m=4,w=8", "--samples", "1000"}}) {
    const Outcome outcome = xorloom(arguments);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    CHECK(widest_line(outcome.out) <= 80);
  }
}

TEST_CASE("What model cannot compute is refused with the value and the bound") {
  CHECK(refused_model({}, "MODEL is required: durability or cluster") == "");
  CHECK(refused_model({"disks"}, "there is no model 'disks': it is durability or cluster") == "");
  CHECK(refused_model({"disks", "rs:k=4,m=2"},
                      "there is no model 'disks': it is durability or cluster") == "");
  CHECK(refused_model({"banks"}, "model banks moved to another program: run xorloom-lab banks") ==
        "");
  CHECK(refused_model({"durability"}, "model durability needs the SPEC of a code") == "");
  CHECK(refused_model({"durability", "rs:k=4,m=2", "rs:k=4,m=3"},
                      "model durability takes one SPEC, but 2 are given") == "");
  CHECK(refused_model({"cluster"}, "model cluster needs the SPEC of a code") == "");
  CHECK(refused_model({"cluster", "rs:k=4,m=2", "--nodes", "5"},
                      "5 nodes are fewer than n = 6 locations") == "");
  CHECK(refused_model({"durability", "rs:k=4,m=2", "--nodes", "5"},
                      "--nodes is an option of model cluster") == "");
  CHECK(refused_model({"durability", "rs:k=4,m=2", "--mttr", "1", "--rate", "1"},
                      "--mttr and --rate both say how long a repair takes: give one") == "");
  CHECK(refused_model({"durability", "rs:k=4,m=2", "--latent", "9259"},
                      "--latent and --scrub belong together: errors appear, and scrubs correct "
                      "them") == "");
  CHECK(refused_model({"durability", "rs:k=4,m=2", "--batch", "2"},
                      "--batch needs --batch-mttf, the hours until one of it fails") == "");
  CHECK(refused_model({"durability", "rs:k=4,m=2", "--batch-mttf", "168", "--batch", "7"},
                      "a bad batch of 7 disks is not of 1 to n = 6") == "");
  CHECK(refused_model({"cluster", "rs:k=4,m=2", "--batch-mttf", "168"},
                      "--batch-mttf needs --batch for model cluster: its bad nodes") == "");
  CHECK(refused_model(
            {"cluster", "rs:k=4,m=2", "--nodes", "10", "--batch-mttf", "168", "--batch", "11"},
            "11 bad nodes exceed 10 nodes") == "");
  for (const std::string text : {"0", "-1", "nan", "inf", "1e400", "24h", "0x10"}) {
    CAPTURE(text);
    CHECK(refused_model({"durability", "rs:k=4,m=2", "--mttf=" + text},
                        "--mttf = " + text + " is not a number above 0, such as 1.2e6") == "");
  }
  CHECK(refused_model({"durability", "rs:k=4,m=2", "--mttr="}, "--mttr needs a value") == "");
  CHECK(refused_model({"durability", "rs:k=4,m=2", "--mttr", "2e6"},
                      "MTTR = 2e+06 hours is not above 0 and below MTTF = 1.2e+06 hours") == "");
  CHECK(refused_model({"durability", "rs:k=4,m=2", "--rate", "0.001"},
                      "MTTR = 1.11111e+12 hours is not above 0 and below MTTF = 1.2e+06 hours") ==
        "");
  CHECK(refused_model({"durability", "rs:k=4,m=2", "--error-rate", "1"},
                      "--error-rate = 1 is not below 1") == "");
  CHECK(refused_model({"durability", "rs:k=4,m=2", "--error-rate", "0"},
                      "--error-rate = 0 is not a number above 0, such as 1e-15") == "");
  CHECK(refused_model({"cluster", "rs:k=4,m=2", "--nodes", "10", "--groups", "1", "--failures",
                       "10", "--samples", "10"},
                      "none of 10 samples lost data: raise --samples") == "");
  CHECK(refused_model({"durability", "rs:k=100,m=150"},
                      "with m = 150 the mean time to data loss exceeds 1e+300 hours") == "");
  CHECK(refused_model(
            {"durability", "parity:k=1024", "--rate", "1e8"},
            "n = 1025 locations exceed 1024, the most whose repairs are planned one by one") == "");
}

}  // namespace xorloom::test
