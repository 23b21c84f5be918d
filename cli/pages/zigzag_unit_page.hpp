#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codes/code.hpp"

namespace xorloom::cli {

/// Options of `model zigzag-unit`. The defaults are the paper's system.
struct ZigzagModelOptions {
  std::size_t lanes = 64;
  std::size_t slice_words = 64;
  std::size_t buffers = 1;
  std::size_t units = 12;
  std::size_t channels = 4;
  std::size_t latency = 60;  ///< clocks from requesting a word to its arrival
  std::size_t object_bytes = std::size_t{64} << 20;  ///< bytes of data of an object
  std::size_t objects = 1;                           ///< per unit
  std::optional<double> clock;                       ///< Hz; unset: 300 MHz
  std::optional<double> bandwidth;  ///< bytes per second and channel; unset: 19.2e9
};

inline constexpr std::size_t kMostModelUnits = 4096;
inline constexpr std::size_t kMostModelLatency = 1'000'000;
inline constexpr std::size_t kMostModelObjectBytes = std::size_t{1} << 30;
inline constexpr std::size_t kMostModelBytes = std::size_t{1} << 32;

/// Throughput of Zigzag units for encoding and for each loss of one location. `format`: table or
/// json.
///
/// Errors: as unit_plan and check_unit_options; throws kInvalidArgument if a word is no whole
///         number of bytes, if an object is smaller than one word per element, if the objects of a
///         unit exceed kMostModelBytes, or if `units` is no multiple of `channels`.
std::string zigzag_unit_page(const Code& code, const ZigzagModelOptions& options,
                             const std::string& format);

}  // namespace xorloom::cli
