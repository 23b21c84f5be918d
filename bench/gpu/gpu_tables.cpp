// Prints the tables of papers on GPUs, measured on a device of this machine, as Markdown:
// scripts/gpu-tables.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "bench/gpu/tables.hpp"
#include "runtime/gpu/device_set.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::gpu_bench {
namespace {

constexpr std::array kTables = {
    Table{"throughput", "Throughput by k, from and to memory of the host", print_throughput_by_k},
    Table{"sizes", "Throughput by the size of buffers", print_throughput_by_size},
    Table{"parts", "Total, kernel alone and transfers alone", print_parts},
    Table{"excess", "Transfers alone minus kernel alone", print_excess},
    Table{"memory", "Pageable and pinned memory", print_host_memory},
    Table{"streams", "Streams on files", print_streams},
    Table{"blocks", "By the number of blocks", print_blocks},
    Table{"roofline", "Roofline", print_roofline},
    Table{"goals", "What the hardware allows", print_goals},
    Table{"blocking", "The matrix in tiles of B x B", print_blocking},
    Table{"policies", "Ways to multiply, ranked", print_policies},
    Table{"latency", "Latency of single calls", print_latency},
};

constexpr std::array<std::string_view, 2> kExecutors = {"cuda", "opencl"};

constexpr std::string_view kUsage =
    "usage: xorloom_gpu_tables [--executor opencl|cuda] [--quick] [TABLE...]\n"
    "Without an executor, CUDA is taken if it has a device, else OpenCL. Without a TABLE,\n"
    "all are printed:";

Bench find_bench(const std::string& wanted, bool is_quick) {
  std::string reasons;
  for (const std::string_view executor : kExecutors) {
    if (!wanted.empty() && wanted != executor) continue;
    const auto set = device_set(parse_executor(executor));
    if (!set->pools.empty()) {
      return {set->pools.front()->shared_device(), std::string(executor), is_quick};
    }
    reasons += fmt::format("{}: {}\n", executor, set->why_none);
  }
  throw Error(Status::kUnsupported, "there is no device\n" + reasons);
}

/// Notes below the table: why something was not measured, or ran on the CPU.
std::vector<std::string>& notes() {
  static std::vector<std::string> all;
  return all;
}

void note(const std::string& sentence) {
  if (std::ranges::find(notes(), sentence) == notes().end()) notes().push_back(sentence);
}

void print_notes() {
  for (const std::string& sentence : notes()) fmt::print("\nNote: {}.\n", sentence);
  notes().clear();
  std::fflush(stdout);
}

int run(const std::vector<std::string>& arguments) {
  std::string executor;
  bool is_quick = false;
  std::vector<const Table*> tables;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const auto* const table = std::ranges::find(kTables, argument, &Table::name);
    if (argument == "--quick") {
      is_quick = true;
    } else if (argument == "--executor" && i + 1 < arguments.size() &&
               std::ranges::find(kExecutors, arguments[i + 1]) != kExecutors.end()) {
      executor = arguments[++i];
    } else if (table != kTables.end()) {
      tables.push_back(table);
    } else {
      std::string names;
      for (const Table& known : kTables) names += fmt::format(" {}", known.name);
      fmt::print(stderr, "{}{}\n", kUsage, names);
      return 2;
    }
  }
  if (tables.empty()) {
    for (const Table& table : kTables) tables.push_back(&table);
  }
  set_log([](const char* sentence, void*) { note(sentence); }, nullptr);
  const Bench bench = find_bench(executor, is_quick);
  fmt::print(
      "Measured on {} ({}) by the executor `{}` of Xorloom {}. GB/s are 10^9 bytes of data.\n",
      bench.device->name(), bench.device->driver(), bench.executor, version());
  if (is_quick) fmt::print("Sizes are small: these figures only show that the tables work.\n");
  for (const Table* table : tables) {
    fmt::print("\n## {}\n\n", table->title);
    table->print(bench);
    print_notes();
  }
  return 0;
}

}  // namespace

void print_row(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) fmt::print("| {} ", cell);
  fmt::print("|\n");
  std::fflush(stdout);
}

void print_head(const std::vector<std::string>& cells) {
  print_row(cells);
  for (std::size_t i = 0; i < cells.size(); ++i) fmt::print("|---");
  fmt::print("|\n");
}

std::string rate(const std::function<double()>& per_second) {
  try {
    return fmt::format("{:.3g}", per_second() / 1e9);
  } catch (const Error& error) {
    if (error.kind() != Status::kUnsupported) throw;
    note(error.what());
    return "not measured";
  }
}

}  // namespace xorloom::gpu_bench

int main(int argc, char** argv) try {
  return xorloom::gpu_bench::run({argv + 1, argv + argc});
} catch (const std::exception& error) {
  fmt::print(stderr, "xorloom_gpu_tables: {}\n", error.what());
  return 1;
}
