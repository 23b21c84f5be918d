#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/measuring/bench_fixture.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/code.hpp"
#include "codes/text/json.hpp"
#include "gen/pictures/drawing.hpp"
#include "runtime/plans/codec_access.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// Rounds of a study, of which it gives the median.
inline constexpr std::size_t kStudyRounds = 9;

/// What a study looks at: encoding by a code.
struct StudyTask {
  const Code& code;
  const std::optional<GivenProgram>& given;  ///< encodes in place of what would be made
  std::size_t chunk_bytes;                   ///< 0: as the study likes it
  Options run;
  const SystemDescription& machine;
};

/// What it found: a table of at most 80 columns, an object, and a picture.
struct StudyResult {
  std::string table;
  Json json;
  Picture picture;
};

/// A view on encoding that papers on erasure codes have.
struct Study {
  const char* name;
  const char* help;  ///< a phrase
  bool is_of_one_core;
  StudyResult (*run)(const StudyTask&);
};

/// All of them, in the order of the help.
const std::vector<Study>& studies();

/// Single calls on 1, 2, 4 … threads: how long each share of them takes.
StudyResult study_latency(const StudyTask& task);

/// Speed on 1, 2, 4 … threads, with cache hits and bytes from memory where the kernel tells.
StudyResult study_threads(const StudyTask& task);

/// Operations a second against operations for each byte that is read or written, under what the
/// core and the memory allow.
StudyResult study_roofline(const StudyTask& task);

/// What instructions, loads, stores, multiplications and bytes take of the time, by what machine
/// code has of them and what this machine takes for one.
StudyResult study_time(const StudyTask& task);

/// Times of first calls, beside peers: encoding by a new codec, and decoding losses that are new to
/// it.
///
/// Errors: throws kInternal if a byte is wrong.
StudyResult study_cold(const StudyTask& task);

/// Speed where the matrix is cut into tiles of B x B.
///
/// Errors: throws kUnsupported for codes other than MDS-like ones on words: a symbol a location.
StudyResult study_blocking(const StudyTask& task);

/// 1, 2, 4 … and all that are asked for; 0 or less is the machine's.
std::vector<std::size_t> thread_counts(int threads);

/// A line below a table by threads: which executor, and that `auto` may keep to one thread.
std::string executor_note(const StudyTask& task);

/// Seconds of a call that encodes the stripe of a fixture, the middle one of that many turns, by a
/// plan that runs on that many threads. It runs once before, and every byte is compared.
///
/// Errors: throws kInternal if a byte differs.
double seconds_of_encoding(const StudyTask& task, const Plan& encoding, const BenchFixture& fixture,
                           std::size_t rounds, std::size_t threads = 1);

/// The codec of a task on that many threads.
Codec study_codec(const StudyTask& task, std::size_t threads);

}  // namespace xorloom::cli
