#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/document/document.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {

// Facts that readers need to compare figures of two machines.

/// Facts beyond SystemDescription. Shape: "" or 0 if the system does not say.
struct MachineFacts {
  std::string architecture;  ///< "x86_64"
  std::string model;         ///< "family 25, model 17, stepping 1"
  double clock_gigahertz = 0;
  std::string governor;  ///< policy of the clock: "performance"
  std::string hypervisor;
  std::size_t sockets = 0;
  std::size_t cores = 0;
  std::size_t numa_nodes = 0;
  double processors_allowed = 0;  ///< time that the control group allows: 1.5; 0: no limit
  std::string kernel;             ///< "Linux 6.1.0"
  std::size_t page_bytes = 0;
  std::string huge_pages;  ///< transparent huge pages: "always", "madvise" or "never"
  double load = 0;         ///< average number of running or waiting processes in the last minute
  std::string why_no_cycle_counter;  ///< why cycles cannot be counted; "" if they can
};

MachineFacts machine_facts();

/// Warns that other programs were busy if the measuring thread had less than 90 % of a processor;
/// else "".
std::string busy_text(double processor_share);

/// Adds the section "The machine": all facts on a page; as text, only the processor, its caches and
/// the compiler.
void add_machine(Document& document, const SystemDescription& machine, const MachineFacts& facts);

/// The description and the facts as JSON; null for what is not known.
Json machine_json(const SystemDescription& machine, const MachineFacts& facts);

}  // namespace xorloom::cli
