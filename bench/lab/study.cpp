#include "cli/bench/study.hpp"

#include <fmt/format.h>

#include "cli/measuring/rounds.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/running.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {

const std::vector<Study>& studies() {
  static const std::vector<Study> all = {
      {"latency", "how long single calls take, on 1, 2, 4 … threads", false, study_latency},
      {"threads", "speed on 1, 2, 4 … threads, with cache hits and bytes from memory", false,
       study_threads},
      {"roofline", "operations a second against operations for each byte, under their limits", true,
       study_roofline},
      {"time", "what instructions, loads, stores and multiplications take of the time", true,
       study_time},
      {"cold", "what calls take that meet a code or a set of losses for the first time", true,
       study_cold},
      {"blocking", "speed with the matrix of a code on words cut into tiles of B x B", true,
       study_blocking}};
  return all;
}

std::vector<std::size_t> thread_counts(int threads) {
  const std::size_t most = threads > 0 ? static_cast<std::size_t>(threads) : machine_threads();
  std::vector<std::size_t> counts;
  for (std::size_t count = 1; count < most; count *= 2) counts.push_back(count);
  counts.push_back(most);
  return counts;
}

std::string executor_note(const StudyTask& task) {
  if (task.run.executor != Executor::kAuto) {
    return fmt::format("\nexecutor {}\n", to_string(task.run.executor));
  }
  return "\nexecutor auto, which keeps to one thread where there is little work\n";
}

double seconds_of_encoding(const StudyTask& task, const Plan& encoding, const BenchFixture& fixture,
                           std::size_t rounds, std::size_t threads) {
  const std::size_t chunk_bytes = fixture.stripe.chunk_bytes();
  const auto run = [&](std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) {
      check(encoding.run(fixture.stripe.pointers(), chunk_bytes));
    }
  };
  ruin(fixture, encoding, task.code);
  run(1);
  if (const auto wrong = first_difference(fixture, encoding.writes())) {
    fail(Status::kInternal,
         fmt::format("{}: chunk {} is wrong; no time is reported", task.code.name(), *wrong));
  }
  return timed_alone(run, chunk_bytes * task.code.locations > task.machine.caches.l3, rounds,
                     threads);
}

Codec study_codec(const StudyTask& task, std::size_t threads) {
  Options options = task.run;
  options.threads = static_cast<int>(threads);
  return task.given ? CodecAccess::codec_of(task.code, options, *task.given)
                    : CodecAccess::codec_of(task.code, options);
}

}  // namespace xorloom::cli
