#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "cli/bench/explain.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "cli/shell/help.hpp"
#include "gen/vector/machine_code.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/device_choice.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kMostSpeeds = 5;  // in a row: encoding, and as many decodings as bench has

bool is_packets(const Explanation& e) { return e.code.arrangement == Arrangement::kPacket; }

const char* stores_name(Stores stores) {
  return stores == Stores::kNonTemporal ? "past caches" : "ordinary";
}

std::string operation_name(const ExplainedOperation& operation) {
  return operation.lost.empty() ? "encode" : fmt::format("decode {} lost", operation.lost.size());
}

std::string number_or_dash(bool is_there, std::size_t number) {
  return is_there ? fmt::format("{}", number) : "-";
}

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
    text += fmt::format("{}{}: {}{}", text.empty() ? "" : "; ", operation_name(operation),
                        to_string(c.effort), c.is_known ? ", searched before" : "");
  }
  return text + " (--effort, --store)";
}

/// Where the machine code for encoding is.
std::string memory_text(CodeMemory memory) {
  if (memory == CodeMemory::kNoCode) return "";
  return memory == CodeMemory::kSealedFile ? "; a sealed file in memory holds it"
                                           : "; pages that were writable before hold it";
}

std::string why_engine(const Explanation& e) {
  if (e.options.engine == Engine::kKernels) return "kernels, set by --engine";
  std::string text = fmt::format(
      "machine code made for the equations, in parts of at most {} bytes, each of which stays in "
      "the core's L1{}; kernels if there is none (--engine)",
      kMostCodeBytes, memory_text(e.operations.front().explanation.code_memory));
  for (const ExplainedOperation& operation : e.operations) {
    const std::string& why = operation.explanation.why_kernels;
    if (!why.empty()) return fmt::format("{}. {}: {}", text, operation_name(operation), why);
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

/// Which chunks `auto` gives to devices that it knows; "" if it knows none.
std::string device_sizes(const Explanation& e) {
  if (!e.devices || e.options.executor != Executor::kAuto) return "";
  std::vector<std::size_t> sizes;
  for (const ExplainedSize& size : e.sizes) {
    if (size.is_on_devices) sizes.push_back(size.chunk_bytes);
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
    return fmt::format("{} on {}, set by --executor", to_string(e.options.executor),
                       e.devices->devices);
  }
  return why_threads(e) + device_sizes(e);
}

/// The executor that the last column of speeds is of.
const char* shared_name(const Explanation& e) {
  return to_string(e.devices ? e.devices->executor : e.options.executor);
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

std::string operations_table(const Explanation& e) {
  std::string text = fmt::format("{:<15} {:>6} {:>6} {:<9} {:<7} {:>6} {:>6} {:>6} {:>6} {:>4}\n",
                                 "operation", "XORs", "shared", "style", "engine", "bytes",
                                 "instr.", "loads", "stores", "mul.");
  for (const ExplainedOperation& operation : e.operations) {
    const PlanExplanation& c = operation.explanation;
    text += fmt::format("{:<15} {:>6} {:>6} {:<9} {:<7} {:>6} {:>6} {:>6} {:>6} {:>4}\n",
                        operation_name(operation), number_or_dash(is_packets(e), c.direct_xors),
                        number_or_dash(c.shared_xors.has_value(), c.shared_xors.value_or(0)),
                        is_packets(e) ? to_string(c.style) : "-", to_string(c.engine),
                        number_or_dash(c.tile.code_bytes != 0, c.tile.code_bytes),
                        c.tile.instructions, c.tile.loads, c.tile.stores, c.tile.multiplications);
  }
  return text;
}

std::string sizes_table(const Explanation& e) {
  const bool is_shared = !e.sizes.empty() && e.sizes.front().shared;
  const std::size_t most = is_shared ? kMostSpeeds - 1 : kMostSpeeds;  // in 80 columns
  std::string text = fmt::format("{:49}predicted GB/s\n", "");
  text += fmt::format("{:<5} {:>10} {:>10}  {:<11} {:>7} ", "cache", "chunk", "stripe", "stores",
                      "threads");
  for (std::size_t i = 0; i < std::min(most, e.operations.size()); ++i) {
    const std::size_t lost = e.operations[i].lost.size();
    text += fmt::format(" {:>5}", lost == 0 ? "enc" : fmt::format("dec{}", lost));
  }
  if (is_shared) text += fmt::format(" {:>6}", shared_name(e));
  text += "\n";
  for (const ExplainedSize& size : e.sizes) {
    text += fmt::format("{:<5} {:>10} {:>10}  {:<11} {:>7} ", size.level, size.chunk_bytes,
                        size.stripe_bytes, stores_name(size.stores), size.threads);
    for (std::size_t i = 0; i < std::min(most, size.gigabytes.size()); ++i) {
      text += fmt::format(" {:>5.3g}", size.gigabytes[i]);
    }
    if (size.shared) text += fmt::format(" {:>6.3g}", *size.shared);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string explanation_text(const Explanation& e) {
  std::string text = fmt::format("{}\n", wrapped(e.code.spec, 0));
  const auto line = [&](const char* what, const std::string& why) {
    text += fmt::format("  {:<9} {}\n", what, wrapped(why, 12));
  };
  line("isa", fmt::format("{}: {}", to_string(e.plan.isa), why_isa(e)));
  line("chunks", is_packets(e) ? fmt::format("packets of {} bytes, set by the spec alone",
                                             e.code.packet_bytes)
                               : fmt::format("words of {} bits, set by the spec alone", e.code.w));
  line("style", why_style(e));
  line("effort", why_effort(e));
  line("engine", why_engine(e));
  line("stores", why_stores(e));
  line("executor", why_executor(e));
  const PlanExplanation& encoding = e.operations.front().explanation;
  text += fmt::format("\nA tile of encoding is {} bytes of data:\n\n", encoding.data_bytes);
  text += operations_table(e) + "\n" + sizes_table(e) + "\n";
  if (!e.sizes.empty() && e.sizes.front().shared) {
    text += wrapped(shared_text(e), 0) + "\n";
  }
  text +=
      wrapped(
          "XORs: those of direct equations; shared: those of equations that share temporaries; "
          "bytes: the size of the machine code; instr., loads, stores and mul.: its instructions "
          "per tile, in all and of three kinds. enc and decN: encoding, and decoding with N "
          "chunks lost. Their GB/s of data are predicted for one core; without --explain, bench "
          "measures them. " +
              prediction_error_text(e.error),
          0) +
      "\n";
  return text;
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
               {"code_bytes", c.tile.code_bytes},
               {"tile",
                {{"data_bytes", c.data_bytes},
                 {"instructions", c.tile.instructions},
                 {"loads", c.tile.loads},
                 {"stores", c.tile.stores},
                 {"multiplications", c.tile.multiplications}}},
               {"shared_from_chunk_bytes", operation.shared_from}};
    if (is_packets(e)) entry["style"] = to_string(c.style);
    if (is_packets(e)) entry["effort"] = to_string(c.effort);
    if (is_packets(e)) entry["is_known"] = c.is_known;
    if (is_packets(e)) entry["direct_xors"] = c.direct_xors;
    if (c.shared_xors) entry["shared_xors"] = *c.shared_xors;
    if (!c.why_kernels.empty()) entry["why_kernels"] = c.why_kernels;
    operations.push_back(std::move(entry));
  }
  Json sizes = Json::array();
  for (const ExplainedSize& size : e.sizes) {
    Json shared = size.shared ? Json(*size.shared) : Json(nullptr);
    sizes.push_back({{"chunk_bytes", size.chunk_bytes},
                     {"stripe_bytes", size.stripe_bytes},
                     {"level", size.level},
                     {"stores", size.stores == Stores::kNonTemporal ? "non-temporal" : "ordinary"},
                     {"threads", size.threads},
                     {"predicted_data_gb_per_s", size.gigabytes},
                     {"predicted_by_executor_gb_per_s", std::move(shared)},
                     {"is_on_devices", size.is_on_devices}});
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
          {"quickly_shared_xors", kQuicklyShared},
          {"work_worth_sharing_bytes", kWorkWorthSharing},
          {"operations", std::move(operations)},
          {"sizes", std::move(sizes)}};
}

}  // namespace xorloom::cli
