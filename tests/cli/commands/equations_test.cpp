#include <doctest/doctest.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/cli/worked_example.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

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

TEST_CASE(
    "Equations that read any survivors take no more XORs than those that read the fewest bytes") {
  const auto xors = [](const std::string& spec, const std::string& reads) {
    const Outcome found =
        xorloom({"equations", spec, "--erase", "1", "--style", "iterative", "--effort", "fast",
                 "--store", "off", "--reads", reads, "--format", "json"});
    return nlohmann::json::parse(found.out)["cost"]["xors"].get<int>();
  };
  CHECK(xors(kWorkedExample, "any") == 13);
  for (const char* const spec : {kWorkedExample, "cauchy:k=4,m=3,w=4", "evenodd:k=5,p=5"}) {
    CHECK(xors(spec, "any") <= xors(spec, "min"));
  }
}

TEST_CASE("Help says which options a format does not take") {
  const std::string help = xorloom({"equations", "--help"}).out;
  CHECK(has(help, "dot for Graphviz"));
  CHECK(has(help, "takes no --cores"));
  CHECK(xorloom({"equations", kWorkedExample, "--cores", "3", "--format", "dot"}).status == 2);
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

TEST_CASE("Rows that are asked for are all that is computed, and what they need all that is read") {
  const auto json = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"equations", kWorkedExample, "--format", "json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return nlohmann::json::parse(xorloom(arguments).out);
  };
  CHECK(json({"--rows", "0-1"})["outputs"].dump() == "[15,16,18,19]");
  CHECK(json({"--rows", "2,0"})["outputs"].dump() == "[15,17,18,20]");
  const auto degraded = json({"--erase", "0,6", "--want", "0", "--rows", "1"});
  CHECK(degraded["outputs"].dump() == "[1]");
  CHECK(degraded["inputs"] == degraded["equations"][0]["xor"]);
  const auto update = json({"--update", "2", "--rows", "0"});
  CHECK(update["outputs"].dump() ==
        R"([{"element":15,"id":26,"kind":"updated"},{"element":18,"id":27,"kind":"updated"}])");
  CHECK(update["proof"]["holds"] == true);
}

TEST_CASE("An update is written in every form, with a plan as well") {
  const std::vector<std::string> update{"equations", kWorkedExample, "--update", "2,3"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = update;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return xorloom(arguments);
  };
  const Outcome text = with({"--cores", "2"});
  CHECK(text.status == 0);
  CHECK(has(text.out,
            "\ninputs:  d6-d11,old15-old20\noutputs: new15-new20\n# dN: old XOR new of element N"));
  CHECK(has(text.out, " moves; new16' is a partial sum of new16\n"));
  CHECK(has(text.out, "\n# proof: symbolic"));
  CHECK(widest_line(text.out) <= 80);
  const auto json = nlohmann::json::parse(with({"--format", "json"}).out);
  CHECK(json["inputs"].size() == 12);
  CHECK(json["inputs"][0].dump() == R"({"element":6,"id":21,"kind":"difference"})");
  CHECK(has(with({"--format", "dot"}).out, "\"d7\" -> \"new15\""));
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, std::vector<std::string>{"--cores", "2"}}) {
    std::vector<std::string> iterative{"--style", "iterative", "--effort", "fast"};
    iterative.insert(iterative.end(), more.begin(), more.end());
    const Outcome shared = with(iterative);
    CHECK(shared.status == 0);
    CHECK(has(shared.out, "\noutputs: new15-new20\n"));
    CHECK(has(shared.out, "\n# proof: symbolic"));
  }
}

TEST_CASE("Survivors are those that take the fewest XORs, not the first") {
  const auto xors = [](const std::string& erased) {
    const Outcome outcome = xorloom({"equations", "cauchy:k=10,m=4,w=8", "--erase", erased,
                                     "--want", "1,2", "--format", "json"});
    return nlohmann::json::parse(outcome.out)["cost"]["xors"].get<int>();
  };
  CHECK(xors("1,2") == 538);
  CHECK(xors("1,2,12,13") == 599);  // with 10 and 11 alone
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
  CHECK(has(refused.err, "does not survive every set of 6 losses: the loss of {"));
  CHECK(xorloom({"equations", spec, "--allow-non-mds"}).status == 0);
}

TEST_CASE("What cannot be rebuilt is a wrong call, which names the losses") {
  const Outcome outcome = xorloom({"equations", kWorkedExample, "--erase", "0,1,2"});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("xorloom: error: the loss of {0, 1, 2} cannot be rebuilt"));
  CHECK(xorloom({"equations", kWorkedExample, "--erase", "0,1,2", "--rows", "0"}).status == 2);
}

TEST_CASE("The fewest reads are found and said, and costs of reading are heeded") {
  const Outcome rdp = xorloom({"equations", "rdp:k=4,p=5", "--erase", "0", "--reads", "min"});
  CHECK(rdp.status == 0);
  CHECK(has(rdp.out,
            "\n"
            "# reads: 12 of 20 cells, from 5 locations: 3.00 bytes read per byte rebuilt\n"
            "#        no choice reads less\n"
            "# proof: symbolic"));
  CHECK(has(
      xorloom({"equations", "rdp:k=4,p=5", "--erase", "0"}).out,
      "\n# reads: 16 of 20 cells, from 4 locations: 4.00 bytes read per byte rebuilt\n# proof"));
  const auto json = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"equations", "rs:k=4,m=2", "--format", "json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return nlohmann::json::parse(xorloom(arguments).out);
  };
  const auto dear = json({"--erase", "0", "--reads", "min", "--read-cost", "1=9,2=7"});
  CHECK(dear["reads"]["cost"] == 10);
  CHECK(dear["reads"]["least"] == 10);
  for (const auto& input : dear["inputs"]) CHECK(input.get<int>() / 8 != 1);
  const auto refused = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"equations", "rs:k=4,m=2"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = xorloom(arguments);
    CHECK(outcome.status == 2);
    return outcome.err;
  };
  const auto longer =
      json({"--erase", "0", "--reads", "min", "--read-cost", "1=9", "--effort", "max"});
  CHECK(longer["reads"]["cost"] == 4);
  CHECK(has(refused({"--erase", "0", "--effort", "max"}), "--effort needs --style iterative"));
  CHECK(has(refused({"--erase", "0", "--read-cost", "1=9"}), "--read-cost needs --reads min"));
  CHECK(has(refused({"--erase", "0", "--reads", "min", "--read-cost", "6=9"}),
            "a read cost is given for 6, which is not one of the locations 0 to 5"));
  CHECK(has(refused({"--erase", "0", "--reads", "min", "--read-cost", "1=9,1=8"}),
            "the read cost of 1 is given twice"));
  for (const char* bad : {"1", "=4", "1=", "1=-2", "1=1000001", "1=4,"}) {
    CHECK(has(refused({"--erase", "0", "--reads", "min", "--read-cost", bad}),
              "is not a place and its cost such as 3=20, with a whole number from 0 to 1000000"));
  }
}

TEST_CASE("Each equation of few lookup tables is one table") {
  const auto found =
      nlohmann::json::parse(xorloom({"equations", "cauchy-good:k=4,m=2,w=4", "--style", "iterative",
                                     "--model", "lut4", "--effort", "fast", "--format", "json"})
                                .out);
  std::size_t tables = 0;
  for (const auto& equation : found["equations"]) {
    CHECK(equation["xor"].size() <= 4);
    tables += equation["xor"].size() > 1;
  }
  const auto counts = found["gates"]["by_inputs"].get<std::map<std::string, std::size_t>>();
  std::size_t counted = 0;
  for (const auto& [inputs, count] : counts) counted += count;
  CHECK(tables == counted);
}

TEST_CASE("A front of one depth is drawn, although nothing is added") {
  CHECK(xorloom({"equations", "parity:k=1", "--style", "iterative", "--front", "--format", "svg"})
            .out.starts_with("<svg"));
}

TEST_CASE("Groups split a repair by site, the equations of each and of the join apart") {
  const std::vector<std::string> command{
      "equations", "cauchy-good:k=4,m=2,w=4", "--erase", "1", "--groups", "0-1/2-3/4-5"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return xorloom(arguments);
  };
  const Outcome text = with({});
  CHECK(text.status == 0);
  CHECK(has(text.out, "\n\n# site 0, home: locations 0-1\nstyle:   direct\n"));
  CHECK(has(text.out, "\n# site 2: locations 4-5\n"));
  CHECK(has(text.out, "\n# join, at site 0: location s is the sum of site s"));
  CHECK(has(text.out, "\n# proof: symbolic, sites and join together\n"));
  CHECK(has(
      xorloom({"equations", "cauchy-good:k=4,m=2,w=4", "--erase", "1", "--groups", "1/0,2-5"}).out,
      "\n# site 0, home: location 1\n"));
  const TemporaryFolder folder;
  for (const std::string format : {"text", "json"}) {
    const std::string path = folder / format;
    CHECK(with({"--format", format, "-o", path}).status == 0);
    CHECK(xorloom({"equations", "--equations", path}).status == 2);
  }
  CHECK(widest_line(text.out) <= 80);
  const auto json = nlohmann::json::parse(with({"--format", "json", "--style", "iterative"}).out);
  CHECK(json["format"] == "xorloom-sites");
  CHECK(json["sites"].size() == 3);
  CHECK(json["sites"][1]["equations"]["outputs"].dump() == "[4,5,6,7]");
  CHECK(json["sent"]["cells"] == 8);
  CHECK(json["join"]["outputs"].dump() == "[12,13,14,15]");
  CHECK(has(with({"--format", "dot"}).err, "--groups is shown as text or json, not dot"));
  CHECK(has(with({"--cores", "2"}).err, "--groups and --cores do not go together"));
  CHECK(has(with({"--style", "iterative", "--front"}).err,
            "--groups and --front do not go together"));
  CHECK(has(xorloom({"equations", "rs:k=4,m=2", "--groups", "0-5"}).err,
            "--groups splits a repair, and needs --erase"));
  CHECK(has(xorloom({"equations", "rs:k=4,m=2", "--erase", "0", "--groups", "0-3/"}).err,
            "--groups = '' is not a whole number"));
}

TEST_CASE("Equations over symbols come in every form, with coefficients") {
  const auto over_symbols = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"equations", "rs:k=4,m=2", "--over", "symbols"});
    return xorloom(arguments);
  };
  const Outcome text = over_symbols({});
  CHECK(text.status == 0);
  CHECK(has(text.out, "field:   w=8,poly=0x11d\n"));
  CHECK(has(text.out, "eq. 2: 5 = SUM(0,0x46*1,0x8f*2,0xc8*3)\n"));
  CHECK(has(text.out, "# cost: 6 XORs, 3 multiplications, "));
  const auto json = nlohmann::json::parse(over_symbols({"--format", "json"}).out);
  CHECK(json["version"] == 2);
  CHECK(json["field"] == nlohmann::json{{"w", 8}, {"poly", "0x11d"}});
  CHECK(json["cost"]["multiplications"] == 3);
  CHECK(json["proof"]["holds"] == true);
  CHECK(has(over_symbols({"--format", "dot"}).out,
            "\"3\" -> \"5\" [color=\"#c2571a\", label=\"0xc8\""));
  CHECK(
      has(over_symbols({"--format", "svg"}).out, "<title>5 = SUM(0,0x46*1,0x8f*2,0xc8*3)</title>"));
  CHECK(has(over_symbols({"--update", "1"}).out, "new5 = SUM(0x46*d1,old5)\n"));
  CHECK(has(over_symbols({"--erase", "0,5", "--want", "5"}).out, "outputs: 5\n"));
  CHECK(has(over_symbols({"--erase", "1", "--groups", "0-2/3-5"}).out,
            "# sent between sites: 1 cell, 1.00 bytes per byte rebuilt"));
}

TEST_CASE("Over symbols sums are shared, kept in the store and found there again") {
  const TemporaryFolder folder;
  const std::vector<std::string> asked{
      "equations", "clay:k=4,m=2", "--over",  "symbols",
      "--style",   "iterative",    "--store", folder.path() / "store"};
  const Outcome first = xorloom(asked);
  CHECK(first.status == 0);
  CHECK(has(first.out, "# cost: 72 XORs, 48 multiplications, "));
  CHECK(has(first.err, "kept in"));
  const Outcome again = xorloom(asked);
  CHECK(again.out == first.out);
  CHECK(has(again.err, "72 XORs, from "));
}

TEST_CASE("A plan for this machine hands over less than one of the fewest steps") {
  const auto moves = [](const std::string& model) {
    const Outcome outcome = xorloom({"equations", "cauchy-good:k=10,m=4", "--style", "iterative",
                                     "--effort", "fast", "--cores", "2", "--model", model});
    CHECK(outcome.status == 0);
    CHECK(has(outcome.out, "# proof: symbolic"));
    std::size_t cores = 0;
    std::size_t steps = 0;
    std::size_t moved = 0;
    const std::size_t at = outcome.out.find("# plan on");
    REQUIRE(at != std::string::npos);
    REQUIRE(std::sscanf(outcome.out.c_str() + at, "# plan on %zu cores: %zu steps, %zu moves",
                        &cores, &steps, &moved) == 3);
    return moved;
  };
  CHECK(moves("machine") < moves("steps"));
  for (const char* other : {"--front", "--atomic"}) {
    const Outcome outcome = xorloom({"equations", kWorkedExample, "--style", "iterative", "--cores",
                                     "2", "--model", "machine", other});
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, "--model machine does not go with --front, --atomic or --store"));
  }
  CHECK(has(xorloom({"equations", kWorkedExample, "--model", "machine"}).err,
            "--model machine is about a plan, and needs --cores"));
}

TEST_CASE("A plan for cores is of XORs alone, and that is said") {
  const Outcome outcome = xorloom({"equations", "rs:k=4,m=2", "--over", "symbols", "--cores", "2"});
  CHECK(outcome.status == 2);
  CHECK(has(outcome.err, "--cores plans XORs, and --over symbols also has multiplications"));
}

}  // namespace xorloom::test
