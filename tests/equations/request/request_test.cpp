#include "equations/request/request.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "codes/bits.hpp"
#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/oracle.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/share_pairs.hpp"
#include "equations/search/optimize.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/subsets.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

using test::members;
using Numbers = std::vector<std::size_t>;
using Packet = std::vector<std::uint8_t>;

constexpr const char* kSmallCodes[] = {kWorkedExample, "cauchy-good:k=4,m=2,w=4"};

/// Three locations of a data element and, below it, the parity of the other two's.
Code mixed_code() {
  Code code;
  code.family = "mixed";
  code.k = 2;
  code.m = 1;
  code.w = 1;
  code.locations = 3;
  code.subchunks = 2;
  code.data = {0, 2, 4};
  code.redundant = {1, 3, 5};
  code.parity = Matrix(3, 3);
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) code.parity(r, c) = r == c ? 0 : 1;
  }
  code.packet_bytes = 8;
  code.promised_losses = 1;
  return code;
}

/// One super-block, encoded by the oracle.
Stripe encoded(const Code& code, std::uint64_t seed) {
  Stripe stripe(code.locations, chunk_multiple(code), seed);
  oracle(code, encoding_map(code), stripe.chunks(), stripe.chunk_bytes());
  return stripe;
}

std::span<std::uint8_t> packet_of(const Code& code, Stripe& stripe, Element element) {
  return stripe.chunk(element / code.rows())
      .subspan(element % code.rows() * code.packet_bytes, code.packet_bytes);
}

/// Runs a program on packets, equation by equation. Returns all values.
std::map<Element, Packet> run(const Program& program, std::map<Element, Packet> values,
                              std::size_t packet_bytes) {
  for (const Equation& equation : program.equations) {
    Packet sum(packet_bytes);
    for (const Element operand : equation.operands) {
      for (std::size_t i = 0; i < packet_bytes; ++i) sum[i] ^= values.at(operand)[i];
    }
    values[equation.target] = sum;
  }
  return values;
}

/// Checks that a program keeps its invariants, is right for the code, and reads all of its inputs.
void check_sound(const Code& code, const Program& program) {
  REQUIRE_NOTHROW(check_program(program));
  REQUIRE(find_disagreement(program, code) == std::nullopt);
  std::set<Element> read;
  for (const Equation& equation : program.equations) {
    read.insert(equation.operands.begin(), equation.operands.end());
  }
  REQUIRE(read == std::set<Element>(program.inputs.begin(), program.inputs.end()));
}

void check_forms(const Code& code, const Program& program) {
  const EquationFile file = proved_equations(code, program, "direct", 3);
  REQUIRE(read_equations(write_json(file)) == file);
  EquationFile as_text = read_equations(write_text(file));
  as_text.plan = file.plan;
  as_text.plan_cost = file.plan_cost;
  REQUIRE(as_text == file);
}

std::vector<Element> elements_at(const Code& code, const Numbers& locations, const Numbers& rows) {
  std::vector<Element> elements;
  for (const std::size_t location : locations) {
    for (std::size_t row = 0; row < code.rows(); ++row) {
      if (rows.empty() || std::ranges::find(rows, row) != rows.end()) {
        elements.push_back(code.element(location, row));
      }
    }
  }
  return elements;
}

/// Every single row, and all of them.
std::vector<Numbers> row_sets(const Code& code) {
  std::vector<Numbers> sets{{}};
  for (std::size_t row = 0; row < code.rows(); ++row) sets.push_back({row});
  return sets;
}

/// An update as a matrix: each updated element is its old value and the differences of the data
/// elements it depends on.
BitMatrix update_matrix(const Code& code, const Program& program) {
  const BitMatrix bits = bitmatrix(code);
  const std::vector<Element> data = elements_of(code, code.data);
  const std::vector<Element> redundant = elements_of(code, code.redundant);
  const auto index = [](const std::vector<Element>& list, Element element) {
    return static_cast<std::size_t>(std::ranges::find(list, element) - list.begin());
  };
  BitMatrix matrix(program.outputs.size(), program.inputs.size());
  for (std::size_t o = 0; o < program.outputs.size(); ++o) {
    const Element updated = program.virtual_element(program.outputs[o])->element;
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
      const auto [kind, element] = *program.virtual_element(program.inputs[i]);
      const bool adds = kind == VirtualElement::Kind::kOld
                            ? element == updated
                            : bits(index(redundant, updated), index(data, element));
      if (adds) matrix.flip(o, i);
    }
  }
  return matrix;
}

/// Changes the data of locations in an encoded stripe and checks that the update's equations, and
/// the oracle with the update's matrix, make of it what encoding anew does.
void check_update_of_bytes(const Code& code, const Program& program, const Numbers& updated,
                           bool all_rows) {
  Stripe before = encoded(code, 7);
  Stripe after = encoded(code, 8);
  const std::vector<Element> data = elements_of(code, code.data);
  for (const Element element : data) {
    if (std::ranges::find(updated, element / code.rows()) != updated.end()) continue;
    std::ranges::copy(packet_of(code, before, element), packet_of(code, after, element).begin());
  }
  oracle(code, encoding_map(code), after.chunks(), after.chunk_bytes());

  Stripe inputs(code.locations + program.virtuals.size() / code.rows() + 1, before.chunk_bytes(),
                9);
  std::map<Element, Packet> values;
  for (const Element input : program.inputs) {
    const auto [kind, element] = *program.virtual_element(input);
    const auto old_bytes = packet_of(code, before, element);
    Packet packet(old_bytes.begin(), old_bytes.end());
    if (kind == VirtualElement::Kind::kDifference) {
      const auto new_bytes = packet_of(code, after, element);
      for (std::size_t i = 0; i < packet.size(); ++i) packet[i] ^= new_bytes[i];
    }
    std::ranges::copy(packet, packet_of(code, inputs, input).begin());
    values[input] = std::move(packet);
  }
  values = run(program, values, code.packet_bytes);
  oracle_packets(update_matrix(code, program), program.inputs, program.outputs, code.rows(),
                 code.packet_bytes, inputs.chunks(), inputs.chunk_bytes());

  std::set<Element> changed;
  for (const Element output : program.outputs) {
    const Element element = program.virtual_element(output)->element;
    changed.insert(element);
    REQUIRE(std::ranges::equal(values.at(output), packet_of(code, after, element)));
    REQUIRE(std::ranges::equal(packet_of(code, inputs, output), packet_of(code, after, element)));
  }
  for (const Element element : elements_of(code, code.redundant)) {
    if (!all_rows || changed.contains(element)) continue;
    REQUIRE(std::ranges::equal(packet_of(code, before, element), packet_of(code, after, element)));
  }
}

void check_refused(const Code& code, const Request& request, const char* sentence) {
  CHECK_THROWS_WITH_AS(direct_program(code, request), sentence, Error);
}

}  // namespace

TEST_CASE("asked for nothing, the redundancy is computed; asked for a loss, what was lost") {
  const Code code = make_code(kWorkedExample);
  CHECK(direct_program(code, Request{}) == direct_encoding(code));
  CHECK(direct_program(code, {.erased = {0, 5}, .wanted = {0}}) ==
        direct_decoding(code, Numbers{0, 5}, Numbers{0}));
  CHECK(direct_program(code, {.updated = {2}}) == direct_update(code, Numbers{2}));
}

TEST_CASE("every loss, whole or a row of it, is rebuilt as the oracle encoded it") {
  for (const char* spec : kSmallCodes) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    Stripe stripe = encoded(code, 3);
    for (std::uint32_t mask = 0; mask < 1U << code.locations; ++mask) {
      CAPTURE(mask);
      const Numbers lost = members(mask);
      Numbers computed = lost;
      if (lost.empty()) {
        for (std::size_t r = code.k; r < code.locations; ++r) computed.push_back(r);
      }
      for (const Numbers& rows : row_sets(code)) {
        const Request request{.erased = lost, .rows = rows};
        if (lost.size() > code.m) {
          REQUIRE_THROWS_AS(direct_program(code, request), Error);
          continue;
        }
        const Program program = direct_program(code, request);
        check_sound(code, program);
        REQUIRE(program.outputs == elements_at(code, computed, rows));
        std::map<Element, Packet> values;
        for (const Element input : program.inputs) {
          REQUIRE(std::ranges::find(computed, input / code.rows()) == computed.end());
          const auto bytes = packet_of(code, stripe, input);
          values[input] = Packet(bytes.begin(), bytes.end());
        }
        values = run(program, values, code.packet_bytes);
        for (const Element output : program.outputs) {
          REQUIRE(std::ranges::equal(values.at(output), packet_of(code, stripe, output)));
        }
      }
    }
  }
}

TEST_CASE("rows are outputs in ascending order, whatever the order they are asked in") {
  const Code code = make_code(kWorkedExample);
  const Program program = direct_program(code, {.erased = {6, 1}, .rows = {2, 0}});
  CHECK(program.outputs == std::vector<Element>{3, 5, 18, 20});
  CHECK(direct_program(code, {.rows = {0, 1, 2}}) == direct_encoding(code));
  check_forms(code, program);
}

TEST_CASE("of what is wanted, a single row reads no more than it needs") {
  const Code code = make_code(kWorkedExample);
  const Program program = direct_program(code, {.erased = {0, 3}, .wanted = {0}, .rows = {1}});
  CHECK(program.outputs == std::vector<Element>{1});
  CHECK(program.equations.size() == 1);
  CHECK(program.inputs.size() == program.equations.front().operands.size());
}

TEST_CASE("every update carries its change over as encoding anew would") {
  for (const char* spec : kSmallCodes) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    for (std::uint32_t mask = 1; mask < 1U << code.k; ++mask) {
      CAPTURE(mask);
      const Numbers updated = members(mask);
      for (const Numbers& rows : row_sets(code)) {
        const Program program = direct_program(code, {.updated = updated, .rows = rows});
        check_sound(code, program);
        REQUIRE(evaluate_symbolically(program) == update_matrix(code, program));
        REQUIRE(program.outputs.size() == elements_at(code, {code.k, code.k + 1}, rows).size());
        check_update_of_bytes(code, program, updated, rows.empty());
        if (updated.size() < 3) check_forms(code, program);
      }
    }
  }
}

TEST_CASE("an update costs an XOR for each redundant element a changed element is in") {
  const Code code = make_code(kWorkedExample);
  const BitMatrix bits = bitmatrix(code);
  for (std::size_t location = 0; location < code.k; ++location) {
    std::size_t ones = 0;
    for (std::size_t r = 0; r < bits.rows(); ++r) {
      for (std::size_t row = 0; row < code.rows(); ++row) {
        ones += bits(r, code.element(location, row)) ? 1U : 0U;
      }
    }
    CHECK(cost(direct_program(code, {.updated = {location}})).xors == ones);
  }
}

TEST_CASE("the update of a chunk of the worked example reads as it would be written by hand") {
  const Code code = make_code(kWorkedExample);
  const Program program = direct_program(code, {.updated = {2}});
  const std::string text = write_text(proved_equations(code, program, "direct"));
  CAPTURE(text);
  CHECK(text.find("inputs:  d6-d8,old15-old20\n"
                  "outputs: new15-new20\n"
                  "# dN: old XOR new of element N; oldN and newN: what it holds before and after\n"
                  "\n"
                  "eq. 1: new15 = XOR(d7,old15)\n"
                  "eq. 2: new16 = XOR(d7,d8,old16)\n"
                  "eq. 3: new17 = XOR(d6,d8,old17)\n"
                  "eq. 4: new18 = XOR(d6,d7,d8,old18)\n"
                  "eq. 5: new19 = XOR(d6,old19)\n"
                  "eq. 6: new20 = XOR(d6,d7,old20)\n") != std::string::npos);
}

TEST_CASE("a search begins with the survivors that take the fewest XORs once pairs are shared") {
  const Code code = make_code("cauchy-good:k=6,m=3,w=4");
  std::size_t num_better = 0;
  for (std::uint32_t mask = 1; mask < 1U << 6; ++mask) {
    if (std::popcount(mask) > 3) continue;
    const Request request{.erased = members(mask), .read_work = 0};
    const Program searched = searched_program(code, request);
    check_sound(code, searched);
    std::size_t fewest = static_cast<std::size_t>(-1);
    for (std::uint32_t used = 1; used < 1U << 3; ++used) {
      Numbers redundant;
      for (const std::size_t i : members(used)) redundant.push_back(6 + i);
      const auto map = recovery_map(code, request.erased, request.erased, redundant);
      if (map) fewest = std::min(fewest, share_pairs(direct_program(code, *map)).xors());
    }
    const std::size_t xors = share_pairs(searched).xors();
    CHECK(xors == fewest);
    const std::size_t of_direct = share_pairs(direct_program(code, request)).xors();
    CHECK(xors <= of_direct);
    num_better += xors < of_direct ? 1U : 0U;
  }
  CHECK(num_better > 0);
  CHECK(searched_program(code, {}) == direct_program(code, Request{}));
  const Request update{.updated = {2}};
  CHECK(searched_program(code, update) == direct_program(code, update));
  CHECK_THROWS_AS(searched_program(code, {.erased = {0}, .updated = {2}}), Error);
}

TEST_CASE("a search begins with the cells that cost the least if these take fewer XORs") {
  std::size_t num_better = 0;
  for (const char* const spec : {kWorkedExample, "cauchy:k=4,m=3,w=4", "cauchy:k=4,m=2,w=4",
                                 "evenodd:k=5,p=5", "clay:k=2,m=2"}) {
    const Code code = make_code(spec);
    for (std::size_t lost = 0; lost < code.locations; ++lost) {
      CAPTURE(spec);
      CAPTURE(lost);
      const auto found_xors = [&](const Request& request) {
        const Program start = searched_program(code, request);
        CHECK(find_disagreement(start, code) == std::nullopt);
        return xors(optimize(start, {.effort = Effort::kFast}));
      };
      const std::size_t any = found_xors({.erased = {lost}});
      CHECK(any <= found_xors({.erased = {lost}, .reads_least = true}));
      const std::size_t of_chunks = found_xors({.erased = {lost}, .read_work = 0});
      CHECK(any <= of_chunks);
      num_better += any < of_chunks ? 1U : 0U;
    }
  }
  CHECK(num_better > 0);
}

TEST_CASE("where locations hold data and redundancy, an update changes the data of its own alone") {
  const Code code = mixed_code();
  const auto text = [&](const Numbers& updated) {
    const Program program = direct_program(code, {.updated = updated});
    check_sound(code, program);
    check_update_of_bytes(code, program, updated, true);
    std::string equations;
    for (const Equation& equation : program.equations) {
      equations += element_name(program, equation.target) + " =";
      for (const Element operand : equation.operands) {
        equations += ' ';
        equations += element_name(program, operand);
      }
      equations += '\n';
    }
    return equations;
  };
  CHECK(text({0}) == "new3 = d0 old3\nnew5 = d0 old5\n");
  CHECK(text({1, 0}) == "new1 = d2 old1\nnew3 = d0 old3\nnew5 = d0 d2 old5\n");
  for (std::uint32_t mask = 1; mask < 8; ++mask) text(members(mask));
  for (std::size_t lost = 0; lost < 3; ++lost) {
    for (const Numbers& rows : row_sets(code)) {
      const Program program = direct_program(code, {.erased = {lost}, .rows = rows});
      check_sound(code, program);
      CHECK(program.outputs == elements_at(code, {lost}, rows));
    }
  }
}

TEST_CASE("a request that cannot be met is refused with the value and the bound") {
  const Code code = make_code(kWorkedExample);
  check_refused(code, {.rows = {3}}, "row 3 is not one of 0 to 2");
  check_refused(code, {.erased = {0}, .rows = {0, 3}}, "row 3 is not one of 0 to 2");
  check_refused(code, {.updated = {0}, .rows = {9}}, "row 9 is not one of 0 to 2");
  check_refused(code, {.rows = {1, 1}}, "row 1 is named twice");
  check_refused(code, {.erased = {7}}, "lost location 7 is not one of 0 to 6");
  check_refused(code, {.erased = {1}, .wanted = {0}},
                "wanted location 0 is not one of the lost locations {1}");
  check_refused(code, {.wanted = {0}}, "locations {0} are wanted, but none is lost");
  check_refused(code, {.updated = {7}}, "updated location 7 is not one of 0 to 6");
  check_refused(code, {.updated = {2, 2}}, "updated location 2 is named twice");
  check_refused(code, {.updated = {5}}, "updated location 5 holds no data that could change");
  check_refused(code, {.erased = {0}, .updated = {1}},
                "one set of equations cannot update locations {1} while locations {0} are lost");
  check_refused(code, {.erased = {0, 1, 2}, .rows = {0}},
                "the loss of {0, 1, 2} cannot be rebuilt: cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0 has "
                "7 locations and "
                "promises to survive any 2 losses");
  check_refused(mixed_code(), {.rows = {0}}, "rows {0} hold no redundant element");
  check_refused(mixed_code(), {.updated = {1}, .rows = {0}},
                "rows {0} hold no element that changes");
}

TEST_CASE("a code too wide for all of its equations may be narrow enough for some rows of them") {
  const Code code = make_code("rs:k=400,m=20,w=16");
  CHECK_THROWS_AS(direct_program(code, Request{}), Error);
  const Program program = direct_program(code, {.rows = {15}});
  check_sound(code, program);
  CHECK(program.outputs.size() == 20);
  const Program update = direct_program(code, {.updated = {399}});
  check_sound(code, update);
  CHECK(update.outputs.size() == 320);
}

TEST_CASE("reading the least, equations read what was planned, and rebuild the same") {
  for (const char* spec : {"rdp:k=4,p=5", "cauchy-good:k=4,m=2,w=4", "lrc:k=4,m=2,l=3",
                           "rs:k=4,m=2", "clay:k=2,m=2", "rs:k=3,m=2,arrangement=packet"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    for (std::size_t lost = 0; lost < code.locations; ++lost) {
      Request request{.erased = {lost}, .reads_least = true};
      for (const std::vector<std::size_t>& rows :
           {std::vector<std::size_t>{}, std::vector<std::size_t>{code.rows() - 1}}) {
        request.rows = rows;
        for (const Program& program :
             {direct_program(code, request), searched_program(code, request)}) {
          CHECK(find_disagreement(program, code) == std::nullopt);
          CHECK(program.outputs.size() == (rows.empty() ? code.rows() : 1));
          const RepairReads reads = repair_reads(code, request, program);
          CHECK(reads.read <= reads_of(code, request).cost);
          CHECK(reads.rebuilt == (rows.empty() ? readable(code).subchunks : 1));
        }
      }
    }
  }
}

TEST_CASE("of reads that cost the same, those with the fewest XORs are taken") {
  const Code code = make_code("cauchy:k=10,m=4,w=8");
  const Request least{.erased = {1, 2, 12}, .reads_least = true};
  const Request any{.erased = {1, 2, 12}};
  const Program program = direct_program(code, least);
  const Program fewest_xors = direct_program(code, any);
  const RepairReads reads = repair_reads(code, least, program);
  const RepairReads of_any = repair_reads(code, any, fewest_xors);
  REQUIRE(reads.read == of_any.read);
  CHECK(xors(program) <= xors(fewest_xors));
  CHECK_FALSE(of_any.least);
}

TEST_CASE("reads are said in a line or two") {
  const RepairReads reads{
      .read = 12, .left = 20, .locations = 5, .rebuilt = 4, .cost = {}, .least = {}};
  CHECK(to_string(reads) == "12 of 20 cells, from 5 locations: 3.00 bytes read per byte rebuilt");
  RepairReads least = reads;
  least.least = 12;
  CHECK(to_string(least) == to_string(reads) + "\nno choice reads less");
  least.least = 8;
  CHECK(to_string(least) == to_string(reads) + "\nthe least found; the lower bound is 8");
  least.cost = 30;
  CHECK(to_string(least) == to_string(reads) + "\ncost 30: the least found; the lower bound is 8");
  least.least = 0;
  CHECK(to_string(least) ==
        to_string(reads) + "\ncost 30: the least found, not proved to be the least possible");
}

TEST_CASE("what is read is chosen only where something is lost") {
  const Code code = make_code("rs:k=4,m=2");
  CHECK_THROWS_WITH_AS(direct_program(code, Request{.reads_least = true}),
                       "what is read can only be chosen if chunks are lost, and none is", Error);
  CHECK_THROWS_WITH_AS(
      direct_program(code, Request{.erased = {0}, .wanted = {1}, .reads_least = true}),
      doctest::Contains("1 is not one of the lost locations {0}"), Error);
}

}  // namespace xorloom
