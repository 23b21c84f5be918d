#include "runtime/atlas/make_atlas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/row_forms.hpp"
#include "equations/request/request.hpp"
#include "gen/machines/machines.hpp"
#include "gen/vector/lower.hpp"
#include "gen/vector/tile_order.hpp"
#include "runtime/atlas/atlas.hpp"
#include "runtime/atlas/loss_patterns.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/engine/word_kernels.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/files/output_file.hpp"
#include "runtime/machine/threads.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/repair_plan.hpp"
#include "runtime/plans/word_choice.hpp"

namespace xorloom {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// The program from which a pattern's search starts; nullopt if the pattern cannot be rebuilt. It
/// reads the survivors that take the fewest XORs, but no more survivors than a codec would read.
std::optional<Program> start_of(const Code& code, const std::vector<std::size_t>& lost) {
  if (lost.empty()) return direct_encoding(code);
  if (!is_recoverable(code, lost)) return std::nullopt;
  Program start = searched_program(code, {.erased = lost, .read_work = 0});  // whole chunks
  const LinearMap map = in_memory_map(code, lost, {});
  if (elements_of(code, map.inputs).size() < start.inputs.size()) {
    return reuse_rebuilt(code, direct_program(code, map));
  }
  return start;
}

/// Programs of one map on words, without places, from which a part takes its own.
class WordPrograms {
 public:
  WordPrograms(const Code& code, const LinearMap& map)
      : code_(code),
        map_(map),
        sparse_(sparse_sums(code, map_)),
        kernels_(chosen([](const Program&) { return std::optional<double>(); })),
        shared_(shared(kernels_)) {}

  /// The program that kernels run.
  const Program& for_kernels() const { return kernels_; }

  /// The program that machine code runs: the codec's choice for it, or that with common terms
  /// shared if it is less work. If there is no machine code, the program that kernels run.
  Program for_code(const MachineFacts& machine) const {
    const auto work_of = [&](const Program& program) {
      return ProgramCode::work_per_vector(program, machine);
    };
    const bool may_differ = (sparse_ && !is_much_less(*sparse_)) || syndrome_program(code_, map_);
    Program usual = may_differ ? chosen(work_of) : kernels_;
    Program other = usual == kernels_ ? shared_ : shared(usual);
    const std::optional<double> of_usual = work_of(usual);
    const std::optional<double> of_other = other == usual ? of_usual : work_of(other);
    if (of_other && (!of_usual || *of_other < *of_usual)) return other;
    return of_usual ? usual : kernels_;
  }

 private:
  template <typename WorkOf>
  Program chosen(const WorkOf& work_of) const {
    const auto candidate = [&](const Program& program) {
      prove(program, map_.coefficients);
      // Throws if it is too much for kernels.
      const WordKernels kernels(code_, program, Isa::kPortable);
      return without_places(program);
    };
    return word_choice(code_, map_, sparse_, false, candidate, work_of);
  }

  static Program shared(const Program& program) { return without_places(optimize(program, {})); }

  const Code& code_;
  const LinearMap& map_;
  std::optional<SparseSums> sparse_;
  Program kernels_;
  Program shared_;
};

/// The part of a pattern of a code on words. No search is spent on it.
AtlasPart word_part(const Code& code, const std::vector<std::size_t>& lost) {
  if (!is_recoverable(code, lost)) return {};
  const LinearMap map = lost.empty() ? encoding_map(code) : in_memory_map(code, lost, {});
  std::vector<Element> reads = map.inputs;
  std::ranges::sort(reads);
  const WordPrograms programs(code, map);
  return {{packed_elements(reads), packed(programs.for_kernels()),
           packed(programs.for_code(kTwoWayMachine)), packed(programs.for_code(kThreeWayMachine))}};
}

/// The distinct records of a file, by number.
class Records {
 public:
  std::uint32_t number_of(Bytes bytes) {
    const auto [place, is_new] =
        numbers_.try_emplace(std::move(bytes), static_cast<std::uint32_t>(all_.size()));
    if (is_new) all_.push_back(&place->first);
    return place->second;
  }

  const std::vector<const Bytes*>& all() const { return all_; }

 private:
  /// Compares byte by byte: g++ 12 warns in vain of the vectors' own operator.
  struct Less {
    bool operator()(const Bytes& a, const Bytes& b) const {
      return std::ranges::lexicographical_compare(a, b);
    }
  };
  std::map<Bytes, std::uint32_t, Less> numbers_;
  std::vector<const Bytes*> all_;
};

/// The parts of an atlas, which several threads add.
class Parts {
 public:
  Parts(std::uint64_t patterns, AtlasProgress& progress) : parts_(patterns), progress_(progress) {}

  bool has(std::uint64_t pattern) const { return parts_[pattern].has_value(); }

  void take(std::uint64_t pattern, AtlasPart part) {
    const std::lock_guard lock(mutex_);
    if (pattern >= parts_.size() || parts_[pattern]) return;
    AtlasEntry entry;
    if (!part.records[0].empty()) {
      entry.reads = records_.number_of(std::move(part.records[0]));
      entry.equations = records_.number_of(std::move(part.records[1]));
      entry.two_way = records_.number_of(std::move(part.records[2]));
      entry.three_way = records_.number_of(std::move(part.records[3]));
      equations_.resize(records_.all().size());
      if (!equations_[entry.equations]) ++progress_.programs;
      equations_[entry.equations] = true;
    }
    parts_[pattern] = entry;
    ++progress_.done;
  }

  /// Writes the whole file. Records are numbered in the order in which patterns first name them.
  AtlasHeader write(const AtlasSubject& subject, OutputFile& file) const {
    AtlasHeader header{subject, 0, static_cast<std::uint32_t>(progress_.programs), 0};
    std::vector<std::uint32_t> number(records_.all().size(), AtlasEntry::kNothing);
    std::vector<const Bytes*> ordered;
    const auto renumbered = [&](std::uint32_t record) {
      if (record == AtlasEntry::kNothing) return record;
      if (number[record] == AtlasEntry::kNothing) {
        number[record] = static_cast<std::uint32_t>(ordered.size());
        ordered.push_back(records_.all()[record]);
      }
      return number[record];
    };
    std::vector<AtlasEntry> entries;
    for (const std::optional<AtlasEntry>& part : parts_) {
      AtlasEntry entry;
      entry.reads = renumbered(part->reads);
      entry.equations = renumbered(part->equations);
      entry.two_way = renumbered(part->two_way);
      entry.three_way = renumbered(part->three_way);
      entries.push_back(entry);
    }
    header.records = static_cast<std::uint32_t>(ordered.size());
    header.file_bytes = layout_of(header).records;
    std::vector<AtlasRecord> records;
    for (const Bytes* bytes : ordered) {
      records.push_back({header.file_bytes, checksum(*bytes)});
      header.file_bytes += bytes->size();
    }
    file.write(atlas_head(header, entries, records));
    for (const Bytes* bytes : ordered) file.write(*bytes);
    return header;
  }

 private:
  std::mutex mutex_;
  std::vector<std::optional<AtlasEntry>> parts_;
  Records records_;
  std::vector<bool> equations_;  ///< by record: true if it is the equations of a pattern
  AtlasProgress& progress_;
};

/// Throws if `path` exists and is no atlas.
void check_free(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return;
  const OpenFile file(path);
  std::array<std::uint8_t, 8> first{};
  if (file.is_open() && file.read_at(0, first) == 0 && begins_like_atlas(first)) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} already exists and is not an atlas, so it is not replaced", path.string()));
}

}  // namespace

AtlasPart compiled_part(const Code& code, const AtlasSubject& subject, std::uint64_t pattern,
                        const std::function<bool()>& stop_requested) {
  const std::vector<std::size_t> lost = pattern_at(code.locations, pattern);
  if (code.arrangement == Arrangement::kWord) return word_part(code, lost);
  const std::optional<Program> start = start_of(code, lost);
  if (!start) return {};
  Search search;
  search.effort = subject.effort;
  search.seed = subject.seed;
  search.steps = subject.steps;
  search.stop_requested = stop_requested;
  // The search gets programs without places, so that patterns with equal equations find the same.
  const Program found = without_places(optimize(without_places(*start), search));
  std::vector<Element> reads = start->inputs;
  std::ranges::sort(reads);
  const std::vector<std::uint8_t> equations = packed(found);
  // Finding a greedy order takes less time than reading one and proving that it is one.
  if (subject.effort == Effort::kFast) {
    return {{packed_elements(reads), equations, equations, equations}};
  }
  // `steps` bounds the search for equations only; orders take at most the effort normal.
  const Budget how =
      budget_of(subject.effort == Effort::kMax ? Effort::kNormal : subject.effort, stop_requested);
  const auto in_order = [&](const MachineFacts& machine) {
    Program program = in_places_of(found, ordered_tile(found, machine, how));
    prove(program, evaluate_symbolically(found));
    return program;
  };
  return {{packed_elements(reads), equations, packed(in_order(kTwoWayMachine)),
           packed(in_order(kThreeWayMachine))}};
}

std::optional<AtlasHeader> make_atlas(const Code& code, const AtlasBuildOptions& making,
                                      AtlasProgress& progress) {
  const std::filesystem::path path = follow_links(making.path);
  check_free(path);
  const std::uint64_t patterns = num_patterns(making.subject);
  progress.patterns = patterns;
  Parts parts(patterns, progress);
  AtlasJournal journal(
      AtlasJournal::path_beside(path), making.subject,
      [&](std::uint64_t pattern, AtlasPart part) { parts.take(pattern, std::move(part)); });
  progress.resumed = progress.done.load();
  const auto stop_requested = [&] { return making.stop_requested && making.stop_requested(); };
  try {
    run_jobs(usable_threads(making.threads), patterns, [&](std::size_t pattern) {
      if (parts.has(pattern) || stop_requested()) return;
      AtlasPart part = compiled_part(code, making.subject, pattern, stop_requested);
      if (stop_requested()) return;  // it may have been cut short
      journal.add(pattern, part);
      parts.take(pattern, std::move(part));
    });
  } catch (...) {
    if (progress.done == 0) journal.remove();
    throw;
  }
  if (progress.done != patterns) return std::nullopt;
  OutputFile file(path);
  const AtlasHeader header = parts.write(making.subject, file);
  file.commit();
  journal.remove();
  return header;
}

}  // namespace xorloom
