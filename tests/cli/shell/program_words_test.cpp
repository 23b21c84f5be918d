#include "cli/shell/program_words.hpp"

#include <doctest/doctest.h>

#include <string>

#include "codes/families/families.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

TEST_CASE("the library names its own options, and the program says what they are to it") {
  std::string said;
  try {
    make_code("cauchy:k=2,m=2,w=2,x=0+1,y=2+3");
    make_code("isa-vandermonde:k=22,m=4");
  } catch (const Error& error) {
    said = error.what();
  }
  CHECK(said.ends_with("; option allow_non_mds accepts it anyway"));
  CHECK(in_program_words(said).ends_with("; --allow-non-mds accepts it anyway"));
  CHECK(
      in_program_words("option allow_large lifts it; choose one with option set: a, option set") ==
      "--allow-large lifts it; choose one with --set: a, --set");
  CHECK(in_program_words("and option salvage of decode writes what is left") ==
        "and decode --salvage -o FILE writes what is left");
}

TEST_CASE("other words stay as they are") {
  for (const char* sentence : {"", "option", "the option settings", "an_option set2",
                               "adoption set", "option allow_larger", "--set"}) {
    CHECK(in_program_words(sentence) == std::string(sentence));
  }
}

}  // namespace xorloom::cli
