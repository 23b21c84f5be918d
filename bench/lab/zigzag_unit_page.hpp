#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codes/code.hpp"

namespace xorloom::cli {

/// What `model zigzag-unit` is told; what is left out is the system of the paper.
struct ZigzagModelOptions {
  std::size_t lanes = 64;
  std::size_t slice_words = 64;
  std::size_t buffers = 1;
  std::size_t units = 12;
  std::size_t channels = 4;
  std::size_t latency = 60;  ///< clocks
  std::size_t object_bytes = std::size_t{64} << 20;
  std::size_t objects = 1;
  std::optional<double> clock;      ///< per second
  std::optional<double> bandwidth;  ///< bytes per second and channel
};

inline constexpr std::size_t kMostModelUnits = 4096;
inline constexpr std::size_t kMostModelLatency = 1'000'000;
inline constexpr std::size_t kMostModelObjectBytes = std::size_t{1} << 30;
inline constexpr std::size_t kMostModelBytes = std::size_t{1} << 32;

/// The throughput of Zigzag units for encoding and every loss of one location, as a table or JSON.
///
/// Errors: as unit_plan and check_unit_options; throws kInvalidArgument for an object smaller than
///         a word of each element, for more than kMostModelBytes of all objects of a unit, and for
///         units that are no multiple of the channels.
std::string zigzag_unit_page(const Code& code, const ZigzagModelOptions& options,
                             const std::string& format);

}  // namespace xorloom::cli
