#include "gen/source/source_check.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "gen/source/source_body.hpp"
#include "gen/source/source_parts.hpp"
#include "tests/support/refusal.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

/// Chunks of two rows; T26 = 0 + 3 is kept from the first part for the second.
const Program kProgram{
    4, 2, {0, 1, 2, 3}, {4, 5, 6}, {{4, {0, 1}}, {34, {0, 3}}, {5, {2, 4, 34}}, {6, {}}}};

std::vector<std::string> lines() {
  std::vector<std::string> lines;
  for (const SourcePart& part : split_into_parts(kProgram, 4).parts) {
    lines.push_back(write_part(kProgram, part, "restrict"));
  }
  return lines;
}

/// What is said of the lines after a change.
std::string said(std::size_t part, const std::string& from, const std::string& to) {
  std::vector<std::string> changed = lines();
  changed[part] = test::change(changed[part], from, to);
  return test::refusal(Status::kInternal, [&] { check_source(kProgram, changed); });
}

bool is_found(std::size_t part, const std::string& from, const std::string& to,
              const std::string& what) {
  const std::string sentence = said(part, from, to);
  INFO(sentence);
  return sentence.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("the lines that are checked are these") {
  CHECK(lines() == std::vector<std::string>{"  const uint8_t *restrict c0 = chunks[0] + at;\n"
                                            "  const uint8_t *restrict c1 = chunks[1] + at;\n"
                                            "  uint8_t *restrict c2 = chunks[2] + at;\n"
                                            "  const vec e0 = get(c0, 0), e1 = get(c0, 1);\n"
                                            "  put(c2, 0, e0 ^ e1);\n"
                                            "  const vec e3 = get(c1, 1);\n"
                                            "  const vec T26 = e0 ^ e3;\n"
                                            "  kept[0] = T26;\n",
                                            "  const uint8_t *restrict c1 = chunks[1] + at;\n"
                                            "  uint8_t *restrict c2 = chunks[2] + at;\n"
                                            "  uint8_t *restrict c3 = chunks[3] + at;\n"
                                            "  const vec zero = {0};\n"
                                            "  const vec e2 = get(c1, 0), e4 = get(c2, 0), "
                                            "T26 = kept[0];\n"
                                            "  put(c2, 1, e2 ^ e4 ^ T26);\n"
                                            "  put(c3, 0, zero);\n"});
  CHECK_NOTHROW(check_source(kProgram, lines()));
}

TEST_CASE("lines that say something else than the equations are found") {
  CHECK(is_found(0, "e0 ^ e1", "e0", "its equations are others"));
  CHECK(is_found(0, "e0 ^ e1", "e0 ^ e1 ^ e1", "its equations are others"));
  CHECK(is_found(0, "put(c2, 0", "put(c2, 1", "a value is loaded from elsewhere"));
  CHECK(is_found(0, "  put(c2, 0, e0 ^ e1);\n", "", "a value is loaded from elsewhere"));
  CHECK(is_found(1, "  put(c3, 0, zero);\n", "", "its equations are others"));
  CHECK(is_found(1, "  put(c3, 0, zero);\n", "  const vec e6 = zero;\n",
                 "other elements than the outputs"));
  CHECK(is_found(0, "chunks[0]", "chunks[1]", "a value is loaded from elsewhere"));
  CHECK(is_found(0, "get(c0, 1)", "get(c0, 0)", "a value is loaded from elsewhere"));
  CHECK(is_found(0, "get(c0, 1)", "get(c0, 2)", "row 2 does not exist"));
  CHECK(is_found(0, "get(c0, 1)", "get(c3, 1)", "'c3' points nowhere"));
  CHECK(is_found(0, "  const vec e3 = get(c1, 1);\n", "", "e3 is not known"));
  CHECK(is_found(0, "kept[0] = T26", "kept[1] = T26", "another value is kept there"));
  CHECK(is_found(0, "kept[0] = T26", "kept[0] = e0", "another value is kept there"));
  CHECK(is_found(0, "kept[0] = T26", "kept[0] = A", "no value is named 'A'"));
  CHECK(
      is_found(1, "T26 = kept[0]", "T26 = kept[0], e2 = get(c1, 0)", "a value is declared twice"));
}

TEST_CASE("lines of any other form are refused") {
  CHECK(is_found(0, "e0 ^ e1", "e0 + e1", "no ')'"));
  CHECK(is_found(0, "e0 ^ e1", "e0 ^ (e1)", "no name"));
  CHECK(is_found(0, "put(c2", "system(c2", "no 'uint8_t *'"));
  CHECK(is_found(0, "chunks[0] + at", "chunks[0] + at + 1", "no ';'"));
  CHECK(is_found(0, "get(c0, 1)", "get(c0, x)", "no number"));
}

}  // namespace xorloom
