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

/// Rounds of a measurement; studies report their median.
inline constexpr std::size_t kStudyRounds = 9;

/// Encoding by a code, to be studied.
struct StudyTask {
  const BenchCode& of;
  std::size_t chunk_bytes;  ///< 0: the study chooses
  Options run;
  const SystemDescription& machine;

  const Code& code() const { return of.code; }
  Codec codec(std::size_t threads) const { return bench_codec(of, run, threads); }
  bool is_cold(std::size_t bytes_of_chunk) const {
    return bytes_of_chunk * of.code.locations > machine.caches.l3;
  }
};

/// Result of a study: JSON, and its views.
struct StudyResult {
  Json data;
  std::vector<DocumentPart> parts;
};

/// A view on encoding, as in papers on erasure codes.
struct Study {
  const char* name;
  const char* help;  ///< a phrase for the help
  bool is_of_one_core;
  StudyResult (*run)(const StudyTask&);
};

/// Distribution of single calls on 1, 2, 4, … threads.
StudyResult study_latency(const StudyTask& task);

/// Speed on 1, 2, 4, … threads, with cache hits and memory traffic if the kernel counts them.
StudyResult study_threads(const StudyTask& task);

/// Roofline: operations per second over operations per byte moved, with the limits of core and
/// memory.
StudyResult study_roofline(const StudyTask& task);

/// Shares of instructions, loads, stores, multiplications and bytes in the predicted time: their
/// counts in the machine code times their costs on this machine.
StudyResult study_time(const StudyTask& task);

/// Joule for 10^9 bytes of data by a model of published energies, beside what the processor counts.
StudyResult study_energy(const StudyTask& task);

/// Times of first calls, beside other libraries: encoding by a new codec, and decoding of new
/// losses.
///
/// Errors: throws kInternal if a byte is wrong.
StudyResult study_cold(const StudyTask& task);

/// Speed with the matrix in tiles of B x B.
///
/// Errors: throws kUnsupported unless the code is on words and has one symbol per location.
StudyResult study_blocking(const StudyTask& task);

/// Bytes of the chunks to study: the given size, or one for each level of memory.
std::vector<std::size_t> sizes_of(const StudyTask& task);

/// Says which executor runs, and that `auto` may use only one thread.
Paragraph executor_note(const StudyTask& task);

/// The value in units of 10^9, with three significant digits.
std::string in_billions(const Json& value);

/// Points (`x`, `y` * `unit`) of the records. Records without `y` have no point.
std::vector<std::pair<double, double>> points_of(const Json& records, std::string_view x,
                                                 std::string_view y, double unit = 1);

/// Explains how the code of a task is encoded on one core.
PlanExplanation encoding_explanation(const StudyTask& task);

/// Refuses equations that rebuild, and an atlas, for a command that only encodes; `what` names it.
///
/// Errors: throws kInvalidArgument.
void check_encodes(const std::vector<BenchCode>& codes, const BenchSubject& subject,
                   const char* what);

}  // namespace xorloom::cli
