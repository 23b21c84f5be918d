#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "cli/bench/explain.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "cli/shell/code_title.hpp"
#include "gen/vector/machine_code.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/device_choice.hpp"

namespace xorloom::cli {
namespace {

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
  return text + " (--effort, --wisdom)";
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

/// The choices by what they are of, each with what it rests on and the option that overrides it.
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
    facts.entries.push_back({choice.key, choice.value.text()});
  }
  return facts;
}

/// "encode" or "decode 2 lost".
std::string decoding_text(const Json& operation) {
  return (operation["lost"].size() == 0 ? "" : "decode ") + lost_text(operation);
}

Table operations_table(const Json& code) {
  return rows_of(
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
  FigureGroup speeds{"predicted GB/s", {}};
  for (std::size_t i = 0; i < e.operations.size(); ++i) {
    const std::size_t lost = e.operations[i].lost.size();
    speeds.figures.push_back({lost == 0 ? "enc" : fmt::format("dec{}", lost),
                              fmt::format("predicted_data_gb_per_s.{}", i), to_three_digits});
  }
  if (!e.sizes.empty() && e.sizes.front().shared) {
    speeds.figures.push_back({shared_name(e), "predicted_by_executor_gb_per_s", to_three_digits});
  }
  return rows_of(code["sizes"], {"cache", "level"},
                 {{"", {{"chunk", "chunk_bytes", in_full}, {"stripe", "stripe_bytes", in_full}}},
                  {"", {{"stores", "stores"}}, true},
                  {"", {{"threads", "threads", in_full}}},
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
          {"choices", choices_json(e)},
          {"quickly_shared_xors", kQuicklyShared},
          {"work_worth_sharing_bytes", kWorkWorthSharing},
          {"operations", std::move(operations)},
          {"sizes", std::move(sizes)}};
}

}  // namespace

Document explanation_document(const std::vector<Explanation>& all, const MeasuredMachine& machine) {
  Document document =
      measured_document("How codes run, and why", "xorloom-explanation", 1, machine);
  document.data["codes"] = Json::array();
  for (const Explanation& e : all) {
    const Json code = explanation_json(e);
    document.add(Heading{code_title(e.code)}, DocumentPart::For::kPage);
    document.add(Verbatim{e.code.spec});
    document.add(choices(code));
    document.add(Paragraph{fmt::format("A tile of encoding is {} bytes of data:",
                                       e.operations.front().explanation.data_bytes)});
    document.add(operations_table(code));
    document.add(sizes_table(e, code));
    if (!e.sizes.empty() && e.sizes.front().shared) document.add(Paragraph{shared_text(e)});
    document.add(Paragraph{prediction_error_text(e.error)});
    document.data["codes"].push_back(code);
  }
  document.add(Paragraph{
      "XORs: those of direct equations, and of equations that share temporaries. Bytes: the size "
      "of "
      "the machine code. Instr., loads, stores and mul.: its instructions per tile, in all and of "
      "three kinds. Chunk and stripe are in bytes. enc and decN: encoding, and decoding with N "
      "chunks lost. Their GB/s of data are predicted for one core; without --explain, bench "
      "measures them."});
  return document;
}

}  // namespace xorloom::cli
