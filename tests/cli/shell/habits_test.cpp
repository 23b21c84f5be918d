// Command lines as users of other programs type them.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

std::string refusal(const std::vector<std::string>& arguments) {
  const Outcome outcome = xorloom(arguments);
  CHECK(outcome.status == 2);
  return outcome.err.substr(0, outcome.err.find('\n'));
}

}  // namespace

TEST_CASE("help is a command, too, and -V says the version") {
  CHECK(xorloom({"help"}).out == xorloom({"--help"}).out);
  CHECK(xorloom({"help", "encode"}).out == xorloom({"encode", "--help"}).out);
  CHECK(refusal({"help", "encdoe"}) ==
        "xorloom: error: there is no command 'encdoe'; did you mean 'encode'?");
  CHECK(xorloom({"-V"}).out == xorloom({"--version"}).out);
}

TEST_CASE("What is mistyped is named before what is missing, with what may have been meant") {
  CHECK(refusal({"verfy", "d"}) ==
        "xorloom: error: there is no command 'verfy'; did you mean 'verify'?");
  CHECK(refusal({"encode", "--replcae"}) ==
        "xorloom: error: '--replcae' is not expected; did you mean '--replace'?");
  CHECK(refusal({"encode", "--oops"}) == "xorloom: error: '--oops' is not expected");
  CHECK(refusal({"-q", "verify", "d"}) ==
        "xorloom: error: '-q' is not expected there: options of verify stand behind its name");
  CHECK(refusal({"codes", "caucy:k=4,m=2"}) ==
        "xorloom: error: there is no family 'caucy'; did you mean 'cauchy'?");
  CHECK(refusal({"codes", "rs:k=4,m=2,polly=3"}).ends_with("did you mean 'poly'?"));
}

TEST_CASE("Codes have short names, and families are described") {
  const auto code = [](const std::string& spec) {
    const Outcome outcome = xorloom({"codes", spec, "--format", "json"});
    return nlohmann::json::parse(outcome.out)["code"].get<std::string>();
  };
  CHECK(code("cauchy-good:10,4") == code("cauchy-good:k=10,m=4,w=8"));
  CHECK(code("cauchy:5,2,3") == code("cauchy:k=5,m=2,w=3"));
  CHECK(code("rs:4,m=2") == code("rs:k=4,m=2"));
  CHECK(code("rs:k=4,2") == code("rs:k=4,m=2"));
  const std::string all = xorloom({"codes"}).out;
  const std::string one = xorloom({"codes", "lrc"}).out;
  CHECK(one.starts_with("lrc\n"));
  CHECK(has(all, "\n" + one));
}

TEST_CASE("encode -k and -m are short for a code, and -q is silent but for errors") {
  const TemporaryFolder folder;
  folder.write("file", random_bytes(10'000, 1));
  const Outcome encoded =
      xorloom({"encode", folder / "file", "-o", folder / "d", "-k", "3", "-m", "2", "-q"});
  CHECK(encoded.status == 0);
  CHECK(encoded.err.empty());
  CHECK(folder.names("d").size() == 5);
  const auto info = nlohmann::json::parse(xorloom({"info", folder / "d", "--format", "json"}).out);
  CHECK(info["format"] == "xorloom-info");
  REQUIRE(info["sets"].size() == 1);
  CHECK(info["sets"][0]["code"].get<std::string>().starts_with("cauchy-good:k=3,m=2,w=8"));
  CHECK(info["sets"][0]["file_bytes"] == 10'000);
  CHECK(info["sets"][0]["locations"].size() == 5);
  CHECK(info["sets"][0]["locations"][4]["state"] == "whole");
  CHECK(refusal({"encode", folder / "file", "-o", folder / "e", "-k", "4", "--code", "rs:3,2"}) ==
        "xorloom: error: -k 4 contradicts k = 3 in 'rs:3,2'");
  CHECK(has(xorloom({"equations", "rs:3,2", "-k", "3", "-w", "8"}).out, "rs:k=3,m=2,w=8"));
  CHECK(has(xorloom({"equations", "rdp", "-k", "3", "-m", "2"}).out, "rdp:k=3,p=5"));
  CHECK(refusal({"equations", "rdp:3", "-m", "3"}) ==
        "xorloom: error: m = 3 contradicts m = 2 of rdp, which takes k p packet_bytes; numbers "
        "without keys are k, m and w");
  CHECK(has(xorloom({"codes", "isa-cauchy", "-k", "4", "-m", "2", "-w", "8"}).out, "isa-cauchy:"));
  const Outcome refused = xorloom({"verify", "-q", folder / "nothing"});
  CHECK(refused.status == 4);
  CHECK(refused.err.starts_with("xorloom: error: "));
}

TEST_CASE("Every command that takes a code takes -k, -m and -w, and numbers without their keys") {
  const TemporaryFolder folder;
  folder.write("racks.json", read_file(std::string(XORLOOM_EXAMPLES) + "/racks.json"));
  folder.write("file", random_bytes(1000, 1));
  const std::vector<std::pair<std::string, std::string>> calls = {
      {"codes", ""},
      {"equations", "--style direct"},
      {"emit", "--target c"},
      {"report", "--effort fast --format json"},
      {"repair-plan", "--topology racks.json --erase 0 --format json"},
      {"atlas", "-o a; $xorloom info a"},
      {"model durability", "--format json"}};
  for (const auto& call : calls) {
    CAPTURE(call.first);
    const auto out = [&](const std::string& spec) {
      const Outcome outcome =
          shell(fmt::format("$xorloom {} {} {}", call.first, spec, call.second), folder.path());
      CHECK_MESSAGE(outcome.status == 0, outcome.err);
      return outcome.out;
    };
    CHECK(out("-k 3 -m 2 -w 4") == out("cauchy-good:k=3,m=2,w=4"));
    CHECK(out("cauchy-good:3,2,4") == out("cauchy-good:k=3,m=2,w=4"));
    CHECK(out("rs -k 3 -m 2") == out("rs:k=3,m=2"));
    CHECK(out("rs:3,2 --allow-non-mds") == out("rs:k=3,m=2"));
    CHECK(out("rs:3,2 -w 4") == out("rs:k=3,m=2,w=4"));
  }
  for (const char* const line :
       {"encode file -o raw --raw -k 3 -m 2", "repair raw --raw -k 3 -m 2",
        "verify raw --raw --code cauchy-good -k 3 -m 2",
        "decode raw --raw --code cauchy-good:3,2 --length 1000 -o -", "encode file -o d -k 3",
        "convert d -k 3 -m 2", "bench -k 2 -m 1 --chunk-bytes 4K --threads 1 --executor ranges"}) {
    CAPTURE(line);
    const Outcome outcome = shell(std::string("$xorloom ") + line, folder.path());
    CHECK_MESSAGE(outcome.status == 0, outcome.err);
  }
  CHECK(refusal({"codes", "file:x.json", "-k", "3"}) ==
        "xorloom: error: -k, -m and -w do not go with file:x.json, whose file has all numbers of "
        "the code");
  CHECK(refusal({"codes", "mine.json"}) ==
        "xorloom: error: there is no family 'mine.json'; did you mean file:mine.json? A matrix "
        "alone is for optimize and report");
}

TEST_CASE("Numbers of bytes may have a unit, which is binary") {
  const TemporaryFolder folder;
  folder.write("file", random_bytes(100'000, 1));
  const auto run = [&](const std::string& line, int status = 0) {
    CAPTURE(line);
    Outcome outcome = shell("$xorloom " + line, folder.path());
    CHECK_MESSAGE(outcome.status == status, outcome.err);
    return outcome;
  };
  const std::string raw = " --raw --code rs:2,1";
  run("encode file -o raw --chunk-bytes 64K" + raw);
  CHECK(folder.read("raw/0").size() == 65'536);
  CHECK(run("decode raw -o - --length 2K" + raw).out == folder.read("file").substr(0, 2048));
  run("encode file -o d -k 2 -m 1 --packet-bytes 1K");
  CHECK(run("decode d -o - --bytes 1K-2K").out == folder.read("file").substr(1024, 1025));
  run("patch d --at 3K file", 2);
  run("truncate d --length 4K");
  CHECK(run("decode d -o -").out == folder.read("file").substr(0, 4096));
  folder.write("racks.json", read_file(std::string(XORLOOM_EXAMPLES) + "/racks.json"));
  const std::string plan = "repair-plan rs:2,1 --topology racks.json --erase 0 ";
  CHECK(run(plan + "--chunk-bytes 1M --slice-bytes 64K").out ==
        run(plan + "--chunk-bytes 1048576 --slice-bytes 65536").out);
  CHECK(run("model durability rs:4,2 --disk-bytes 4T").out ==
        run("model durability rs:4,2 --disk-bytes 4398046511104").out);
  CHECK(has(xorloom({"--help"}).out, "64K is 65536; a SPEC has plain numbers."));
  CHECK(refusal({"bench", "rs:2,1", "--chunk-bytes", "64Q"}) ==
        "xorloom: error: --chunk-bytes = 64Q is not a whole number from 1 to 1099511627776, such "
        "as 64K");
  CHECK(refusal({"bench", "rs:2,1", "--chunk-bytes", "2T"}) ==
        "xorloom: error: --chunk-bytes = 2T is not a whole number from 1 to 1099511627776");
}

TEST_CASE("Locations are given as ranges, too") {
  for (const std::string command :
       {"equations rs:4,3 --over symbols --erase 0-1,4", "codes rs:4,3 --erase 0-1,4",
        "emit rs:4,3 --target c --erase 0-1,4 --update 0-1",
        "equations rs:4,3 --over symbols --erase 0-1,4 --want 0-1",
        "equations rs:4,3 --over symbols --update 0-1"}) {
    CAPTURE(command);
    std::string list = command;
    for (std::size_t at; (at = list.find("0-1")) != std::string::npos;) list.replace(at, 3, "0,1");
    const TemporaryFolder folder;
    const Outcome outcome = shell("$xorloom " + command, folder.path());
    CHECK(outcome.status == 0);
    CHECK(outcome.out == shell("$xorloom " + list, folder.path()).out);
  }
}

TEST_CASE("bench -q shows no progress on a terminal") {
  const TemporaryFolder folder;
  const std::string call =
      "script -qec \"$xorloom bench rs:2,1 --chunk-bytes 512 --threads 1 --executor ranges{}\" "
      "/dev/null";
  if (shell("command -v script", folder.path()).status != 0) {
    MESSAGE("not looked at on a terminal, as script is not installed");
    return;
  }
  CHECK(has(shell(fmt::format(fmt::runtime(call), ""), folder.path()).out, "chunks of 512 bytes"));
  CHECK(!has(shell(fmt::format(fmt::runtime(call), " -q"), folder.path()).out,
             "chunks of 512 bytes"));
}

TEST_CASE("bench says that machine code is timed if it is") {
  const std::vector<std::string> call = {
      "bench", "cauchy-good:2,1,4", "--chunk-bytes", "512", "--threads",
      "1",     "--executor",        "ranges"};
  std::vector<std::string> with_code = call;
  with_code.insert(with_code.end(), {"--engine", "code"});
  std::vector<std::string> with_kernels = call;
  with_kernels.insert(with_kernels.end(), {"--engine", "kernels"});
  CHECK(has(xorloom(with_kernels).out, " kernels; executor"));
  const Outcome coded = xorloom(with_code);
  if (coded.status == 0) CHECK(has(coded.out, " machine code; executor"));
}

TEST_CASE("A search begins when its output can be written") {
  const TemporaryFolder folder;
  const std::string nowhere = folder / "no/such";
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"equations", "cauchy:5,2,3", "-o", nowhere},
        {"report", "cauchy:5,2,3", "-o", nowhere}}) {
    const Outcome outcome = xorloom(call);
    CHECK(outcome.status == 4);
    CHECK(has(outcome.err, "cannot write " + nowhere));
  }
  folder.write("matrix", "110\n011\n101\n");
  const Outcome outcome = xorloom({"optimize", folder / "matrix", "-o", nowhere});
  CHECK(outcome.status == 4);
}

TEST_CASE("A matrix needs no sizes") {
  const TemporaryFolder folder;
  folder.write("rows", "110\n011\n101\n\n");
  folder.write("sizes", "3 3\n110\n011\n101\n");
  CHECK(xorloom({"optimize", folder / "rows"}).out == xorloom({"optimize", folder / "sizes"}).out);
  folder.write("bad", "110\n01\n");
  CHECK(has(xorloom({"optimize", folder / "bad"}).err, "line 2: the row has 2 columns, not 3"));
}

TEST_CASE("A number stands with its noun, one with the singular") {
  const TemporaryFolder folder;
  folder.write("one", "x");
  folder.write("empty", "");
  folder.write("short.txt", "2 3\n101\n");
  const auto says = [&](const std::string& line, const std::string& text) {
    CAPTURE(line);
    const Outcome outcome = shell(line, folder.path());
    INFO(outcome.out << outcome.err);
    CHECK(has(outcome.out + outcome.err, text));
  };
  says("$xorloom encode one -o s -k 2 -m 1; $xorloom encode one -o s -k 2 -m 1",
       " of 1 byte (one), ");
  says("rm s/*-0.shard; $xorloom verify s", "run repair to rebuild it\n");
  says("$xorloom encode empty -o raw --raw --code rs:3,2",
       "into 5 chunks of 1 byte in raw: coding");
  says("$xorloom equations cauchy-good:2,1 --erase 0-1", "promises to survive any 1 loss\n");
  says("$xorloom protect one -o p && $xorloom verify p", "1024 bytes, 1 in 1 chunk\n");
  says("$xorloom protect empty -o e", "protected 1 file of 0 bytes: no content to lose; wrote ");
  says("$xorloom atlas cauchy-good:2,1 -o a.atlas", ": 1 program, ");
  says("$xorloom optimize short.txt", "short.txt: line 1: it announces 2 rows, but there is 1\n");
}

TEST_CASE("The speed of coding a few bytes is not said") {
  const TemporaryFolder folder;
  folder.write("one", "x");
  const Outcome encoded = shell("$xorloom encode one -o c --raw --code rs:3,2", folder.path());
  CHECK(encoded.status == 0);
  CHECK(has(encoded.err, "coding took "));
  CHECK(!has(encoded.err, "B/s"));
  // Nor that of what takes less than a millisecond, as encoding and decoding of this do.
  folder.write("some", std::string(4096, 'x'));
  for (const std::string line : {"encode some -o d --raw --code rs:3,2",
                                 "decode d -o back --raw --length 4096 --code rs:3,2"}) {
    const Outcome coded = shell("$xorloom " + line, folder.path());
    INFO(coded.err);
    CHECK(coded.status == 0);
    CHECK((!has(coded.err, "took 0.000") || !has(coded.err, "B/s")));
  }
}

TEST_CASE("A wrong value is said with the name of its option") {
  const TemporaryFolder folder;
  folder.write("m.txt", "1111\n");
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& sentence) {
    CHECK(not_refused(xorloom(arguments), sentence) == "");
  };
  refused({"optimize", folder / "m.txt", "--depth", "1"},
          "--depth = 1 is less than the 2 levels that an output of 4 inputs needs");
  refused({"emit", "rs:2,1", "--target", "c", "--name", "a b"},
          "--name = 'a b' is not letters and digits with single underscores between them");
  refused({"emit", "rs:2,1", "--target", "cuda", "--vector-bytes", "16"},
          "--vector-bytes = '16' is not 4 or 8");
}

TEST_CASE("Options of the program and beginnings of options are recognised") {
  CHECK(not_refused(xorloom({"--helpp"}), "there is no option '--helpp'; did you mean '--help'?") ==
        "");
  CHECK(not_refused(xorloom({"encode", "file", "--out", "d"}),
                    "'--out' is not expected; did you mean '--output'?") == "");
}

TEST_CASE("An atlas in place of shards is said to be one") {
  const TemporaryFolder folder;
  const std::string atlas = folder / "a.atlas";
  REQUIRE(xorloom({"atlas", "cauchy-good:2,1", "-o", atlas}).status == 0);
  for (const char* const command : {"verify", "repair", "decode"}) {
    CHECK(not_refused(xorloom({command, atlas}), atlas + " is an atlas: xorloom info checks it") ==
          "");
  }
}

}  // namespace xorloom::test
