#include "cli/shell/running.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "cli/shell/progress_text.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

/// The lowest GB/s that are shown, and of the least seconds: those of a smaller file say nothing of
/// the speed.
constexpr double kLeastRate = 0.01;
constexpr double kLeastSeconds = 0.001;

/// ", 1.23 GB/s", or nothing if that says nothing of the speed.
std::string rate_after(std::size_t bytes, double seconds) {
  const double rate = gigabytes_per_second(bytes, seconds);
  return seconds < kLeastSeconds || rate < kLeastRate ? "" : ", " + speed_of(rate * 1e9);
}

}  // namespace

void note_plans(const Options& options, const PlanCounts& counts) {
  if (counts.code_refused != 0) {
    note(
        fmt::format("machine code was refused for {}, which ran slower kernels; xorloom bench "
                    "--explain says why",
                    counted(counts.code_refused, "plan")));
  }
  if (counts.atlas_damaged == 0) return;
  note(printable(fmt::format(
      "{} is damaged: {} of its programs could not be used and {} recompiled; run xorloom atlas to "
      "rebuild it",
      options.atlas, counts.atlas_damaged, counts.atlas_damaged == 1 ? "was" : "were")));
}

void check_chunk_bytes(const Code& code, std::size_t chunk_bytes, std::size_t multiple) {
  if (chunk_bytes == 0 || chunk_bytes % multiple != 0) {
    fail(Status::kInvalidArgument,
         fmt::format("--chunk-bytes = {} is not a multiple of {}, which {} needs; {} is one",
                     chunk_bytes, multiple, code.name(),
                     std::max<std::size_t>(1, chunk_bytes / multiple) * multiple));
  }
}

void check_memory(std::size_t chunks, std::size_t chunk_bytes, std::size_t file_bytes) {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return;
  const std::size_t memory = static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
  std::size_t needed = 0;
  if (__builtin_mul_overflow(chunks, chunk_bytes, &needed) ||
      __builtin_add_overflow(needed, file_bytes, &needed)) {
    needed = std::numeric_limits<std::size_t>::max();
  }
  if (needed <= memory) return;
  const std::string file =
      file_bytes == 0 ? "" : fmt::format(" and a file of {}", bytes_text(file_bytes));
  fail(Status::kIo,
       fmt::format("{} chunks of {}{} need {} of memory, but this machine has {}", chunks,
                   bytes_text(chunk_bytes), file, bytes_text(needed), bytes_text(memory)));
}

std::string speed_text(std::size_t data_bytes, double seconds) {
  const std::string rate = rate_after(data_bytes, seconds);
  return fmt::format("coding took {:.4f} s{}{}", seconds, rate, rate.empty() ? "" : " of data");
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array kUnits = {"MiB", "GiB", "TiB", "PiB", "EiB"};
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 20;
  std::string text = counted(bytes, "byte");
  if (bytes < kFirst) return text;
  double number = static_cast<double>(bytes) / static_cast<double>(kFirst);
  std::size_t unit = 0;
  // From 999.5 on, three digits would be written as 1e+03.
  for (; number >= 999.5 && unit + 1 < kUnits.size(); ++unit) number /= 1024;
  return text + fmt::format(" ({:.3g} {})", number, kUnits[unit]);
}

std::string rate_text(std::size_t file_bytes, double seconds) {
  return fmt::format("{:.3f} s{}", seconds, rate_after(file_bytes, seconds));
}

}  // namespace xorloom::cli
