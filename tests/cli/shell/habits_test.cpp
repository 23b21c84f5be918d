// What people type who know other programs.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
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
  CHECK(refusal({"encode", folder / "file", "-o", folder / "e", "-k", "3", "--code", "rs:3,2"}) ==
        "xorloom: error: --code names the code, so -k and -m do not go with it");
  const Outcome refused = xorloom({"verify", "-q", folder / "nothing"});
  CHECK(refused.status == 4);
  CHECK(refused.err.starts_with("xorloom: error: "));
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

}  // namespace xorloom::test
