#include "equations/passes/reuse_rebuilt.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

TEST_CASE("All losses hold with rebuilt data reused, and never take more XORs") {
  std::size_t num_better = 0;
  for (const char* spec : {"cauchy-good:k=4,m=3,w=4", "isa-vandermonde:k=4,m=3"}) {
    const Code code = make_code(spec);
    for (unsigned set = 1; set < 128; ++set) {
      std::vector<std::size_t> lost;
      for (std::size_t i = 0; i < 7; ++i) {
        if ((set >> i & 1U) != 0) lost.push_back(i);
      }
      if (lost.size() > 3) continue;
      CAPTURE(spec);
      CAPTURE(set);
      const Program direct = direct_decoding(code, lost);
      const Program reused = reuse_rebuilt(code, direct);
      check_program(reused);
      CHECK_NOTHROW(prove(reused, code));
      CHECK(reused.inputs == direct.inputs);
      CHECK(reused.outputs == direct.outputs);
      CHECK(cost(reused).xors <= cost(direct).xors);
      if (cost(reused).xors < cost(direct).xors) ++num_better;
    }
  }
  CHECK(num_better > 20);
}

TEST_CASE("Where no data are rebuilt, or none redundant, nothing changes") {
  const Code code = make_code("cauchy-good:k=4,m=2,w=4");
  const std::vector<std::size_t> data_lost{0, 1};
  const Program decoding = direct_decoding(code, data_lost);
  CHECK(reuse_rebuilt(code, decoding) == decoding);
  const Program encoding = direct_encoding(code);
  CHECK(reuse_rebuilt(code, encoding) == encoding);
  const Program update = direct_update(code, data_lost);
  CHECK(reuse_rebuilt(code, update) == update);
}

}  // namespace
}  // namespace xorloom
