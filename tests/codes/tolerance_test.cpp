#include "codes/tolerance.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

using Answer = Tolerance::Answer;

Code any_code(const std::string& spec) {
  return make_code(spec, {.packet_bytes = 0, .allow_non_mds = true});
}

}  // namespace

TEST_CASE("what construction proves, trying every set proves too") {
  for (const char* spec :
       {"cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0", "cauchy:k=5,m=3,w=3", "cauchy-good:k=7,m=2,w=3",
        "cauchy-good:k=10,m=4", "cauchy-good:k=6,m=1", "rs:k=8,m=4", "rs:k=12,m=4,w=4",
        "isa-cauchy:k=9,m=4", "isa-vandermonde:k=60,m=3", "isa-vandermonde:k=200,m=2"}) {
    CAPTURE(spec);
    Code code = any_code(spec);
    CHECK(decide_tolerance(code, code.m).sets_tried == 0);
    code.proof.clear();
    const Tolerance tried = decide_tolerance(code, code.m);
    CHECK(tried.answer == Answer::kProved);
    CHECK(static_cast<double>(tried.sets_tried) <= tried.sets_in_all);
    CHECK(tried.sets_tried > 0);
  }
}

TEST_CASE("ISA-L's Vandermonde matrix survives any 4 losses up to k = 21 and not from 22 on") {
  for (std::size_t k = 2; k <= 30; ++k) {
    CAPTURE(k);
    const Code code = any_code("isa-vandermonde:k=" + std::to_string(k) + ",m=4");
    const Tolerance tolerance = decide_tolerance(code, 4);
    CHECK((tolerance.answer == Answer::kProved) == (k <= 21));
    if (tolerance.answer == Answer::kProved) continue;
    CHECK(tolerance.failing.size() == 4);
    CHECK_FALSE(is_recoverable(code, tolerance.failing));
  }
}

TEST_CASE("one loss more than m is refuted with a set") {
  const Code code = any_code("rs:k=4,m=2");
  const Tolerance tolerance = decide_tolerance(code, 3);
  CHECK(tolerance.answer == Answer::kRefuted);
  CHECK_FALSE(is_recoverable(code, tolerance.failing));
  CHECK(tolerance.reason == "the loss of {0, 4, 5} cannot be rebuilt");
}

TEST_CASE("too many sets with no failing one among those tried are not decided") {
  Code code = any_code("rs:k=40,m=8");
  code.proof.clear();
  const Tolerance tolerance = decide_tolerance(code, 8);
  CHECK(tolerance.answer == Answer::kUndecided);
  CHECK(tolerance.reason == "3.77e+08 sets of 8 losses exceed the 10000000 tried exhaustively");
}

TEST_CASE("the most losses that a code survives are those of which all sets are rebuilt") {
  for (const char* const spec :
       {"lrc:k=8,m=4,l=3", "lrc:k=4,m=2,l=3", "hamming:k=4,m=3", "shec:k=6,m=4,c=3",
        "hover:k=5,r=3,v=2,h=1", "clay:k=4,m=2", "parity:k=3"}) {
    CAPTURE(spec);
    const Code code = any_code(spec);
    const auto most = most_losses_survived(code, code.promised_losses);
    REQUIRE(most);
    CHECK(sets_not_rebuilt(code, *most).empty());
    CHECK_FALSE(sets_not_rebuilt(code, *most + 1).empty());
    CHECK(*most == losses_survived(code));
  }
  const Code lrc = any_code("lrc:k=8,m=4,l=3");
  CHECK(lrc.promised_losses == 4);
  CHECK(most_losses_survived(lrc, 4) == 6);
}

TEST_CASE("what takes long to find out is not known of the most losses") {
  CHECK(most_losses_survived(any_code("rs:k=100,m=20"), 20) == 20);  // MDS
  const Code code = any_code("lrc:k=100,m=20,l=6");
  CHECK_FALSE(most_losses_survived(code, code.promised_losses));
}

TEST_CASE("more losses than locations are refused") {
  CHECK_THROWS_WITH_AS(decide_tolerance(any_code("rs:k=4,m=2"), 7),
                       "7 losses exceed the 6 locations of the code", Error);
}

TEST_CASE("many sets of losses are answered alike with the columns of each location at hand") {
  for (const char* const spec : {"rs:k=4,m=2", "lrc:k=8,m=2,l=5", "evenodd:k=5", "clay:k=4,m=2"}) {
    CAPTURE(spec);
    const Code code = any_code(spec);
    const auto columns = columns_by_location(code);
    for (std::size_t a = 0; a < code.locations; ++a) {
      for (std::size_t b = 0; b < code.locations; ++b) {
        for (std::size_t c = 0; c < code.locations; ++c) {
          const std::vector<std::size_t> lost{a, b, c};
          CHECK(is_recoverable(code, lost, columns) == is_recoverable(code, lost));
        }
      }
    }
  }
}

TEST_CASE("one loss of very many locations is decided without a look at all data for each") {
  Code code = any_code("rs:k=60000,m=2,w=16");
  code.proof.clear();
  CHECK(decide_tolerance(code, 1).answer == Answer::kProved);
  CHECK(sets_not_rebuilt(code, 1).empty());
}

}  // namespace xorloom
