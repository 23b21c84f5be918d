#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "codes/code.hpp"
#include "runtime/machine/last_error.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

// Functions that the commands on bytes share.

/// Tells the user if machine code was refused or the atlas is damaged.
void note_plans(const Options& options, const PlanCounts& counts);

/// Throws kInvalidArgument unless `chunk_bytes` is a positive multiple of `multiple`, which `code`
/// needs.
void check_chunk_bytes(const Code& code, std::size_t chunk_bytes, std::size_t multiple);

/// Throws kIo if `chunks` chunks and `file_bytes` together exceed the machine's memory. 0: no file
/// is held.
void check_memory(std::size_t chunks, std::size_t chunk_bytes, std::size_t file_bytes);

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Speed in 10^9 bytes per second.
inline double gigabytes_per_second(std::size_t data_bytes, double seconds) {
  return static_cast<double>(data_bytes) / 1e9 / seconds;
}

/// "coding took 0.0120 s, 3.33 GB/s of data".
std::string speed_text(std::size_t data_bytes, double seconds);

/// "4096 bytes"; from 1 MiB on also in binary units: "6888896 bytes (6.57 MiB)".
std::string bytes_text(std::uint64_t bytes);

/// Time and speed of a whole file: "0.012 s, 3.33 GB/s".
std::string rate_text(std::size_t file_bytes, double seconds);

}  // namespace xorloom::cli
