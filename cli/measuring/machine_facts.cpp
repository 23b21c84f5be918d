#include "cli/measuring/machine_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/measuring/processor_counters.hpp"
#include "codes/text/counted.hpp"
#include "gen/pictures/drawing.hpp"
#include "runtime/files/directory_listing.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "xorloom/xorloom.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace xorloom::cli {
namespace {

const std::filesystem::path kProcessors = "/sys/devices/system/cpu";

/// The first line of a file; "" if there is none.
std::string line_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The number at the beginning of `text`; 0 if there is none.
double number_in(const std::string& text) {
  double number = 0;
  std::istringstream(text) >> number;
  return number;
}

#if defined(__x86_64__)
/// Name of the hypervisor, which CPUID reports in twelve letters.
std::string hypervisor_name() {
  constexpr unsigned kHypervisorLeaf = 0x40000000;
  std::array<unsigned, 4> registers{};
  __cpuid(kHypervisorLeaf, registers[0], registers[1], registers[2], registers[3]);
  std::array<char, 13> letters{};
  std::memcpy(letters.data(), &registers[1], letters.size() - 1);
  const std::string_view name = letters.data();
  constexpr std::array<std::pair<std::string_view, const char*>, 6> kNames = {
      {{"KVMKVMKVM", "KVM"},
       {"Microsoft Hv", "Hyper-V"},
       {"VMwareVMware", "VMware"},
       {"XenVMMXenVMM", "Xen"},
       {"TCGTCGTCGTCG", "QEMU without KVM"},
       {"bhyve bhyve ", "bhyve"}}};
  for (const auto& [letters_of, known] : kNames) {
    if (letters_of == name) return known;
  }
  return "one that does not say its name";
}
#endif

std::string hypervisor(const std::map<std::string, std::string>& fields) {
#if defined(__x86_64__)
  const auto flags = fields.find("flags");
  if (flags == fields.end()) return "";
  return flags->second.find(" hypervisor") == std::string::npos ? "" : hypervisor_name();
#else
  static_cast<void>(fields);
  return line_of("/sys/hypervisor/type");
#endif
}

/// Counts sockets, cores and NUMA nodes from sysfs.
void count_cores(MachineFacts& facts) {
  std::set<std::string> sockets;
  std::set<std::string> cores;
  std::error_code ignored;
  for (const std::string& name : names_in(kProcessors, ignored)) {
    const std::string socket = line_of(kProcessors / name / "topology/physical_package_id");
    const std::string core = line_of(kProcessors / name / "topology/core_id");
    if (socket.empty() || core.empty()) continue;
    sockets.insert(socket);
    cores.insert(fmt::format("{}:{}", socket, core));
  }
  facts.sockets = sockets.size();
  facts.cores = cores.size();
  for (const std::string& name : names_in("/sys/devices/system/node", ignored)) {
    const bool is_node = name.starts_with("node") && name.size() > 4 &&
                         name.find_first_not_of("0123456789", 4) == std::string::npos;
    if (is_node) ++facts.numa_nodes;
  }
}

/// The choice in brackets: "madvise" for "always [madvise] never"; "" if there is none.
std::string chosen_of(const std::string& line) {
  const std::size_t begin = line.find('[');
  const std::size_t end = line.find(']');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  return line.substr(begin + 1, end - begin - 1);
}

/// Processors that the control group (version 2) allows: 1.5 for "150000 100000"; 0 for "max
/// 100000", no limit.
double processors_allowed() {
  std::istringstream line(line_of("/sys/fs/cgroup/cpu.max"));
  double quota = 0;
  double period = 0;
  return line >> quota >> period && period > 0 ? quota / period : 0;
}

std::string threads_text(const SystemDescription& machine, const MachineFacts& facts) {
  std::string text = counted(machine.threads, "thread");
  if (facts.cores != 0) {
    text +=
        fmt::format("; {} in {}", counted(facts.cores, "core"), counted(facts.sockets, "socket"));
  }
  if (facts.numa_nodes > 1) text += fmt::format(", {} NUMA nodes", facts.numa_nodes);
  if (facts.processors_allowed != 0) {
    text += fmt::format("; the control group allows the time of {:.3g}", facts.processors_allowed);
  }
  return text;
}

std::string clock_text(const MachineFacts& facts) {
  std::vector<std::string> parts;
  if (facts.clock_gigahertz != 0) {
    parts.push_back(fmt::format("{:.2f} GHz, as the system says", facts.clock_gigahertz));
  }
  if (!facts.governor.empty()) parts.push_back(fmt::format("governor {}", facts.governor));
  if (parts.empty()) parts.emplace_back("not known");
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string isas_text() {
  std::vector<std::string> names;
  for (const Isa isa : machine_isas()) names.emplace_back(to_string(isa));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string pages_text(const MachineFacts& facts) {
  std::string text = fmt::format("{} bytes", facts.page_bytes);
  if (!facts.huge_pages.empty()) {
    text += fmt::format("; transparent huge pages: {}", facts.huge_pages);
  }
  return text;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts);
  return text.data();
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

template <typename Number>
Json number_or_null(Number number) {
  return number == 0 ? Json(nullptr) : Json(number);
}

}  // namespace

MachineFacts machine_facts() {
  MachineFacts facts;
  const std::map<std::string, std::string> fields = processor_fields();
  const auto field = [&](const char* name) {
    const auto found = fields.find(name);
    return found == fields.end() ? std::string() : found->second;
  };
  if (!field("cpu family").empty()) {
    facts.model = fmt::format("family {}, model {}, stepping {}", field("cpu family"),
                              field("model"), field("stepping"));
  }
  facts.clock_gigahertz = number_in(field("cpu MHz")) / 1e3;
  facts.governor = line_of(kProcessors / "cpu0/cpufreq/scaling_governor");
  facts.hypervisor = hypervisor(fields);
  count_cores(facts);
  facts.processors_allowed = processors_allowed();
  utsname system{};
  if (::uname(&system) == 0) {
    facts.architecture = system.machine;
    facts.kernel = fmt::format("{} {}", system.sysname, system.release);
  }
  facts.page_bytes = static_cast<std::size_t>(std::max(0L, ::sysconf(_SC_PAGESIZE)));
  facts.huge_pages = chosen_of(line_of("/sys/kernel/mm/transparent_hugepage/enabled"));
  facts.load = number_in(line_of("/proc/loadavg"));
  facts.why_no_cycle_counter = why_no_cycle_counter();
  return facts;
}

void add_machine(Document& document, const SystemDescription& machine, const MachineFacts& facts) {
  std::string processor = machine.cpu;
  for (const std::string& part : {facts.architecture, facts.model}) {
    if (!part.empty()) processor += "; " + part;
  }
  Facts all{
      {{"processor", processor},
       {"threads", threads_text(machine, facts)},
       {"clock", clock_text(facts)},
       {"caches", fmt::format("L1 {} and L2 {} per core, L3 {}, counted as at most {} per core",
                              cache_text(machine.caches.l1), cache_text(machine.caches.l2),
                              cache_text(machine.caches.l3), cache_text(kMaxL3BytesPerCore))},
       {"memory", fmt::format("{:.1f} GiB", static_cast<double>(machine.memory_bytes) / (1 << 30))},
       {"pages", pages_text(facts)},
       {"instruction sets", isas_text()},
       {"virtual machine", facts.hypervisor.empty() ? "none that shows itself"
                                                    : fmt::format("yes, by {}", facts.hypervisor)},
       {"counting cycles", facts.why_no_cycle_counter.empty()
                               ? "allowed (perf_event_open)"
                               : fmt::format("no: {}", facts.why_no_cycle_counter)},
       {"load", fmt::format("{:.2f} processes in the minute before", facts.load)}}};
  if (!facts.kernel.empty()) all.add("system", facts.kernel);
  all.add("program", fmt::format("xorloom {}, built by {}", version(), machine.compiler));
  all.add("measured", today());
  document.add(Heading{"The machine"}, DocumentPart::For::kPage);
  document.add(std::move(all), DocumentPart::For::kPage);
  document.add(Paragraph{fmt::format("{}, {}; L1 {} and L2 {} per core, L3 {}; built by {}",
                                     machine.cpu, counted(machine.threads, "thread"),
                                     cache_text(machine.caches.l1), cache_text(machine.caches.l2),
                                     cache_text(machine.caches.l3), machine.compiler)},
               DocumentPart::For::kText);
}

Json machine_json(const SystemDescription& machine, const MachineFacts& facts) {
  Json isas = Json::array();
  for (const Isa isa : machine_isas()) isas.push_back(to_string(isa));
  return {{"cpu", machine.cpu},
          {"threads", machine.threads},
          {"memory_bytes", machine.memory_bytes},
          {"l1_bytes", machine.caches.l1},
          {"l2_bytes", machine.caches.l2},
          {"l3_bytes", machine.caches.l3},
          {"isas", std::move(isas)},
          {"compiler", machine.compiler},
          {"architecture", text_or_null(facts.architecture)},
          {"model", text_or_null(facts.model)},
          {"clock_ghz", number_or_null(facts.clock_gigahertz)},
          {"governor", text_or_null(facts.governor)},
          {"hypervisor", text_or_null(facts.hypervisor)},
          {"sockets", number_or_null(facts.sockets)},
          {"cores", number_or_null(facts.cores)},
          {"numa_nodes", number_or_null(facts.numa_nodes)},
          {"processors_allowed", number_or_null(facts.processors_allowed)},
          {"kernel", text_or_null(facts.kernel)},
          {"page_bytes", number_or_null(facts.page_bytes)},
          {"huge_pages", text_or_null(facts.huge_pages)},
          {"load", facts.load},
          {"why_no_cycle_counter", facts.why_no_cycle_counter}};
}

std::string busy_text(double processor_share) {
  constexpr double kLeastShare = 0.9;
  if (processor_share >= kLeastShare) return "";
  return fmt::format(
      "Other programs were busy: the measuring thread had a processor for only {} % of the time at "
      "worst. Figures of large chunks suffer the most. Measure again on an idle machine.",
      static_cast<int>(std::floor(processor_share * 100)));
}

}  // namespace xorloom::cli
