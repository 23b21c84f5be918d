#include "runtime/engine/range_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "runtime/engine/computation.hpp"

namespace xorloom {
namespace {

/// Notes the ranges that it is run over.
class Noting final : public Computation {
 public:
  explicit Noting(std::size_t cost) : Computation({.column_multiple = 8, .cost = cost}) {}
  void run(std::uint8_t* const*, std::size_t, std::size_t begin, std::size_t end,
           Stores) const noexcept override {
    ranges.push_back({begin, end});
  }
  std::size_t memory_bytes() const noexcept override { return 0; }

  mutable std::vector<ColumnRange> ranges;
};

void check_whole(std::vector<ColumnRange> ranges, std::size_t columns) {
  std::ranges::sort(ranges, {}, &ColumnRange::begin);
  std::size_t end = 0;
  for (const ColumnRange range : ranges) {
    CHECK(range.begin == end);
    CHECK(range.end > range.begin);
    CHECK((range.begin % 64 == 0 || range.begin == 0));
    end = range.end;
  }
  CHECK(end == columns);
}

TEST_CASE("one thread takes every column once, whoever it is") {
  for (const std::size_t columns : {1U, 63U, 64U, 65U, 640U, 100'000U}) {
    for (const std::size_t cost : {1U, 500U, 5000U}) {
      for (const std::size_t threads : {1U, 2U, 7U, 300U}) {
        for (const std::size_t ahead : {0U, 100'000U}) {
          for (const std::size_t self : {std::size_t{0}, threads - 1}) {
            CAPTURE(columns);
            CAPTURE(cost);
            CAPTURE(threads);
            const Noting noting(cost);
            RangeRun run(noting, nullptr, columns, threads, ahead, Stores::kOrdinary);
            run.help(self);
            check_whole(noting.ranges, columns);
            run.help(0);
            check_whole(noting.ranges, columns);
          }
        }
      }
    }
  }
}

TEST_CASE("where the caller has the first piece, nobody else takes it") {
  for (const std::size_t columns : {1U, 64U, 640U, 100'000U}) {
    const Noting noting(500);
    RangeRun run(noting, nullptr, columns, 3, 100'000, Stores::kOrdinary, RangeRun::First::kCaller);
    run.help(1);
    run.help(0);
    const std::size_t others = noting.ranges.size();
    CHECK(others == run.pieces() - 1);
    for (const ColumnRange range : noting.ranges) CHECK(range.begin > 0);
    run.run_first();
    check_whole(noting.ranges, columns);
  }
}

TEST_CASE("short work is a piece for each thread, and longer for the first by what it is ahead") {
  const Noting noting(100);
  RangeRun run(noting, nullptr, 6400, 2, 640 * 100, Stores::kOrdinary);
  run.help(1);
  REQUIRE(noting.ranges.size() == 2);
  CHECK(noting.ranges[0].begin == 640 + 2880);
  CHECK(noting.ranges[1].end == 640 + 2880);
}

TEST_CASE("long work has several pieces for each thread") {
  const Noting noting(100);
  RangeRun run(noting, nullptr, kLongWork / 100 + 64, 2, 1000, Stores::kOrdinary);
  run.help(0);
  CHECK(noting.ranges.size() == 8);
}

}  // namespace
}  // namespace xorloom
