#include "gen/verilog/zigzag_unit.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "tests/support/has.hpp"
#include "tests/support/refusal.hpp"

namespace xorloom {
namespace {

using test::has;
using test::refusal;

std::string unit_of(const std::string& spec, const ZigzagUnitOptions& options = {}) {
  const Code code = make_code(spec);
  return write_zigzag_unit(code, unit_plan(code), options);
}

/// Every k and r that zigzag allows with its default field.
std::vector<std::pair<std::size_t, std::size_t>> allowed() {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t k = 1; k <= 7; ++k) all.emplace_back(k, 2);
  for (std::size_t k = 1; k <= 4; ++k) all.emplace_back(k, 3);
  for (std::size_t k = 1; k <= 4; ++k) all.emplace_back(k, 4);
  return all;
}

}  // namespace

TEST_CASE("the plan of {6,4,8} has the sets of indices and coefficients that the paper prints") {
  const UnitPlan plan = unit_plan(make_code("zigzag:k=4,r=2"));
  CHECK(plan.banks == 4);
  CHECK(plan.rows == 8);
  REQUIRE(plan.operations.size() == 7);
  const UnitOperation& encode = plan.operations[0];
  CHECK(encode.name() == "encode");
  CHECK(encode.loads.size() == 32);
  REQUIRE(encode.outputs.size() == 16);
  // Equations 2 and 3 of the paper: {1, 1, 1, 1} and {3, 4, 1, 7}, counted from 1.
  CHECK(encode.outputs[0] == UnitOutput{4, 0, {{0, 1}, {0, 1}, {0, 1}, {0, 1}}});
  CHECK(encode.outputs[10] == UnitOutput{5, 2, {{2, 1}, {3, 2}, {0, 1}, {6, 1}}});
  // Equation 5: P2 row 3, D2 row 4 twice, D3 row 1, D4 row 7. Bank 0 holds both parities.
  const UnitOperation& rebuild = plan.operations[1];
  CHECK(rebuild.name() == "rebuild 0");
  CHECK(rebuild.loads.size() == 20);
  const UnitOutput& third = rebuild.outputs[2];
  CHECK(third.location == 0);
  CHECK(third.row == 2);
  const auto source = [&](std::size_t bank) {
    const auto load = std::ranges::find_if(rebuild.loads, [&](const UnitLoad& candidate) {
      return candidate.bank == bank && candidate.slot == third.terms[bank].slot;
    });
    REQUIRE(load != rebuild.loads.end());
    return std::pair(load->location, load->row);
  };
  CHECK(source(0) == std::pair<std::size_t, std::size_t>(5, 2));
  CHECK(source(1) == std::pair<std::size_t, std::size_t>(1, 3));
  CHECK(source(2) == std::pair<std::size_t, std::size_t>(2, 0));
  CHECK(source(3) == std::pair<std::size_t, std::size_t>(3, 6));
  CHECK(third.terms[1].factor == 2);
}

TEST_CASE(
    "every k and r has a plan: each element is read once, and a 1/r of others rebuilds data") {
  for (const auto& [k, r] : allowed()) {
    const std::string spec = fmt::format("zigzag:k={},r={}", k, r);
    CAPTURE(spec);
    const Code code = make_code(spec);
    const UnitPlan plan = unit_plan(code);
    const std::size_t m = code.subchunks;
    CHECK(plan.banks == k);
    REQUIRE(plan.operations.size() == k + r + 1);
    for (std::size_t i = 0; i < plan.operations.size(); ++i) {
      const UnitOperation& operation = plan.operations[i];
      const bool is_data = i > 0 && i <= k;
      if (is_data) {
        CHECK(operation.loads.size() == (k == 1 ? 1 : (k + r - 1) * m / r));
      } else {
        CHECK(operation.loads.size() <= k * m);
      }
      CHECK(operation.outputs.size() == (i == 0 ? r * m : m));
      std::set<std::pair<std::size_t, std::size_t>> elements;
      std::set<std::pair<std::size_t, std::size_t>> slots;
      for (const UnitLoad& load : operation.loads) {
        elements.emplace(load.location, load.row);
        slots.emplace(load.bank, load.slot);
        CHECK(load.bank < k);
        CHECK(load.slot < m);
      }
      CHECK(elements.size() == operation.loads.size());
      CHECK(slots.size() == operation.loads.size());
    }
  }
}

TEST_CASE("encoding and the rebuild of a redundant location share lines of the tables") {
  const UnitPlan plan = unit_plan(make_code("zigzag:k=4,r=2"));
  const UnitTables tables = unit_tables(plan);
  CHECK(tables.loads.size() == 32 + 4 * 20);
  CHECK(tables.outputs.size() == 16 + 4 * 8);
  CHECK(tables.operations[5].first_load == 0);
  CHECK(tables.operations[6].first_output == 8);
  for (const UnitFactors& factors : tables.factors) {
    CHECK(!factors.is_general);
    CHECK(std::ranges::all_of(factors.symbols, [](Field::Symbol symbol) {
      return symbol == 1 || symbol == 2 || symbol == 142;
    }));
  }
  CHECK(verilog_product(plan.field, 2) ==
        "{a[6], a[5], a[4], a[3] ^ a[7], a[2] ^ a[7], a[1] ^ a[7], a[0], a[7]}");
}

TEST_CASE("a unit of many factors has multipliers of any two symbols") {
  const std::string unit = unit_of("rs:k=3,m=20");
  CHECK(has(unit, "({SYMBOL_BITS{factor[0]}} & a) ^"));
  CHECK(has(unit, "module xl_rs_k3_m20_w8_zigzag_unit #("));
}

TEST_CASE("a wrong bit in what was written is found") {
  const Code code = make_code("zigzag:k=3,r=3");
  const UnitPlan plan = unit_plan(code);
  const std::string unit = write_zigzag_unit(code, plan, {});
  const auto refused = [&](const std::string& right, const std::string& wrong) {
    std::string text = unit;
    const std::size_t at = text.find(right);
    REQUIRE(at != std::string::npos);
    text.replace(at, right.size(), wrong);
    return refusal(Status::kInternal, [&] { check_zigzag_unit(text, plan); });
  };
  CHECK(refusal(Status::kInternal, [&] { check_zigzag_unit(unit, plan); }) == "");
  CHECK(has(refused("sources[1] = {3'd0, 4'd1}", "sources[1] = {3'd0, 4'd2}"),
            "to encode it reads other elements"));
  CHECK(has(refused("places[1] = {2'd0, 4'd1}", "places[1] = {2'd1, 4'd1}"),
            "to encode it reads other elements"));
  CHECK(has(refused("outputs[1] = {3'd3, 4'd1", "outputs[1] = {3'd3, 4'd2"),
            "to encode it computes other sums"));
  CHECK(has(refused("product_of_bank_1 = {a[4]", "product_of_bank_1 = {a[3]"),
            "a multiplier is that of no symbol"));
  CHECK(has(refused("last_output <= ", "last_output <= 9'd400 + "), "no ';'"));
  CHECK(has(refused("bank_2[{entry[3:0]", "bank_2[{entry[4:1]"), "computes other sums"));
}

TEST_CASE("codes, losses and options that a unit cannot have are refused with the bound") {
  const auto plan_refusal = [](Status kind, const std::string& spec,
                               const std::vector<std::vector<std::size_t>>& losses = {}) {
    return refusal(kind, [&] { (void)unit_plan(make_code(spec), losses); });
  };
  CHECK(plan_refusal(Status::kUnsupported, "zigzag:k=4,r=2,arrangement=packet") ==
        "a unit with a bank per data location computes on words whose symbols lie one after the "
        "other, and zigzag:k=4,r=2,w=8,arrangement=packet lays out packets");
  CHECK(has(plan_refusal(Status::kUnsupported, "clay:k=4,m=2"), "takes two of one"));
  CHECK(has(plan_refusal(Status::kUnsupported, "zigzag:k=4,r=2", {{0, 1}}),
            "to rebuild 0,1 zigzag:k=4,r=2,w=8 takes two of one"));
  CHECK(plan_refusal(Status::kInvalidArgument, "rs:k=33,m=2") ==
        "33 data locations exceed 32, the most banks of a unit");
  const auto option_refusal = [](const ZigzagUnitOptions& options) {
    return refusal(Status::kInvalidArgument, [&] { (void)unit_of("zigzag:k=4,r=2", options); });
  };
  CHECK(option_refusal({.lanes = 0}) == "lanes = 0 is not from 1 to 128");
  CHECK(option_refusal({.lanes = 129}) == "lanes = 129 is not from 1 to 128");
  CHECK(option_refusal({.slice_words = 1}) == "slice words = 1 is not from 2 to 4096");
  CHECK(option_refusal({.slice_words = 48}) == "slice words = 48 is not a power of 2");
  CHECK(option_refusal({.buffers = 3}) == "buffers = 3 is not from 1 to 2");
  CHECK(option_refusal({.lanes = 64, .slice_words = 4096}) ==
        "a bank takes 2097152 bytes for 8 slots of 4096 words of 64 symbols, more than 1048576");
  CHECK(has(option_refusal({.name = "module"}), "a word of Verilog"));
}

}  // namespace xorloom
