#include "cli/pages/cluster_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/document/figures.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "equations/models/cluster.hpp"
#include "equations/models/durability.hpp"

namespace xorloom::cli {
namespace {

constexpr double kNodeBytes = 1e13;
constexpr double kMttfHours = 2e5;
constexpr double kReadRate = 1e8;
constexpr double kVague = 0.2;  ///< from this half width / mean on, a result is vague

struct ClusterRow {
  std::string title;
  std::string spec;
  std::size_t locations = 0;
  double stored = 0;          ///< bytes stored per byte of data
  std::vector<double> reads;  ///< bytes read per byte rebuilt, by lost chunks from 1 on
  ClusterRun run;
  double traffic = 0;                ///< bytes per second that all repairs read
  Estimate hours_to_loss;            ///< simulated mean time to data loss of a group
  double chain_hours = 0;            ///< mean time to data loss by the Markov chain
  std::vector<double> chain_shares;  ///< share of time by lost chunks, by the chain
  double chain_batch_losses = 0;     ///< share of groups that a bad batch costs, by the chain
};

/// The probability that a chunk has an unreadable bit. A node's latent errors hit one of its chunks
/// each.
double unreadable_chunk(const ClusterOptions& options, double chunk_bytes) {
  FullRead read{
      .disks = 1, .disk_bytes = chunk_bytes, .error_rate = options.error_rate.value_or(0)};
  if (options.latent) {
    read.latent = {*options.latent * static_cast<double>(options.groups), *options.scrub};
  }
  return 1 - clean_read_chance(read);
}

/// The share of groups that lose data before a bad batch is replaced, by the chain of a group with
/// each number of its nodes, which are any nodes. Repairs take as long as the simulated ones.
double chain_batch_losses(const ClusterRow& row, const Code& code, const ClusterModel& cluster) {
  const DiskGroup group{.locations = code.locations,
                        .losses = code.promised_losses,
                        .mttf_hours = cluster.mttf_hours,
                        .mttr_hours = row.run.mean_repair_hours,
                        .unreadable = cluster.unreadable};
  const auto nodes = static_cast<double>(cluster.nodes);
  const auto bad = static_cast<double>(cluster.bad_nodes);
  const auto log_choose = [](double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
  };
  const std::size_t usual = cluster.nodes - cluster.bad_nodes;
  double share = 0;
  for (std::size_t b = 1; b <= std::min(code.locations, cluster.bad_nodes); ++b) {
    if (code.locations - b > usual) continue;
    const auto of_batch = static_cast<double>(b);
    const auto others = static_cast<double>(code.locations) - of_batch;
    const double chance = std::exp(log_choose(bad, of_batch) + log_choose(nodes - bad, others) -
                                   log_choose(nodes, of_batch + others));
    share += chance * (1 - batch_survival_chance(group, {b, cluster.bad_mttf_hours}));
  }
  return share;
}

double yearly(double hours_to_loss) { return loss_in_a_year(hours_to_loss); }

ClusterRow row_of(const std::string& title, const Code& code, const ClusterOptions& options) {
  LostSets sets(code);
  if (sets.most_losses() == 0 || code.promised_losses == 0) {
    fail(Status::kInvalidArgument,
         fmt::format("a cluster repairs, and {} promises to survive 0 losses", code.name()));
  }
  ClusterRow row;
  row.title = title;
  row.spec = code.spec;
  row.locations = code.locations;
  row.stored = static_cast<double>(code.num_cells()) / static_cast<double>(code.data.size());
  row.reads = reads_by_losses(code, sets);

  ClusterModel cluster{
      .nodes = options.nodes,
      .groups_per_node = options.groups,
      .locations = code.locations,
      .chunk_bytes = options.node_bytes.value_or(kNodeBytes) / static_cast<double>(options.groups),
      .mttf_hours = options.mttf.value_or(kMttfHours),
      .reads = row.reads,
      .repair_hours = {}};
  cluster.times = options.repair_times == "fixed" ? RepairTimes::kFixed : RepairTimes::kExponential;
  for (const double reads : row.reads) {
    cluster.repair_hours.push_back(options.mttr.value_or(
        reads * cluster.chunk_bytes / options.rate.value_or(kReadRate) / kSecondsOfHour));
  }
  cluster.unreadable = unreadable_chunk(options, cluster.chunk_bytes);
  if (options.batch_mttf) {
    cluster.bad_nodes = options.batch;
    cluster.bad_mttf_hours = *options.batch_mttf;
  }
  row.run = simulate_cluster(cluster, sets, options.failures, options.seed);
  row.traffic = row.run.bytes_read / (row.run.hours * kSecondsOfHour);

  const GroupModel group{.locations = code.locations,
                         .mttf_hours = cluster.mttf_hours,
                         .repair_hours = cluster.repair_hours,
                         .times = cluster.times,
                         .waits = row.run.waits,
                         .unreadable = cluster.unreadable};
  row.hours_to_loss = simulated_hours_to_loss(group, sets, options.samples, options.seed);
  row.chain_hours = chain_hours_to_loss(group, sets);
  row.chain_shares = chain_shares(group, sets);
  if (cluster.bad_nodes > 0) row.chain_batch_losses = chain_batch_losses(row, code, cluster);
  return row;
}

/// Probability that any group loses data within a year.
double any_loss(const ClusterRow& row) {
  return yearly(row.hours_to_loss.mean / static_cast<double>(row.run.groups));
}

Json json_of(const ClusterRow& row, const ClusterOptions& options) {
  const double mean = row.hours_to_loss.mean;
  Json json{
      {"code", row.spec},
      {"name", row.title},
      {"locations", row.locations},
      {"bytes_stored_per_byte", row.stored},
      {"bytes_read_per_byte_rebuilt", row.reads},
      {"groups", row.run.groups},
      {"simulated_hours", row.run.hours},
      {"node_failures", row.run.failures},
      {"chunk_repairs", row.run.repairs},
      {"repair_bytes_per_second", row.traffic},
      {"repair_hours",
       {{"mean", row.run.mean_repair_hours}, {"percentile_99", row.run.slow_repair_hours}}},
      {"groups_that_lost_data", row.run.losses},
      {"share_of_time_by_losses", row.run.shares},
      {"chain_share_of_time_by_losses", row.chain_shares},
      {"hours_to_loss",
       {{"mean", mean},
        {"low", mean - row.hours_to_loss.half_width},
        {"high", mean + row.hours_to_loss.half_width},
        {"chain", row.chain_hours},
        {"half_width_share", row.hours_to_loss.half_width / mean}}},
      {"loss_in_a_year",
       {{"object", yearly(mean)}, {"chain", yearly(row.chain_hours)}, {"any", any_loss(row)}}}};
  if (options.batch_mttf) {
    json["batch"] = {{"groups_lost", row.run.batch_losses},
                     {"share_lost", static_cast<double>(row.run.batch_losses) /
                                        static_cast<double>(row.run.groups)},
                     {"chain", row.chain_batch_losses},
                     {"nodes_left", row.run.bad_nodes_left}};
  }
  return json;
}

Facts facts(const ClusterOptions& options) {
  const std::string repairs =
      options.mttr
          ? fmt::format("MTTR {:.6g} hours per chunk", *options.mttr)
          : fmt::format("read {:.6g} bytes per second each", options.rate.value_or(kReadRate));
  Facts facts{{{"nodes", fmt::format("{}, each with {:.6g} bytes in {}", options.nodes,
                                     options.node_bytes.value_or(kNodeBytes),
                                     counted(options.groups, "group"))},
               {"failures",
                fmt::format("MTTF {:.6g} hours; {} simulated", options.mttf.value_or(kMttfHours),
                            counted(options.failures, "failure of a node", "failures of nodes"))},
               {"repairs", fmt::format("{}, {} times", repairs, options.repair_times)}}};
  if (options.error_rate) {
    facts.add("errors", fmt::format("{:.6g} per bit read", *options.error_rate));
  }
  if (options.latent) {
    facts.add("latent",
              fmt::format("an error of a node after {:.6g} hours, scrubs every {:.6g} hours",
                          *options.latent, *options.scrub));
  }
  if (options.batch_mttf) {
    facts.add("batch", fmt::format("{} at first, MTTF {:.6g} hours",
                                   counted(options.batch, "bad node"), *options.batch_mttf));
  }
  return facts;
}

std::string short_hours(const Json& hours) { return short_number(hours.real(), 2); }

std::string terabytes_a_day(const Json& bytes_per_second) {
  constexpr double kSecondsOfDay = 86400;
  constexpr double kTerabyte = 1e12;
  return short_number(bytes_per_second.real() * kSecondsOfDay / kTerabyte, 2);
}

std::string in_short_powers(const Json& value) { return fmt::format("{:.1e}", value.real()); }

std::string in_percent_of_mean(const Json& share) { return in_whole_percent(share) + "%"; }

/// Table of what a bad batch costs.
Table batch_table(const Json& codes) {
  return record_table(codes, {"code", "name"},
                      {{"groups lost by the batch",
                        {{"simulated", "batch.groups_lost", in_full},
                         {"share", "batch.share_lost", in_short_powers},
                         {"chain", "batch.chain", in_short_powers}}}});
}

Table table_of(const Json& codes) {
  return record_table(codes, {"code", "name"},
                      {{"bytes",
                        {{"stored", "bytes_stored_per_byte", to_stored_bytes},
                         {"read", "bytes_read_per_byte_rebuilt.0", to_two_decimals}}},
                       {"repair, h",
                        {{"mean", "repair_hours.mean", short_hours},
                         {"99 %", "repair_hours.percentile_99", short_hours}}},
                       {"read", {{"TB/day", "repair_bytes_per_second", terabytes_a_day}}},
                       {"object lost in year",
                        {{"simulated", "loss_in_a_year.object", in_short_powers},
                         {"±", "hours_to_loss.half_width_share", in_percent_of_mean},
                         {"chain", "loss_in_a_year.chain", in_short_powers}}},
                       {"any lost", {{"in year", "loss_in_a_year.any", in_short_powers}}}});
}

}  // namespace

Document cluster_document(const std::vector<std::pair<std::string, Code>>& codes,
                          const ClusterOptions& options) {
  Json results = Json::array();
  for (const auto& [title, code] : codes) {
    results.push_back(json_of(row_of(title, code, options), options));
  }
  Document document{"Codes in a cluster",
                    {{"format", "xorloom-model-cluster"},
                     {"version", 1},
                     {"nodes", options.nodes},
                     {"groups_per_node", options.groups},
                     {"node_bytes", options.node_bytes.value_or(kNodeBytes)},
                     {"mttf_hours", options.mttf.value_or(kMttfHours)},
                     {"repair_times", options.repair_times},
                     {"samples", options.samples},
                     {"seed", options.seed},
                     {"codes", std::move(results)}}};
  const Json& found = document.data["codes"];
  document.add(facts(options));
  for (const Json& code : found) {
    if (code["hours_to_loss"]["half_width_share"].real() < kVague) continue;
    document.add(Caution{
        fmt::format("the simulation of {} is vague: take more --samples.", code["name"].text())});
  }
  document.add(table_of(found));
  if (options.batch_mttf) {
    for (const Json& code : found) {
      if (code["batch"]["nodes_left"].whole() == 0) continue;
      document.add(Caution{fmt::format("{} of the batch had not failed yet: take more --failures.",
                                       counted(code["batch"]["nodes_left"].whole(), "node"))});
      break;
    }
    document.add(batch_table(found));
  }
  document.add(
      Glossary{"What the columns mean",
               {{"bytes",
                 "stored per byte of data, and read per byte that the repair of one lost chunk "
                 "rebuilds."},
                {"repair, h",
                 "hours from the loss of a chunk until it is rebuilt: the mean, and the time that "
                 "99 of 100 repairs do not exceed."},
                {"read", "what all repairs of the cluster read, in 10^12 bytes per day."},
                {"object lost in year",
                 "probability that one group of chunks loses data within a year. ± is half the "
                 "width of the 95 % confidence interval of the simulation. chain is a Markov chain "
                 "in which no repair waits, as a check."},
                {"any lost",
                 "probability that any group of the cluster loses data within a year, "
                 "from the simulation."}}});
  return document;
}

}  // namespace xorloom::cli
