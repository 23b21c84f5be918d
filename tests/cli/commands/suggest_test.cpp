// Codes with k data and m redundant chunks, compared.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using Json = nlohmann::json;

Json suggest(const std::string& k_and_m, bool measures) {
  std::vector<std::string> call{"codes", "--suggest", k_and_m, "--format", "json"};
  if (measures) call.emplace_back("--measure");
  const Outcome outcome = xorloom(call);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  Json json = Json::parse(outcome.out);
  CHECK(json["format"] == "xorloom-suggestions");
  CHECK(json["version"] == 3);
  return json;
}

/// The program is run once for each call: the tests look at what it says from several sides.
const Json& suggestions(const std::string& k_and_m, bool measures = false) {
  static std::map<std::pair<std::string, bool>, Json> known;
  const auto [place, is_new] = known.try_emplace({k_and_m, measures});
  if (is_new) place->second = suggest(k_and_m, measures);
  return place->second;
}

/// The suggestions as a table.
const Outcome& table(const std::string& k_and_m) {
  static std::map<std::string, Outcome> known;
  const auto [place, is_new] = known.try_emplace(k_and_m);
  if (is_new) place->second = xorloom({"codes", "--suggest", k_and_m});
  return place->second;
}

bool has_candidate(const Json& json, const std::string& begin) {
  return std::ranges::any_of(json["candidates"], [&](const Json& candidate) {
    return candidate["spec"].get<std::string>().starts_with(begin);
  });
}

/// The candidate, ranked or not, whose spec begins so.
Json find_code(const Json& json, const std::string& begin) {
  for (const char* list : {"candidates", "others"}) {
    for (const Json& candidate : json[list]) {
      if (candidate["spec"].get<std::string>().starts_with(begin)) return candidate;
    }
  }
  FAIL("there is no " << begin);
  return {};
}

}  // namespace

TEST_CASE("Suggestions are all the codes that fit, the fastest first, with what they take") {
  const Json& json = suggestions("10,4");
  CHECK(json["speeds"].get<std::string>().starts_with("predicted for "));
  for (const char* begin :
       {"cauchy:k=10,m=4,w=4", "cauchy-good:k=10,m=4,w=8", "rs:k=10,m=4,w=8", "leopard:k=10,m=4",
        "isa-cauchy:k=10,m=4,arrangement=word", "isa-vandermonde:k=10,m=4,arrangement=packet"}) {
    CAPTURE(begin);
    CHECK(has_candidate(json, begin));
  }
  double last = 1e9;
  for (const Json& candidate : json["candidates"]) {
    CAPTURE(candidate["spec"]);
    CHECK(candidate["encode"]["lost"].empty());
    CHECK(candidate["decode"]["lost"] == std::vector<int>{0, 1, 2, 3});
    for (const char* name : {"encode", "decode"}) {
      const Json& operation = candidate[name];
      CHECK(operation["l2_data_gb_per_s"] > 0.0);
      CHECK(operation["dram_data_gb_per_s"] > 0.0);
      CHECK(operation["instructions"] > 0);
      CHECK(operation["instructions_per_data_byte"] > 0.0);
      const bool is_packets = candidate["arrangement"] == "packet";
      CHECK(operation["direct_xors"].is_number() == is_packets);
      if (is_packets) CHECK(operation["multiplications"] == 0);
      if (operation["shared_xors"].is_number()) {
        CHECK(operation["shared_xors"] <= operation["direct_xors"]);
      }
    }
    CHECK(candidate["encode"]["l2_data_gb_per_s"] <= last);
    last = candidate["encode"]["l2_data_gb_per_s"];
  }
}

TEST_CASE("What is recommended encodes or decodes nearly as fast as anything") {
  // Each code takes time to measure, so measure for 20,1, which has fewer codes.
  for (const bool measures : {false, true}) {
    const Json& json = suggestions(measures ? "20,1" : "3,2", measures);
    if (measures) CHECK(json["speeds"] == "measured");
    const auto speed = [&](const std::string& spec, const char* operation) {
      for (const Json& candidate : json["candidates"]) {
        if (candidate["spec"] == spec) {
          return candidate[operation]["l2_data_gb_per_s"].get<double>();
        }
      }
      return 0.0;
    };
    const Json& best = json["recommended"];
    for (const Json& candidate : json["candidates"]) {
      for (const char* operation : {"encode", "decode"}) {
        const double recommended = speed(best[std::string("to_") + operation], operation);
        CHECK(recommended >= 0.95 * candidate[operation]["l2_data_gb_per_s"].get<double>());
        if (measures) CHECK(candidate[operation]["dram_data_gb_per_s"] != 0.0);
      }
    }
    CHECK(best["on_words"].get<std::string>().ends_with("arrangement=word"));
  }
  CHECK(suggestions("1,1")["recommended"]["to_encode"].is_string());
}

TEST_CASE("Dyadic blocks save multiplications where matrices of bits are multiplied by") {
  const Json& json = suggestions("10,4");
  for (const Json& candidate : json["candidates"]) {
    if (candidate["family"] != "isa-cauchy" || candidate["arrangement"] != "word") continue;
    const bool has_matrices = json["isa"].get<std::string>().ends_with("gfni");
    const Json& encode = candidate["encode"];
    const int expected = encode["engine"] == "code" ? 24 : 40;
    if (has_matrices || json["isa"] == "portable") CHECK(encode["multiplications"] == expected);
  }
}

TEST_CASE("What does not fit is left out with a reason") {
  const Json& json = suggestions("14,9");
  const auto skipped = std::ranges::find_if(
      json["skipped"], [](const Json& one) { return one["spec"] == "isa-vandermonde:k=14,m=9"; });
  REQUIRE(skipped != json["skipped"].end());
  CHECK((*skipped)["why"].get<std::string>().find("sets of losses") != std::string::npos);
  CHECK_FALSE(has_candidate(json, "isa-vandermonde"));
  CHECK(has_candidate(json, "isa-cauchy"));
}

TEST_CASE("Wide codes and narrow ones are suggested, too") {
  for (const char* k_and_m :
       sample_unless_whole<const char*>({"1,1", "2,1", "1,255", "250,6"}, 2)) {
    CAPTURE(k_and_m);
    CHECK(suggestions(k_and_m)["candidates"].size() > 1);
  }
}

TEST_CASE("What suggestions search is kept where --store says, or nowhere") {
  const TemporaryFolder folder;
  const auto files_with = [&](const std::string& store) {
    const std::string call = "XDG_CACHE_HOME=$PWD/cache \"$xorloom\" codes --suggest 3,2";
    const Outcome outcome = shell(call + " --format json" + store, folder.path());
    CHECK(outcome.status == 0);
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  };
  CHECK(files_with(" --store off").empty());
  if (suggestions("3,2")["isa"] != "portable") {
    CHECK(files_with(" --store kept") == std::vector<std::string>{"kept"});
  }
  CHECK(not_refused(xorloom({"codes", "rs:k=4,m=2", "--store", "off"}),
                    "--store is where --suggest K,M keeps what it searched") == "");
}

TEST_CASE("The table of suggestions fits 80 columns") {
  CHECK(has(table("4,2").out, "shuffles"));  // "mult." counts them, too
  for (const char* k_and_m : {"10,4", "60,10"}) {
    const Outcome& outcome = table(k_and_m);
    CHECK(outcome.status == 0);
    CHECK(widest_line(outcome.out) <= 80);
    CHECK(outcome.out.find("\ncauchy-good ") != std::string::npos);
    CHECK(outcome.out.find("\nIf no other software has to read the chunks, take\n") !=
          std::string::npos);
  }
}

TEST_CASE("Suggestions for what no code can be are refused with the value and the bound") {
  const auto refusal = [](const std::vector<std::string>& arguments, std::string_view sentence) {
    std::vector<std::string> call{"codes"};
    call.insert(call.end(), arguments.begin(), arguments.end());
    CHECK(not_refused(xorloom(call), sentence) == "");
  };
  refusal({"--suggest", "0,4"}, "--suggest = 0 is not a whole number from 1 to 255");
  refusal({"--suggest", "10,"}, "--suggest = '' is not a whole number from 1 to 255");
  refusal({"--suggest", "10"}, "--suggest = '10' is not two numbers such as 10,4");
  refusal({"--suggest", "10,4,2"}, "--suggest = '10,4,2' is not two numbers such as 10,4");
  refusal({"--suggest", "300,300"}, "--suggest = 300 is not a whole number from 1 to 255");
  refusal({"--suggest", "200,57"},
          "k + m = 257 exceeds the 256 chunks that codes are suggested for");
  refusal({"--format", "json"}, "--format = json, but the families come as text");
  refusal({"--measure"}, "--measure times the codes that --suggest K,M finds");
}

TEST_CASE("Encoding and decoding are ranked apart, by the speed in L2") {
  const Json& json = suggestions("10,4");
  for (const char* side : {"encode", "decode"}) {
    for (const Json& candidate : json["candidates"]) {
      const auto speed = [&](const Json& of) { return of[side]["l2_data_gb_per_s"].get<double>(); };
      const auto count = [&](double least) {
        return std::ranges::count_if(json["candidates"],
                                     [&](const Json& other) { return speed(other) > least; });
      };
      // Its place is that of a code that is faster, but not by more than 5 %.
      CHECK(candidate[side]["rank"] <= 1 + count(speed(candidate)));
      CHECK(candidate[side]["rank"] > count(speed(candidate) / 0.95));
      for (const Json& other : json["candidates"]) {
        if (other[side]["rank"] == candidate[side]["rank"]) {
          CHECK(speed(other) >= 0.95 * speed(candidate));
        } else if (other[side]["rank"] > candidate[side]["rank"]) {
          CHECK(speed(other) < speed(candidate));
        }
      }
    }
    for (const Json& other : json["others"]) CHECK(other[side]["rank"].is_null());
  }
  CHECK(json["machine"].is_string() == (json["speeds"] != "predicted for an ordinary core"));
}

TEST_CASE("Trade-offs are told: losses survived, storage, reads of a repair and updates") {
  const Json& json = suggestions("10,4");
  const auto of = [&](const char* spec) { return find_code(json, spec)["tradeoffs"]; };
  const Json rs = of("rs:k=10,m=4,w=8,poly=0x11d,arrangement=word");
  CHECK(rs["survives"] == 4);
  CHECK(rs["sets_tried"] == 0);
  CHECK(rs["survives_one_more"] == 0.0);
  CHECK(rs["stored_bytes_per_byte"] == doctest::Approx(1.4));
  CHECK(rs["repair_bytes_per_byte"] == 10.0);
  CHECK(rs["chunks_changed"] == 4.0);
  CHECK(rs["cells_changed"] == 4.0);
  CHECK(of("shec:k=10,m=4,c=3,arrangement=word")["sets_tried"] == 360);
  // 252 direct XORs add up 268 packets, each of one of 40.
  const Json good = of("cauchy-good:k=10,m=4,w=4");
  CHECK(good["cells_changed"] == doctest::Approx(268.0 / 40));
  CHECK(good["repair_bytes_per_byte"] == 10.0);
  CHECK(good["repair_bytes_per_byte_in_rows"] < 8.0);
  CHECK(of("clay:k=10,m=4")["repair_bytes_per_byte"] == doctest::Approx(3.25));
  const Json lrc = of("lrc:k=10,m=4,l=7");
  CHECK(lrc["survives"] == 4);
  CHECK(lrc["survives_one_more"] > 0.9);
  CHECK(lrc["survives_one_more"] < 1.0);
  CHECK(lrc["stored_bytes_per_byte"] == doctest::Approx(1.6));
  CHECK(of("shec:k=10,m=4,c=3")["survives"] == 3);
  CHECK(of("hamming:k=10,m=4")["survives"] == 2);
  CHECK(of("hover:k=10,r=4")["survives"] == 2);
  CHECK(json["recommended"]["to_repair"].get<std::string>().starts_with("clay:"));
  CHECK(find_code(json, json["recommended"]["to_update"])["tradeoffs"]["cells_changed"] == 4.0);
  // lrc reads less than zigzag and clay need, but stores more than 6 chunks.
  CHECK(suggestions("4,2")["recommended"]["to_repair"].get<std::string>().starts_with("clay:"));
}

TEST_CASE("Repairs read of shards as many bytes as is said") {
  const Json& json = suggestions("4,2");
  for (const char* spec : {"cauchy-good:k=4,m=2,w=4", "cauchy-good:k=4,m=2,w=4,packet_bytes=4096",
                           "zigzag:k=4,r=2", "clay:k=4,m=2", "rs:k=4,m=2,w=8"}) {
    CAPTURE(spec);
    const TemporaryFolder folder;
    folder.write("file", random_bytes(8'000'000, 3));
    REQUIRE(xorloom({"encode", folder / "file", "-o", folder / "d", "--code", spec}).status == 0);
    const std::vector<std::string> shards = folder.names("d");
    double sum = 0;
    for (const std::string& shard : shards) {
      std::filesystem::remove(folder / ("d/" + shard));
      const std::string said = xorloom({"repair", folder / "d"}).err;
      const std::size_t end = said.find(" bytes read per byte rebuilt");
      REQUIRE(end != std::string::npos);
      sum += std::stod(said.substr(said.rfind(' ', end - 1)));
    }
    const bool are_large = std::string_view(spec).ends_with("4096");
    const Json tradeoffs =
        find_code(json, are_large ? "cauchy-good:k=4,m=2,w=4" : spec)["tradeoffs"];
    const double told =
        tradeoffs[are_large ? "repair_bytes_per_byte_in_rows" : "repair_bytes_per_byte"];
    // Frames and headers are read, too.
    CHECK(sum / static_cast<double>(shards.size()) == doctest::Approx(told).epsilon(0.05));
  }
}

TEST_CASE("Suggestions name the software that writes the same bytes") {
  const Json& json = suggestions("10,4");
  const auto names = [&](const char* spec) {
    std::string text;
    const Json code = find_code(json, spec);
    for (const Json& other : code["tradeoffs"]["same_bytes"]) {
      text += fmt::format("{} {} {}; ", other["name"].get<std::string>(),
                          other["technique"].get<std::string>(), other["compared"].get<bool>());
    }
    return text;
  };
  CHECK(names("cauchy-good:k=10,m=4,w=8") ==
        "Jerasure cauchy_good true; Ceph jerasure cauchy_good true; ");
  CHECK(names("isa-cauchy:k=10,m=4,arrangement=word") ==
        "ISA-L gf_gen_cauchy1_matrix true; Ceph isa cauchy true; liberasurecode isa_l_rs_cauchy "
        "false; ");
  CHECK(names("rs:k=10,m=4,w=8,poly=0x11d,arrangement=packet").empty());
  CHECK(has(table("10,4").out,
            "\nclay d=13 w=8, words           1.40   3.25   3.25     4.0   12.2  Ceph\n"));
}

TEST_CASE("Suggestions are drawn, and a page has them with a table") {
  const Outcome svg = xorloom({"codes", "--suggest", "4,2", "--format", "svg"});
  CHECK(svg.status == 0);
  CHECK(not_well_formed(svg.out) == "");
  for (const char* title : {"Storage and repair", "Encoding and repair", "Encoding and decoding"}) {
    CHECK(has(svg.out, title));
  }
  std::map<std::string, std::string> pages;
  for (const char* k_and_m : {"10,4", "4,2", "1,1", "1,100"}) {
    CAPTURE(k_and_m);
    const Outcome page = xorloom({"codes", "--suggest", k_and_m, "--format", "html"});
    CHECK(page.status == 0);
    CHECK(page.err.empty());
    CHECK(page.out.ends_with("</html>\n"));
    CHECK(count_of(page.out, "<svg") >= 3);
    CHECK(has(page.out, "<li>Take "));
    CHECK(has(page.out, "survive any "));
    CHECK(has(page.out, "<span>recommended to encode</span>"));
    CHECK(has(page.out, "<circle class=\"xl-line\""));
    CHECK(has(page.out, ">read</th>"));
    pages[k_and_m] = page.out;
  }
  const std::string& page = pages["10,4"];
  CHECK(has(page, "<title>clay d=13 w=8, words: 1.4, 3.25</title>"));
  CHECK(has(page, "All speeds are for one core with "));
  CHECK(has(page, "<table class=\"short\">"));  // no name of a code breaks on a wide screen
  CHECK(has(page, "<td class=\"first left\">Jerasure, Ceph</td>"));
  CHECK(has(page,
            "If repairs count most, take <code class=\"whole\">clay:k=10,<wbr>m=4</code>: it reads "
            "3.25 bytes per byte rebuilt"));
}

TEST_CASE("Families that store or survive something else are shown, or left out with the reason") {
  for (const char* k_and_m : {"6,2", "3,2", "2,3", "1,2", "4,5"}) {
    CAPTURE(k_and_m);
    const Json& json = suggestions(k_and_m);
    for (const std::string family : {"shec:", "clay:", "zigzag:", "hover:", "hamming:"}) {
      CAPTURE(family);
      const auto is_of = [&](const Json& code) {
        return code["spec"].get<std::string>().starts_with(family);
      };
      CHECK((std::ranges::any_of(json["others"], is_of) ||
             std::ranges::any_of(json["skipped"], is_of)));
    }
  }
  CHECK(find_code(suggestions("4,2"), "hover:k=4,r=1,")["tradeoffs"]["survives"] == 2);
  CHECK(find_code(suggestions("3,2"), "hover:k=3,r=1,")["tradeoffs"]["survives"] == 2);
}

TEST_CASE("Redundancy is not rounded away") {
  CHECK(
      has(xorloom({"codes", "parity:k=255"}).out, "\n  stores    1.004 bytes per byte of data\n"));
  CHECK(has(xorloom({"codes", "parity:k=199"}).out, "\n  stores    1.01 bytes per byte of data\n"));
  CHECK(has(suggestions("255,1")["verdict"][0].get<std::string>(),
            " ranked codes store 1.004 bytes per byte of data "));
}

TEST_CASE("A file that cannot be written is refused before any code is looked at") {
  const TemporaryFolder folder;
  const std::string below = folder / "none/x";
  // With this many chunks it would take seconds, and the sum is refused as well.
  CHECK(not_refused(xorloom({"codes", "--suggest", "200,57", "-o", below}),
                    "cannot write " + below + ": No such file or directory") == "");
}

}  // namespace xorloom::test
