#include "gen/source/source_parts.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/refusal.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

using test::change;
using test::refusal;

/// Chunks of two rows; T26 = 0 + 3 is kept from the first part for the second.
const Program kProgram{
    4, 2, {0, 1, 2, 3}, {4, 5, 6}, {{4, {0, 1}}, {34, {0, 3}}, {5, {2, 4, 34}}, {6, {}}}};

std::vector<std::string> lines() {
  std::vector<std::string> lines;
  for (const SourcePart& part : split_into_parts(kProgram, 4).parts) {
    lines.push_back(write_part(kProgram, part, nullptr, language_of("c")));
  }
  return lines;
}

void check(const std::vector<std::string>& lines) {
  check_lines({line_words(nullptr, language_of("c")), kProgram}, lines);
}

/// Whether a change of the lines of a part is found, and what is said of it.
bool is_found(std::size_t part, const std::string& from, const std::string& to,
              const std::string& what) {
  std::vector<std::string> changed = lines();
  changed[part] = change(changed[part], from, to);
  const std::string sentence = refusal(Status::kInternal, [&] { check(changed); });
  INFO(from << " -> " << to << ": " << sentence);
  return sentence.find(what) != std::string::npos;
}

/// Chunks of two sub-chunks over GF(2^8). T26 = 5·0 + 3 is kept from the first part for the
/// second.
Program program() {
  Program program{4, 2, {0, 1, 2, 3}, {4, 5, 6}, {}};
  program.field = Field(8);
  program.equations = {
      {4, {{0, 1}, {1, 3}}}, {34, {{0, 5}, {3, 1}}}, {5, {{2, 1}, {4, 2}, {34, 3}}}, {6, {}}};
  return program;
}

const WordForm& doublings() { return kWordForms[0]; }
const WordForm& tables() { return kWordForms[1]; }
const WordForm& matrices() { return kWordForms[2]; }

std::vector<std::string> lines(const WordForm& form) {
  std::vector<std::string> lines;
  for (const SourcePart& part : split_into_parts(program(), 4).parts) {
    lines.push_back(write_part(program(), part, &form, language_of("c")));
  }
  return lines;
}

/// Reads lines of a form back.
void check(const WordForm& form, const std::vector<std::string>& lines) {
  const std::string constants =
      form.is_portable() ? "" : write_constants(form, Field(8), {2, 3, 5}, language_of("c"));
  check_lines({line_words(&form, language_of("c")), program()}, lines,
              read_constants(form, Field(8), constants));
}

/// Whether a change of the lines of a part is found, and what is said of it.
bool is_found(const WordForm& form, std::size_t part, const std::string& from,
              const std::string& to, const std::string& what) {
  std::vector<std::string> changed = lines(form);
  changed[part] = change(changed[part], from, to);
  const std::string sentence = refusal(Status::kInternal, [&] { check(form, changed); });
  INFO(from << " -> " << to << ": " << sentence);
  return sentence.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("the lines that are checked are these, on packets") {
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
  CHECK_NOTHROW(check(lines()));
}

TEST_CASE("lines that compute something else are found, on packets") {
  CHECK(is_found(0, "e0 ^ e1", "e0", "output 4 is wrong"));
  CHECK(is_found(0, "e0 ^ e1", "e0 ^ e1 ^ e1", "output 4 is wrong"));
  CHECK(is_found(0, "put(c2, 0", "put(c2, 1", "neither input nor stored"));
  CHECK(is_found(0, "  put(c2, 0, e0 ^ e1);\n", "", "neither input nor stored"));
  CHECK(is_found(1, "  put(c3, 0, zero);\n", "", "6 is not stored"));
  CHECK(is_found(1, "  put(c3, 0, zero);\n", "  const vec e6 = zero;\n", "6 is not stored"));
  CHECK(is_found(1, "put(c3, 0, zero)", "put(c3, 1, zero)", "what is stored is no output"));
  CHECK(is_found(1, "put(c3, 0, zero)", "put(c2, 1, zero)", "an output is stored twice"));
  CHECK(is_found(0, "chunks[0]", "chunks[1]", "output 4 is wrong"));
  CHECK(is_found(0, "get(c0, 1)", "get(c0, 0)", "output 4 is wrong"));
  CHECK(is_found(0, "get(c0, 1)", "get(c2, 1)", "neither input nor stored"));
  CHECK(is_found(0, "get(c0, 1)", "get(c0, 2)", "row 2 does not exist"));
  CHECK(is_found(0, "get(c0, 1)", "get(c3, 1)", "'c3' points nowhere"));
  CHECK(is_found(0, "  const vec e3 = get(c1, 1);\n", "", "'e3' is not known"));
  CHECK(is_found(0, "kept[0] = T26", "kept[1] = T26", "nothing is kept there"));
  CHECK(is_found(0, "kept[0] = T26", "kept[0] = e0", "output 5 is wrong"));
  CHECK(is_found(0, "kept[0] = T26", "kept[0] = A", "'A' is not known"));
  CHECK(is_found(0, "kept[0] = T26", "T26 = e0; kept[0] = T26", "'T26' does not change"));
  CHECK(is_found(1, "T26 = kept[0]", "T26 = kept[0], e2 = get(c1, 0)", "'e2' is declared twice"));
  CHECK(is_found(0, "  const vec", "  const uint8_t *restrict c0 = chunks[0] + at;\n  const vec",
                 "a pointer is declared twice"));
}

TEST_CASE("lines of any other form are refused, on packets") {
  CHECK(is_found(0, "e0 ^ e1", "e0 + e1", "no ')'"));
  CHECK(is_found(0, "e0 ^ e1", "e0 ^ (e1)", "no name"));
  CHECK(is_found(0, "put(c2", "system(c2", "no '='"));
  CHECK(is_found(0, "chunks[0] + at", "chunks[0] + at + 1", "no ';'"));
  CHECK(is_found(0, "get(c0, 1)", "get(c0, x)", "no number"));
  CHECK(is_found(0, "get(c0, 1)", "get(c0, 01)", "an octal number"));
}

TEST_CASE("the lines that are checked are these, with tables") {
  CHECK(lines(tables()) ==
        std::vector<std::string>{"  const uint8_t *restrict c0 = chunks[0] + at;\n"
                                 "  const uint8_t *restrict c1 = chunks[1] + at;\n"
                                 "  uint8_t *restrict c2 = chunks[2] + at;\n"
                                 "  const tvec e0 = tget(c0);\n"
                                 "  tvec e4 = e0, T26 = tmul(e0, t05);\n"
                                 "  const tvec e1 = tget(c0 + 1 * sub);\n"
                                 "  e4 ^= tmul(e1, t03);\n"
                                 "  const tvec e3 = tget(c1 + 1 * sub);\n"
                                 "  T26 ^= e3;\n"
                                 "  tput(c2, e4);\n"
                                 "  kept[0] = T26;\n",
                                 "  const uint8_t *restrict c1 = chunks[1] + at;\n"
                                 "  uint8_t *restrict c2 = chunks[2] + at;\n"
                                 "  uint8_t *restrict c3 = chunks[3] + at;\n"
                                 "  tvec e6 = {0};\n"
                                 "  const tvec e2 = tget(c1);\n"
                                 "  tvec e5 = e2;\n"
                                 "  const tvec e4 = tget(c2);\n"
                                 "  e5 ^= tmul(e4, t02);\n"
                                 "  const tvec T26 = kept[0];\n"
                                 "  e5 ^= tmul(T26, t03);\n"
                                 "  tput(c2 + 1 * sub, e5);\n"
                                 "  tput(c3, e6);\n"});
  for (const WordForm& form : kWordForms) {
    CHECK_NOTHROW(check(form, lines(form)));
  }
}

TEST_CASE("the portable form doubles, and adds the doublings that a coefficient names") {
  const std::string first = lines(doublings()).front();
  CHECK(first.find("  const vec e0 = get(c0);\n"
                   "  const vec e0_1 = twice(e0), e0_2 = twice(e0_1);\n"
                   "  vec e4 = e0, T26 = e0 ^ e0_2;\n") != std::string::npos);
}

TEST_CASE("lines that compute something else are found, in every form on words") {
  for (const WordForm& form : kWordForms) {
    CAPTURE(form.suffix);
    const std::string get = form.words.get;
    const std::string put = form.words.put;
    const std::string vec = form.words.vec;
    CHECK(is_found(form, 0, "e4 = e0", "e4 = {0}", "output 4 is wrong"));
    CHECK(is_found(form, 0, "T26 ^= e3", "e4 ^= e3", "output 4 is wrong"));
    CHECK(is_found(form, 0, "T26 ^= e3", "T26 ^= e4", "output 5 is wrong"));
    CHECK(is_found(form, 0, "T26 ^= e3", "T26 = e3", "output 5 is wrong"));
    CHECK(is_found(form, 0, "T26 ^= e3;", "T26 ^= e3; T26 ^= e3;", "output 5 is wrong"));
    CHECK(is_found(form, 0, "T26 ^= e3", "T26 ^= T26", "output 5 is wrong"));
    CHECK(is_found(form, 0, "T26 ^= e3", "e0 ^= e3", "'e0' does not change"));
    CHECK(is_found(form, 0, "T26 ^= e3", "T26 ^= e2", "'e2' is not known"));
    CHECK(is_found(form, 0, "T26 ^= e3", "T26 ^= B", "'B' is not known"));
    CHECK(
        is_found(form, 0, put + "c2, e4)", put + "c2 + 1 * sub, e4)", "neither input nor stored"));
    CHECK(is_found(form, 0, put + "c2, e4);", "", "neither input nor stored"));
    CHECK(is_found(form, 1, "  " + put + "c3, e6);\n", "", "6 is not stored"));
    CHECK(is_found(form, 0, "chunks[0]", "chunks[1]", "output 4 is wrong"));
    CHECK(is_found(form, 0, get + "c1 + 1 * sub)", get + "c1)", "output 5 is wrong"));
    CHECK(is_found(form, 0, get + "c1 + 1 * sub)", get + "c1 + 2 * sub)", "row 2 does not exist"));
    CHECK(is_found(form, 0, get + "c1 + 1 * sub)", get + "c3 + 1 * sub)", "'c3' points nowhere"));
    CHECK(is_found(form, 0, "kept[0] = T26", "kept[1] = T26", "nothing is kept there"));
    CHECK(is_found(form, 0, "kept[0] = T26", "kept[0] = e0", "output 5 is wrong"));
    CHECK(is_found(form, 1, vec + " e5 = e2", vec + " e2 = e2", "'e2' is declared twice"));
    // A temporary computed again in a later part.
    CHECK(is_found(form, 1, "const " + vec + " T26 = kept[0]", vec + " T26 = {0}",
                   "output 5 is wrong"));
  }
}

TEST_CASE("a sum is what it was when it was read") {
  const std::string moved = "  kept[0] = T26;\n  T26 ^= e3;\n";
  for (const WordForm& form : kWordForms) {
    std::vector<std::string> early = lines(form);
    early[0] = change(change(early[0], "  kept[0] = T26;\n", ""), "  T26 ^= e3;\n", moved);
    CHECK(refusal(Status::kInternal, [&] { check(form, early); }).find("output 5 is wrong") !=
          std::string::npos);
    // Changes of T26 after it is kept do not matter.
    std::vector<std::string> late = lines(form);
    late[0] = change(late[0], "kept[0] = T26;", "kept[0] = T26; T26 ^= e3;");
    CHECK(refusal(Status::kInternal, [&] { check(form, late); }) == "");
  }
}

TEST_CASE("another coefficient is found") {
  CHECK(is_found(tables(), 0, "tmul(e1, t03)", "tmul(e1, t02)", "output 4 is wrong"));
  CHECK(is_found(tables(), 0, "tmul(e1, t03)", "e1", "output 4 is wrong"));
  CHECK(is_found(tables(), 0, "tmul(e1, t03)", "tmul(e1, t04)", "'t04' is no constant"));
  CHECK(is_found(matrices(), 0, "gmul(e1, m03)", "gmul(e1, m05)", "output 4 is wrong"));
  CHECK(is_found(doublings(), 0, "e0 ^ e0_2", "e0 ^ e0_1", "output 5 is wrong"));
  CHECK(is_found(doublings(), 0, "e0_2 = twice(e0_1)", "e0_2 = twice(e0)", "output 5 is wrong"));
  CHECK(is_found(doublings(), 0, "e0_2 = twice(e0_1)", "e0_1 = twice(e0_1)",
                 "'e0_1' is declared twice"));
  CHECK(is_found(doublings(), 0, "kept[0] = T26", "kept[0] = e0_1", "output 5 is wrong"));
  // Doubled eight times, bits of a symbol come out.
  CHECK(is_found(doublings(), 0, "e0_2 = twice(e0_1)",
                 "e0_2 = twice(twice(twice(twice(twice(twice(twice(e0_1)))))))",
                 "output 5 is wrong"));
}

TEST_CASE("lines of any other form are refused, on words") {
  CHECK(is_found(tables(), 0, "T26 ^= e3", "T26 += e3", "no '='"));
  CHECK(is_found(tables(), 0, "T26 ^= e3", "T26 ^= (e3)", "no name"));
  CHECK(is_found(tables(), 0, "tput(c2", "system(c2", "no '='"));
  CHECK(is_found(tables(), 0, "chunks[0] + at", "chunks[0] + at + 1", "no ';'"));
  CHECK(is_found(tables(), 0, "c0 + 1 * sub", "c0 + x * sub", "no number"));
  CHECK(is_found(tables(), 0, "c0 + 1 * sub", "c0 + 1 * at", "no '* sub'"));
}

}  // namespace xorloom
