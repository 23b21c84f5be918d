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
  std::size_t groups = 100;            ///< groups per node: a node holds one chunk of each
  std::optional<double> node_bytes{};  ///< unset: 1e13
  std::optional<double> mttf{};        ///< hours; unset: 2e5
  std::optional<double> mttr{};  ///< hours per chunk; unset: follows from `rate` and the reads
  std::optional<double> rate{};  ///< bytes per second that a repair reads; unset: 1e8
  std::optional<double> error_rate{};  ///< unreadable bits per bit read; unset: none
  std::optional<double> latent{};      ///< hours until a node develops a latent error; unset: never
  std::optional<double> scrub{};       ///< hours from scrub to scrub, set if `latent` is
  std::optional<double> batch_mttf{};  ///< hours; unset: there is no bad batch
  std::size_t batch = 0;               ///< nodes of the bad batch
  std::string repair_times = "exponential";  ///< or "fixed"
  std::size_t failures = 2000;               ///< node failures to simulate
  std::size_t samples = 1'000'000;           ///< simulated cycles of one group
  std::size_t seed = 1;
};

/// Output of `model cluster` for pairs of a display name and a code.
///
/// Errors: throws kInvalidArgument if a code promises to survive 0 losses, or if the simulation
///         refuses the options.
Document cluster_document(const std::vector<std::pair<std::string, Code>>& codes,
                          const ClusterOptions& options);

}  // namespace xorloom::cli
