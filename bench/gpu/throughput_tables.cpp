// Rates of whole calls on memory of the host, and of their parts: figures 1 to 4 of the paper on
// Gibraltar.

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "bench/gpu/codes.hpp"
#include "bench/gpu/resident.hpp"
#include "bench/gpu/tables.hpp"
#include "bench/gpu/whole_calls.hpp"

namespace xorloom::gpu_bench {
namespace {

using Sizes = std::vector<std::size_t>;

constexpr std::array kFamilies = {Family::kWords, Family::kPackets};
constexpr std::array<std::size_t, 3> kRedundant = {2, 3, 4};

Sizes ks(const Bench& bench) {
  if (bench.is_quick) return {4, 10};
  return {2, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32};
}

const char* name_of(Family family) { return family == Family::kWords ? "words" : "packets"; }

/// Rounded up to what every code here takes.
std::size_t rounded(std::size_t bytes) { return (bytes + 511) / 512 * 512; }

double encoding_rate(const Bench& bench, Family family, std::size_t k, std::size_t m,
                     const std::string& executor, std::size_t bytes) {
  WholeCalls calls(spec_of(family, k, m), executor, rounded(bytes));
  return static_cast<double>(k * calls.chunk_bytes()) / calls.seconds_of_encoding(bench.effort());
}

double decoding_rate(const Bench& bench, Family family, std::size_t k, std::size_t m) {
  WholeCalls calls(spec_of(family, k, m), bench.executor, rounded(bench.buffer_bytes()));
  return static_cast<double>(k * calls.chunk_bytes()) /
         calls.seconds_of_decoding(lost_data(k, m), bench.effort());
}

/// Bytes of data a second that each part of encoding allows.
struct Parts {
  double kernel;
  double transfers;
};

Parts parts_of(const Bench& bench, Family family, std::size_t k, std::size_t m) {
  const Code code = code_of(family, k, m);
  DeviceWork work(bench.device, code, encoding_of(code), rounded(bench.buffer_bytes()),
                  bench.resident_bytes());
  fill_and_check(work, code);
  const auto bytes = static_cast<double>(k * work.chunk_bytes());
  return {bytes / seconds_of_kernel(work, bench.effort()),
          bytes / seconds_of_transfers(work, bench.effort())};
}

double decoding_kernel_rate(const Bench& bench, Family family, std::size_t k, std::size_t m) {
  const Code code = code_of(family, k, m);
  DeviceWork work(bench.device, code, decoding_of(code, lost_data(k, m)),
                  rounded(bench.buffer_bytes()), bench.resident_bytes());
  return static_cast<double>(k * work.chunk_bytes()) / seconds_of_kernel(work, bench.effort());
}

}  // namespace

void print_throughput_by_k(const Bench& bench) {
  std::vector<std::string> head{"code", "k"};
  for (const std::size_t m : kRedundant) {
    head.push_back(fmt::format("m = {}, encode", m));
    head.push_back(fmt::format("m = {}, decode", m));
  }
  head.emplace_back("m = 4, encode, one core");
  print_head(head);
  for (const Family family : kFamilies) {
    for (const std::size_t k : ks(bench)) {
      std::vector<std::string> row{name_of(family), fmt::to_string(k)};
      for (const std::size_t m : kRedundant) {
        row.push_back(rate([&] {
          return encoding_rate(bench, family, k, m, bench.executor, bench.buffer_bytes());
        }));
        row.push_back(rate([&] { return decoding_rate(bench, family, k, m); }));
      }
      row.push_back(rate(
          [&] { return encoding_rate(bench, family, k, 4, kProcessor, bench.buffer_bytes()); }));
      print_row(row);
    }
  }
}

void print_throughput_by_size(const Bench& bench) {
  const Sizes data = bench.is_quick ? Sizes{4} : Sizes{4, 8, 16, 32};
  std::vector<std::string> head{"bytes of a buffer"};
  for (const Family family : kFamilies) {
    for (const std::size_t k : data) head.push_back(fmt::format("{}, {} + 2", name_of(family), k));
  }
  print_head(head);
  const std::size_t most = bench.buffer_bytes() * (bench.is_quick ? 1 : 4);
  for (std::size_t bytes = bench.buffer_bytes() / 32; bytes <= most; bytes *= 2) {
    std::vector<std::string> row{fmt::to_string(rounded(bytes))};
    for (const Family family : kFamilies) {
      for (const std::size_t k : data) {
        row.push_back(
            rate([&] { return encoding_rate(bench, family, k, 2, bench.executor, bytes); }));
      }
    }
    print_row(row);
  }
}

void print_parts(const Bench& bench) {
  print_head(
      {"code", "k", "m", "total", "kernel alone", "transfers alone", "decode, kernel alone"});
  for (const Family family : kFamilies) {
    for (const std::size_t m : kRedundant) {
      for (const std::size_t k : ks(bench)) {
        Parts parts{};
        const std::string kernel = rate([&] {
          parts = parts_of(bench, family, k, m);
          return parts.kernel;
        });
        print_row({name_of(family), fmt::to_string(k), fmt::to_string(m), rate([&] {
                     return encoding_rate(bench, family, k, m, bench.executor,
                                          bench.buffer_bytes());
                   }),
                   kernel, parts.transfers == 0 ? kernel : rate([&] { return parts.transfers; }),
                   rate([&] { return decoding_kernel_rate(bench, family, k, m); })});
      }
    }
  }
}

void print_excess(const Bench& bench) {
  const Sizes ms = bench.is_quick ? Sizes{2, 4} : Sizes{2, 3, 4, 6, 8, 12, 16};
  const Sizes data = bench.is_quick ? Sizes{4} : Sizes{4, 8, 16, 32};
  std::vector<std::string> head{"code", "k"};
  for (const std::size_t m : ms) head.push_back(fmt::format("m = {}", m));
  print_head(head);
  for (const Family family : kFamilies) {
    for (const std::size_t k : data) {
      std::vector<std::string> row{name_of(family), fmt::to_string(k)};
      for (const std::size_t m : ms) {
        row.push_back(rate([&] {
          const Parts parts = parts_of(bench, family, k, m);
          return parts.transfers - parts.kernel;
        }));
      }
      print_row(row);
    }
  }
}

void print_latency(const Bench& bench) {
  print_head({"what runs", "bytes of a buffer", "p50", "p90", "p99", "p99.9", "most, µs"});
  const std::size_t count = bench.is_quick ? 100 : 5000;
  for (const std::string& executor : {bench.executor, std::string(kProcessor)}) {
    for (const std::size_t bytes : {std::size_t{4096}, std::size_t{65536}, std::size_t{1} << 20}) {
      WholeCalls calls(spec_of(Family::kPackets, 10, 4), executor, rounded(bytes));
      const std::vector<double> seconds = calls.seconds_of_encodings(count);
      const auto at = [&](double share) {
        const auto index = static_cast<std::size_t>(share * static_cast<double>(count - 1));
        return fmt::format("{:.1f}", seconds[index] * 1e6);
      };
      print_row({executor == kProcessor ? "one core" : executor,
                 fmt::to_string(calls.chunk_bytes()), at(0.5), at(0.9), at(0.99), at(0.999),
                 at(1)});
    }
  }
}

}  // namespace xorloom::gpu_bench
