#include "runtime/engine/computation.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "tests/runtime/engine/packet_scene.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

Program encoding_of(const Code& code) {
  return code.arrangement == Arrangement::kWord ? direct_symbols(code, encoding_map(code))
                                                : direct_encoding(code);
}

PlanOptions by_kernels(Isa isa) { return {.isa = isa, .engine = Engine::kKernels}; }

TEST_CASE("Machine code and kernels compute the same over any range of columns") {
  for (const Isa isa : isas_with_code()) {
    for (const char* spec : {"cauchy-good:k=4,m=2,w=4", "cauchy-good:k=4,m=2,w=4,packet_bytes=4096",
                             "cauchy-good:k=4,m=2,w=4,packet_bytes=96", "rs:k=4,m=2",
                             "rs:k=11,m=3,w=4", "isa-cauchy:k=5,m=13"}) {
      const Code code = make_code(spec);
      const Program program = encoding_of(code);
      const auto made = make_computation(code, program, {.isa = isa});
      const auto kernels = make_computation(code, program, by_kernels(isa));
      CAPTURE(to_string(isa));
      CAPTURE(spec);
      CHECK(made->has_code());
      CHECK_FALSE(kernels->has_code());
      CHECK(made->cost() == kernels->cost());
      const std::size_t multiples = 8192 / made->columns(chunk_multiple(code));
      const std::size_t chunk_bytes = multiples * chunk_multiple(code);
      const std::size_t columns = made->columns(chunk_bytes);
      CHECK(columns == kernels->columns(chunk_bytes));
      const std::size_t step = made->facts().column_multiple;
      for (const Stores stores : {Stores::kNear, Stores::kOrdinary, Stores::kNonTemporal}) {
        for (const std::size_t begin : {0 * step, step, 9 * step}) {
          for (const std::size_t width : {0 * step, step, 7 * step, 40 * step}) {
            CAPTURE(begin);
            CAPTURE(width);
            const std::size_t end = std::min(columns, begin + width);
            Stripe stripe(code.locations, chunk_bytes, 1);
            Stripe want = stripe;
            made->run(stripe.chunks(), chunk_bytes, begin, end, stores);
            kernels->run(want.chunks(), chunk_bytes, begin, end, stores);
            CHECK(stripe == want);
            CHECK(stripe.guards_intact());
          }
        }
      }
    }
  }
}

TEST_CASE("Packets are tried at another size unless their size is a part of machine code") {
  for (const Isa isa : machine_isas()) {
    const Code packets = make_code("cauchy-good:k=4,m=2,w=4,packet_bytes=4096");
    const auto made = make_computation(packets, encoding_of(packets), {.isa = isa});
    CHECK((made->with_packet_bytes(64) == nullptr) == made->has_code());
    const auto kernels = make_computation(packets, encoding_of(packets), by_kernels(isa));
    const auto cut = kernels->with_packet_bytes(64);
    REQUIRE(cut);
    CHECK(cut->cost() == kernels->cost());
    const Code words = make_code("rs:k=4,m=2");
    CHECK_FALSE(make_computation(words, encoding_of(words), {.isa = isa})->with_packet_bytes(64));
  }
}

TEST_CASE("Why kernels run is said where a program is empty or reads too much") {
  for (const Isa isa : isas_with_code()) {
    CAPTURE(to_string(isa));
    const Code packets = packet_layout(300, 1, 64);
    Program sum{300, 1, {}, {299}, {{299, {}}}};
    CHECK(why_kernels(packets, {300, 1, {}, {}, {}}, {.isa = isa}) ==
          "there is nothing to compute");
    for (Element e = 0; e < 299; ++e) {
      sum.inputs.push_back(e);
      sum.equations[0].operands.push_back(e);
    }
    CHECK_FALSE(make_computation(packets, sum, {.isa = isa})->has_code());
    CHECK(why_kernels(packets, sum, {.isa = isa}) == "300 locations exceed 256");
    CHECK(why_kernels(packets, sum, by_kernels(isa)) == "asked for");
    const Code words = make_code("rs:k=1600,m=1,w=16");
    CHECK(why_kernels(words, encoding_of(words), {.isa = isa}) == "symbols of 16 bits exceed 8");
  }
}

}  // namespace
}  // namespace xorloom
