#include "cli/bench/bench_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/bench/bench_charts.hpp"
#include "cli/document/html_table.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/short_number.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kNone = "-";

std::string short_speed(const Measurement& m, double seconds) {
  return seconds == 0 ? kNone : short_number(gigabytes_per_second(m.data_bytes, seconds));
}

std::string share(const Operation& operation) {
  if (operation.limit.seconds == 0) return kNone;
  const double share = operation.limit.seconds / operation.seconds;
  return share > kMostShare ? kNone : fmt::format("{:.2f}", share);
}

const Rival* rival_of(const Operation* operation, const Peer& peer) {
  if (operation == nullptr) return nullptr;
  const auto found = std::ranges::find(operation->peers, peer.name, &Rival::name);
  return found == operation->peers.end() ? nullptr : &*found;
}

std::string level_name(const Measurement& m, const SystemDescription& machine) {
  const std::string level = level_of(m.stripe_bytes, machine.caches);
  return level == "DRAM" ? "memory" : level;
}

void add_operation(const Measurement* m, Coding coding, std::vector<std::string>& cells) {
  if (m == nullptr) {  // it was not timed on so many threads
    cells.insert(cells.end(), 2, "");
    return;
  }
  const Operation* operation = operation_of(*m, coding);
  cells.push_back(operation == nullptr ? kNone : short_speed(*m, operation->seconds));
  cells.push_back(operation == nullptr ? kNone : share(*operation));
}

std::string decoding_name(const std::vector<BenchResult>& codes) {
  const Measurement& first = codes.front().measurements.front();
  for (const BenchResult& code : codes) {
    if (coding_text(code.measurements.front(), Coding::kDecoding) !=
        coding_text(first, Coding::kDecoding)) {
      return "decode most";
    }
  }
  return fmt::format("decode {} lost", first.operations.back().lost.size());
}

/// The sizes of a code, ascending.
std::vector<std::size_t> sizes_of(const BenchResult& code) {
  std::vector<std::size_t> sizes;
  for (const Measurement& m : code.measurements) sizes.push_back(m.chunk_bytes);
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

const Measurement* of_size(const std::vector<const Measurement*>& all, std::size_t chunk_bytes) {
  const auto found = std::ranges::find(all, chunk_bytes, &Measurement::chunk_bytes);
  return found == all.end() ? nullptr : *found;
}

/// "L2, 32 KiB, staggered".
std::string place_name(const Measurement& m, const SystemDescription& machine) {
  return fmt::format("{}, {}, {}", level_name(m, machine), size_text(m.chunk_bytes),
                     to_string(m.layout));
}

std::string layouts_table(const BenchResult& code, const SystemDescription& machine) {
  std::vector<std::string> columns;
  for (const Operation& operation : code.measurements.front().operations) {
    columns.push_back(operation.lost.empty() ? "encode"
                                             : fmt::format("{} lost", operation.lost.size()));
    columns.emplace_back("of XOR");
  }
  columns.insert(columns.end(), {"memcpy", "limit of encoding by", "rounds"});
  TableBlock block;
  for (const Measurement& m : code.measurements) {
    std::vector<std::string> cells;
    for (const Operation& operation : m.operations) {
      cells.push_back(short_speed(m, operation.seconds));
      cells.push_back(share(operation));
    }
    cells.push_back(short_speed(m, m.copy_seconds));
    cells.push_back(m.operations.front().limit.how);
    cells.push_back(fmt::format("{}", m.rounds));
    block.rows.push_back({0, fmt::format("{}, {}", place_name(m, machine), threads_text(m.threads)),
                          std::move(cells)});
  }
  return html_table({{"GB/s of data, and its share of the limit", columns}}, {block});
}

std::string calls_table(const BenchResult& code, const SystemDescription& machine) {
  TableBlock block;
  for (const Measurement& m : code.measurements) {
    for (const Operation& operation : m.operations) {
      const Latency& latency = operation.latency;
      if (latency.calls == 0) continue;
      std::vector<std::string> cells{fmt::format("{}", latency.calls)};
      for (const double seconds :
           {latency.p50, latency.p90, latency.p99, latency.p999, latency.most}) {
        cells.push_back(short_number(seconds * kMicro));
      }
      block.rows.push_back({0,
                            fmt::format("{}, {}", place_name(m, machine),
                                        operation.lost.empty()
                                            ? "encode"
                                            : fmt::format("decode {} lost", operation.lost.size())),
                            std::move(cells)});
    }
  }
  if (block.rows.empty()) return "";
  return html_table({{"single calls on 1 thread, microseconds",
                      {"calls", "p50", "p90", "p99", "p99.9", "longest"}}},
                    {block});
}

/// How each library was run, and what it is.
std::string peers_list(const BenchResult& code, const std::vector<Peer>& peers) {
  std::string html;
  for (const Peer& peer : peers) {
    std::vector<std::string> ways;
    for (const Measurement& m : code.measurements) {
      const Rival* rival = rival_of(&m.operations.front(), peer);
      if (rival == nullptr || std::ranges::find(ways, rival->how) != ways.end()) continue;
      ways.push_back(rival->how);
    }
    std::string how;
    for (const std::string& way : ways) how += (how.empty() ? "" : ", ") + way;
    html += fmt::format(
        "<p>{}: {}; {}; {}.</p>\n", escaped(peer.name), escaped(library_name(peer)),
        escaped(peer.about),
        how.empty() ? "it does not have this code, or one thread was not timed" : escaped(how));
  }
  return html;
}

/// A size of a code, on each number of threads and by each library.
TableRow speeds_row(const BenchResult& code, std::size_t chunk_bytes,
                    const std::vector<std::size_t>& threads, const SystemDescription& machine,
                    const std::vector<Peer>& peers) {
  TableRow row{0, "", {}};
  for (const std::size_t count : threads) {
    const Measurement* m = of_size(shown(code, count), chunk_bytes);
    if (m != nullptr) {
      row.label = fmt::format("{}, {}", level_name(*m, machine), size_text(chunk_bytes));
    }
    add_operation(m, Coding::kEncoding, row.values);
    add_operation(m, Coding::kDecoding, row.values);
  }
  const Measurement* alone = of_size(shown(code, 1), chunk_bytes);
  for (const Peer& peer : peers) {
    for (const Coding coding : {Coding::kEncoding, Coding::kDecoding}) {
      const Rival* rival =
          alone == nullptr ? nullptr : rival_of(operation_of(*alone, coding), peer);
      row.values.push_back(rival == nullptr ? kNone : short_speed(*alone, rival->seconds));
    }
  }
  return row;
}

}  // namespace

std::string speeds_table(const std::vector<BenchResult>& codes, const SystemDescription& machine,
                         const std::vector<Peer>& peers) {
  const std::vector<std::size_t> threads = threads_measured(codes);
  const std::string decoding = decoding_name(codes);
  std::vector<ColumnGroup> groups;
  for (const std::size_t count : threads) {
    groups.push_back({fmt::format("{}, GB/s of data", threads_text(count)),
                      {"encode", "of XOR", decoding, "of XOR"}});
  }
  for (const Peer& peer : peers) {
    groups.push_back({fmt::format("{}, 1 thread", peer.name), {"encode", decoding}});
  }
  std::vector<TableBlock> blocks;
  for (const BenchResult& code : codes) {
    TableBlock& block = blocks.emplace_back();
    if (codes.size() > 1) block.heading = code.name;
    for (const std::size_t size : sizes_of(code)) {
      block.rows.push_back(speeds_row(code, size, threads, machine, peers));
    }
  }
  return html_table(groups, blocks);
}

std::string details_tables(const BenchResult& code, const SystemDescription& machine,
                           const std::vector<Peer>& peers) {
  const std::string ways =
      "<p>The limit is named by how it runs: so many lines of 64 bytes of a chunk at a time; NT "
      "stores past the caches; +512 prefetches so many bytes ahead; tiled takes slices of 4 KiB of "
      "eight chunks.</p>\n";
  return layouts_table(code, machine) + ways + calls_table(code, machine) + peers_list(code, peers);
}

}  // namespace xorloom::cli
