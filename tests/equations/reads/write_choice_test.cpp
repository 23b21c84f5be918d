#include "equations/reads/write_choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;
/// The fewest chunks that have to be read, by trying all sets of them: what the untouched data adds
/// to the redundancy has to follow from them, and what stays of a chunk has to be among them.
std::size_t fewest(const Code& code, const StripeWrite& write) {
  const Matrix all = generator(code);
  const auto is_touched = [&](Cell cell) {
    return std::ranges::binary_search(write.touched, code.location_of_cell(cell));
  };
  // The rows of redundancy that changes, without the data that is touched.
  Matrix needed(code.redundant.size(), code.data.size());
  std::size_t num_needed = 0;
  for (const Cell cell : code.redundant) {
    bool is_reached = false;
    for (std::size_t j = 0; j < code.data.size(); ++j) {
      is_reached |= is_touched(code.data[j]) && all(cell, j) != 0;
    }
    if (!is_reached) continue;
    for (std::size_t j = 0; j < code.data.size(); ++j) {
      needed(num_needed, j) = is_touched(code.data[j]) ? 0 : all(cell, j);
    }
    ++num_needed;
  }
  const auto follows_from = [&](std::size_t set) {
    std::vector<Cell> cells;
    for (Cell cell = 0; cell < code.num_cells(); ++cell) {
      if ((set >> code.location_of_cell(cell) & 1) != 0) cells.push_back(cell);
    }
    Matrix rows(cells.size(), code.data.size());
    Matrix both(cells.size() + num_needed, code.data.size());
    for (std::size_t j = 0; j < code.data.size(); ++j) {
      for (std::size_t i = 0; i < cells.size(); ++i) rows(i, j) = both(i, j) = all(cells[i], j);
      for (std::size_t i = 0; i < num_needed; ++i) both(cells.size() + i, j) = needed(i, j);
    }
    return rank(code.field, rows) == rank(code.field, both);
  };
  std::size_t best = code.locations;
  for (std::size_t set = 0; set < std::size_t{1} << code.locations; ++set) {
    const auto size = static_cast<std::size_t>(std::popcount(set));
    if (size >= best) continue;
    bool has_partial = true;
    for (std::size_t i = 0; i < write.touched.size(); ++i) {
      has_partial &= write.is_whole[i] || (set >> write.touched[i] & 1) != 0;
    }
    if (has_partial && follows_from(set)) best = size;
  }
  return best;
}

StripeWrite write_of(const Code& code, const Locations& touched, bool are_whole) {
  StripeWrite write;
  write.touched = touched;
  write.is_whole.assign(touched.size(), are_whole);
  write.is_readable.assign(code.locations, true);
  write.is_written.assign(code.locations, true);
  return write;
}

Locations data_locations_of(const Code& code) {
  Locations locations;
  const std::vector<bool> has_data = holds_data(code);
  for (std::size_t i = 0; i < code.locations; ++i) {
    if (has_data[i]) locations.push_back(i);
  }
  return locations;
}

}  // namespace

TEST_CASE("A write reads as few chunks as any way of writing it") {
  for (const char* const spec :
       {"rs:k=4,m=2", "rs:k=5,m=3", "cauchy-good:k=6,m=3,w=8", "rs:k=2,m=5", "rs:k=3,m=1",
        "lrc:k=4,m=2,l=3", "shec:k=4,m=3,c=2", "clay:k=4,m=2"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const WriteChooser chooser(code);
    const Locations data = data_locations_of(code);
    for (std::size_t set = 1; set < std::size_t{1} << data.size(); ++set) {
      Locations touched;
      for (std::size_t i = 0; i < data.size(); ++i) {
        if ((set >> i & 1) != 0) touched.push_back(data[i]);
      }
      CAPTURE(set);
      for (const bool are_whole : {false, true}) {
        CAPTURE(are_whole);
        const StripeWrite write = write_of(code, touched, are_whole);
        const WriteChoice planned = chooser.choose(write);
        CHECK(planned.cost == fewest(code, write));
        CHECK(planned.cost == planned.reads.size());
        for (const WritePolicy policy : {WritePolicy::kDelta, WritePolicy::kReencode}) {
          CHECK(planned.cost <= chooser.choose(write, policy).cost);
        }
      }
    }
  }
}

TEST_CASE("Costs of reading decide") {
  const Code code = make_code("rs:k=4,m=2");
  const WriteChooser chooser(code);
  StripeWrite write = write_of(code, {0}, false);
  CHECK(chooser.choose(write).changed == Locations{4, 5});
  write.read_costs = {1, 1, 1, 1, 9, 9};
  CHECK(chooser.choose(write).reencoded == Locations{4, 5});
  CHECK(chooser.choose(write).cost == 4);
}

TEST_CASE("Redundancy that is away is neither read nor written") {
  const Code code = make_code("rs:k=4,m=2");
  const WriteChooser chooser(code);
  StripeWrite write = write_of(code, {0, 1}, false);
  write.is_written[4] = write.is_readable[4] = false;
  const WriteChoice choice = chooser.choose(write);
  CHECK(choice.reads == Locations{0, 1, 5});
  CHECK(choice.changed == Locations{5});
}

TEST_CASE("Data that is away is rebuilt where it is needed") {
  const Code code = make_code("rs:k=4,m=2");
  const WriteChooser chooser(code);
  StripeWrite write = write_of(code, {0}, false);
  write.is_written[0] = write.is_readable[0] = false;
  const WriteChoice choice = chooser.choose(write);
  CHECK(choice.rebuilt == Locations{0});
}

TEST_CASE("A location of data and redundancy is encoded again") {
  const Code code = make_code("x-code:p=5");
  const WriteChooser chooser(code);
  const WriteChoice choice = chooser.choose(write_of(code, {1}, false));
  CHECK(choice.changed.empty());
  CHECK(!choice.reencoded.empty());
}

}  // namespace xorloom
