#pragma once

#include <optional>

#include "cli/document/document.hpp"
#include "codes/code.hpp"

namespace xorloom::cli {

struct DurabilityOptions {
  std::optional<double> mttf{};  ///< hours
  std::optional<double> mttr{};  ///< hours
  std::optional<double> disk_bytes{};
  std::optional<double> rate{};  ///< bytes per second, from which MTTR then follows
  std::optional<double> error_rate{};
};

/// What `model durability` says of a code.
///
/// Errors: throws kInvalidArgument where the models refuse the numbers.
Document durability_document(const Code& code, const DurabilityOptions& options);

}  // namespace xorloom::cli
