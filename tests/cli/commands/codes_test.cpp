#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A file name in the table of families is no code.
bool is_file(const std::string& spec) { return spec.starts_with("file:"); }

}  // namespace

TEST_CASE("The table of families fits a terminal of 80 columns") {
  const Outcome codes = xorloom({"codes"});
  CHECK(codes.status == 0);
  CHECK(codes.err.empty());
  CHECK(widest_line(codes.out) <= 80);
}

TEST_CASE("Every family in the table has keys, bounds, a source and an example that works") {
  std::istringstream table(xorloom({"codes"}).out);
  std::size_t keys = 0, bounds = 0, sources = 0, examples = 0;
  for (std::string line; std::getline(table, line);) {
    keys += line.starts_with("  keys ");
    bounds += line.starts_with("  bounds ");
    sources += line.starts_with("  source ");
    if (!line.starts_with("  example ")) continue;
    ++examples;
    const std::string spec = line.substr(line.find_first_not_of(' ', 9));
    CAPTURE(spec);
    if (spec.starts_with("file:")) continue;  // there is no such file
    CHECK(xorloom({"equations", spec}).status == 0);
  }
  CHECK(examples >= 20);
  CHECK(keys == examples);
  CHECK(bounds == examples);
  CHECK(sources == examples);
}

TEST_CASE("The table has the bounds of all families, and those of each that codes meet") {
  const Outcome flat = shell("$xorloom codes | tr -s '\\n ' ' '", fs::temp_directory_path());
  for (const char* bound :
       {"k and m are at most 65536", "at most 2^24 symbols", "at most 262144 XORs",
        " m = 2 to 16, k <= 2^m - 1 - m", " k, r, v and h up to 64;",
        " p a prime from 3 to 4096, k < p", " w a prime from 3 to 4096,", " m k q^(2t) <= 2^24"}) {
    CAPTURE(bound);
    CHECK(flat.out.find(bound) != std::string::npos);
  }
  // A code at a bound is made, and one beyond it is not.
  for (const char* made : {"hamming:m=16,k=1", "hover:k=64,r=1", "evenodd:k=2,p=2039"}) {
    CAPTURE(made);
    CHECK(xorloom({"codes", made, "--allow-non-mds"}).status == 0);
  }
  for (const char* refused : {"hamming:m=17,k=1", "hover:k=65,r=1", "evenodd:k=1,p=4099",
                              "evenodd:k=1,p=4093", "clay:k=13,m=4", "rs:k=5000,m=4000,w=16"}) {
    CAPTURE(refused);
    CHECK(xorloom({"codes", refused, "--allow-non-mds"}).status == 2);
  }
}

TEST_CASE("A code is told about: its layout, what it survives and why, and what it costs") {
  for (const char* spec :
       {"cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0", "raid6:k=5,w=16", "rs:k=3,m=2,arrangement=packet",
        "evenodd:k=5,p=5", "x-code:p=7", "hover:k=5,r=3,v=2,h=1", "clay:k=4,m=2", "zigzag:k=3,r=3",
        "parity:k=1"}) {
    CAPTURE(spec);
    const Outcome code = xorloom({"codes", spec});
    CHECK(code.status == 0);
    CHECK(code.err.empty());
    CHECK(code.out.starts_with(std::string(spec).substr(0, std::string(spec).find(','))));
    std::size_t at = 0;
    for (const char* line : {"\n\n  layout    ", "\n  bytes     ", "\n  survives  ",
                             "\n  stores    ", "\n  encoding  ", "\n  update    "}) {
      CAPTURE(line);
      const std::size_t next = code.out.find(line, at);
      REQUIRE(next != std::string::npos);
      at = next;
    }
    CHECK(code.out.find("\nColumns are chunks; ", at) != std::string::npos);
  }
}

TEST_CASE("Sets that a code does not give back are listed, as --erase takes them") {
  const Outcome some = xorloom({"codes", "shec:k=4,m=3,c=2", "--losses", "3"});
  CHECK(some.status == 0);
  CHECK(some.out ==
        "shec:k=4,m=3,c=2,arrangement=word: of 35 sets of 3 losses, 8 cannot be rebuilt\n"
        "0,1,4\n0,1,5\n0,4,5\n1,4,5\n2,3,4\n2,3,6\n2,4,6\n3,4,6\n");
  const Outcome pairs =
      xorloom({"codes", "blaum-roth:k=5,w=7", "--allow-non-mds", "--losses", "2"});
  CHECK(xorloom({"codes", "parity:k=4", "--losses", "2"})
            .out.ends_with(": none of the 10 sets of 2 losses can be rebuilt\n"));
  CHECK(pairs.out.ends_with("of 21 sets of 2 losses, 4 cannot be rebuilt\n0,2\n0,4\n1,4\n2,4\n"));
  CHECK(xorloom({"codes", "parity:k=4", "--losses", "1"})
            .out.ends_with(": all 5 sets of 1 loss can be rebuilt\n"));
  CHECK(xorloom({"codes", "parity:k=1", "--losses", "2"})
            .out.ends_with(": the 1 set of 2 losses cannot be rebuilt\n"));
  const auto refusal = [](const std::vector<std::string>& arguments, std::string_view sentence) {
    CHECK(not_refused(xorloom(arguments), sentence) == "");
  };
  refusal({"codes", "--packet-bytes", "64"}, "--packet-bytes and --allow-non-mds need a SPEC");
  refusal({"codes", "--losses", "2"}, "--losses lists the losses of one code: give its SPEC");
  refusal({"codes", "rs:k=3,m=2", "--losses", "6"}, "6 losses exceed the 5 locations of the code");
  refusal({"codes", "rs:k=60,m=20", "--losses", "20"},
          "3.54e+18 sets of 20 losses exceed the 1000000 that are tried");
  refusal({"codes", "rs:k=3,m=2", "--losses", "2", "--format", "svg"},
          "--format = svg, but sets of losses come as text");
  refusal({"codes", "rs", "--losses", "1"},
          "--losses is about a code, and rs is a family: give a code of it, such as rs:k=10,m=4");
  refusal({"codes", "rs", "--format", "json"}, "--format = json, but a family comes as text");
}

TEST_CASE("What is told about a code is true of codes on packets, on words, and of one loss") {
  const auto has = [](const std::vector<std::string>& arguments, const std::string& line) {
    CAPTURE(line);
    std::vector<std::string> call{"codes"};
    call.insert(call.end(), arguments.begin(), arguments.end());
    const Outcome code = xorloom(call);
    CHECK(code.status == 0);
    CHECK(code.out.find(line) != std::string::npos);
  };
  has({"rdp:k=4,p=5"},
      "  encoding  8 redundant packets: 33 XORs direct, 4.12 per packet; 24 iterative,\n"
      "            3.00 per packet\n");
  has({"rdp:k=4,p=5"}, "  layout    6 locations, 2 with redundancy only; 4 cells each, 16 of");
  has({"rdp:k=4,p=5", "--packet-bytes", "128"}, "  bytes     packets of 128 bytes\n");
  has({"cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0"},  // the lower bound
      "  encoding  6 redundant packets: 45 XORs direct, 7.50 per packet; 24 iterative,\n");
  has({"cauchy-good:k=10,m=4,w=8"}, "26.75 per packet; at most 326\n");
  has({"lrc:k=8,m=4,l=3"}, "; --losses 5 lists the\n");
  has({"rs:k=10,m=4"}, "  encoding  4 redundant cells: 40 terms, 27 of them multiplications\n");
  has({"rs:k=10,m=4"}, "  bytes     words of 8 bits, one after the other\n");
  has({"parity:k=2"}, "  survives  any 1 loss; by construction");
  has({"parity:k=2"}, "  encoding  1 redundant packet: 1 XOR direct, 1.00 per packet; 1 iterative");
  has({"parity:k=2"}, "  update    changing a data cell changes 1 other\n");
  has({"blaum-roth:k=5,w=7", "--allow-non-mds"},
      "  survives  not every set of 2 losses; the loss of {0, 2} cannot be rebuilt\n");
  has({"parity:k=300"}, "\nNo picture: 301 locations are more than the 256 that a picture has.\n");
  has({"parity:k=100"}, "\n  too wide for a terminal: --format svg draws it\n");
}

TEST_CASE("JSON of a code has all that its products need") {
  const auto told = [](const char* spec) {
    return Json::parse(xorloom({"codes", spec, "--format", "json"}).out);
  };
  for (const char* spec : {"leopard:k=3,m=2", "leopard:k=3,m=2,w=16"}) {
    CAPTURE(spec);
    const Json equations =
        Json::parse(xorloom({"equations", spec, "--over", "symbols", "--format", "json"}).out);
    CHECK(told(spec)["basis"] == equations["field"]["basis"]);
    CHECK(told(spec)["basis"].size() == told(spec)["symbol_bits"]);
  }
  CHECK(told("leopard:k=3,m=2,w=16")["plane_bytes"] == 32);
  CHECK(!told("leopard:k=3,m=2").contains("plane_bytes"));
  CHECK(!told("rs:k=3,m=2").contains("basis"));
  const Json parity = told("parity:k=2");
  CHECK(parity["bytes_per_data_byte"] == 1.5);
  CHECK(parity["encoding"] == Json{{"redundant_packets", 1},
                                   {"direct_xors", 1},
                                   {"iterative_xors", 1},
                                   {"iterative_is_least", true}});
  CHECK(parity["update"] ==
        Json{{"fewest_changed", 1}, {"most_changed", 1}, {"mean_changed", 1.0}});
  CHECK(told("rs:k=4,m=2")["encoding"] ==
        Json{{"redundant_cells", 2}, {"terms", 8}, {"multiplications", 3}});
}

TEST_CASE("What is told about a code fits 80 columns") {
  for (const std::string& spec : family_examples()) {
    if (is_file(spec)) continue;
    CAPTURE(spec);
    const Outcome code = xorloom({"codes", spec});
    CHECK(code.status == 0);
    CHECK(widest_line(code.out) <= 80);
  }
  for (const char* spec : {"cauchy:k=60,m=6", "clay:k=8,m=4", "hover:k=20,r=4,v=2,h=1"}) {
    CAPTURE(spec);
    CHECK(widest_line(xorloom({"codes", spec}).out) <= 80);
  }
}

TEST_CASE("A picture has a rectangle for each cell, and its texts are closed") {
  for (const std::string& spec : family_examples()) {
    if (is_file(spec)) continue;
    CAPTURE(spec);
    const Outcome drawn = xorloom({"codes", spec, "--format", "svg"});
    CHECK(drawn.status == 0);
    CHECK(drawn.out.starts_with("<svg "));
    CHECK(drawn.out.ends_with("</svg>\n"));
    CHECK(count_of(drawn.out, "<text ") == count_of(drawn.out, "</text>"));
    CHECK(count_of(drawn.out, "<rect ") == count_of(drawn.out, "\"/>\n"));
  }
  const auto cells = [](const char* spec) {
    return count_of(xorloom({"codes", spec, "--format", "svg"}).out, "<rect x=");
  };
  CHECK(cells("rdp:k=4,p=5") == 2 * 6 * 4);
  CHECK(cells("x-code:p=5") == 2 * 5 * 5);
  CHECK(cells("lrc:k=8,m=4,l=3") == 8 * 16);  // a row for each sum
  CHECK(cells("clay:k=4,m=2,d=5") == 2 * 6 * 8);
  CHECK(cells("zigzag:k=3,r=2") == 2 * 5 * 4);
  CHECK(cells("hover:k=5,r=3,v=2,h=1") == 3 * 6 * 5);
}

TEST_CASE("Formats of a code that there are none of are refused") {
  const auto refusal = [](const std::vector<std::string>& arguments, std::string_view sentence) {
    std::vector<std::string> call{"codes"};
    call.insert(call.end(), arguments.begin(), arguments.end());
    CHECK(not_refused(xorloom(call), sentence) == "");
  };
  refusal({"rdp:k=4,p=5", "--format", "table"},
          "--format = table, but a code comes as text or json or svg");
  refusal({"--format", "svg"}, "--format = svg, but the families come as text");
  refusal({"rdp:k=4,p=5", "--suggest", "10,4"},
          "--suggest finds codes itself, and takes no SPEC, -k, -m or -w");
  refusal({"--suggest", "4,2", "-w", "8"},
          "--suggest finds codes itself, and takes no SPEC, -k, -m or -w");
  refusal({"parity:k=300", "--format", "svg"},
          "301 locations are more than the 256 that a picture has");
  refusal({"blaum-roth:k=5,w=7"},
          "blaum-roth:k=5,w=7 does not survive every set of 2 losses: the loss of {0, 2} cannot "
          "be rebuilt; --allow-non-mds accepts it anyway");
}

TEST_CASE("A code file is called by its path, and its w is that of the file") {
  const TemporaryFolder folder;
  const std::string json = R"({"format": "xorloom-code", "version": 1, "locations": 4, "rows": 2,
    "w": 4, "data": [0, 1, 2, 3], "matrix": [[1,0,1,0],[0,1,0,1],[1,0,2,0],[0,1,0,2]]})";
  write_file((folder.path() / "own.json").string(), json);
  const auto run = [&](const std::string& words) { return shell(words, folder.path()); };
  CHECK(has(run("$xorloom codes file:own.json").out, "own.json: 4 locations x 2 rows, w = 4\n"));
  const std::string equations = "$xorloom equations file:own.json --format json";
  const auto code = nlohmann::json::parse(run(equations).out)["code"];
  CHECK(code["w"] == 4);
  // Xorloom 0.2.0 wrote 8, the rows of a chunk times the bits of a symbol.
  CHECK(run(equations + " | sed 's/\"w\":4\\b/\"w\":8/' > old.json; "
                        "$xorloom equations --equations old.json --format json | grep -q '\"w\":4'")
            .status == 0);
  const Outcome plan = run("$xorloom bench file:own.json --explain --chunk-bytes 64K");
  CHECK(has(plan.out, "own.json\n"));
  CHECK(widest_line(plan.out) <= 80);
  CHECK(has(run("$xorloom model durability file:own.json").out, "code   own.json\n"));
  const Outcome page = run("$xorloom report --equations old.json --effort fast");
  CHECK(has(page.out, "a code file of 4 locations x 2 rows, w = 4"));
  CHECK(widest_line(page.out) <= 80);
  // Errors and searches name it, so that two files can be told apart.
  CHECK(has(run("$xorloom bench file:own.json --losses 3 --chunk-bytes 64K").err,
            "--losses = 3 exceeds the 2 that own.json survives"));
  write_file((folder.path() / "b.json").string(), "{\"promise\": 3, " + json.substr(1));
  CHECK(
      has(run("$xorloom codes file:b.json").err, "b.json does not survive every set of 3 losses"));
  CHECK(has(run("$xorloom repair-plan file:own.json --erase 0 --topology " +
                std::string(XORLOOM_EXAMPLES) + "/racks.json")
                .out,
            "code    own.json\n"));
  const Outcome converted =
      run("$xorloom encode own.json -o s --code file:own.json && $xorloom convert s --code rs:2,2");
  CHECK(has(converted.err, "from a code file of 4 locations x 2 rows, w = 4 to rs:"));
}

TEST_CASE("Equations in place of a code are told where they go") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& words) { return shell(words, folder.path()); };
  CHECK(run("$xorloom equations rs:2,1 -o a.txt; $xorloom equations rs:2,1 --format json -o a.json")
            .status == 0);
  for (const std::string name : {"a.txt", "a.json", "file:a.json"}) {
    for (const std::string call : {"equations ", "codes ", "bench ", "emit --target c ",
                                   "model durability ", "encode a.txt -o s --code "}) {
      CAPTURE(call + name);
      CHECK(not_refused(run("$xorloom " + call + name),
                        name.substr(name.find(':') + 1) +
                            " holds equations, not a code: equations, emit, report, bench and "
                            "encode --raw take them with --equations") == "");
    }
  }
}

TEST_CASE("What a repair reads is shown, of several codes side by side") {
  const Outcome text = xorloom({"codes", "rs:k=4,m=2", "zigzag:k=3,r=2", "--erase", "1"});
  CHECK(text.status == 0);
  CHECK(text.out ==
        "rs:k=4,m=2,w=8,poly=0x11d,arrangement=word\n"
        "  4 of 5 cells, from 4 locations: 4.00 bytes read per byte rebuilt; no choice\n"
        "  reads less\n"
        "\n"
        "    0 1 2 3 4 5\n"
        "  0 # x # # # .\n"
        "\n"
        "zigzag:k=3,r=2,w=8,poly=0x11d,arrangement=word\n"
        "  8 of 16 cells, from 4 locations: 2.00 bytes read per byte rebuilt; no choice\n"
        "  reads less\n"
        "\n"
        "    0 1 2 3 4\n"
        "  0 # x # # #\n"
        "  1 . x . . .\n"
        "  2 # x # # #\n"
        "  3 . x . . .\n"
        "\n"
        "x is lost, # is read, . is not read.\n");
  const Outcome large = xorloom({"codes", "clay:k=10,m=4", "--erase", "0"});
  CHECK(large.out.find("832 of 3328 cells, from 13 locations: 3.25 bytes read per byte rebuilt") !=
        std::string::npos);
  CHECK(large.out.find("too large for a terminal: --format svg draws it") != std::string::npos);
  const Outcome svg =
      xorloom({"codes", "rs:k=4,m=2", "clay:k=10,m=4", "--erase", "0", "--format", "svg"});
  CHECK(svg.status == 0);
  CHECK(svg.out.starts_with("<svg "));
  CHECK(svg.out.ends_with("</svg>\n"));
  CHECK(svg.out.find(">clay:k=10,m=4<") != std::string::npos);
  CHECK(svg.out.find(">3.25 bytes read per byte rebuilt<") != std::string::npos);
  for (const auto& [arguments, words] :
       {std::pair{std::vector<std::string>{"codes", "--erase", "0"}, "--erase shows what a repair"},
        {{"codes", "rs:k=4,m=2", "rs:k=4,m=3"},
         "2 codes are given, but only --erase compares several"},
        {{"codes", "rs:k=4,m=2", "--erase", "0", "--format", "json"},
         "--format = json, but what a repair reads comes as text or svg"},
        {{"codes", "rs", "--erase", "0"}, "--erase is about a code, and rs is a family"},
        {{"codes", "rs:k=4,m=2", "--erase", "6"}, "lost location 6 is not one of 0 to 5"},
        {{"codes", "rs:k=300,m=2,w=16", "--erase", "0", "--format", "svg"},
         "has 302 locations of 1 cell, more than the 256 of 256 that are drawn"}}) {
    const Outcome outcome = xorloom(arguments);
    CHECK(outcome.status == 2);
    CHECK(outcome.err.find(words) != std::string::npos);
  }
  CHECK(xorloom({"codes", "rs:k=4,m=2", "--erase", "0,1,2"}).status == 2);
  CHECK(has(xorloom({"codes", "parity:k=1", "--erase", "0"}).out, "1 of 1 cell, from 1 location"));
}

}  // namespace xorloom::test
