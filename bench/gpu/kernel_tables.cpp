// Kernels on what lies on the device: blocks, roofline, tiles and tables.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/gpu/codes.hpp"
#include "bench/gpu/resident.hpp"
#include "bench/gpu/tables.hpp"
#include "bench/gpu/whole_calls.hpp"
#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::gpu_bench {
namespace {

/// Chunks that are large enough for all of a device.
std::size_t large_chunk(const Bench& bench) {
  return bench.is_quick ? std::size_t{64} << 10 : std::size_t{16} << 20;
}

double bytes_moved(const DeviceWork& work) {
  return static_cast<double>((work.reads().size() + work.writes().size()) * work.chunk_bytes());
}

/// Bytes per second, read and written, of a kernel that copies one chunk to another.
double copy_rate(const Bench& bench) {
  const Code code = make_code("rs:k=1,m=1,w=8,arrangement=packet,packet_bytes=4096");
  const std::size_t bytes = 8 * large_chunk(bench);
  DeviceWork work(bench.device, code, encoding_of(code), bytes, bench.resident_bytes());
  fill_and_check(work, code);
  return bytes_moved(work) / seconds_of_kernel(work, bench.effort());
}

std::size_t xors_of(const Program& program) {
  std::size_t xors = 0;
  for (const Equation& equation : program.equations) xors += equation.operands.size() - 1;
  return xors;
}

}  // namespace

void print_blocks(const Bench& bench) {
  print_head({"groups of 256 work items", "words", "packets"});
  const auto at = [&](Family family, std::size_t groups) {
    return rate([&] {
      const Code code = code_of(family, 10, 4);
      DeviceWork work(bench.device, code, encoding_of(code), large_chunk(bench), 0);
      fill_and_check(work, code);
      const std::size_t some = std::min(groups, work.num_groups());
      return static_cast<double>(10 * work.bytes_of_groups(some)) /
             seconds_of_groups(work, some, bench.effort());
    });
  };
  for (std::size_t groups = 1; groups <= (bench.is_quick ? 8 : 16384); groups *= 2) {
    print_row({fmt::to_string(groups), at(Family::kWords, groups), at(Family::kPackets, groups)});
  }
}

namespace {

/// A code of the roofline, and a kernel that computes it.
struct RooflineCase {
  const char* spec;
  std::size_t packet_bytes;  ///< 0 on words
  KernelForm form;
  std::size_t vector_bytes;
};

std::vector<RooflineCase> roofline_cases() {
  std::vector<RooflineCase> cases;
  for (const char* spec : {"cauchy-good:k=10,m=4,w=8", "cauchy-good:k=28,m=4,w=8"}) {
    for (const std::size_t packet_bytes : {std::size_t{64}, std::size_t{4096}}) {
      for (const KernelForm form : {KernelForm::kAccumulators, KernelForm::kIterative}) {
        for (const std::size_t vector : {std::size_t{4}, std::size_t{8}}) {
          cases.push_back({spec, packet_bytes, form, vector});
        }
      }
    }
  }
  for (const char* spec : {"rs:k=10,m=4", "rs:k=28,m=4"}) {
    for (const KernelForm form : {KernelForm::kHorner, KernelForm::kBitSliced}) {
      for (const std::size_t vector : {std::size_t{4}, std::size_t{8}}) {
        cases.push_back({spec, 0, form, vector});
      }
    }
  }
  return cases;
}

}  // namespace

void print_roofline(const Bench& bench) {
  const double copy = copy_rate(bench);
  print_head({"code", "bytes of a packet", "form", "vector", "XORs of a byte per byte moved",
              "data", "moved", "share of the copy"});
  print_row({"a kernel that copies", "4096", "", "", "0", "", rate([&] { return copy; }), "1"});
  for (const RooflineCase& which : roofline_cases()) {
    const Code code = make_code(which.spec, {.packet_bytes = which.packet_bytes});
    const Program program =
        which.form == KernelForm::kAccumulators ? direct_encoding(code) : encoding_of(code);
    const std::size_t cells = program.inputs.size() + program.outputs.size();
    double seconds = 0;
    double moved = 0;
    const std::string data = rate([&] {
      KernelOptions options;
      options.form = which.form;
      options.vector_bytes = which.vector_bytes;
      DeviceWork work(bench.device, code, program, large_chunk(bench), bench.resident_bytes(),
                      options);
      fill_and_check(work, code);
      seconds = seconds_of_kernel(work, bench.effort());
      moved = bytes_moved(work);
      return static_cast<double>(code.k * work.chunk_bytes()) / seconds;
    });
    const bool is_done = seconds != 0;
    print_row({which.spec, which.packet_bytes == 0 ? "" : fmt::to_string(which.packet_bytes),
               form_name(which.form), fmt::to_string(which.vector_bytes),
               which.packet_bytes != 0
                   ? fmt::format("{:.2f}",
                                 static_cast<double>(xors_of(program)) / static_cast<double>(cells))
                   : "",
               data, is_done ? rate([&] { return moved / seconds; }) : "",
               is_done ? fmt::format("{:.2f}", moved / seconds / copy) : ""});
  }
}

namespace {

/// A code for which the rates are compared with what the hardware allows.
struct GoalCase {
  std::string spec;
  std::size_t lost;  ///< 0: encoding
};

std::vector<GoalCase> goal_cases() {
  std::vector<GoalCase> cases;
  for (const int k : {10, 28}) {
    for (const std::string& spec : {fmt::format("cauchy-good:k={},m=4,w=8,packet_bytes=64", k),
                                    fmt::format("cauchy-good:k={},m=4,w=8,packet_bytes=4096", k),
                                    fmt::format("rs:k={},m=4", k)}) {
      cases.push_back({spec, 0});
      cases.push_back({spec, 4});
    }
  }
  return cases;
}

/// Bytes a second of the slower direction between the host and the device.
double bus_rate(const Bench& bench) {
  const std::size_t bytes = large_chunk(bench);
  const auto lane = bench.device->make_lane(bytes);
  const double in = seconds_of_copy(
      *lane, [&] { lane->copy_in(0, lane->host(), bytes); }, bench.effort());
  const double out = seconds_of_copy(
      *lane, [&] { lane->copy_out(lane->host(), 0, bytes); }, bench.effort());
  return static_cast<double>(bytes) / std::max(in, out);
}

}  // namespace

void print_goals(const Bench& bench) {
  const double copy = copy_rate(bench);
  const double bus = bus_rate(bench);
  print_head({"code", "lost", "on the device, moved", "share of the copy", "from the host, data",
              "share of the bus", "one core, data"});
  print_row({"a kernel that copies", "", rate([&] { return copy; }), "1", "", "", ""});
  print_row({"copies over the bus", "", "", "", rate([&] { return bus; }), "1", ""});
  for (const GoalCase& which : goal_cases()) {
    const Code code = make_code(which.spec);
    const std::vector<std::size_t> lost = lost_data(code.k, which.lost);
    double moved = 0;
    double total = 0;
    const std::string on_device = rate([&] {
      DeviceWork work(bench.device, code,
                      lost.empty() ? encoding_of(code) : decoding_of(code, lost),
                      large_chunk(bench), bench.resident_bytes());
      if (lost.empty()) fill_and_check(work, code);
      moved = bytes_moved(work) / seconds_of_kernel(work, bench.effort());
      return moved;
    });
    const auto called = [&](const std::string& executor) {
      WholeCalls calls(which.spec, executor, large_chunk(bench));
      const double seconds = lost.empty() ? calls.seconds_of_encoding(bench.effort())
                                          : calls.seconds_of_decoding(lost, bench.effort());
      return static_cast<double>(code.k * calls.chunk_bytes()) / seconds;
    };
    const std::string from_host = rate([&] { return total = called(bench.executor); });
    const auto share = [](double part, double whole) {
      return part == 0 ? std::string() : fmt::format("{:.2f}", part / whole);
    };
    print_row({which.spec, fmt::to_string(which.lost), on_device, share(moved, copy), from_host,
               share(total, bus), rate([&] { return called(kProcessor); })});
  }
}

namespace {

/// A tile of a matrix: sums of some rows over some columns, added to what they were.
///
///   locations   inputs … | sums before … | sums after …
Program tile_of(const Code& code, std::size_t rows, std::size_t columns, bool adds) {
  Program program;
  program.rows = 1;
  program.field = code.field;
  program.locations = columns + 2 * rows;
  const std::size_t read = columns + (adds ? rows : 0);
  for (std::size_t i = 0; i < read; ++i) program.inputs.push_back(static_cast<Element>(i));
  for (std::size_t r = 0; r < rows; ++r) {
    Equation equation{static_cast<Element>(columns + rows + r), {}};
    for (std::size_t c = 0; c < columns; ++c) {
      const Field::Symbol factor = code.parity(r, c);
      if (factor != 0) equation.operands.emplace_back(static_cast<Element>(c), factor);
    }
    if (adds) equation.operands.emplace_back(static_cast<Element>(columns + r));
    program.outputs.push_back(equation.target);
    program.equations.push_back(std::move(equation));
  }
  return program;
}

}  // namespace

void print_blocking(const Bench& bench) {
  using Blocks = std::vector<std::size_t>;
  const Code code = make_code(bench.is_quick ? "rs-poly:k=16,m=8" : "rs-poly:k=223,m=32");
  const std::size_t chunk = bench.is_quick ? std::size_t{16} << 10 : std::size_t{1} << 20;
  print_head({"B", "tiles", "data"});
  for (const std::size_t block : bench.is_quick ? Blocks{4, 8} : Blocks{4, 8, 16, 24, 32, 48, 64}) {
    const std::size_t rows = std::min(block, code.parity.rows());
    const std::size_t across = (code.k + block - 1) / block;
    const std::size_t down = (code.parity.rows() + block - 1) / block;
    print_row({fmt::to_string(block), fmt::to_string(across * down), rate([&] {
                 Code wide = code;
                 wide.locations = block + 2 * rows;
                 DeviceWork first(bench.device, wide, tile_of(code, rows, block, false), chunk,
                                  bench.resident_bytes());
                 DeviceWork next(bench.device, wide, tile_of(code, rows, block, true), chunk,
                                 bench.resident_bytes());
                 const double seconds =
                     static_cast<double>(down) *
                     (seconds_of_kernel(first, bench.effort()) +
                      static_cast<double>(across - 1) * seconds_of_kernel(next, bench.effort()));
                 return static_cast<double>(code.k * chunk) / seconds;
               })});
  }
}

void print_policies(const Bench& bench) {
  struct Place {
    KernelTableMemory memory;
    const char* name;
  };
  struct Result {
    std::string multiplication, place;
    double rate;  ///< 0 if it was not measured
    std::string cell;
  };
  const Code code = code_of(Family::kWords, 4, 2);
  std::vector<Result> results;
  const auto measure = [&](Result result, const KernelOptions& options) {
    result.cell = rate([&] {
      DeviceWork work(bench.device, code, encoding_of(code), large_chunk(bench),
                      bench.resident_bytes(), options);
      fill_and_check(work, code);
      result.rate = static_cast<double>(code.k * work.chunk_bytes()) /
                    seconds_of_kernel(work, bench.effort());
      return result.rate;
    });
    results.push_back(std::move(result));
  };
  for (const KernelForm form : {KernelForm::kHorner, KernelForm::kBitSliced}) {
    KernelOptions options;
    options.form = form;
    measure({form_name(form), "none", 0, ""}, options);
  }
  for (const KernelTables tables : kKernelTables) {
    for (const Place& place : {Place{KernelTableMemory::kGlobal, "global"},
                               {KernelTableMemory::kConstant, "constant"},
                               {KernelTableMemory::kLocal, "local"}}) {
      const bool has_tables = tables != KernelTables::kShiftAndAdd;
      if (!has_tables && place.memory != KernelTableMemory::kGlobal) continue;
      KernelOptions options;
      options.form = KernelForm::kTables;
      options.tables = tables;
      options.table_memory = place.memory;
      measure({tables_name(tables), has_tables ? place.name : "none", 0, ""}, options);
    }
  }
  std::ranges::stable_sort(results, std::greater{}, &Result::rate);
  print_head({"rank", "multiplication", "tables in memory that is", "data"});
  std::size_t rank = 0;
  for (const Result& result : results) {
    print_row({result.rate > 0 ? fmt::to_string(++rank) : "", result.multiplication, result.place,
               result.cell});
  }
}

}  // namespace xorloom::gpu_bench
