
#include "cli/bench/bench_report.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/shell/running.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom::cli {
namespace {

/// Seconds, and speed in both units: data bytes, and all bytes of the stripe as ISA-L's tool
/// counts.
Json speed_json(const Measurement& m, double seconds) {
  return {{"seconds", seconds},
          {"data_gb_per_s", gigabytes_per_second(m.data_bytes, seconds)},
          {"stripe_gb_per_s", gigabytes_per_second(m.stripe_bytes, seconds)}};
}

Json to_json(const Latency& latency) {
  return {{"calls", latency.calls},        {"p50_seconds", latency.p50},
          {"p90_seconds", latency.p90},    {"p99_seconds", latency.p99},
          {"p99_9_seconds", latency.p999}, {"most_seconds", latency.most}};
}

Json to_json(const Measurement& m, const Operation& operation) {
  Json json{{"operation", operation.lost.empty() ? "encode" : "decode"},
            {"lost", operation.lost},
            {"chunks_read", operation.num_reads},
            {"chunks_written", operation.num_writes}};
  json.update(speed_json(m, operation.seconds));
  json["limit"] = nullptr;
  if (operation.limit.seconds != 0) {
    json["limit"] = speed_json(m, operation.limit.seconds);
    json["limit"]["variant"] = operation.limit.how;
    json["share"] = operation.limit.seconds / operation.seconds;
  }
  json["peers"] = Json::array();
  for (const Rival& peer : operation.peers) {
    Json entry{{"name", peer.name}, {"how", peer.how}};
    entry.update(speed_json(m, peer.seconds));
    entry["ratio"] = peer.seconds / operation.seconds;
    json["peers"].push_back(std::move(entry));
  }
  if (operation.latency.calls != 0) json["single_calls"] = to_json(operation.latency);
  return json;
}

Json to_json(const Measurement& m, const SystemDescription& machine) {
  Json operations = Json::array();
  for (const Operation& operation : m.operations) operations.push_back(to_json(m, operation));
  return {{"spec", m.info.spec},
          {"k", m.info.k},
          {"m", m.info.m},
          {"w", m.info.w},
          {"packet_bytes", m.info.packet_bytes},
          {"isa", to_string(m.info.isa)},
          {"executor", to_string(m.info.executor)},
          {"threads", m.threads},
          {"layout", to_string(m.layout)},
          {"level", level_of(m.stripe_bytes, machine.caches)},
          {"chunk_bytes", m.chunk_bytes},
          {"data_bytes", m.data_bytes},
          {"stripe_bytes", m.stripe_bytes},
          {"verified_by", m.verified_by},
          {"rounds", m.rounds},
          {"processor_share", m.processor_share},
          {"memcpy", speed_json(m, m.copy_seconds)},
          {"operations", std::move(operations)}};
}

/// Encoding, by threads.
Json to_json(const BenchResult& code, const ThreadSpeed& speed) {
  return {{"spec", code.measurements.front().info.spec},
          {"layout", to_string(speed.layout)},
          {"level", speed.level},
          {"chunk_bytes", speed.chunk_bytes},
          {"data_bytes", speed.data_bytes},
          {"threads", speed.threads},
          {"seconds", speed.seconds},
          {"data_gb_per_s", gigabytes_per_second(speed.data_bytes, speed.seconds)}};
}

}  // namespace

Json machine_json(const SystemDescription& machine, const MachineFacts& facts) {
  Json isas = Json::array();
  for (const Isa isa : machine_isas()) isas.push_back(to_string(isa));
  Json json{{"cpu", machine.cpu},
            {"threads", machine.threads},
            {"memory_bytes", machine.memory_bytes},
            {"l1_bytes", machine.caches.l1},
            {"l2_bytes", machine.caches.l2},
            {"l3_bytes", machine.caches.l3},
            {"isas", std::move(isas)},
            {"compiler", machine.compiler}};
  json.update(machine_facts_json(facts));
  return json;
}

Json bench_json(const std::vector<BenchResult>& codes, const SystemDescription& machine,
                const MachineFacts& facts, const std::vector<Peer>& peers) {
  Json results = Json::array();
  Json by_threads = Json::array();
  for (const BenchResult& code : codes) {
    for (const Measurement& m : code.measurements) results.push_back(to_json(m, machine));
    for (const ThreadSpeed& speed : code.by_threads) by_threads.push_back(to_json(code, speed));
  }
  Json libraries = Json::array();
  for (const Peer& peer : peers) {
    Json version = *peer.version == '\0' ? Json(nullptr) : Json(peer.version);
    libraries.push_back({{"name", peer.name},
                         {"library", peer.library},
                         {"version", std::move(version)},
                         {"about", peer.about}});
  }
  return {{"format", "xorloom-bench"},
          {"version", 2},
          {"machine", machine_json(machine, facts)},
          {"statistic", "median of rounds"},
          {"caches", "warm"},
          {"libraries", std::move(libraries)},
          {"results", std::move(results)},
          {"by_threads", std::move(by_threads)}};
}

}  // namespace xorloom::cli
