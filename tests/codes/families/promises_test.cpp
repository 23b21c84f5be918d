// Tries the losses that families promise to survive: every set of the promised size, whatever is
// proved about them.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "codes/tolerance.hpp"

namespace xorloom {
namespace {

void check_promise(const std::string& spec, std::size_t promised) {
  CAPTURE(spec);
  Code code = make_code(spec);
  CHECK(code.promised_losses == promised);
  code.proof.clear();
  const Tolerance tolerance = decide_tolerance(code, promised);
  CAPTURE(tolerance.reason);
  CHECK(tolerance.answer == Tolerance::Answer::kProved);
  CHECK(tolerance.sets_tried > 0);
}

/// The sum of the operands less one over the redundant bits: direct XORs a redundant bit.
double density(const std::string& spec) {
  const Code code = make_code(spec);
  const auto bits = static_cast<double>(code.redundant.size() * code.field.w());
  return static_cast<double>(bitmatrix(code).weight()) / bits - 1;
}

TEST_CASE("codes of two redundant locations survive any two losses") {
  for (std::size_t k = 1; k <= 13; ++k) {
    check_promise(fmt::format("raid6:k={}", k), 2);
    check_promise(fmt::format("liberation:k={}", k), 2);
    check_promise(fmt::format("blaum-roth:k={}", k), 2);
    check_promise(fmt::format("evenodd:k={}", k), 2);
    check_promise(fmt::format("rdp:k={}", k), 2);
    if (k <= 8) check_promise(fmt::format("liber8tion:k={}", k), 2);
  }
  check_promise("raid6:k=12,w=4", 2);
  check_promise("raid6:k=5,w=16", 2);
  check_promise("raid6:k=5,w=32", 2);
  check_promise("raid6:k=6,w=3,arrangement=packet", 2);
  check_promise("liberation:k=4,w=13", 2);
  check_promise("blaum-roth:k=3,w=4", 2);
  check_promise("evenodd:k=2,p=11", 2);
  check_promise("rdp:k=2,p=13", 2);
  for (const std::size_t p : {3UL, 5UL, 7UL, 11UL}) check_promise(fmt::format("x-code:p={}", p), 2);
}

TEST_CASE("Matrices of other software survive what they promise") {
  for (std::size_t k = 1; k <= 9; ++k) {
    for (std::size_t m = 1; m <= 5; ++m) {
      for (const char* matrix : {"vandermonde", "zfec", "snapraid"}) {
        check_promise(fmt::format("rs:k={},m={},matrix={}", k, m, matrix), m);
      }
    }
    for (std::size_t m = 1; m <= 3; ++m) {
      for (const char* matrix : {"par1", "snapraid-z", "raidz"}) {
        check_promise(fmt::format("rs:k={},m={},matrix={}", k, m, matrix), m);
      }
    }
  }
  check_promise("rs:k=200,m=2,matrix=vandermonde", 2);
  check_promise("rs:k=251,m=2,matrix=snapraid", 2);
  check_promise("rs:k=255,m=2,matrix=raidz", 2);
  check_promise("rs:k=5,m=3,w=4,matrix=zfec", 3);
  check_promise("rs:k=12,m=5,w=4,matrix=snapraid", 5);
  check_promise("rs:k=15,m=3,w=4,matrix=raidz", 3);
  check_promise("rs:k=15,m=3,w=4,matrix=snapraid-z", 3);
  check_promise("rs:k=5,m=3,w=16,matrix=snapraid", 3);
  check_promise("rs:k=4,m=3,w=5,matrix=vandermonde,arrangement=packet", 3);
  check_promise("rs:k=3,m=3,w=32,matrix=snapraid", 3);
}

TEST_CASE("PAR1's matrix of more than three rows is tried, and refused where it fails") {
  CHECK(make_code("rs:k=2,m=4,matrix=par1").proof.empty());
  CHECK_THROWS_AS(make_code("rs:k=3,m=4,matrix=par1"), Error);  // 1 + 2 + 3 is 0
  CHECK(make_code("rs:k=50,m=4,matrix=par1", {.allow_non_mds = true}).promised_losses == 4);
}

TEST_CASE(
    "isa-vandermonde with four redundant locations has a proof where it survives four losses") {
  for (std::size_t k = 1; k <= 24; ++k) {
    CAPTURE(k);
    Code code = make_code(fmt::format("isa-vandermonde:k={},m=4", k), {.allow_non_mds = true});
    const bool is_proved = !code.proof.empty();
    code.proof.clear();
    CHECK(is_proved == (decide_tolerance(code, 4).answer == Tolerance::Answer::kProved));
    CHECK(is_proved == (k <= 21));
  }
}

TEST_CASE("small codes and codes of words survive what they promise") {
  for (const std::size_t k : {1UL, 2UL, 9UL}) check_promise(fmt::format("parity:k={}", k), 1);
  for (std::size_t m = 2; m <= 5; ++m) check_promise(fmt::format("hamming:m={}", m), 2);
  for (std::size_t k = 1; k <= 8; ++k) {
    for (std::size_t m = 1; m <= k && m <= 4; ++m) {
      for (std::size_t c = 1; c <= m; ++c) {
        check_promise(fmt::format("shec:k={},m={},c={}", k, m, c), c);
      }
    }
  }
  for (const char* spec :
       {"lrc:k=2,m=2,l=2", "lrc:k=4,m=2,l=3", "lrc:k=6,m=2,l=4", "lrc:k=4,m=4,l=4"}) {
    check_promise(spec, make_code(spec).m);
  }
  check_promise("lrc:k=8,m=4,l=3", 4);
  for (const char* spec : {"clay:k=2,m=2", "clay:k=4,m=2", "clay:k=4,m=3,d=5", "clay:k=3,m=1",
                           "clay:k=3,m=2,d=3", "clay:k=6,m=3,d=7"}) {
    check_promise(spec, make_code(spec).m);
  }
}

TEST_CASE("past its promise shec gives back all but so many sets of up to m, which are listed") {
  using Sets = std::vector<std::vector<std::size_t>>;
  const auto not_rebuilt = [](const std::string& spec, std::size_t losses) {
    return sets_not_rebuilt(make_code(spec), losses);
  };
  CHECK(not_rebuilt("shec:k=3,m=2,c=1", 2) == Sets{{0, 3}, {1, 2}, {1, 4}, {2, 4}});
  CHECK(
      not_rebuilt("shec:k=4,m=3,c=2", 3) ==
      Sets{{0, 1, 4}, {0, 1, 5}, {0, 4, 5}, {1, 4, 5}, {2, 3, 4}, {2, 3, 6}, {2, 4, 6}, {3, 4, 6}});
  CHECK(not_rebuilt("shec:k=5,m=2,c=1", 2).size() == 9);
  CHECK(not_rebuilt("shec:k=6,m=4,c=3", 4).size() == 31);
  CHECK(not_rebuilt("shec:k=8,m=4,c=2", 3).size() == 24);
  CHECK(not_rebuilt("shec:k=8,m=4,c=2", 4).size() == 255);
  CHECK(not_rebuilt("shec:k=12,m=7,c=4", 5).size() == 88);
  CHECK(not_rebuilt("shec:k=12,m=7,c=4", 6).size() == 2752);
}

TEST_CASE("what a two-dimensional code survives is computed") {
  CHECK(make_code("hover:k=5,r=3,v=2,h=1").promised_losses == 2);
  CHECK(make_code("hover:k=7,r=4,v=3,h=1").promised_losses == 3);
  CHECK(make_code("hover:k=4,r=1,v=0,h=1").promised_losses == 1);
  CHECK(make_code("hover:k=5,r=3,v=2,h=0").promised_losses == 2);
}

TEST_CASE("density is what the families are known for") {
  // k - 1 XORs for P, k - 1 + (k - 1)/w for Q.
  for (const std::size_t k : {3UL, 5UL, 7UL}) {
    const auto n = static_cast<double>(k);
    CHECK(density(fmt::format("liberation:k={},w=7", k)) == doctest::Approx(n - 1 + (n - 1) / 14));
    CHECK(density(fmt::format("blaum-roth:k={},w=10", k)) == doctest::Approx(n - 1 + (n - 1) / 20));
    CHECK(density(fmt::format("liber8tion:k={}", k)) == doctest::Approx(n - 1 + (n - 1) / 16));
  }
  // X-code: p - 3 XORs a bit, the fewest there can be.
  CHECK(density("x-code:p=7") == doctest::Approx(4));
}

TEST_CASE("primes") {
  CHECK_FALSE(is_prime(0));
  CHECK_FALSE(is_prime(1));
  CHECK(is_prime(2));
  CHECK_FALSE(is_prime(9));
  CHECK(is_prime(4093));
  CHECK(prime_from(8) == 11);
  CHECK(prime_from(11) == 11);
}

}  // namespace
}  // namespace xorloom
