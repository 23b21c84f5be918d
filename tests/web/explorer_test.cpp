#include "web/explorer.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/json.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/cost.hpp"

namespace xorloom::web {
namespace {

std::string answered(const Json& question) {
  const Answer found = answer(question.dump());
  INFO(question.dump());
  REQUIRE_MESSAGE(found.status == Status::kOk, found.text);
  return found.text;
}

/// The sentence that refuses a question.
std::string refused(const Json& question) {
  const Answer found = answer(question.dump());
  CHECK(found.status != Status::kOk);
  return found.text;
}

TEST_CASE("Every family's example has equations, which are proved") {
  const Json families = Json::parse(answered({{"ask", "families"}}));
  CHECK(families.size() > 15);
  for (const Json& family : families) {
    if (family["name"].text() == "file") continue;
    const std::string spec = family["example"].text();
    CAPTURE(spec);
    const Json direct = Json::parse(answered({{"ask", "equations"}, {"code", spec}}));
    CHECK(direct["proof"]["method"].text() == "symbolic");
    const Json matrix = Json::parse(answered({{"ask", "matrix"}, {"code", spec}}));
    CHECK(matrix["rows"].size() == direct["outputs"].size());
    CHECK(matrix["bound"].whole() <= direct["cost"]["xors"].whole());
  }
}

TEST_CASE("Direct equations are the document that the library writes") {
  const Code code = make_code("cauchy-good:k=4,m=2,w=4");
  const EquationFile file = proved_equations(code, direct_encoding(code), "direct", 3);
  const Json question{{"ask", "equations"}, {"code", "cauchy-good:4,2,4"}, {"cores", 3}};
  CHECK(answered(question) == write_json(file));
}

TEST_CASE("Given equations are proved, and those of another code are refused") {
  const std::string spec = "cauchy-good:k=4,m=2,w=4";
  const std::string text =
      answered({{"ask", "equations"}, {"code", spec}, {"format", "text"}, {"style", "iterative"}});
  CHECK(answered({{"ask", "given"}, {"text", text}, {"format", "text"}}).find("proof") !=
        std::string::npos);
  CHECK(refused({{"ask", "given"}, {"text", text}, {"code", "cauchy:k=4,m=2,w=4"}})
            .find("the equations are those of cauchy-good:") == 0);
  CHECK(refused({{"ask", "given"}, {"text", "eq. 1: 5 = XOR(0,"}}) != "");
  CHECK(refused({{"ask", "given"}, {"text", std::string("P\0P", 3)}}) ==
        "this is not text: byte 1 is zero");
}

TEST_CASE("A matrix is optimized, and its program computes it") {
  const Json found = Json::parse(answered({{"ask", "optimize"}, {"text", "1110\n1101\n1100\n"}}));
  CHECK(found["cost"]["xors"].whole() == 3);
}

TEST_CASE("A repair reads less than a full rebuild where the code is made for it") {
  const Json found = Json::parse(
      answered({{"ask", "reads"}, {"code", "clay:k=4,m=2,d=5"}, {"erase", std::vector<int>{0}}}));
  CHECK(found["read"].size() < found["full"].whole());
  CHECK(found["bytes_per_byte"].real() == doctest::Approx(2.5));
}

TEST_CASE("A code with too many XORs for equations is told about, and its repairs are") {
  const std::string spec = "clay:k=10,m=4,d=13";
  const Json found = Json::parse(answered({{"ask", "matrix"}, {"code", spec}}));
  const std::string why =
      "clay:k=10,m=4,d=13 takes 773904 direct XORs, more than the 262144 that are written as "
      "equations; equations over symbols have no such bound";
  CHECK(found["unwritten"].text() == why);
  CHECK(refused({{"ask", "equations"}, {"code", spec}}) == why);
  CHECK(refused({{"ask", "matrix"}, {"code", spec}, {"format", "svg"}}) == why);
  CHECK(found["locations"].whole() == 14);
  CHECK(found["rows_of_location"].whole() == 2048);
  CHECK(found["inputs"].size() == 10 * 2048);
  CHECK(found["outputs"].size() == 4 * 2048);
  CHECK(!found.contains("rows"));
  const Json reads =
      Json::parse(answered({{"ask", "reads"}, {"code", spec}, {"erase", std::vector<int>{0}}}));
  CHECK(reads["bytes_per_byte"].real() == doctest::Approx(3.25));
  // Each number of XORs says what it is for.
  const auto begins = [&](const char* key, const std::vector<int>& chunks, const char* words) {
    CHECK(refused({{"ask", "equations"}, {"code", spec}, {key, chunks}}).find(words) == 0);
  };
  begins("erase", {0}, "rebuilding chunk 0 of clay:k=10,m=4,d=13 takes ");
  begins("erase", {1, 0}, "rebuilding chunks 0, 1 of clay:k=10,m=4,d=13 takes ");
  begins("update", {0, 1, 2, 3, 4}, "updating chunks 0, 1, 2, 3, 4 of clay:k=10,m=4,d=13 takes ");
}

TEST_CASE("Source and pictures are those of the code and its losses") {
  const Json source{
      {"ask", "source"}, {"code", "cauchy-good:k=4,m=2,w=4"}, {"erase", std::vector<int>{3, 0}}};
  const std::string text = answered(source);
  CHECK(text.find("_encode(") != std::string::npos);
  CHECK(text.find("_decode_0_3(") != std::string::npos);
  const std::string found =
      answered({{"ask", "equations"}, {"code", "cauchy-good:k=4,m=2,w=4"}, {"style", "iterative"}});
  CHECK(answered({{"ask", "source"}, {"code", "cauchy-good:k=4,m=2,w=4"}, {"text", found}}) ==
        answered({{"ask", "source"}, {"code", "cauchy-good:k=4,m=2,w=4"}, {"style", "iterative"}}));
  for (const char* ask : {"code", "matrix", "equations", "reads"}) {
    const Json question{
        {"ask", ask}, {"code", "rdp:k=4,p=5"}, {"format", "svg"}, {"erase", std::vector<int>{0}}};
    CHECK(answered(question).find("<svg") != std::string::npos);
  }
  const auto lines_of_reads = [](const std::string& spec, const std::vector<int>& lost) {
    return answered({{"ask", "reads"}, {"code", spec}, {"erase", lost}, {"format", "svg"}});
  };
  const std::string rows = lines_of_reads("evenodd:k=4,p=5", {0, 4});
  CHECK(
      rows.find(">16 rows of 4 chunks: 2.00 bytes read per byte rebuilt; no choice reads less<") !=
      std::string::npos);
  CHECK(rows.find("cell") == std::string::npos);
  const std::string cells = lines_of_reads("clay:k=4,m=2,d=5", {0});
  CHECK(cells.find(">20 cells of 5 chunks: 2.50 bytes") != std::string::npos);
  CHECK(lines_of_reads("evenodd:k=7,p=7", {3}).find("rebuilt; at least 24 are needed<") !=
        std::string::npos);
  CHECK(answered({{"ask", "bars"},
                  {"title", "XORs"},
                  {"categories", std::vector<std::string>{"a", "b"}},
                  {"values", std::vector<double>{1.5, 2}},
                  {"at_most", std::vector<int>{1}}})
            .find(">≤ 2<") != std::string::npos);
  const std::string bars = answered({{"ask", "bars"},
                                     {"categories", std::vector<std::string>{"1"}},
                                     {"values", std::vector<double>{2}},
                                     {"inks", std::vector<int>{3}},
                                     {"meanings", std::vector<std::string>{"parity:k=4"}},
                                     {"holds", 45.5}});
  for (const char* const part : {"xl-done xl-3", ">1: parity:k=4<", ">50<"}) {
    CAPTURE(part);
    CHECK(bars.find(part) != std::string::npos);
  }
}

TEST_CASE("The page hears what pictures have at most, and what source is written over") {
  const Json bounds = Json::parse(answered({{"ask", "bounds"}}));
  const auto operands = [](const std::string& spec) {
    std::size_t sum = 0;
    const Json document = Json::parse(answered({{"ask", "equations"}, {"code", spec}}));
    for (const Json& equation : document["equations"]) sum += equation["xor"].size();
    return sum;
  };
  // Two codes, on both sides of the bound.
  for (const char* spec : {"rs:k=32,m=4", "rs:k=128,m=8"}) {
    CAPTURE(spec);
    const Json question{{"ask", "equations"}, {"code", spec}, {"format", "svg"}};
    const bool is_drawn = operands(spec) <= bounds["graph_operands"].whole();
    CHECK((answer(question.dump()).status == Status::kOk) == is_drawn);
  }
  CHECK(operands("rs:k=128,m=8") > bounds["graph_operands"].whole());
  for (const auto& each :
       std::vector<std::pair<std::string, std::string>>{{"cauchy-good:k=4,m=2,w=4", "bits"},
                                                        {"rs:k=4,m=2", "symbols"},
                                                        {"leopard:k=10,m=4,w=16", ""}}) {
    const std::string& spec = each.first;
    const std::string& over = each.second;
    CAPTURE(spec);
    const Json matrix = Json::parse(answered({{"ask", "matrix"}, {"code", spec}}));
    CHECK(matrix["source_over"].text() == over);
    const Answer source = answer(Json{{"ask", "source"}, {"code", spec}}.dump());
    CHECK((source.status == Status::kOk) == !over.empty());
  }
}

TEST_CASE("What is too large, or makes no sense, is refused with a sentence") {
  const auto code = [](const std::string& spec) {
    return refused({{"ask", "equations"}, {"code", spec}});
  };
  CHECK(code("cauchy:k=3,m=2,w=2") == "k + m = 5 exceeds 2^w = 4");
  CHECK(code("rs:k=40000,m=20000,w=16") == "k = 40000 exceeds 128, the bound of this page");
  CHECK(code("parity:k=0") == "k = 0 is not one of 1 to 128");
  CHECK(code("evenodd:k=0,p=5") == "k = 0 is not one of 1 to 128");
  CHECK(answer(R"({"ask":"matrix","code":"parity:k=2,packet_bytes=512"})").status == Status::kOk);
  // The page has no files.
  CHECK(code("file:/etc/passwd").find("this page has no family 'file'; it has cauchy, ") == 0);
  CHECK(code("nonsense").find(", file") == std::string::npos);
  CHECK(code("foo/bar").find("this page has no family 'foo/bar'; it has ") == 0);
  CHECK(code("cauchi-good:4,2") ==
        "this page has no family 'cauchi-good'; did you mean 'cauchy-good'?");
  // The page has no options of the program.
  CHECK(code("blaum-roth:k=4,w=5").find("blaum-roth:k=4,w=5") == 0);
  CHECK(code("blaum-roth:k=4,w=5").find("option") == std::string::npos);
  std::string pasted;
  pasted.resize(10'000'000, '1');
  for (const char* ask : {"given", "optimize"}) {
    CHECK(refused({{"ask", ask}, {"text", pasted}}) ==
          "the text has 10000000 bytes, and this page reads at most 1048576");
  }
  CHECK(refused({{"ask", "reads"}, {"code", "rs:k=4,m=2"}, {"erase", std::vector<int>{0, 1, 2}}}) !=
        "");
  CHECK(refused({{"ask", "weather"}}) == "'weather' is no question");
  CHECK(refused({{"code", "rs:k=4,m=2"}}) != "");
  CHECK(answer("{").status == Status::kParse);
  CHECK(answer("").status == Status::kParse);
}

TEST_CASE("Source of a repair reads what the question asks for") {
  const Json question{
      {"ask", "source"}, {"code", "cauchy-good:k=4,m=2,w=4"}, {"erase", std::vector<int>{0}}};
  CHECK(answered(question).find("Computes chunk 0 from 1-4: 12 XORs") != std::string::npos);
  Json least = question;
  least["reads"] = "min";
  CHECK(answered(least).find("Computes chunk 0 from 1-5: 13 XORs") != std::string::npos);
}

}  // namespace
}  // namespace xorloom::web
