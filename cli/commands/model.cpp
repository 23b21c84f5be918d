#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/document/writers.hpp"
#include "cli/pages/cluster_page.hpp"
#include "cli/pages/durability_page.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "codes/tolerance.hpp"
#include "equations/models/cluster.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kModelAbout =
    "compute how long data last: durability of a code, or a cluster of many nodes\n"
    "MODEL is durability or cluster. "
    "durability: prints the mean time until a code loses data, if disks fail independently, "
    "without and with bits that cannot be read. It also prints the probability of loss within a "
    "year, and the probability that all disks left can be read. With --batch-mttf it says whether "
    "data survive disks of a bad batch. For a code that survives some larger losses too, the time "
    "is a lower bound. "
    "cluster: simulates many nodes that fail and are repaired. It compares codes by what repairs "
    "read, by how long they take, and by the probability of losing data within a year, beside a "
    "Markov chain. "
    "docs/models.md and docs/many-nodes.md have the formulas.";

constexpr const char* kModelExamples =
    "xorloom model durability raid6:k=14\n"
    "xorloom model durability clay:k=10,m=4 --disk-bytes 2e13 --rate 1e8\n"
    "xorloom model durability raid6:k=8 --batch-mttf 168\n"
    "xorloom model cluster rs:k=10,m=4 clay:k=10,m=4 --nodes 10000";

constexpr const char* kDurabilityGroup = "Options of durability";
constexpr const char* kClusterGroup = "Options of cluster";

constexpr std::array kCommonOptions = {"--mttf",   "--mttr",  "--rate",       "--error-rate",
                                       "--latent", "--scrub", "--batch-mttf", "--batch"};
constexpr std::array kDurabilityOptions = {"--disk-bytes"};
constexpr std::array kClusterOptions = {"--nodes",    "--groups",  "--node-bytes", "--repair-times",
                                        "--failures", "--samples", "--seed"};

struct ModelOptions {
  std::string model;
  std::vector<std::string> specs;
  Options code;
  std::optional<double> mttf;
  std::optional<double> mttr;
  std::optional<double> rate;
  std::optional<double> error_rate;
  std::optional<double> latent;
  std::optional<double> scrub;
  std::optional<double> batch_mttf;
  std::size_t batch = 0;  ///< 0: not given
  DurabilityOptions durability;
  ClusterOptions cluster;
  std::string format = "table";
};

template <typename Names>
void refuse_options(const Command& given, const Names& names, const char* model) {
  for (const char* name : names) {
    if (!is_given(given, name)) continue;
    fail(Status::kInvalidArgument, fmt::format("{} is an option of model {}", name, model));
  }
}

/// The code of `spec`. With --allow-non-mds, its promised losses are those that a proof shows it to
/// survive.
Code code_to_model(const std::string& spec, const Options& options) {
  Code code = code_of(spec, options);
  while (options.allow_non_mds && code.promised_losses > 0 &&
         decide_tolerance(code, code.promised_losses).answer != Tolerance::Answer::kProved) {
    --code.promised_losses;
  }
  return code;
}

Code the_code(const ModelOptions& options) {
  if (options.specs.empty()) {
    fail(Status::kInvalidArgument, fmt::format("model {} needs the SPEC of a code", options.model));
  }
  if (options.specs.size() > 1) {
    fail(Status::kInvalidArgument, fmt::format("model {} takes one SPEC, but {} are given",
                                               options.model, options.specs.size()));
  }
  return code_to_model(options.specs.front(), options.code);
}

void check_times(const ModelOptions& options) {
  if (options.mttr && options.rate) {
    fail(Status::kInvalidArgument, "--mttr and --rate both say how long a repair takes: give one");
  }
  if (options.latent.has_value() != options.scrub.has_value()) {
    fail(Status::kInvalidArgument,
         "--latent and --scrub belong together: errors appear, and scrubs correct them");
  }
  if (options.batch > 0 && !options.batch_mttf) {
    fail(Status::kInvalidArgument, "--batch needs --batch-mttf, the hours until one of it fails");
  }
}

/// Copies the options that both models have.
template <typename Options>
void take_common(Options& to, const ModelOptions& from) {
  to.mttf = from.mttf;
  to.mttr = from.mttr;
  to.rate = from.rate;
  to.error_rate = from.error_rate;
  to.latent = from.latent;
  to.scrub = from.scrub;
  to.batch_mttf = from.batch_mttf;
}

std::string durability(const ModelOptions& options, const Command& given) {
  refuse_options(given, kClusterOptions, "cluster");
  const Code code = the_code(options);
  check_times(options);
  DurabilityOptions durability = options.durability;
  take_common(durability, options);
  if (options.batch > 0) durability.batch = options.batch;
  return written(durability_document(code, durability), options.format);
}

std::string cluster(const ModelOptions& options, const Command& given) {
  refuse_options(given, kDurabilityOptions, "durability");
  if (options.specs.empty()) {
    fail(Status::kInvalidArgument, "model cluster needs the SPEC of a code");
  }
  check_times(options);
  ClusterOptions cluster = options.cluster;
  take_common(cluster, options);
  cluster.batch = options.batch;
  if (options.batch_mttf && options.batch == 0) {
    fail(Status::kInvalidArgument, "--batch-mttf needs --batch for model cluster: its bad nodes");
  }
  std::vector<std::pair<std::string, Code>> codes;
  for (const std::string& spec : options.specs) {
    codes.emplace_back(spec, code_to_model(spec, options.code));
  }
  return written(cluster_document(codes, cluster), options.format);
}

void run(const ModelOptions& options, const Command& given) {
  if (options.model == "durability") return print(durability(options, given));
  print(cluster(options, given));
}

/// Throws kInvalidArgument if there is no such model.
const std::string& checked_model(const std::string& model) {
  if (model == "durability" || model == "cluster") return model;
  if (model == "banks" || model == "zigzag-unit") {
    fail(Status::kInvalidArgument,
         fmt::format("model {0} moved to another program: run xorloom-lab {0}", model));
  }
  fail(Status::kInvalidArgument,
       fmt::format("there is no model '{}': it is durability or cluster", excerpt(model)));
}

void add_common_options(Command& command, ModelOptions& options) {
  add_positive(command, "--mttf", "HOURS", options.mttf,
               "mean time until a disk or node fails; default: 1.2e6, and 2e5 for cluster");
  add_positive(command, "--mttr", "HOURS", options.mttr,
               "mean time until a lost disk or chunk is rebuilt; default: 24, and by --rate for "
               "cluster");
  add_positive(command, "--rate", "BYTES", options.rate,
               "instead of --mttr: the bytes per second at which a repair reads. It reads as "
               "equations --reads min does, as the mean over all locations; default for cluster: "
               "1e8");
  add_positive(command, "--error-rate", "P", options.error_rate,
               "probability that a bit cannot be read; default: 1e-15, and none for cluster",
               "1e-15");
  add_positive(command, "--latent", "HOURS", options.latent,
               "mean time until a disk or node develops an error that only reading finds; default: "
               "never");
  add_positive(command, "--scrub", "HOURS", options.scrub,
               "time from scrub to scrub: each reads all and corrects such errors");
  add_positive(command, "--batch-mttf", "HOURS", options.batch_mttf,
               "mean time until a disk or node of a bad batch fails; usual ones replace it");
  add_number(command, "--batch", options.batch, 1, kMostClusterNodes,
             "disks of the bad batch in the group, default: all; for cluster: bad nodes");
  for (const char* name : kCommonOptions) {
    option_of(command, name).group = "Options of durability and cluster";
  }
}

void add_durability_options(Command& command, DurabilityOptions& options) {
  add_positive(command, "--disk-bytes", "BYTES", options.disk_bytes,
               "bytes of a disk; default: 1e12");
  for (const char* name : kDurabilityOptions) option_of(command, name).group = kDurabilityGroup;
}

void add_cluster_options(Command& command, ClusterOptions& options) {
  add_number(command, "--nodes", options.nodes, 2, kMostClusterNodes, "nodes; default: 1000");
  add_number(command, "--groups", options.groups, 1, kMostClusterChunks,
             "groups of stripes of which each node has chunks; default: 100");
  add_positive(command, "--node-bytes", "BYTES", options.node_bytes,
               "bytes that a node holds; default: 1e13");
  add_choice(command, "--repair-times", options.repair_times, {"exponential", "fixed"},
             "how repairs vary: exponentially distributed, or all as long as the mean; default: "
             "exponential");
  add_number(command, "--failures", options.failures, 1, 100'000'000,
             "failures of nodes that are simulated; default: 2000");
  add_number(
      command, "--samples", options.samples, 2, 1'000'000'000,
      "simulated repairs of one group, for the probability of losing data; default: 1000000");
  add_number(command, "--seed", options.seed, 0, kMaxLength,
             "seed of random numbers: the same seed gives the same results; default: 1");
  for (const char* name : kClusterOptions) option_of(command, name).group = kClusterGroup;
}

}  // namespace

Command model_command() {
  Command command{"model", kModelAbout, kModelExamples};
  const auto options = std::make_shared<ModelOptions>();
  CommandOption& model = add_argument(command, "MODEL", options->model, "durability or cluster");
  model.words = {"durability", "cluster"};
  model.read = [options](const std::vector<std::string>& words) {
    options->model = checked_model(words.front());
  };
  add_specs(command, options->specs, false, "the code, such as raid6:14; cluster compares several");
  add_choice(command, "--format", options->format, {"table", "json", "html"},
             "output format; default: table");
  add_allow_non_mds(command, options->code);
  add_common_options(command, *options);
  add_durability_options(command, options->durability);
  add_cluster_options(command, options->cluster);
  command.run = [options](const Command& given) { run(*options, given); };
  return command;
}

}  // namespace xorloom::cli
