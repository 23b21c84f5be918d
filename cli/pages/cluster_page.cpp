#include "cli/pages/cluster_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/shell/help.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "equations/models/cluster.hpp"
#include "equations/models/durability.hpp"

namespace xorloom::cli {
namespace {

constexpr double kNodeBytes = 1e13;
constexpr double kMttfHours = 2e5;
constexpr double kReadRate = 1e8;
constexpr std::size_t kNameColumns = 17;
constexpr double kVague = 0.2;  ///< an interval of that half width, by the mean

struct ClusterRow {
  std::string title;
  std::string spec;
  std::size_t locations = 0;
  double stored = 0;          ///< bytes per byte of data
  std::vector<double> reads;  ///< bytes per byte rebuilt, by lost chunks from 1 on
  ClusterRun run;
  double traffic = 0;      ///< bytes per second, of all nodes
  Estimate hours_to_loss;  ///< of a group
  double chain_hours = 0;
  std::vector<double> chain_shares;
};

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
  row.run = simulate_cluster(cluster, sets, options.failures, options.seed);
  row.traffic = row.run.bytes_read / (row.run.hours * kSecondsOfHour);

  const GroupModel group{.locations = code.locations,
                         .mttf_hours = cluster.mttf_hours,
                         .repair_hours = cluster.repair_hours,
                         .times = cluster.times,
                         .waits = row.run.waits};
  row.hours_to_loss = simulated_hours_to_loss(group, sets, options.samples, options.seed);
  row.chain_hours = chain_hours_to_loss(group, sets);
  row.chain_shares = chain_shares(group, sets);
  return row;
}

/// Of losing data of any group.
double any_loss(const ClusterRow& row) {
  return yearly(row.hours_to_loss.mean / static_cast<double>(row.run.groups));
}

Json json_of(const ClusterRow& row) {
  const double mean = row.hours_to_loss.mean;
  return {{"code", row.spec},
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
            {"chain", row.chain_hours}}},
          {"loss_in_a_year",
           {{"object", yearly(mean)}, {"chain", yearly(row.chain_hours)}, {"any", any_loss(row)}}}};
}

std::string head(const ClusterOptions& options) {
  std::string text =
      fmt::format("nodes     {}, each with {:.6g} bytes in {} groups\n", options.nodes,
                  options.node_bytes.value_or(kNodeBytes), options.groups);
  text += fmt::format("failures  MTTF {:.6g} hours; {} failures of nodes simulated\n",
                      options.mttf.value_or(kMttfHours), options.failures);
  text += options.mttr ? fmt::format("repairs   MTTR {:.6g} hours per chunk, ", *options.mttr)
                       : fmt::format("repairs   read {:.6g} bytes per second each, ",
                                     options.rate.value_or(kReadRate));
  return text + fmt::format("{} times\n\n", options.repair_times);
}

/// A title that is too long has a line of its own.
std::string in_columns(const std::string& title, std::size_t columns) {
  if (title.size() <= columns) return title;
  return wrapped(title, 0) + "\n" + std::string(columns, ' ');
}

std::string table_page(const std::vector<ClusterRow>& rows, const ClusterOptions& options) {
  std::size_t name = 4;
  for (const ClusterRow& row : rows)
    name = std::max(name, std::min(kNameColumns, row.title.size()));
  std::string text = head(options);
  text += fmt::format("{:<{}} {:>6} {:>5} {:>11} {:>6}  {:>20} {:>8}\n", "", name, "stored", "read",
                      "repair h", "read", "object lost in year", "any lost");
  text += fmt::format("{:<{}} {:>6} {:>5} {:>11} {:>6}  {:>11} {:>8} {:>8}\n", "code", name,
                      "/byte", "/byte", "mean   99 %", "TB/day", "simulated", "chain", "in year");
  for (const ClusterRow& row : rows) {
    const double mean = row.hours_to_loss.mean;
    const std::string simulated =
        fmt::format("{:.1e} {:>2.0f}%", yearly(mean), 100 * row.hours_to_loss.half_width / mean);
    text += fmt::format("{:<{}} {:>6.2f} {:>5.2f} {:>5} {:>5} {:>6}  {:>11} {:>8.1e} {:>8.1e}\n",
                        in_columns(row.title, name), name, row.stored, row.reads.front(),
                        short_number(row.run.mean_repair_hours, 2),
                        short_number(row.run.slow_repair_hours, 2),
                        short_number(row.traffic * 86400 / 1e12, 2), simulated,
                        yearly(row.chain_hours), any_loss(row));
  }
  text +=
      "\nread per byte: by the repair of one lost chunk. object: data in one group; the\n"
      "simulation gives its 95 % confidence. chain: a Markov chain, as a check.\n";
  for (const ClusterRow& row : rows) {
    if (row.hours_to_loss.half_width < kVague * row.hours_to_loss.mean) continue;
    text +=
        wrapped(fmt::format("The simulation of {} is vague: take more --samples.", row.title), 0) +
        "\n";
  }
  return text;
}

}  // namespace

std::string cluster_page(const std::vector<std::pair<std::string, Code>>& codes,
                         const ClusterOptions& options, const std::string& format) {
  std::vector<ClusterRow> rows;
  for (const auto& [title, code] : codes) rows.push_back(row_of(title, code, options));
  if (format != "json") return table_page(rows, options);
  Json results = Json::array();
  for (const ClusterRow& row : rows) results.push_back(json_of(row));
  const Json json{{"format", "xorloom-model-cluster"},
                  {"version", 1},
                  {"nodes", options.nodes},
                  {"groups_per_node", options.groups},
                  {"node_bytes", options.node_bytes.value_or(kNodeBytes)},
                  {"mttf_hours", options.mttf.value_or(kMttfHours)},
                  {"repair_times", options.repair_times},
                  {"samples", options.samples},
                  {"seed", options.seed},
                  {"codes", std::move(results)}};
  return json.dump(2) + "\n";
}

}  // namespace xorloom::cli
