#pragma once

#include <cstddef>
#include <optional>

#include "cli/document/document.hpp"
#include "codes/code.hpp"

namespace xorloom::cli {

struct DurabilityOptions {
  std::optional<double> mttf{};  ///< hours
  std::optional<double> mttr{};  ///< hours; `rate` overrides it
  std::optional<double> disk_bytes{};
  std::optional<double> rate{};        ///< bytes per second that a repair reads; sets the MTTR
  std::optional<double> error_rate{};  ///< unreadable bits per bit read
  std::optional<double> latent{};      ///< hours until a disk develops a latent error; unset: never
  std::optional<double> scrub{};       ///< hours from scrub to scrub, set if `latent` is
  std::optional<double> batch_mttf{};  ///< hours; unset: there is no bad batch
  std::optional<std::size_t> batch{};  ///< disks of the bad batch; unset: all
};

/// Output of `model durability` for a code. Unset options have the defaults of the models.
///
/// Errors: throws kInvalidArgument if the models refuse the options, or if `rate` is set and the
///         code promises to survive 0 losses.
Document durability_document(const Code& code, const DurabilityOptions& options);

}  // namespace xorloom::cli
