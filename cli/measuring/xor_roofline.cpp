#include "cli/measuring/xor_roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/machine/threads.hpp"

namespace xorloom::cli {
namespace {

/// Calls run(begin, end) so often on each thread, with the range of bytes that is its own.
template <typename Run>
void run_on_ranges(std::size_t threads, std::size_t bytes, std::size_t calls, const Run& run) {
  constexpr std::size_t kLine = 64;
  threads = usable_threads(threads);
  const std::size_t range = (bytes / threads + kLine - 1) / kLine * kLine;
  run_jobs(threads, threads, [&](std::size_t i) {
    const std::size_t begin = std::min(bytes, i * range);
    const std::size_t end = i + 1 == threads ? bytes : std::min(bytes, begin + range);
    for (std::size_t call = 0; call < calls; ++call) run(begin, end);
  });
}

}  // namespace

std::vector<Contender> limit_contenders(const PlainXorStreams& streams, std::size_t bytes,
                                        std::size_t threads) {
  const std::vector<Isa>& isas = machine_isas();
  const std::size_t num_isas = std::min<std::size_t>(2, isas.size());
  std::vector<Contender> contenders;
  for (std::size_t i = 0; i < num_isas; ++i) {
    const Isa isa = isas[isas.size() - 1 - i];
    if (i > 0 && isa == Isa::kPortable) break;  // no other than the first with narrower registers
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
