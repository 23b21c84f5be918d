#include "gen/source/word_forms.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/refusal.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

using test::change;
using test::refusal;

const WordForm& table_form() { return kWordForms[1]; }
const WordForm& matrix_form() { return kWordForms[2]; }

std::string constants(const WordForm& form, const Field& field) {
  return write_constants(form, field, {2, 3, 5}, language_of("c"));
}

/// Returns the error for constants in which `from` is replaced by `to`.
std::string said(const WordForm& form, const Field& field, const std::string& from,
                 const std::string& to) {
  const std::string text = change(constants(form, field), from, to);
  return refusal(Status::kInternal, [&] { read_constants(form, field, text); });
}

}  // namespace

TEST_CASE("constants multiply by what their names say") {
  for (const std::size_t w : std::vector<std::size_t>{4, 8, 16, 32}) {
    CAPTURE(w);
    const Field field(w);
    for (const WordForm* form : {&table_form(), &matrix_form()}) {
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
  CHECK(said(table_form(), field, "0x00, 0x02, 0x04", "0x00, 0x02, 0x05") ==
        "the source that was written is not that of its equations: the table of 0x2 has 0x5 at "
        "entry 2, not 0x4");
  CHECK(said(table_form(), field, "t02[32]", "t07[32]").find("the table of 0x7 has") !=
        std::string::npos);
  CHECK(said(table_form(), field, "t02[32]", "tx[32]").find("'tx' names no coefficient") !=
        std::string::npos);
  CHECK(said(table_form(), field, "t03[32]", "t02[32]").find("the table of 0x2 has") !=
        std::string::npos);
  CHECK(said(table_form(), field, "0x00, 0x02", "0x02").find("t02 has 31 numbers") !=
        std::string::npos);
  CHECK(said(table_form(), field, "0x00, 0x02", "f(), 0x02").find("no number") !=
        std::string::npos);
  // Every number counts.
  for (const std::size_t w : std::vector<std::size_t>{4, 8, 16, 32}) {
    const Field wide(w);
    for (const WordForm* form : {&table_form(), &matrix_form()}) {
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
      CHECK(entries == (form == &table_form() ? maps * 32 : maps));
    }
  }
}

}  // namespace xorloom
