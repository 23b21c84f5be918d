#include "cli/measuring/xor_roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/machine/cache_sizes.hpp"
#include "runtime/machine/threads.hpp"

namespace xorloom::cli {
namespace {

/// Splits `bytes` into a range for each thread, which calls run(begin, end) on it `calls` times.
template <typename Run>
void run_on_ranges(std::size_t threads, std::size_t bytes, std::size_t calls, const Run& run) {
  threads = usable_threads(threads);
  const std::size_t range = (bytes / threads + kLineBytes - 1) / kLineBytes * kLineBytes;
  run_jobs(threads, threads, [&](std::size_t i) {
    const std::size_t begin = std::min(bytes, i * range);
    const std::size_t end = i + 1 == threads ? bytes : std::min(bytes, begin + range);
    for (std::size_t call = 0; call < calls; ++call) run(begin, end);
  });
}

/// The best instruction set of the machine and, if there is one, the best with narrower registers.
std::vector<Isa> two_widths() {
  const std::vector<Isa>& isas = machine_isas();
  std::vector<Isa> widths{isas.back()};
  for (auto isa = isas.rbegin(); isa != isas.rend() && widths.size() < 2; ++isa) {
    const bool has_vectors = kernels_of(*isa).plain_xor != plain_xor_portable;
    if (has_vectors && vector_bytes(*isa) < vector_bytes(widths.front())) widths.push_back(*isa);
  }
  return widths;
}

}  // namespace

std::vector<Contender> limit_contenders(const PlainXorStreams& streams, std::size_t bytes,
                                        std::size_t threads) {
  std::vector<Contender> contenders;
  const std::vector<Isa> widths = two_widths();
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const Isa isa = widths[i];
    for (const PlainXorVariant& variant : plain_xor_variants(isa)) {
      contenders.push_back(
          {i == 0 ? variant.name : fmt::format("{} {}", to_string(isa), variant.name),
           [&streams, isa, shape = variant.shape, bytes, threads](std::size_t calls) {
             run_on_ranges(threads, bytes, calls, [&](std::size_t begin, std::size_t end) {
               plain_xor(isa, shape, streams, begin, end);
             });
           }});
    }
  }
  return contenders;
}

Contender copy_contender(std::vector<std::uint8_t*> targets,
                         std::vector<const std::uint8_t*> sources, std::size_t bytes,
                         std::size_t threads) {
  return {"memcpy", [targets = std::move(targets), sources = std::move(sources), bytes,
                     threads](std::size_t calls) {
            run_on_ranges(threads, bytes, calls, [&](std::size_t begin, std::size_t end) {
              for (std::size_t i = 0; i < sources.size(); ++i) {
                std::memcpy(targets[i] + begin, sources[i] + begin, end - begin);
              }
            });
          }};
}

}  // namespace xorloom::cli
