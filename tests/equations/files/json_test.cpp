#include "equations/files/equation_file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

std::string worked_example_json() {
  const Code code = make_code(kWorkedExample);
  return write_json(proved_equations(code, direct_encoding(code), "direct", 6));
}

std::string update_json() {
  const Code code = make_code(kWorkedExample);
  return write_json(
      proved_equations(code, direct_update(code, std::vector<std::size_t>{2}), "direct", 2));
}

void check_refused_in(std::string json, const std::string& from, const std::string& to,
                      const std::string& sentence) {
  REQUIRE(json.find(from) != std::string::npos);
  json.replace(json.find(from), from.size(), to);
  CAPTURE(to);
  CHECK_THROWS_WITH_AS(read_equations(json), sentence.c_str(), Error);
}

void check_refused(const std::string& from, const std::string& to, const std::string& sentence) {
  check_refused_in(worked_example_json(), from, to, sentence);
}

}  // namespace

TEST_CASE("what is written as JSON is read back the same, plan and all") {
  const std::vector<std::size_t> lost{0, 4};
  const Code code = make_code(kWorkedExample);
  for (const std::size_t cores : {0UL, 1UL, 6UL}) {
    for (const Program& program : {direct_encoding(code), paper_iterative(),
                                   direct_decoding(code, lost), direct_update(code, lost)}) {
      const EquationFile file = proved_equations(code, program, "iterative", cores);
      CHECK(read_equations(write_json(file)) == file);
    }
  }
  const EquationFile bare = read_equations("2 = XOR(0,1)");
  CHECK(read_equations(write_json(bare)) == bare);
}

TEST_CASE("the JSON of the worked example has the documented keys") {
  const std::string json = worked_example_json();
  for (
      const char* part :
      {R"("format": "xorloom-equations")", R"("version": 1)", R"("program": "xorloom )",
       R"({"family":"cauchy","spec":"cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0,poly=0xb,packet_bytes=64","k":5,"m":2,"w":3})",
       R"("style": "direct")", R"("locations": 7)", R"("rows": 3)",
       R"({"target":15,"xor":[2,3,4,5,7,9,11,12]})", R"("plan": {"cores":6,"steps":[)",
       R"("cost": {"xors":45,"longest_equation":8,"longest_path":8,"critical_path":4,"makespan":{"6":8},"atomic_makespan":{"6":8},"moves":{"6":0},"temporaries":0})",
       R"("proof": {"method":"symbolic","holds":true})"}) {
    CAPTURE(part);
    CHECK(json.find(part) != std::string::npos);
  }
}

TEST_CASE("what was spent on a search is written and read back") {
  EquationFile file = read_equations("2 = XOR(0,1)");
  for (const SearchRecord& search :
       {SearchRecord{"fast", {}, {}, 0}, SearchRecord{"max", 5'000'000'000, {}, 1},
        SearchRecord{"max", {}, 60, 7}}) {
    file.search = search;
    CHECK(read_equations(write_json(file)) == file);
  }
  const std::string json = write_json(file);
  check_refused_in(json, "\"max\"", "\"most\"", "effort 'most' is not fast, normal or max");
  check_refused_in(json, "\"seconds\":60", "\"seconds\":-1", "seconds is -1, not a whole number");
  check_refused_in(json, ",\"seed\":7", "", "the JSON has no 'seed'");
}

TEST_CASE("JSON that is wrong is refused with what is wrong") {
  check_refused("\"version\": 1", "\"version\": 3",
                "version 3 is not one of 1 to 2, those this program reads");
  check_refused("xorloom-equations", "recipe", "the format is 'recipe', not 'xorloom-equations'");
  check_refused("\"rows\": 3", "\"rows\": -3", "rows is -3, not a whole number");
  check_refused("\"rows\": 3", "\"rows\": 99999999", "rows = 99999999 exceeds 16777216");
  check_refused("\"locations\"", "\"places\"", "the JSON has no 'locations'");
  check_refused("\"style\": \"direct\"", "\"style\": 7", "'style' is not a string");
  check_refused("[2,3,4,5,7,9,11,12]", "\"all\"", "'xor' is not an array");
  check_refused("[2,3,4,5,7,9,11,12]", "[2,3,4,5,7,9,11]",
                "the equations are not those of cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0: output 15 is "
                "wrong: it and the "
                "code differ by data element 12");
  check_refused("\"k\":5", "\"k\":4",
                "the code is named cauchy with k = 4, m = 2, w = 3, but its spec is "
                "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0,poly=0xb,packet_bytes=64");
  check_refused("\"cores\":6", "\"cores\":5", "step 0 of the plan is on core 5 of 5");
  check_refused("poly=0xb", "poly=0x9",
                "polynomial 0x9 is reducible: it gives no field of 2^3 symbols");
}

TEST_CASE("what is no stored element is an object with an id, a kind and the element it is about") {
  const std::string json = update_json();
  for (const char* part :
       {R"("inputs": [{"id":21,"kind":"difference","element":6},{"id":22,"kind":"difference",)",
        R"({"id":29,"kind":"old","element":20}])",
        R"("outputs": [{"id":30,"kind":"updated","element":15},)", R"({"target":30,"xor":[22,24]})",
        R"("temporaries":0)"}) {
    CAPTURE(part);
    CHECK(json.find(part) != std::string::npos);
  }
}

TEST_CASE("ids of virtual elements may be given in any order") {
  std::string json = R"({"format":"xorloom-equations","version":1,"code":null,"style":"direct",
    "locations":3,"rows":1,"inputs":[{"id":4,"kind":"difference","element":0},
    {"id":5,"kind":"old","element":2}],"outputs":[{"id":3,"kind":"updated","element":2}],
    "equations":[{"target":3,"xor":[4,5]}]})";
  const EquationFile file = read_equations(json);
  using Kind = VirtualElement::Kind;
  CHECK(file.program.virtuals ==
        std::vector<VirtualElement>{{Kind::kUpdated, 2}, {Kind::kDifference, 0}, {Kind::kOld, 2}});
  CHECK(read_equations(write_json(file)) == file);
}

TEST_CASE("virtual elements that are wrong are refused with what is wrong") {
  const auto refused = [](const std::string& from, const std::string& to,
                          const std::string& sentence) {
    check_refused_in(update_json(), from, to, sentence);
  };
  refused("\"kind\":\"old\"", "\"kind\":\"new\"", "kind 'new' is not difference, old or updated");
  refused("\"kind\":\"old\",", "", "the JSON has no 'kind'");
  refused("\"id\":22", "\"id\":21", "id 21 is given twice");
  refused("\"id\":21", "\"id\":20",
          "id 20 is not 21: ids follow one another from the number of cells, 21");
  refused("\"id\":23", "\"id\":99",
          "id 24 is not 23: ids follow one another from the number of cells, 21");
  refused("\"element\":6", "\"element\":7", "d7 has two numbers");
  refused("\"element\":6", "\"element\":21", "d21 is about none of the 21 cells");
  refused("\"element\":6", "\"element\":15",
          "the equations are not those of cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0: the difference of "
          "15 is not one of "
          "data: that element is redundant");
  refused("\"element\":6", "\"element\":9",
          "the equations are not those of cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0: output new15 is "
          "wrong: it and the "
          "code differ by the difference of 9");
  refused("{\"id\":30,\"kind\":\"updated\",\"element\":15}", "30",
          "id 31 is not 30: ids follow one another from the number of cells, 21");
  refused("\"xor\":[22,24]", "\"xor\":[22]",
          "the equations are not those of cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0: output new15 is "
          "wrong: it and the "
          "code differ by data elements 2, 3, 4, 5, 7, 9, 11 and 12");
}

TEST_CASE("garbage is refused, not followed") {
  for (const std::string text : {"{", "{}", "{\"format\": null}", "{\"a\":[[[[", "{\xff\xfe}",
                                 "{\"format\":\"xorloom-equations\",\"version\":1e999}"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(read_equations(text), Error);
  }
  CHECK_THROWS_AS(read_equations(std::string(100'000, '{')), Error);
  CHECK_THROWS_AS(read_equations("{\"a\":" + std::string(100'000, '[')), Error);
  const std::string deep(200'000, '[');
  CHECK_THROWS_AS(read_equations("{\"format\":\"xorloom-equations\",\"version\":" + deep +
                                 std::string(200'000, ']') + "}"),
                  Error);
  const std::string json = worked_example_json();
  for (std::size_t length = 1; length + 3 < json.size(); length += 7) {
    CHECK_THROWS_AS(read_equations(json.substr(0, length)), Error);
  }
}

}  // namespace xorloom
