#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/bench/bench_subject.hpp"
#include "cli/document/document.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {

/// Rounds of a study, of which it gives the median.
inline constexpr std::size_t kStudyRounds = 9;

/// What a study looks at: encoding by a code.
struct StudyTask {
  const BenchCode& of;
  std::size_t chunk_bytes;  ///< 0: as the study likes it
  Options run;
  const SystemDescription& machine;

  const Code& code() const { return of.code; }
  Codec codec(std::size_t threads) const { return bench_codec(of, run, threads); }
  bool is_cold(std::size_t bytes_of_chunk) const {
    return bytes_of_chunk * of.code.locations > machine.caches.l3;
  }
};

/// What a study found: an object, and views of it.
struct StudyResult {
  Json data;
  std::vector<DocumentPart> parts;
};

/// A view on encoding that papers on erasure codes have.
struct Study {
  const char* name;
  const char* help;  ///< a phrase
  bool is_of_one_core;
  StudyResult (*run)(const StudyTask&);
};

/// Single calls on 1, 2, 4 … threads: how long each share of them takes.
StudyResult study_latency(const StudyTask& task);

/// Speed on 1, 2, 4 … threads, with cache hits and bytes from memory if the kernel tells them.
StudyResult study_threads(const StudyTask& task);

/// Operations a second against operations for each byte that is read or written, under what the
/// core and the memory allow.
StudyResult study_roofline(const StudyTask& task);

/// Shares of the time that instructions, loads, stores, multiplications and bytes take, by what
/// machine code has of them and what this machine takes for one.
StudyResult study_time(const StudyTask& task);

/// Times of first calls, beside peers: encoding by a new codec, and decoding losses that are new to
/// it.
///
/// Errors: throws kInternal if a byte is wrong.
StudyResult study_cold(const StudyTask& task);

/// Speed with the matrix cut into tiles of B x B.
///
/// Errors: throws kUnsupported unless the code has words, and a symbol a location.
StudyResult study_blocking(const StudyTask& task);

/// Says which executor runs, and that `auto` may keep to one thread.
Paragraph executor_note(const StudyTask& task);

/// 10^9 of something, to three digits.
std::string in_billions(const Json& value);

/// Points of a chart: member `y` of each record, times `unit`, over member `x`. Records that lack
/// `y` have none.
std::vector<std::pair<double, double>> points_of(const Json& records, std::string_view x,
                                                 std::string_view y, double unit = 1);

/// How the code of a task would encode on one core.
PlanExplanation encoding_explanation(const StudyTask& task);

/// Refuses equations that rebuild, and an atlas. `what` begins with whatever looks at encoding alone.
///
/// Errors: throws kInvalidArgument.
void check_encodes(const std::vector<BenchCode>& codes, const BenchSubject& subject,
                   const char* what);

}  // namespace xorloom::cli
