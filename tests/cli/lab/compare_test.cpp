#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/has.hpp"

namespace xorloom::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kCompareSpec = "cauchy:k=3,m=2,w=3";
constexpr bool kHasLibraries =
    XORLOOM_BUILT_WITH_ISAL || XORLOOM_BUILT_WITH_JERASURE || XORLOOM_BUILT_WITH_LEOPARD;

Json comparison(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "compare");
  arguments.insert(arguments.end(), {"--format", "json"});
  const Outcome outcome = xorloom_lab(arguments);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  Json json = Json::parse(outcome.out);
  CHECK(json["format"] == "xorloom-comparison");
  CHECK(json["version"] == 1);
  return json;
}

void check_speed(const Json& speed) {
  CHECK(speed["seconds"] > 0.0);
  CHECK(speed["stripe_gb_per_s"].get<double>() / speed["data_gb_per_s"].get<double>() ==
        doctest::Approx(5.0 / 3.0));
}

}  // namespace

TEST_CASE("A peer runs beside ours, or is refused where the program was built without it") {
  const auto check_peer = [](const std::string& name, const std::string& library, bool built_with,
                             const std::string& how) {
    CAPTURE(name);
    const std::vector<std::string> arguments{
        "isa-cauchy:k=3,m=2", "--chunk-bytes", "1024", "--losses", "2", "--against", name};
    if (built_with) {
      const Json json = comparison(arguments);
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
      call.insert(call.begin(), "compare");
      CHECK(not_refused(xorloom_lab(call),
                        "--against = '" + name + "': this program was built without " + library) ==
            "");
    }
  };
  check_peer("isal", "libisal", XORLOOM_BUILT_WITH_ISAL, "words");
  check_peer("jerasure", "libJerasure", XORLOOM_BUILT_WITH_JERASURE, "words");
  check_peer("leopard", "Leopard", XORLOOM_BUILT_WITH_LEOPARD, "symbols of 8 bits");
  check_peer("gf-complete", "GF-Complete", XORLOOM_BUILT_WITH_JERASURE, "regions");
}

TEST_CASE("A library says which version it is, and only those that run are named") {
  if (!XORLOOM_BUILT_WITH_ISAL) return;
  if (!XORLOOM_BUILT_WITH_JERASURE) return;
  const std::vector<std::string> call{
      "isa-cauchy:k=3,m=2", "--chunk-bytes", "1024", "--losses", "1", "--against", "isal,jerasure"};
  const Json libraries = comparison(call)["libraries"];
  REQUIRE(libraries.size() == 2);
  CHECK(libraries[0]["library"] == "libisal");
  const std::string version = libraries[0]["version"];
  CHECK(std::ranges::count(version, '.') == 2);
  CHECK(libraries[1]["name"] == "jerasure");
  CHECK(libraries[1]["version"].is_null());
  std::vector<std::string> text = call;
  text.insert(text.begin(), "compare");
  const Outcome table = xorloom_lab(text);
  CHECK(has(table.out, "\nisal      libisal " + version + "; ec_encode_data"));
  CHECK(has(table.out, " words"));
  CHECK(widest_line(table.out) <= 80);
  text.insert(text.end(), {"--format", "html"});
  CHECK(has(xorloom_lab(text).out, "libisal " + version));
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
    const Json json = comparison(
        {call.spec, "--chunk-bytes", "512", "--layout", "staggered", "--against", "leopard"});
    for (const Json& operation : json["results"][0]["operations"]) {
      REQUIRE(operation["peers"].size() == 1);
      CHECK(operation["peers"][0]["how"] == call.how);
    }
  }
  // More redundancy than data, chunks that are no lines, and redundancy that is not a location.
  for (const char* spec : {"leopard:k=2,m=3", "x-code:p=5"}) {
    const Json json = comparison({spec, "--chunk-bytes", "960", "--losses", "1", "--layout",
                                  "aligned", "--against", "leopard"});
    CHECK(json["results"][0]["operations"][0]["peers"].empty());
  }
}

TEST_CASE("A peer that has no such code is left out") {
  if (!XORLOOM_BUILT_WITH_ISAL) return;
  const Json json = comparison({kCompareSpec, "--chunk-bytes", "192", "--losses", "1", "--layout",
                                "aligned", "--against", "isal"});
  for (const Json& operation : json["results"][0]["operations"]) {
    CHECK(operation["seconds"] > 0.0);
    CHECK(operation["peers"].empty());
  }
}

TEST_CASE("Jerasure's packets are tried in several sizes, and the fastest is named") {
  if (!XORLOOM_BUILT_WITH_JERASURE) return;
  const Json json = comparison({kCompareSpec, "--chunk-bytes", "12288", "--losses", "2", "--layout",
                                "aligned", "--against", "jerasure"});
  for (const Json& operation : json["results"][0]["operations"]) {
    REQUIRE(operation["peers"].size() == 1);
    CHECK(operation["peers"][0]["how"].get<std::string>().find(" B packets") != std::string::npos);
  }
}

TEST_CASE("The textbook's loop is slower, writes our bytes, and runs only if it is asked for") {
  const Json json = comparison(
      {"rs-poly:k=20,m=6", "--chunk-bytes", "4096", "--losses", "2", "--against", "naive"});
  for (const Json& operation : json["results"][0]["operations"]) {
    REQUIRE(operation["peers"].size() == 1);
    CHECK(operation["peers"][0]["name"] == "naive");
    CHECK(operation["peers"][0]["how"] == "words");
    CHECK(operation["peers"][0]["ratio"] > 3.0);
  }
  // The field of another polynomial, in which 2 has no 255 powers.
  for (const char* spec : {"rs:k=4,m=2,poly=0x11b", "cauchy-good:k=4,m=2,w=8"}) {
    CAPTURE(spec);
    const Json other =
        comparison({spec, "--chunk-bytes", "1024", "--losses", "1", "--against", "naive"});
    CHECK(other["results"][0]["operations"][1]["peers"].size() == 1);
  }
  if (!kHasLibraries) return;
  const Json usual = comparison({kCompareSpec, "--chunk-bytes", "192", "--losses", "1"});
  for (const Json& library : usual["libraries"]) CHECK(library["name"] != "naive");
}

TEST_CASE("GF-Complete writes our bytes of codes with sub-chunks, and runs only if it is named") {
  if (!XORLOOM_BUILT_WITH_JERASURE) return;
  for (const char* spec : {"zigzag:k=4,r=2", "clay:k=4,m=2", "rs:k=4,m=2,w=16"}) {
    CAPTURE(spec);
    const Json json =
        comparison({spec, "--chunk-bytes", "4096", "--losses", "1", "--against", "gf-complete"});
    for (const Json& operation : json["results"][0]["operations"]) {
      REQUIRE(operation["peers"].size() == 1);
      CHECK(operation["peers"][0]["how"] == "regions");
    }
  }
  // Packets, a field of another polynomial, and sub-chunks that are no multiple of 16 bytes.
  for (const char* spec :
       {"cauchy-good:k=4,m=2,w=8,packet_bytes=8", "rs:k=4,m=2,poly=0x11b", "zigzag:k=4,r=2"}) {
    const Json json =
        comparison({spec, "--chunk-bytes", "576", "--losses", "1", "--against", "gf-complete"});
    CHECK(json["results"][0]["operations"][0]["peers"].empty());
  }
  if (!kHasLibraries) return;
  const Json usual = comparison({kCompareSpec, "--chunk-bytes", "192", "--losses", "1"});
  for (const Json& library : usual["libraries"]) CHECK(library["name"] != "gf-complete");
}

TEST_CASE("Without libraries and --against, the sentence says what to install or to give") {
  if (kHasLibraries) return;
  CHECK(not_refused(xorloom_lab({"compare", kCompareSpec}),
                    "this program was built with no other library to compare with: give --against "
                    "naive, or build it again where libisal-dev, libjerasure-dev with "
                    "libgf-complete-dev, or Leopard are installed") == "");
}

TEST_CASE("Several threads each code a part, and every byte is right") {
  const std::string against = XORLOOM_BUILT_WITH_ISAL ? "isal" : "naive";
  const Json json = comparison({"isa-cauchy:k=3,m=2", "--chunk-bytes", "3072", "--losses", "2",
                                "--threads", "3", "--against", against});
  CHECK(json["results"][0]["threads"] == 3);
  for (const Json& operation : json["results"][0]["operations"]) CHECK(operation["seconds"] > 0.0);
  CHECK(json["results"][0]["operations"][0]["peers"][0]["name"] == against);
  const Json one = comparison({"isa-cauchy:k=3,m=2", "--chunk-bytes", "64", "--against", against});
  CHECK(one["results"][0]["threads"] == 1);
}

TEST_CASE("What cannot be compared is refused") {
  const auto refusal = [](const std::vector<std::string>& arguments, std::string_view sentence) {
    std::vector<std::string> call{"compare", kCompareSpec};
    call.insert(call.end(), arguments.begin(), arguments.end());
    CHECK(not_refused(xorloom_lab(call), sentence) == "");
  };
  refusal({"--against", "isa"},
          "--against = 'isa' is not isal, jerasure, gf-complete, leopard or "
          "naive");
  refusal({"--against", "isal,"},
          "--against = '' is not isal, jerasure, gf-complete, leopard or "
          "naive");
  refusal({"--against", "isal,isal"}, "--against names isal twice");
  refusal({"--threads", "3", "--chunk-bytes", "192", "--against", "naive"},
          "--chunk-bytes = 192: 3 threads need a multiple of 576");
  CHECK(not_refused(
            xorloom_lab({"compare", "clay:k=4,m=2", "--threads", "2", "--against", "naive"}),
            "--threads = 2: chunks of clay:k=4,m=2,d=5 have sub-chunks, and cannot be cut into "
            "parts") == "");
  CHECK(not_refused(xorloom({"bench", kCompareSpec, "--against", "isal"}),
                    "--against moved to another program: run xorloom-lab compare SPEC --against "
                    "NAME") == "");
}

}  // namespace xorloom::test
