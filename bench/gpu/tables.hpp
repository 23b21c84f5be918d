#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/gpu/timing.hpp"
#include "runtime/gpu/device.hpp"

namespace xorloom::gpu_bench {

/// Device and effort of the measurements for the tables.
struct Bench {
  std::shared_ptr<const Device> device;
  std::string executor;  ///< executor of the library that uses `device`
  bool is_quick;         ///< small sizes, and few of them

  Effort effort() const { return is_quick ? Effort{0.01, 3} : Effort{0.1, 5}; }

  /// Bytes, at least, of all stripes together that are coded on the device alone.
  std::size_t resident_bytes() const { return is_quick ? 0 : std::size_t{256} << 20; }

  /// Bytes of a buffer where papers have 1 MB.
  std::size_t buffer_bytes() const {
    return is_quick ? std::size_t{64} << 10 : std::size_t{1} << 20;
  }
};

/// A table of papers: a word to ask for it, what it shows, and what prints it as Markdown.
struct Table {
  const char* name;
  const char* title;
  void (*print)(const Bench& bench);
};

// In the order of docs/gpu.md.

void print_throughput_by_k(const Bench& bench);
void print_throughput_by_size(const Bench& bench);
void print_parts(const Bench& bench);
void print_excess(const Bench& bench);
void print_host_memory(const Bench& bench);
void print_streams(const Bench& bench);
void print_blocks(const Bench& bench);
void print_roofline(const Bench& bench);
void print_goals(const Bench& bench);
void print_blocking(const Bench& bench);
void print_policies(const Bench& bench);
void print_latency(const Bench& bench);

/// A line of Markdown: | a | b |. The first one of a table is followed by a line that rules it off.
void print_row(const std::vector<std::string>& cells);
void print_head(const std::vector<std::string>& cells);

/// A cell with a rate in 10^9 per second, with three digits. If `per_second` throws kUnsupported,
/// the cell says "not measured", and the reason stands below the table.
///
/// Errors: throws other errors on: what a device computes is wrong.
std::string rate(const std::function<double()>& per_second);

}  // namespace xorloom::gpu_bench
