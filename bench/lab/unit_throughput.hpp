#pragma once

#include <cstddef>
#include <cstdint>

#include "gen/verilog/zigzag_unit.hpp"

namespace xorloom {

/// Work of a unit: stripes one after the other, and the memory that delivers them.
struct UnitTask {
  std::uint64_t element_words = 1;
  std::uint64_t stripes = 1;
  std::uint64_t latency = 1;   ///< clocks from asking for a word to its arrival, at least 1
  double words_per_clock = 1;  ///< rate at which the memory reads or writes, at most 1
};

/// The clocks of an operation from start to done, if the unit waits for nothing but the memory.
///
/// Exact for a word per clock:
///
///   load i begins           when the load before was taken over and a buffer is free
///   computing of i begins   f·n + M + 4 clocks later, or when the one before has ended
///   a buffer is free        s·n + 2 clocks after that
///
/// with f loads, s outputs, slices of n words and a latency of M clocks; and a start and an end.
double unit_clocks(const UnitPlan& plan, const UnitOperation& operation,
                   const ZigzagUnitOptions& options, const UnitTask& task);

/// Several units on memory channels. Each unit works on stripes of its own.
struct UnitSystem {
  std::size_t units = 12;
  std::size_t channels = 4;
  double clock = 300e6;           ///< per second
  double channel_bytes = 19.2e9;  ///< per second and channel, read and written
};

/// Bytes of data per second: all data of a stripe count, whatever is read of them.
struct UnitThroughput {
  double clocks = 0;     ///< a task, on one unit alone on a channel
  double unit = 0;       ///< one unit alone on a channel
  double units = 0;      ///< all units, if channels had no bound
  double channels = 0;   ///< all channels, if units took no time
  double predicted = 0;  ///< the smaller one
};

/// Units: a word has options.lanes symbols.
UnitThroughput unit_throughput(const UnitPlan& plan, const UnitOperation& operation,
                               const ZigzagUnitOptions& options, const UnitSystem& system,
                               UnitTask task);

}  // namespace xorloom
