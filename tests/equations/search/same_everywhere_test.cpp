// Results of searches from a seed: numbers that hold on every processor, with every compiler and C
// library.

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codes/bits.hpp"
#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/sparse_sums.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/cores/spread.hpp"
#include "equations/cores/tailor.hpp"
#include "equations/network/route_choice.hpp"
#include "equations/passes/gate_prices.hpp"
#include "equations/reads/fewest_reads.hpp"
#include "equations/request/request.hpp"
#include "equations/search/gate_search.hpp"
#include "equations/search/optimize.hpp"
#include "equations/search/syndrome_programs.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/program_digest.hpp"

namespace xorloom {
namespace {

struct Found {
  std::string what;
  std::function<std::uint64_t()> digest;
  std::uint64_t expected;
};

void check_all(const std::vector<Found>& all) {
  for (const Found& found : all) {
    CAPTURE(found.what);
    CHECK(found.digest() == found.expected);
  }
}

std::uint64_t digest_of(const LinearMap& map) {
  test::Digest digest;
  for (const Cell cell : map.inputs) digest.add(cell);
  for (std::size_t row = 0; row < map.coefficients.rows(); ++row) {
    for (const Field::Symbol symbol : map.coefficients.row(row)) digest.add(symbol);
  }
  return digest.value();
}

std::uint64_t digest_of(const CoreSchedule& plan) {
  test::Digest digest;
  for (const CoreStep& step : plan.steps) {
    for (const std::size_t number : {step.core, step.step}) digest.add(number);
    for (const Element element : {step.target, step.operands[0], step.operands[1]}) {
      digest.add(element);
    }
  }
  return digest.value();
}

Program direct(const char* spec) { return direct_encoding(make_code(spec)); }

std::uint64_t digest_of_search(const char* spec, Effort effort, std::uint64_t seed,
                               std::size_t depth = 0) {
  Search search{.effort = effort, .seed = seed, .depth = depth};
  if (effort == Effort::kMax) search.steps = 100'000;
  return test::digest(optimize(direct(spec), search));
}

TEST_CASE("The same seed gives the same equations of few XORs on every machine") {
  check_all({
      {"one greedy circuit",
       [] { return digest_of_search("cauchy-good:k=10,m=4,w=8", Effort::kFast, 1); },
       16673564237138416799U},
      {"one walk", [] { return digest_of_search("cauchy-good:k=6,m=3,w=8", Effort::kQuick, 2); },
       10390828407234550136U},
      {"many moves", [] { return digest_of_search("cauchy:k=6,m=3,w=4", Effort::kMax, 3); },
       845874442263975044U},
      {"few levels", [] { return digest_of_search("cauchy-good:k=5,m=2,w=4", Effort::kMax, 4, 5); },
       2717041342241022593U},
      {"equations that rebuild",
       [] {
         const Program start =
             searched_program(make_code("cauchy-good:k=8,m=3,w=4"), {.erased = {0, 5}});
         return test::digest(optimize(start, {.effort = Effort::kMax, .seed = 5, .steps = 50'000}));
       },
       8333212052140615136U},
  });
}

TEST_CASE("The same code gives the same equations over symbols on every machine") {
  const auto decoding = [](const char* spec, const auto& find) {
    const Code code = make_code(spec);
    const std::vector<std::size_t> lost{0, 1, 2};
    return test::digest(*find(code, decoding_map(code, lost, {})));
  };
  check_all({
      {"shared terms",
       [] {
         return test::digest(
             optimize(direct_encoding(make_code("lrc:k=8,m=4,l=3"), {}, Over::kSymbols)));
       },
       16368542256424023037U},
      {"elimination", [&] { return decoding("rs:k=10,m=4", elimination_program); },
       17671915419862005463U},
      {"transforms", [&] { return decoding("leopard:k=16,m=4", transform_program); },
       6530094407239041260U},
      {"the code's sums",
       [] {
         const Code code = make_code("clay:k=8,m=4");
         return test::digest(sparse_sums(code, encoding_map(code)).value().program);
       },
       13794162258413442533U},
  });
}

TEST_CASE("The same seed gives the same gates and plans for cores on every machine") {
  const auto few = [] {
    return optimize(direct("cauchy-good:k=6,m=3,w=4"), {.effort = Effort::kFast});
  };
  check_all({
      {"gates of prices",
       [&] {
         const GatePrices prices({{2, 1000}, {3, 1700}, {4, 2900}});
         return test::digest(search_gates(few(), {.prices = prices, .seed = 6, .moves = 500}));
       },
       10626268313386560321U},
      {"gates of few levels",
       [&] {
         return test::digest(
             search_gates(few(), {.inputs = 4, .depth = 3, .seed = 7, .moves = 500}));
       },
       9950742705344826955U},
      {"a plan of a program", [&] { return digest_of(schedule_on_cores(few(), 3)); },
       14046034278116951655U},
      {"a program made for cores",
       [] {
         const Search search{.effort = Effort::kMax, .seed = 8, .steps = 50'000};
         const TailoredProgram found =
             tailor_to_cores(direct("cauchy-good:k=5,m=2,w=4"), 4, search);
         return digest_of(found.plan) ^ test::digest(found.program);
       },
       2450903033656915242U},
      {"a program spread over cores",
       [&] {
         const SpreadProgram spread = spread_over_cores(
             few(), 3, {}, SpreadGoal::kLatency,
             [](const Program& program) { return optimize(program, {.effort = Effort::kFast}); });
         return test::digest(spread.program) ^ digest_of(schedule_of(spread, 3));
       },
       14658270234308425351U},
  });
}

TEST_CASE("The same repair reads the same cells and takes the same routes on every machine") {
  const auto reads = [](const char* spec, ReadRequest request) {
    return digest_of(fewest_reads(readable(make_code(spec)), request).map);
  };
  check_all({
      {"all sets tried", [&] { return reads("evenodd:k=5,p=5", {.lost = {1}}); },
       14580161904314876178U},
      {"sets exchanged", [&] { return reads("evenodd:k=11,p=11", {.lost = {3}}); },
       16571980379784630342U},
      {"sets of symbols exchanged",
       [&] {
         return reads("clay:k=6,m=3", {.lost = {0, 8}});
       },
       4821894083756123687U},
      {"routes",
       [] {
         Topology topology;
         for (std::size_t r = 0; r < 3; ++r) {
           topology.racks.push_back(
               {"r" + std::to_string(r), {3e8 / static_cast<double>(1 + r), 2.5e8}});
           for (std::size_t n = 0; n < 3; ++n) {
             const double speed = 1e8 * (1.1 + 0.7 * static_cast<double>((5 * r + 3 * n) % 7));
             topology.nodes.push_back({"n" + std::to_string(3 * r + n), r, {speed, speed / 1.3}});
           }
         }
         RouteRequest request;
         request.erased = {2};
         request.chunk_bytes = 1'000'003;
         test::Digest digest;
         const RouteChoice choice = choose_routes(make_code("rs:k=5,m=3"), topology, request);
         for (const TimedRoute& route : choice.routes) {
           for (const std::size_t parent : route.parents) digest.add(parent);
           for (const double bytes : route.time.bytes_sent) {
             digest.add(static_cast<std::uint64_t>(bytes));
           }
         }
         return digest.value();
       },
       3599390988113355577U},
  });
}

}  // namespace
}  // namespace xorloom
