#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/lab/lab.hpp"
#include "bench/lab/peers.hpp"
#include "bench/lab/study.hpp"
#include "cli/bench/bench_charts.hpp"
#include "cli/bench/bench_subject.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/measure.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/code_title.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/running.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kCompareAbout =
    "compare codes with other libraries, in turns on the same bytes\n"
    "Encodes and decodes random data in memory, by Xorloom and by other libraries that have the "
    "code. In a round all of them take turns on the same buffers; each speed is the "
    "median of rounds. With --threads N, chunks are cut into N parts. Each thread codes a part "
    "with "
    "functions of one thread, and waits for the others once a turn. A library runs in the way in "
    "which it encodes fastest. Everything that "
    "writes the bytes of Xorloom is compared with them before it is timed. A library that writes "
    "other redundancy must rebuild the same data from it.";

constexpr const char* kCompareExamples =
    "xorloom-lab compare isa-cauchy:k=10,m=4 --against isal\n"
    "xorloom-lab compare rs-poly:k=223,m=32 --chunk-bytes 4096 --against naive,isal\n"
    "xorloom-lab compare cauchy-good:k=10,m=4,w=8 --losses 1,2,4";

constexpr std::size_t kLeastTurns = 3;
constexpr std::size_t kMostTurns = 31;
constexpr double kTurnsSeconds = 0.8;  // no round starts after this

struct CompareOptions : BenchSubject {
  std::vector<std::size_t> losses;
  std::vector<std::string> against;
  Layout layout = Layout::kStaggered;
};

/// A way to compute an operation: what each thread does with its part of the chunks.
struct PartedWay {
  std::string how;
  bool gives_our_bytes = false;
  std::vector<std::function<void(std::uint8_t* const* chunks)>> parts;  ///< by thread
};

/// An operation, encoding or decoding, and its contenders.
struct Contest {
  std::vector<std::size_t> lost;  ///< empty: encoding
  Plan plan;
  Contender ours{"xorloom", {}};
  std::vector<std::vector<Contender>> others{};  ///< for each library, its fastest way, or empty
};

/// Times a code with chunks of one size against other libraries.
class Comparison {
 public:
  Comparison(const Code& code, const Codec& codec, const BenchFixture& fixture, bool begins_cold,
             std::size_t threads, const std::vector<Peer>& peers)
      : code_(code), codec_(codec), fixture_(fixture), begins_cold_(begins_cold), peers_(peers) {
    part_bytes_ = fixture.stripe.chunk_bytes() / threads;
    for (std::size_t t = 0; t < threads; ++t) {
      std::vector<std::uint8_t*>& part = parts_.emplace_back();
      for (std::size_t l = 0; l < code.locations; ++l) {
        part.push_back(fixture.stripe.pointers()[l] + t * part_bytes_);
      }
    }
  }

  /// Adds an operation: runs ours once on ruined outputs, compares, and warms up.
  void add(const std::vector<std::size_t>& lost) {
    Contest& contest = contests_.emplace_back(
        Contest{lost, lost.empty() ? codec_.encoding() : codec_.decoding(lost)});
    PartedWay way{"", true, {}};
    for (std::size_t t = 0; t < parts_.size(); ++t) {
      way.parts.emplace_back([this, &contest](std::uint8_t* const* chunks) {
        check(contest.plan.run(chunks, part_bytes_));
      });
    }
    contest.ours = contender_of(way);
    contest.ours.name = "xorloom";
    ruin(fixture_, contest.plan, code_);
    contest.ours.run(1);
    check_chunks(code_, fixture_, contest.plan.writes());
    warm_up(contest.ours);
  }

  /// Adds the libraries: each encodes in its fastest way, and decodes in the same way.
  void add_peers() {
    Contest& encoding = contests_.front();
    for (const Peer& peer : peers_) {
      const auto encoders = ways(peer, encoding);
      std::vector<Contender>& fastest = encoding.others.emplace_back();
      for (const PartedWay& way : encoders) {
        if (way.gives_our_bytes) ruin(fixture_, encoding.plan, code_);
        run_once(way);
        if (way.gives_our_bytes) verify(peer, encoding.plan.writes());
        fastest.push_back(contender_of(way));
      }
      keep_fastest(fastest, 1);
      for (std::size_t i = 1; i < contests_.size(); ++i) {
        std::vector<Contender>& decoder = contests_[i].others.emplace_back();
        const auto decoders = ways(peer, contests_[i]);
        for (std::size_t w = 0; w < decoders.size() && decoder.empty(); ++w) {
          if (fastest.empty() || decoders[w].how != fastest.front().name) continue;
          verify_decoding(peer, encoders[w], decoders[w], contests_[i].plan.writes());
          decoder.push_back(contender_of(decoders[w]));
          keep_fastest(decoder, 1);
        }
      }
      encoding.ours.run(1);  // restores our redundancy
      verify(peer, encoding.plan.writes());
    }
  }

  Json run() {
    const Stopwatch watch;
    const double processor_before = thread_seconds();
    std::size_t rounds = 0;
    while (rounds < kLeastTurns || (rounds < kMostTurns && watch.seconds() < kTurnsSeconds)) {
      for (Contest& contest : contests_) {
        for (std::vector<Contender>& other : contest.others) {
          for (Contender& way : other) take_turn(way);
        }
        take_turn(contest.ours);  // last, since it restores what the others overwrote
      }
      ++rounds;
    }
    const double share = (thread_seconds() - processor_before) / watch.seconds();
    std::vector<std::size_t> all(code_.locations);
    std::iota(all.begin(), all.end(), std::size_t{0});
    check_chunks(code_, fixture_, all);
    Json operations = Json::array();
    for (const Contest& contest : contests_) operations.push_back(to_json(contest));
    return {{"rounds", rounds}, {"processor_share", share}, {"operations", std::move(operations)}};
  }

 private:
  /// The ways of a library. Each thread has its own, since a way may have state.
  std::vector<PartedWay> ways(const Peer& peer, const Contest& contest) const {
    const LinearMap map = contest.lost.empty() ? encoding_map(code_)
                                               : *recovery_map(code_, contest.lost, contest.lost);
    std::vector<PartedWay> all;
    for (std::size_t t = 0; t < parts_.size(); ++t) {
      std::vector<PeerWay> of_thread = peer.ways(code_, map, part_bytes_, codec_.info().isa);
      all.resize(of_thread.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].how = of_thread[i].how;
        all[i].gives_our_bytes = of_thread[i].gives_our_bytes;
        all[i].parts.push_back(std::move(of_thread[i].run));
      }
    }
    return all;
  }

  /// Runs one part after the other on this thread. First calls need it: Jerasure makes the tables
  /// of a field in its first call, and not for several threads at once.
  void run_once(const PartedWay& way) const {
    for (std::size_t t = 0; t < parts_.size(); ++t) way.parts[t](parts_[t].data());
  }

  /// Runs each thread's part `calls` times.
  void run_parts(const PartedWay& way, std::size_t calls) const {
    std::vector<std::exception_ptr> errors(parts_.size());
    const auto work = [&](std::size_t thread) {
      try {
        for (std::size_t i = 0; i < calls; ++i) way.parts[thread](parts_[thread].data());
      } catch (...) {
        errors[thread] = std::current_exception();
      }
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t t = 1; t < parts_.size(); ++t) others.emplace_back(work, t);
      work(0);
    }
    for (const std::exception_ptr& error : errors) {
      if (error) std::rethrow_exception(error);
    }
  }

  Contender contender_of(const PartedWay& way) const {
    Contender contender{way.how, [this, way](std::size_t calls) { run_parts(way, calls); }};
    contender.threads = parts_.size();
    contender.begins_cold = begins_cold_;
    return contender;
  }

  void verify(const Peer& peer, const std::vector<std::size_t>& locations) const {
    if (const auto wrong = first_difference(fixture_, locations)) {
      fail(Status::kInternal, fmt::format("{}: chunk {} of {} is wrong; no time is reported",
                                          code_.name(), *wrong, peer.name));
    }
  }

  /// Checks that `decode` rebuilds the data from redundancy of `encode`, which may differ from
  /// ours.
  void verify_decoding(const Peer& peer, const PartedWay& encode, const PartedWay& decode,
                       const std::vector<std::size_t>& lost) const {
    run_once(encode);
    ruin(fixture_, lost);
    run_once(decode);
    verify(peer, lost);
  }

  Json to_json(const Contest& contest) const {
    const double ours = median_seconds(contest.ours);
    Json json{{"operation", contest.lost.empty() ? "encode" : "decode"}, {"lost", contest.lost}};
    json.update(speed_json(code_, fixture_.stripe.chunk_bytes(), ours));
    json["peers"] = Json::array();
    for (std::size_t p = 0; p < contest.others.size(); ++p) {
      for (const Contender& way : contest.others[p]) {
        const double seconds = median_seconds(way);
        Json entry{{"name", peers_[p].name}, {"how", way.name}, {"ratio", seconds / ours}};
        entry.update(speed_json(code_, fixture_.stripe.chunk_bytes(), seconds));
        json["peers"].push_back(std::move(entry));
      }
    }
    return json;
  }

  const Code& code_;
  const Codec& codec_;
  const BenchFixture& fixture_;
  const bool begins_cold_;
  const std::vector<Peer>& peers_;
  std::size_t part_bytes_ = 0;                       ///< bytes of a chunk for each thread
  std::vector<std::vector<std::uint8_t*>> parts_{};  ///< chunks of each thread's part
  std::deque<Contest> contests_;  ///< encoding first; a deque, as pointers to its elements are kept
};

/// The losses to decode: for each of `counts`, the first chunks. Default: all that the code
/// survives.
std::vector<std::vector<std::size_t>> lost_chunks(const Code& code,
                                                  std::vector<std::size_t> counts) {
  if (counts.empty() && survived_losses(code) > 0) counts = {survived_losses(code)};
  std::vector<std::vector<std::size_t>> all;
  for (const std::size_t count : counts) {
    check_losses(code, count);
    all.emplace_back(count);
    std::iota(all.back().begin(), all.back().end(), std::size_t{0});
  }
  return all;
}

/// Bytes of which a chunk is a multiple if each thread has a part of it.
std::size_t parted_multiple(const Code& code, std::size_t threads) {
  return threads == 1 ? 1 : threads * chunk_multiple(code);
}

/// Refuses codes and sizes whose chunks cannot be cut into a part for each thread.
void check_parts(const Code& code, const std::vector<std::size_t>& sizes, std::size_t threads) {
  if (threads > 1 && code.subchunks > 1) {
    fail(Status::kUnsupported,
         fmt::format("--threads = {}: chunks of {} have sub-chunks, and cannot be cut into parts",
                     threads, code.name()));
  }
  const std::size_t multiple = parted_multiple(code, threads);
  for (const std::size_t size : sizes) {
    if (size % multiple == 0) continue;
    fail(Status::kInvalidArgument,
         fmt::format("--chunk-bytes = {}: {} threads need a multiple of {}", size, threads,
                     multiple));
  }
}

/// Sizes of chunks for each cache of a thread, and for memory.
std::vector<std::size_t> usual_sizes(const Code& code, const SystemDescription& system,
                                     std::size_t threads) {
  std::vector<std::size_t> sizes = chunk_sizes(code, system.caches, system.memory_bytes);
  const std::size_t multiple = parted_multiple(code, threads);
  for (std::size_t& size : sizes) {
    const bool is_cold = size * code.locations > system.caches.l3;
    size = is_cold ? std::max(multiple, size / multiple * multiple) : size * threads;
  }
  return sizes;
}

Json compared(const BenchCode& of, std::size_t chunk_bytes, const CompareOptions& options,
              const std::vector<Peer>& peers, const CacheSizes& caches) {
  const Code& code = of.code;
  const BenchFixture fixture = make_fixture(code, chunk_bytes, options.layout, options.run);
  const Codec codec = bench_codec(of, options.run, 1);
  const std::size_t stripe_bytes = chunk_bytes * code.locations;
  const auto threads = static_cast<std::size_t>(options.run.threads);
  const bool is_cold = stripe_bytes > caches.l3;
  Comparison comparison(code, codec, fixture, is_cold, threads, peers);
  comparison.add({});
  for (const auto& lost : lost_chunks(code, options.losses)) {
    CodecAccess::improve(codec, lost);
    comparison.add(lost);
  }
  comparison.add_peers();
  Json result{{"spec", code.spec},
              {"k", code.k},
              {"m", code.m},
              {"w", code.w},
              {"isa", to_string(codec.info().isa)},
              {"layout", to_string(options.layout)},
              {"threads", threads},
              {"level", level_of(is_cold ? stripe_bytes : stripe_bytes / threads, caches)},
              {"chunk_bytes", chunk_bytes},
              {"data_bytes", data_capacity(code, chunk_bytes)},
              {"verified_by", fixture.verified_by}};
  result.update(comparison.run());
  return result;
}

/// For each operation, a row per chunk size: our time, its place, and the entries of the libraries
/// by name.
std::vector<Json> rows_by_operation(const Json& results) {
  std::vector<Json> all((*results.begin())["operations"].size());
  for (const Json& result : results) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      Json row = result["operations"][i];
      row["chunk_bytes"] = result["chunk_bytes"];
      row["place"] = fmt::format("{} {}, {}", result["level"].text(),
                                 size_text(result["chunk_bytes"].whole()), lost_text(row));
      for (const Json& peer : result["operations"][i]["peers"]) row[peer["name"].text()] = peer;
      all[i].push_back(std::move(row));
    }
  }
  return all;
}

/// Table with a block of rows per operation, a column for ours and columns for each library.
Table table_of(const std::vector<Json>& operations, const std::vector<Peer>& peers) {
  std::vector<FigureGroup> groups{{"", {{"xorloom", "data_gb_per_s", to_three_digits}}}};
  for (const Peer& peer : peers) {
    const std::string name = peer.name;
    groups.push_back({name,
                      {{"GB/s", name + ".data_gb_per_s", to_three_digits},
                       {"ratio", name + ".ratio", to_two_decimals},
                       {"how", name + ".how"}}});
  }
  Table table{column_groups(groups), {}};
  for (const Json& rows : operations) {
    table.blocks.push_back(record_table(rows, {"", "place"}, groups).blocks.front());
  }
  return table;
}

/// Chart of GB/s by chunk bytes for one operation.
Picture chart_of(const Json& rows, const std::vector<Peer>& peers, const std::string& threads) {
  const std::size_t lost = (*rows.begin())["lost"].size();
  Chart chart{lost == 0 ? fmt::format("Encoding, {}", threads)
                        : fmt::format("Decoding {} lost, {}", lost, threads),
              {"bytes of a chunk", ChartAxis::Scale::kLog2, false, true},
              {"GB/s of data", ChartAxis::Scale::kLinear, true, false},
              {{"xorloom", points_of(rows, "chunk_bytes", "data_gb_per_s")}},
              "",
              ChartSize::kSmall};
  for (const Peer& peer : peers) {
    chart.series.push_back(
        {peer.name, points_of(rows, "chunk_bytes", fmt::format("{}.data_gb_per_s", peer.name))});
  }
  std::erase_if(chart.series, [](const ChartSeries& series) { return series.points.empty(); });
  return draw_chart(chart);
}

Json libraries_json(const std::vector<Peer>& peers) {
  Json libraries = Json::array();
  for (const Peer& peer : peers) {
    libraries.push_back({{"name", peer.name},
                         {"library", peer.library},
                         {"version", *peer.version == '\0' ? Json(nullptr) : Json(peer.version)},
                         {"about", peer.about}});
  }
  return libraries;
}

/// Describes each library, and says whether it has the code.
Facts libraries_of(const Json& results, const std::vector<Peer>& peers) {
  Facts facts;
  for (const Peer& peer : peers) {
    const bool has_code = std::ranges::any_of(results, [&](const Json& result) {
      const Json& others = (*result["operations"].begin())["peers"];
      return std::ranges::any_of(
          others, [&](const Json& other) { return other["name"].text() == peer.name; });
    });
    facts.add(peer.name, fmt::format("{}; {}{}", library_name(peer), peer.about,
                                     has_code ? "" : "; it does not have this code"));
  }
  return facts;
}

void run(const CompareOptions& given) {
  CompareOptions options = given;
  if (options.run.threads == kThreadsNotGiven) options.run.threads = 1;
  options.run.threads = static_cast<int>(thread_counts(options.run.threads).back());
  const auto num_threads = static_cast<std::size_t>(options.run.threads);
  const std::string threads = counted(num_threads, "thread");
  choose_isa(options.run.isa);
  const std::vector<Peer> peers =
      options.against.empty() ? built_peers() : peers_named(options.against);
  if (peers.empty()) {
    fail(Status::kUnsupported,
         "this program was built with no other library to compare with: give --against naive, or "
         "build it again where libisal-dev, libjerasure-dev with libgf-complete-dev, or Leopard "
         "are installed");
  }
  const std::vector<BenchCode> codes = bench_codes(options);
  const MeasuredMachine machine;
  Output output(options.output);
  Document document =
      measured_document("Measured beside other libraries", "xorloom-comparison", 1, machine);
  document.data.update({{"statistic", "median of rounds"},
                        {"libraries", libraries_json(peers)},
                        {"results", Json::array()}});
  double least_share = 1;
  for (const BenchCode& of : codes) {
    const CacheSizes& caches = machine.system.caches;
    std::vector<std::size_t> sizes = options.chunk_bytes;
    check_parts(of.code, sizes, num_threads);
    if (sizes.empty()) sizes = usual_sizes(of.code, machine.system, num_threads);
    Json results = Json::array();
    for (const std::size_t size : sizes) {
      show_progress(fmt::format("{}: chunks of {}", code_title(of.code), counted(size, "byte")));
      results.push_back(compared(of, size, options, peers, caches));
      show_progress("");
      least_share = std::min(least_share, results[results.size() - 1]["processor_share"].real());
      document.data["results"].push_back(results[results.size() - 1]);
    }
    document.add(Heading{code_title(of.code)});
    document.add(Verbatim{short_spec(of.code)});
    const std::vector<Json> operations = rows_by_operation(results);
    Pictures pictures;
    for (const Json& rows : operations) pictures.pictures.push_back(chart_of(rows, peers, threads));
    document.add(std::move(pictures));
    document.add(table_of(operations, peers));
    document.add(libraries_of(results, peers));
  }
  document.parts.insert(document.parts.begin(), Caution{busy_text(least_share)});
  document.add(Paragraph{fmt::format(
      "GB/s is 10^9 bytes of data per second, redundancy not counted, for encoding and decoding "
      "alike, on {}. ratio: our speed over theirs. how: the way in which the library "
      "encodes fastest. Every byte was compared before and after.",
      num_threads == 1 ? "one thread" : threads)});
  finish(document, machine, options, output);
}

}  // namespace

Command compare_command() {
  Command command{"compare", kCompareAbout, kCompareExamples};
  const auto options = std::make_shared<CompareOptions>();
  add_subject(command, *options, "one for each cache, and one for memory");
  add_words(
      command, "--against", options->against, peer_names(),
      "the libraries to compare with, or naive, a textbook's loop; default: isal, jerasure and "
      "leopard, if this program was built with them");
  add_numbers(command, "--losses", options->losses, 1, kMaxLocation,
              "decode with the first N chunks lost; default: as many as the code survives");
  add_layout(command, options->layout);
  add_run_and_output(command, *options, "default: 1; each codes a part of all chunks");
  for (const char* name : {"--executor", "--awake"}) {
    remove_option(command, name);
  }
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
