#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/bench/bench_documents.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/device_costs.hpp"
#include "cli/measuring/executor_prediction.hpp"
#include "cli/measuring/machine_rates.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "cli/shell/code_title.hpp"
#include "codes/bits.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "gen/vector/machine_facts.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/gpu/device_set.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/device_choice.hpp"
#include "runtime/plans/machine_rates.hpp"
#include "runtime/plans/plan_explanation.hpp"
#include "runtime/plans/prediction.hpp"

namespace xorloom::cli {
namespace {

/// An operation to explain: encoding, or decoding with the first chunks lost.
struct ExplainedOperation {
  std::vector<std::size_t> lost;  ///< empty: encoding
  PlanExplanation explanation;
  std::size_t shared_from;  ///< chunk bytes from which on `auto` uses several threads
};

/// The choices for a code, with their reasons.
struct Explanation {
  Code code;
  Options options;
  PlanOptions plan;
  xorloom::Machine machine;
  std::vector<ExplainedOperation> operations;  ///< encoding first
  std::vector<Json> sizes;                     ///< choices by chunk size
  /// Error of predictions by this machine's rates; nullopt: they are for an ordinary core.
  std::optional<PredictionError> error{};
  std::optional<DeviceRates> devices{};  ///< devices that were asked for, or that `auto` knows
  double device_share = 1;               ///< devices' part of the last size, with `hybrid`
};

std::size_t round_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

ExplainedOperation operation_of(const Code& code, std::size_t losses, const PlanOptions& plan) {
  std::vector<std::size_t> lost(losses);
  std::iota(lost.begin(), lost.end(), std::size_t{0});
  const LinearMap map = lost.empty() ? encoding_map(code) : decoding_map(code, lost, {});
  const PlanOptions how = lost.empty() ? for_encoding(plan) : plan;
  ExplainedOperation operation{std::move(lost), explanation_of(code, map, how), 0};
  // A column is one byte of each unit.
  operation.shared_from = round_up(
      columns_worth_sharing(plan.execution, operation.explanation.cost) * units_of_chunk(code),
      chunk_multiple(code));
  return operation;
}

/// Predicted seconds of a call on one core: this one if `rates` is not null, else an ordinary one.
double one_core_seconds(const ExplainedOperation& operation, const MachineRates::Of* rates,
                        const CacheSizes& caches, const Code& code, std::size_t chunk_bytes) {
  const PlanExplanation& explanation = operation.explanation;
  const double tiles = static_cast<double>(data_capacity(code, chunk_bytes)) /
                       static_cast<double>(explanation.work.data_bytes);
  const Level level = xorloom::level_of(caches, chunk_bytes * code.locations);
  if (rates == nullptr) return tiles * predicted_seconds(explanation.work.tile, level);
  return seconds_of_call(rates->costs, level, explanation.work.tile, explanation.work.chunks,
                         tiles);
}

/// Rates of the devices of `executor`; if necessary, measures them and the cores that `auto`
/// compares them with. For kAuto, the known devices that encode the largest chunks fastest.
std::optional<DeviceRates> devices_for(Executor executor, MachineRates& kept, Isa isa,
                                       const PlanExplanation& encoding,
                                       const std::vector<std::size_t>& chunk_bytes) {
  if (runs_on_devices(executor)) {
    for (const Arrangement arrangement : {Arrangement::kPacket, Arrangement::kWord}) {
      measured_rates(kept, isa, arrangement);
    }
    return measured_device_rates(kept, executor_of_devices(executor));
  }
  if (executor != Executor::kAuto || kept.devices.empty() || chunk_bytes.empty()) return {};
  return std::ranges::min(kept.devices, {}, [&](const DeviceRates& devices) {
    return device_seconds(devices, encoding.work, std::ranges::max(chunk_bytes));
  });
}

/// Finds the choices. Codes are not timed. If the options ask for an executor, the machine and its
/// devices are measured.
Explanation explained(const BenchTask& task, const Options& options) {
  const Code& code = task.of.code;
  Explanation explanation{code, options, plan_options(options), xorloom::this_machine(), {},
                          {},   {}};
  explanation.operations.push_back(operation_of(code, 0, explanation.plan));
  for (const std::size_t count : task.losses) {
    explanation.operations.push_back(operation_of(code, count, explanation.plan));
  }
  const CacheSizes& caches = explanation.machine.caches;
  const PlanExplanation& encoding = explanation.operations.front().explanation;
  const bool has_plan = options.executor == Executor::kAuto && !encoding.cores.empty();
  const Executor executor = has_plan ? Executor::kPlan : options.executor;
  const bool predicts_shared =
      executor != Executor::kAuto && !runs_on_devices(executor) && options.threads != 1;
  MachineRates kept = kept_rates();
  ThreadCosts threads{};
  if (predicts_shared) {
    measured_rates(kept, explanation.plan.isa, code.arrangement);
    threads = measured_thread_costs(explanation.plan.execution.threads != 0
                                        ? explanation.plan.execution.threads
                                        : explanation.machine.cores);
  }
  explanation.devices =
      devices_for(options.executor, kept, explanation.plan.isa, encoding, task.chunk_bytes);
  const MachineRates::Of* const rates = find_rates(kept, explanation.plan.isa, code.arrangement);
  if (rates != nullptr) explanation.error = rates->error;
  for (const std::size_t bytes : task.chunk_bytes) {
    const std::size_t stripe_bytes = bytes * code.locations;
    const double data_bytes = static_cast<double>(data_capacity(code, bytes));
    const std::size_t units_bytes = bytes / units_of_chunk(code);
    const std::size_t threads_used =
        threads_for(explanation.machine, explanation.plan.execution, encoding.cost, units_bytes);
    const Stores stores = stores_for(explanation.machine, bytes * encoding.work.chunks);
    Json size{{"chunk_bytes", bytes},
              {"stripe_bytes", stripe_bytes},
              {"level", level_of(stripe_bytes, caches)},
              {"stores", stores == Stores::kNonTemporal ? "non-temporal" : "ordinary"},
              {"threads", threads_used},
              {"predicted_data_gb_per_s", Json::array()},
              {"predicted_by_executor_gb_per_s", nullptr},
              {"is_on_devices", false}};
    for (const ExplainedOperation& operation : explanation.operations) {
      const bool has_tile = operation.explanation.work.data_bytes != 0;  // else rows are read
      size["predicted_data_gb_per_s"].push_back(
          has_tile
              ? Json(data_bytes / 1e9 / one_core_seconds(operation, rates, caches, code, bytes))
              : Json(nullptr));
    }
    if (predicts_shared) {
      const ExecutorCosts costs =
          costs_of(*rates, threads, caches, stripe_bytes, encoding.work.chunks, threads_used);
      size["predicted_by_executor_gb_per_s"] =
          data_bytes / 1e9 /
          predicted_seconds(encoding, executor, threads_used, units_bytes, costs);
    }
    if (explanation.devices) {
      const double seconds = device_seconds(*explanation.devices, encoding.work, bytes);
      const double share =
          options.executor == Executor::kHybrid
              ? device_share(processor_seconds(kept, encoding.work, bytes), seconds)
              : 1;
      size["predicted_by_executor_gb_per_s"] = data_bytes / 1e9 / (share * seconds);
      explanation.device_share = share;
      size["is_on_devices"] = options.executor == Executor::kAuto &&
                              device_that_pays(kept, encoding.work, bytes) != nullptr;
    }
    explanation.sizes.push_back(std::move(size));
  }
  return explanation;
}

bool is_packets(const Explanation& e) { return e.code.arrangement == Arrangement::kPacket; }

std::string name_of(const ExplainedOperation& operation) {
  return operation.lost.empty() ? "encode" : fmt::format("decode {} lost", operation.lost.size());
}

std::string dash_if_zero(const Json& count) { return count.whole() == 0 ? "-" : in_full(count); }

std::string why_isa(const Explanation& e) {
  if (e.options.isa) return "set by --isa";
  const char* forced = std::getenv("XORLOOM_ISA");
  return forced != nullptr && *forced != '\0' ? "set by XORLOOM_ISA" : "the machine's best (--isa)";
}

std::string why_style(const Explanation& e) {
  if (!is_packets(e)) return "words have no equations; shared multiplications are found";
  if (e.options.style != EquationForm::kAuto) {
    return fmt::format("{}, set by --style", to_string(e.options.style));
  }
  return fmt::format("iterative up to {} direct XORs; else direct (--style)", kQuicklyShared);
}

std::string why_effort(const Explanation& e) {
  if (!is_packets(e)) return "no search is made on words";
  std::string text;
  for (const ExplainedOperation& operation : e.operations) {
    const PlanExplanation& c = operation.explanation;
    text += fmt::format("{}{}: {}{}", text.empty() ? "" : "; ", name_of(operation),
                        to_string(c.effort), c.is_known ? ", searched before" : "");
  }
  return text + " (--effort, --store)";
}

/// Says what memory holds the machine code for encoding.
std::string memory_text(CodeMemory memory) {
  if (memory == CodeMemory::kNoCode) return "";
  return memory == CodeMemory::kSealedFile ? "; a sealed file in memory holds it"
                                           : "; pages that were writable before hold it";
}

std::string why_engine(const Explanation& e) {
  if (e.options.engine == Engine::kKernels) return "kernels, set by --engine";
  std::string text = fmt::format(
      "machine code made for the equations, in parts of at most {} bytes, each of which stays in "
      "the core's L1{}; {}",
      kMostCodeBytes, memory_text(e.operations.front().explanation.code_memory),
      e.options.engine == Engine::kCode ? "set by --engine"
                                        : "kernels if there is none (--engine)");
  for (const ExplainedOperation& operation : e.operations) {
    const std::string& why = operation.explanation.why_kernels;
    if (!why.empty()) return fmt::format("{}. {}: {}", text, name_of(operation), why);
  }
  return text;
}

std::string why_stores(const Explanation& e) {
  const std::size_t from = non_temporal_bytes(e.machine);
  return fmt::format(
      "past the caches if all chunks read and written exceed {} bytes, which is {} (no option: the "
      "bytes written are the same)",
      from,
      from == e.machine.caches.l2 ? "L2, since L3 is small or shared by a whole host"
                                  : "half of L3");
}

/// Says for which chunk sizes `auto` uses known devices; "" if it knows none.
std::string device_sizes(const Explanation& e) {
  if (!e.devices || e.options.executor != Executor::kAuto) return "";
  std::vector<std::size_t> sizes;
  for (const Json& size : e.sizes) {
    if (as_text(size["is_on_devices"]) == "yes") sizes.push_back(size["chunk_bytes"].whole());
  }
  return fmt::format(". {} encodes where that is predicted to be {} times as fast, which it is {}",
                     e.devices->devices, kDeviceMargin,
                     sizes.empty() ? std::string("for none of the sizes below")
                                   : fmt::format("for chunks of {} bytes", fmt::join(sizes, ", ")));
}

std::string why_threads(const Explanation& e) {
  const std::size_t threads =
      e.plan.execution.threads != 0 ? e.plan.execution.threads : e.machine.cores;
  if (threads == 1) return "the calling thread alone (--threads)";
  if (e.options.executor != Executor::kAuto) {
    return fmt::format("{} on {} threads, set by --executor (--threads)",
                       to_string(e.options.executor), threads);
  }
  const PlanExplanation& encoding = e.operations.front().explanation;
  if (!encoding.cores.empty()) {
    const bool has_code = std::ranges::all_of(encoding.cores, [](const CoreWork& core) {
      return std::ranges::all_of(core.groups,
                                 [](const GroupWork& group) { return group.tile.code_bytes != 0; });
    });
    return fmt::format(
        "a plan for cores on {} threads {}; the calling thread alone where the XORs produce fewer "
        "than {} bytes (--executor, --threads)",
        threads,
        has_code ? "encodes, as its cores have machine code and the whole has none"
                 : "encodes chunks of fewer tiles than threads, and ranges encode larger ones",
        kWorkWorthSharing);
  }
  return fmt::format(
      "ranges on {} threads if the XORs produce at least {} bytes, which encoding does from chunks "
      "of {} bytes on; else the calling thread alone (--executor, --threads)",
      threads, kWorkWorthSharing, e.operations.front().shared_from);
}

std::string why_executor(const Explanation& e) {
  if (runs_on_devices(e.options.executor)) {
    const std::string name = to_string(e.options.executor);
    if (e.options.executor != Executor::kHybrid) {
      return fmt::format("{} on {}, set by --executor", name, e.devices->devices);
    }
    return fmt::format(
        "{} on {} and threads, set by --executor. Of the last size below, devices are predicted to "
        "compute {:.0f} %, so that both end at the same time",
        name, e.devices->devices, 100 * e.device_share);
  }
  return why_threads(e) + device_sizes(e);
}

/// True if encoding by an executor is predicted, beside one core.
bool has_shared(const Explanation& e) {
  return !e.sizes.empty() && !e.sizes.front()["predicted_by_executor_gb_per_s"].is_null();
}

/// Name of that executor, the head of its column of speeds.
const char* shared_name(const Explanation& e) {
  const bool is_auto = e.options.executor == Executor::kAuto;
  return to_string(is_auto && e.devices ? e.devices->executor : e.options.executor);
}

std::string shared_text(const Explanation& e) {
  if (!e.devices) {
    return fmt::format(
        "{}: encoding by that executor on all threads, predicted from what was "
        "measured of this machine.",
        shared_name(e));
  }
  return fmt::format(
      "{}: encoding by that executor, with chunks in ordinary memory, predicted from "
      "what was measured of {}.",
      shared_name(e), e.devices->devices);
}

/// The choices by subject, each with its reason and the option that overrides it.
Json choices_json(const Explanation& e) {
  return {{"isa", fmt::format("{}: {}", to_string(e.plan.isa), why_isa(e))},
          {"chunks",
           is_packets(e)
               ? fmt::format("packets of {} bytes, set by the spec alone", e.code.packet_bytes)
               : fmt::format("words of {} bits, set by the spec alone", e.code.w)},
          {"style", why_style(e)},
          {"effort", why_effort(e)},
          {"engine", why_engine(e)},
          {"stores", why_stores(e)},
          {"executor", why_executor(e)}};
}

Facts choices(const Json& code) {
  Facts facts;
  for (const Json::Member& choice : code["choices"].items()) {
    facts.add(choice.key, choice.value.text());
  }
  return facts;
}

/// "encode" or "decode 2 lost".
std::string decoding_text(const Json& operation) {
  return (operation["lost"].size() == 0 ? "" : "decode ") + lost_text(operation);
}

Table operations_table(const Json& code) {
  return record_table(
      code["operations"], {"operation", "", decoding_text},
      {{"XORs", {{"direct", "direct_xors", in_full}, {"shared", "shared_xors", in_full}}},
       {"", {{"style", "style"}, {"engine", "engine"}}, true},
       {"code", {{"bytes", "code_bytes", dash_if_zero}}},
       {"in a tile",
        {{"instr.", "tile.instructions", in_full},
         {"loads", "tile.loads", in_full},
         {"stores", "tile.stores", in_full},
         {"mul.", "tile.multiplications", in_full}}}});
}

Table sizes_table(const Explanation& e, const Json& code) {
  FigureGroup speeds{has_shared(e) ? "predicted GB/s" : "GB/s on one core, predicted", {}};
  for (std::size_t i = 0; i < e.operations.size(); ++i) {
    const std::size_t lost = e.operations[i].lost.size();
    speeds.figures.push_back({lost == 0 ? "enc" : fmt::format("dec{}", lost),
                              fmt::format("predicted_data_gb_per_s.{}", i), to_three_digits});
  }
  if (has_shared(e)) {
    speeds.figures.push_back({shared_name(e), "predicted_by_executor_gb_per_s", to_three_digits});
  }
  return record_table(
      code["sizes"], {"cache", "level"},
      {{"", {{"chunk", "chunk_bytes", in_full}, {"stripe", "stripe_bytes", in_full}}},
       {"", {{"stores", "stores"}}, true},
       {"encode", {{"threads", "threads", in_full}}},
       std::move(speeds)});
}

Json explanation_json(const Explanation& e) {
  Json operations = Json::array();
  for (const ExplainedOperation& operation : e.operations) {
    const PlanExplanation& c = operation.explanation;
    Json entry{{"operation", operation.lost.empty() ? "encode" : "decode"},
               {"lost", operation.lost},
               {"style", nullptr},
               {"effort", nullptr},
               {"is_known", nullptr},
               {"direct_xors", nullptr},
               {"shared_xors", nullptr},
               {"engine", to_string(c.engine)},
               {"why_kernels", nullptr},
               {"code_memory", to_string(c.code_memory)},
               {"code_bytes", c.work.tile.code_bytes},
               {"tile",
                {{"data_bytes", c.work.data_bytes},
                 {"instructions", c.work.tile.instructions},
                 {"loads", c.work.tile.loads},
                 {"stores", c.work.tile.stores},
                 {"multiplications", c.work.tile.multiplications}}},
               {"shared_from_chunk_bytes", operation.shared_from}};
    if (c.work.data_bytes == 0) {
      for (const char* count : {"instructions", "loads", "stores", "multiplications"}) {
        entry["tile"][count] = nullptr;
      }
    }
    if (is_packets(e)) entry["style"] = to_string(c.style);
    if (is_packets(e)) entry["effort"] = to_string(c.effort);
    if (is_packets(e)) entry["is_known"] = c.is_known;
    if (is_packets(e)) entry["direct_xors"] = c.direct_xors;
    if (c.shared_xors) entry["shared_xors"] = *c.shared_xors;
    if (!c.why_kernels.empty()) entry["why_kernels"] = c.why_kernels;
    operations.push_back(std::move(entry));
  }
  Json devices;
  if (e.devices) {
    devices = {{"executor", to_string(e.devices->executor)}, {"devices", e.devices->devices}};
  }
  return {{"spec", e.code.spec},
          {"predicted_for", e.error ? "this machine" : "an ordinary core"},
          {"prediction_error", prediction_error_json(e.error)},
          {"isa", to_string(e.plan.isa)},
          {"executor", to_string(e.options.executor)},
          {"devices", std::move(devices)},
          {"non_temporal_bytes", non_temporal_bytes(e.machine)},
          {"most_code_bytes", kMostCodeBytes},
          {"choices", choices_json(e)},
          {"quickly_shared_xors", kQuicklyShared},
          {"work_worth_sharing_bytes", kWorkWorthSharing},
          {"operations", std::move(operations)},
          {"sizes", e.sizes}};
}

}  // namespace

Document explanation_document(const std::vector<BenchTask>& tasks, const Options& options,
                              const MeasuredMachine& machine) {
  Document document =
      measured_document("How codes run, and why", "xorloom-explanation", 1, machine);
  document.data["codes"] = Json::array();
  for (const BenchTask& task : tasks) {
    const Explanation e = explained(task, options);
    const Json code = explanation_json(e);
    document.add(Heading{code_title(e.code)}, DocumentPart::For::kPage);
    document.add(Verbatim{short_spec(e.code)});
    document.add(choices(code));
    document.add(Paragraph{fmt::format("A tile of encoding is {} bytes of data:",
                                       e.operations.front().explanation.work.data_bytes)});
    document.add(operations_table(code));
    document.add(sizes_table(e, code));
    if (has_shared(e)) document.add(Paragraph{shared_text(e)});
    document.add(Paragraph{prediction_error_text(e.error)});
    document.data["codes"].push_back(code);
  }
  document.add(Paragraph{
      "XORs: those of direct equations, and of equations that share temporaries. Bytes: the size "
      "of the machine code. Instr., loads, stores and mul.: its instructions per tile, in all and "
      "of three kinds. Chunk and stripe are in bytes. Stores and threads are those of encoding. "
      "enc "
      "and decN: encoding, and decoding with N chunks lost. Their GB/s of data are predicted for "
      "one core, however many threads encode; without --explain, bench measures them."});
  return document;
}

}  // namespace xorloom::cli
