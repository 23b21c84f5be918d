#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

constexpr const char* kWorkedExample = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("The worked example comes out as its paper prints it") {
  const Outcome equations = xorloom({"equations", kWorkedExample});
  CHECK(equations.status == 0);
  CHECK(equations.err.empty());
  CHECK(has(equations.out,
            "eq. 1: 15 = XOR(2,3,4,5,7,9,11,12)\n"
            "eq. 2: 16 = XOR(0,2,3,7,8,9,10,11,13)\n"
            "eq. 3: 17 = XOR(1,3,4,6,8,10,11,14)\n"
            "eq. 4: 18 = XOR(0,2,4,6,7,8,11,12,13)\n"
            "eq. 5: 19 = XOR(0,1,2,4,5,6,9,11,14)\n"
            "eq. 6: 20 = XOR(1,2,3,5,6,7,10,12)\n"));
  CHECK(has(equations.out, " 45 XORs, longest equation 8"));
  CHECK(widest_line(equations.out) <= 80);
}

TEST_CASE("With cores there is a plan, and it is as long as promised") {
  CHECK(
      has(xorloom({"equations", kWorkedExample, "--cores", "6"}).out, "plan on 6 cores: 8 steps"));
}

TEST_CASE("The JSON form holds what the text form says") {
  const Outcome outcome =
      xorloom({"equations", kWorkedExample, "--format", "json", "--cores", "6"});
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["format"] == "xorloom-equations");
  CHECK(json["version"] == 1);
  CHECK(json["code"]["k"] == 5);
  CHECK(json["equations"].size() == 6);
  CHECK(json["cost"]["xors"] == 45);
  CHECK(json["cost"]["makespan"]["6"] == 8);
  CHECK(json["plan"]["cores"] == 6);
  CHECK(json["proof"]["holds"] == true);
}

TEST_CASE("The dot form is a digraph") {
  const Outcome outcome = xorloom({"equations", kWorkedExample, "--format", "dot"});
  CHECK(outcome.out.starts_with("digraph"));
  CHECK(outcome.out.ends_with("}\n"));
}

TEST_CASE("Erased locations are rebuilt, or of them those that are wanted") {
  const auto outputs = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"equations", kWorkedExample, "--format", "json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return nlohmann::json::parse(xorloom(arguments).out)["outputs"].dump();
  };
  CHECK(outputs({"--erase", "0,6"}) == "[0,1,2,18,19,20]");
  CHECK(outputs({"--erase", "0,6", "--want", "0"}) == "[0,1,2]");
  CHECK(outputs({"--erase", "6"}) == "[18,19,20]");
}

TEST_CASE("Equations are written to the file that is named") {
  const TemporaryFolder folder;
  const std::string file = folder / "equations.txt";
  const Outcome outcome = xorloom({"equations", kWorkedExample, "-o", file});
  CHECK(outcome.status == 0);
  CHECK(outcome.out.empty());
  CHECK(read_file(file) == xorloom({"equations", kWorkedExample}).out);
  CHECK(folder.names() == std::vector<std::string>{"equations.txt"});
}

TEST_CASE("packet_bytes may stand in the spec or beside it") {
  CHECK(xorloom({"equations", "cauchy:k=2,m=1,packet_bytes=8"}).out ==
        xorloom({"equations", "cauchy:k=2,m=1", "--packet-bytes", "8"}).out);
}

TEST_CASE("A code that does not keep its promise is taken only if that is said") {
  const std::string spec = "isa-vandermonde:k=80,m=6";
  const Outcome refused = xorloom({"equations", spec});
  CHECK(refused.status == 2);
  CHECK(has(refused.err, "is not proved to survive any 6 losses: the loss of {"));
  CHECK(xorloom({"equations", spec, "--allow-non-mds"}).status == 0);
}

TEST_CASE("What cannot be rebuilt gives exit status 1 and names the losses") {
  const Outcome outcome = xorloom({"equations", kWorkedExample, "--erase", "0,1,2"});
  CHECK(outcome.status == 1);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("xorloom: error: the loss of {0, 1, 2} cannot be rebuilt"));
}

}  // namespace xorloom::test
