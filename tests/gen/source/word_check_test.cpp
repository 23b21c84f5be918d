#include "gen/source/word_check.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gen/source/source_parts.hpp"
#include "gen/source/word_body.hpp"
#include "gen/source/word_constants.hpp"
#include "tests/support/refusal.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

using test::change;
using test::refusal;

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
    lines.push_back(write_word_part(program(), part, form, "restrict"));
  }
  return lines;
}

std::string constants(const WordForm& form, const Field& field = Field(8)) {
  if (form.is_portable()) return "";
  return write_constants(form, field, {2, 3, 5}, language_of("c"));
}

/// Whether a change of the lines of a part is found, and what is said of it.
bool is_found(const WordForm& form, std::size_t part, const std::string& from,
              const std::string& to, const std::string& what) {
  std::vector<std::string> changed = lines(form);
  changed[part] = change(changed[part], from, to);
  const std::string sentence = refusal(Status::kInternal, [&] {
    check_word_source(program(), form, read_constants(form, Field(8), constants(form)), changed);
  });
  INFO(sentence);
  return sentence.find(what) != std::string::npos;
}

/// What is said of constants after a change.
std::string said(const WordForm& form, const Field& field, const std::string& from,
                 const std::string& to) {
  const std::string text = change(constants(form, field), from, to);
  return refusal(Status::kInternal, [&] { read_constants(form, field, text); });
}

}  // namespace

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
    CHECK_NOTHROW(check_word_source(program(), form,
                                    read_constants(form, Field(8), constants(form)), lines(form)));
  }
}

TEST_CASE("the portable form doubles, and adds the doublings that a coefficient names") {
  const std::string first = lines(doublings()).front();
  CHECK(first.find("  const vec e0 = get(c0);\n"
                   "  const vec e0_1 = twice(e0), e0_2 = twice(e0_1);\n"
                   "  vec e4 = e0, T26 = e0 ^ e0_2;\n") != std::string::npos);
}

TEST_CASE("lines that say something else than the equations are found, in every form") {
  for (const WordForm& form : kWordForms) {
    CAPTURE(form.suffix);
    const std::string get = form.get;
    const std::string put = form.put;
    const std::string vec = form.vec;
    CHECK(is_found(form, 0, "e4 = e0", "e4 = {0}", "its equations are others"));
    CHECK(is_found(form, 0, "T26 ^= e3", "e4 ^= e3", "its equations are others"));
    CHECK(is_found(form, 0, "T26 ^= e3", "T26 ^= e4", "its equations are others"));
    CHECK(is_found(form, 0, "T26 ^= e3;", "T26 ^= e3; T26 ^= e3;", "its equations are others"));
    CHECK(is_found(form, 0, "T26 ^= e3", "T26 ^= T26", "a sum is added to itself"));
    CHECK(is_found(form, 0, "T26 ^= e3", "e0 ^= e3", "what is added to is no sum"));
    CHECK(is_found(form, 0, "T26 ^= e3", "T26 ^= e2", "e2 is not known"));
    CHECK(is_found(form, 0, "T26 ^= e3", "T26 ^= B", "no value is named 'B'"));
    CHECK(is_found(form, 0, put + "(c2, e4)", put + "(c2 + 1 * sub, e4)",
                   "another value is stored there"));
    CHECK(is_found(form, 0, put + "(c2, e4);", "", "a value is loaded from elsewhere"));
    CHECK(is_found(form, 1, "  " + put + "(c3, e6);\n", "", "other elements than the outputs"));
    CHECK(is_found(form, 0, "chunks[0]", "chunks[1]", "a value is loaded from elsewhere"));
    CHECK(is_found(form, 0, get + "(c1 + 1 * sub)", get + "(c1)",
                   "a value is loaded from elsewhere"));
    CHECK(is_found(form, 0, get + "(c1 + 1 * sub)", get + "(c1 + 2 * sub)",
                   "sub-chunk 2 does not exist"));
    CHECK(is_found(form, 0, get + "(c1 + 1 * sub)", get + "(c3 + 1 * sub)", "'c3' points nowhere"));
    CHECK(is_found(form, 0, "kept[0] = T26", "kept[1] = T26", "another value is kept there"));
    CHECK(is_found(form, 0, "kept[0] = T26", "kept[0] = e0", "another value is kept there"));
    CHECK(is_found(form, 1, vec + " e5 = e2", vec + " e2 = e2", "a value is declared twice"));
    // A sum that goes on after it was read.
    CHECK(is_found(form, 0, put + "(c2, e4);", put + "(c2, e4); e4 ^= e3;",
                   "what is added to is no sum"));
    // A temporary computed again in a later part.
    CHECK(is_found(form, 1, "const " + vec + " T26 = kept[0]", vec + " T26 = {0}",
                   "'T26' is computed twice"));
  }
}

TEST_CASE("another coefficient is found") {
  CHECK(is_found(tables(), 0, "tmul(e1, t03)", "tmul(e1, t02)", "its equations are others"));
  CHECK(is_found(tables(), 0, "tmul(e1, t03)", "e1", "its equations are others"));
  CHECK(is_found(tables(), 0, "tmul(e1, t03)", "tmul(e1, t04)", "'t04' is no constant"));
  CHECK(is_found(matrices(), 0, "gmul(e1, m03)", "gmul(e1, m05)", "its equations are others"));
  CHECK(is_found(doublings(), 0, "e0 ^ e0_2", "e0 ^ e0_1", "its equations are others"));
  CHECK(is_found(doublings(), 0, "e0_2 = twice(e0_1)", "e0_2 = twice(e0)",
                 "its equations are others"));
  CHECK(is_found(doublings(), 0, "e0_2 = twice(e0_1)", "e0_1 = twice(e0_1)",
                 "a value is declared twice"));
  CHECK(is_found(doublings(), 0, "kept[0] = T26", "kept[0] = e0_1", "a doubled value is stored"));
  // Doubled eight times, a value is no power that bits of a coefficient name.
  CHECK(is_found(doublings(), 0, "e0_2 = twice(e0_1)",
                 "e0_2 = twice(e0_1), e0_3 = twice(e0_2), e0_4 = twice(e0_3), e0_5 = twice(e0_4), "
                 "e0_6 = twice(e0_5), e0_7 = twice(e0_6), e0_8 = twice(e0_7)",
                 "a value is doubled too often"));
}

TEST_CASE("lines of any other form are refused") {
  CHECK(is_found(tables(), 0, "T26 ^= e3", "T26 += e3", "no '^='"));
  CHECK(is_found(tables(), 0, "T26 ^= e3", "T26 ^= (e3)", "no name"));
  CHECK(is_found(tables(), 0, "tput(c2", "system(c2", "no value is named 'system'"));
  CHECK(is_found(tables(), 0, "chunks[0] + at", "chunks[0] + at + 1", "no ';'"));
  CHECK(is_found(tables(), 0, "c0 + 1 * sub", "c0 + x * sub", "no number"));
  CHECK(is_found(tables(), 0, "c0 + 1 * sub", "c0 + 1 * at", "no 'sub'"));
}

TEST_CASE("constants multiply by what their names say") {
  for (const std::size_t w : std::vector<std::size_t>{4, 8, 16, 32}) {
    CAPTURE(w);
    const Field field(w);
    for (const WordForm* form : {&tables(), &matrices()}) {
      std::set<Field::Symbol> multiplies_by;
      for (const auto& [name, coefficient] :
           read_constants(*form, field, constants(*form, field))) {
        CHECK(name == constant_name(*form, field, coefficient));
        multiplies_by.insert(coefficient);
      }
      CHECK(multiplies_by == std::set<Field::Symbol>{2, 3, 5});
    }
  }
}

TEST_CASE("a changed entry of a constant is found, and a changed name") {
  const Field field(8);
  CHECK(said(tables(), field, "0x00, 0x02, 0x04", "0x00, 0x02, 0x05") ==
        "the source that was written is not that of its equations: the table of 0x2 has 0x5 at "
        "entry 2, not 0x4");
  CHECK(said(tables(), field, "t02[32]", "t07[32]").find("the table of 0x7 has") !=
        std::string::npos);
  CHECK(said(tables(), field, "t02[32]", "tx[32]").find("'tx' names no coefficient") !=
        std::string::npos);
  CHECK(said(tables(), field, "t03[32]", "t02[32]").find("the table of 0x2 has") !=
        std::string::npos);
  CHECK(said(tables(), field, "0x00, 0x02", "0x02").find("t02 has 31 numbers") !=
        std::string::npos);
  CHECK(said(tables(), field, "0x00, 0x02", "f(), 0x02").find("no number") != std::string::npos);
  // Every number counts.
  for (const std::size_t w : std::vector<std::size_t>{4, 8, 16, 32}) {
    const Field wide(w);
    for (const WordForm* form : {&tables(), &matrices()}) {
      const std::string text = write_constants(*form, wide, {3}, language_of("c++"));
      std::size_t entries = 0;
      for (std::size_t at = text.find("0x"); at != std::string::npos;
           at = text.find("0x", at + 1)) {
        std::string changed = text;
        char& digit = changed[at + 2];
        digit = digit == '0' ? '1' : '0';
        CHECK(refusal(Status::kInternal, [&] { read_constants(*form, wide, changed); }) != "");
        ++entries;
      }
      const std::size_t maps = w == 32 ? 16 : w == 16 ? 4 : 1;
      CHECK(entries == (form == &tables() ? maps * 32 : maps));
    }
  }
}

}  // namespace xorloom
