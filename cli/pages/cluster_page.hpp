#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/document/document.hpp"
#include "codes/code.hpp"

namespace xorloom::cli {

struct ClusterOptions {
  std::size_t nodes = 1000;
  std::size_t groups = 100;  ///< of which each node holds a chunk
  std::optional<double> node_bytes{};
  std::optional<double> mttf{};  ///< hours
  std::optional<double> mttr{};  ///< hours per chunk, whatever is read
  std::optional<double> rate{};  ///< bytes per second that a repair reads
  std::string repair_times = "exponential";
  std::size_t failures = 2000;      ///< of nodes, that are simulated
  std::size_t samples = 1'000'000;  ///< cycles of one group
  std::size_t seed = 1;
};

/// What `model cluster` says of codes, which are given with their names.
///
/// Errors: throws kInvalidArgument where the simulation refuses the numbers.
Document cluster_document(const std::vector<std::pair<std::string, Code>>& codes,
                          const ClusterOptions& options);

}  // namespace xorloom::cli
