#pragma once

#include <optional>
#include <string>

#include "codes/code.hpp"

namespace xorloom::cli {

struct DurabilityOptions {
  std::optional<double> mttf{};  ///< hours
  std::optional<double> mttr{};  ///< hours
  std::optional<double> disk_bytes{};
  std::optional<double> rate{};  ///< bytes per second, from which MTTR then follows
  std::optional<double> error_rate{};
};

/// What `model durability` prints, as a table or JSON.
///
/// Errors: throws kInvalidArgument where the models refuse the numbers.
std::string durability_page(const Code& code, const DurabilityOptions& options,
                            const std::string& format);

}  // namespace xorloom::cli
