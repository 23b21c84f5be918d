#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/gpu/timing.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::gpu_bench {

/// Calls of the library on chunks in memory of the host, which hold random data and their
/// redundancy.
class WholeCalls {
 public:
  /// Shape:  `executor` is a name of the library's.
  /// Errors: throws what Codec and Chunks throw.
  WholeCalls(const std::string& spec, const std::string& executor, std::size_t chunk_bytes);

  double seconds_of_encoding(const Effort& effort);
  double seconds_of_decoding(const std::vector<std::size_t>& lost, const Effort& effort);
  std::vector<double> seconds_of_encodings(std::size_t count);

  std::uint8_t* const* chunks() const { return chunks_.data(); }
  std::size_t chunk_bytes() const { return chunk_bytes_; }

 private:
  Codec codec_;
  std::size_t chunk_bytes_;
  Chunks chunks_;
};

/// "auto" on one thread: what a processor's core does.
inline constexpr const char* kProcessor = "auto";

}  // namespace xorloom::gpu_bench
