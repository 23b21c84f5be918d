#include "runtime/kernels/isa.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/machine/option_names.hpp"

namespace xorloom {

TEST_CASE("instruction sets are told by name") {
  const std::vector<std::string> names(isa_names().begin(), isa_names().end());
  CHECK(names == std::vector<std::string>{"portable", "neon", "ssse3", "avx2", "avx2-gfni",
                                          "avx512", "avx512-gfni", "neon-sha3", "rvv"});
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(parse_isa(names[i]) == static_cast<Isa>(i));
    CHECK(to_string(static_cast<Isa>(i)) == names[i]);
  }
  for (const Isa isa : machine_isas()) CHECK(choose_isa(isa) == isa);
}

TEST_CASE("vectors have 16, 32 or 64 bytes, and every matrix multiplication has vectors") {
  CHECK(vector_bytes(Isa::kPortable) == 0);
  CHECK(vector_bytes(Isa::kNeon) == 16);
  CHECK(vector_bytes(Isa::kSsse3) == 16);
  CHECK(vector_bytes(Isa::kAvx2) == 32);
  CHECK(vector_bytes(Isa::kAvx2Gfni) == 32);
  CHECK(vector_bytes(Isa::kAvx512) == 64);
  CHECK(vector_bytes(Isa::kAvx512Gfni) == 64);
  CHECK(vector_bytes(Isa::kNeonSha3) == 16);
  CHECK(has_gfni(Isa::kAvx2Gfni));
  CHECK(has_gfni(Isa::kAvx512Gfni));
  CHECK(!has_gfni(Isa::kAvx512));
}

TEST_CASE("the machine's instruction sets are listed weakest first") {
  const std::vector<Isa>& isas = machine_isas();
  CHECK(isas.front() == Isa::kPortable);
  CHECK(std::ranges::is_sorted(isas));
}

TEST_CASE("an instruction set that is missing is refused, and so is an unknown name") {
  const std::vector<Isa>& isas = machine_isas();
  CHECK_THROWS_WITH_AS(parse_isa("sse"),
                       "isa = 'sse' is not portable, neon, ssse3, avx2, avx2-gfni, avx512, "
                       "avx512-gfni, neon-sha3 or rvv",
                       Error);
  for (std::size_t i = 0; i < isa_names().size(); ++i) {
    const auto isa = static_cast<Isa>(i);
    if (std::ranges::find(isas, isa) != isas.end()) continue;
    const std::string sentence = std::string("isa = ") + to_string(isa) +
                                 ", but the best this machine has is " + to_string(isas.back());
    CHECK_THROWS_WITH_AS(choose_isa(isa), sentence.c_str(), Error);
  }
  CHECK_THROWS_WITH_AS(choose_isa(static_cast<Isa>(isa_names().size())),
                       "isa = 'unknown' is not portable, neon, ssse3, avx2, avx2-gfni, avx512, "
                       "avx512-gfni, neon-sha3 or rvv",
                       Error);
}

}  // namespace xorloom
