#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/document/document.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {

// What a reader needs to know of a machine to compare its figures with another machine's.

/// What the system says beside its description. Shape: "" and 0 if it does not say.
struct MachineFacts {
  std::string architecture;  ///< "x86_64"
  std::string model;         ///< "family 25, model 17, stepping 1"
  double clock_gigahertz = 0;
  std::string governor;  ///< of the clock: "performance"
  std::string hypervisor;
  std::size_t sockets = 0;
  std::size_t cores = 0;
  std::size_t numa_nodes = 0;
  double processors_allowed = 0;  ///< by the control group: 1.5 are one and a half
  std::string kernel;             ///< "Linux 6.1.0"
  std::size_t page_bytes = 0;
  std::string huge_pages;  ///< transparent ones: "always", "madvise" or "never"
  double load = 0;         ///< processes that ran or waited in the last minute, on average
  std::string why_no_cycle_counter;  ///< "" if there is one
};

MachineFacts machine_facts();

/// A warning if the measuring thread had a processor for such a share of the time; "" if that is
/// nearly all of it.
std::string busy_text(double processor_share);

/// Adds the section "The machine" to a document: all of it on a page; as text, the processor and its
/// caches alone.
void add_machine(Document& document, const SystemDescription& machine, const MachineFacts& facts);

/// The description and the facts, as JSON has them.
Json machine_json(const SystemDescription& machine, const MachineFacts& facts);

}  // namespace xorloom::cli
