#include "cli/pages/atlas_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cli/shell/help.hpp"
#include "cli/shell/shards.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "runtime/plans/loss_patterns.hpp"

namespace xorloom::cli {
namespace {

/// The member of AtlasEntry that names the record of a program, such as `three_way`.
using RecordOf = std::uint32_t AtlasEntry::*;

/// Costs of all patterns with one number of losses.
struct AtlasRow {
  std::vector<std::size_t> xors;             ///< by pattern, ascending
  std::vector<std::size_t> multiplications;  ///< by pattern, ascending
  std::string encoding;                      ///< work of encoding; only in the row of 0 losses
  std::size_t not_rebuilt = 0;               ///< patterns that the code does not survive
  std::size_t damaged = 0;                   ///< patterns with a damaged record

  std::size_t patterns() const { return xors.size() + not_rebuilt + damaged; }
  bool operator==(const AtlasRow&) const = default;
};

struct Work {
  std::size_t xors;
  std::size_t multiplications;
  std::string text;
};

/// Work of the programs in an atlas, by record. Each record is read once. nullopt: it is damaged.
class RecordWork {
 public:
  explicit RecordWork(const Atlas& atlas) : atlas_(atlas) {}

  const std::optional<Work>& of(std::uint32_t record) {
    const auto [place, is_new] = known_.try_emplace(record);
    if (!is_new) return place->second;
    try {
      const Program program = atlas_.program_of(record);
      place->second = Work{xors(program), multiplications(program), work_text(program)};
    } catch (const Error& error) {
      if (error.kind() != Status::kDamaged) throw;
    }
    return place->second;
  }

 private:
  const Atlas& atlas_;
  std::map<std::uint32_t, std::optional<Work>> known_;
};

/// Costs by number of losses, from 0, of the programs that `record_of` selects.
std::vector<AtlasRow> rows_of(const Atlas& atlas, RecordOf record_of) {
  const AtlasSubject& subject = atlas.header().subject;
  std::vector<AtlasRow> rows(subject.losses + std::size_t{1});
  rows.front().encoding = "none";
  RecordWork record_work(atlas);
  for (std::uint64_t pattern = 0; pattern < num_patterns(subject); ++pattern) {
    AtlasRow& row = rows[pattern_at(subject.locations, pattern).size()];
    const AtlasEntry entry = atlas.records_at(pattern);
    if (entry.is_nothing()) {
      ++row.not_rebuilt;
      continue;
    }
    const std::optional<Work>& work = record_work.of(entry.*record_of);
    if (pattern == 0) row.encoding = work ? work->text : "damaged";
    if (!work) {
      ++row.damaged;
      continue;
    }
    row.xors.push_back(work->xors);
    row.multiplications.push_back(work->multiplications);
  }
  for (AtlasRow& row : rows) {
    std::ranges::sort(row.xors);
    std::ranges::sort(row.multiplications);
  }
  return rows;
}

/// Minimum, median and maximum. Precondition: `numbers` ascend.
std::string spread_text(const std::vector<std::size_t>& numbers) {
  if (numbers.empty()) return fmt::format("{:>7} {:>7} {:>7}", "-", "-", "-");
  return fmt::format("{:>7} {:>7} {:>7}", numbers.front(), numbers[numbers.size() / 2],
                     numbers.back());
}

std::string table_of(const std::vector<AtlasRow>& rows) {
  std::string text = "\nlost  patterns    XORs  median    most  not rebuilt\n";
  for (std::size_t lost = 1; lost < rows.size(); ++lost) {
    text += fmt::format("{:>4} {:>9} {} {:>12}\n", lost, rows[lost].patterns(),
                        spread_text(rows[lost].xors), rows[lost].not_rebuilt);
  }
  return text;
}

/// The table for programs over symbols, with their multiplications. `what`: name of their engine.
std::string word_table_of(const std::vector<AtlasRow>& rows, const char* what) {
  std::string text = fmt::format("\n{:<17}XORs{:>36}\n", what, "multiplications");
  text += "lost  patterns   least  median    most   least  median    most  not rebuilt\n";
  for (std::size_t lost = 1; lost < rows.size(); ++lost) {
    text += fmt::format("{:>4} {:>9} {} {} {:>12}\n", lost, rows[lost].patterns(),
                        spread_text(rows[lost].xors), spread_text(rows[lost].multiplications),
                        rows[lost].not_rebuilt);
  }
  return text;
}

}  // namespace

std::string effort_text(const AtlasSubject& subject) {
  const std::string steps =
      subject.effort == Effort::kMax ? fmt::format("{} steps, ", subject.steps) : "";
  return fmt::format("{}, {}seed {}", to_string(subject.effort), steps, subject.seed);
}

AtlasPage atlas_page(const Atlas& atlas, std::size_t damaged) {
  const AtlasHeader& header = atlas.header();
  const AtlasSubject& subject = header.subject;
  const std::vector<AtlasRow> rows = rows_of(atlas, &AtlasEntry::equations);
  std::string text = fmt::format("atlas       {}\n", wrapped(printable(subject.spec), 12));
  text += fmt::format("effort      {}\n", effort_text(subject));
  text += fmt::format("patterns    {}, up to {} of {} locations lost\n", num_patterns(subject) - 1,
                      subject.losses, subject.locations);
  text += fmt::format("programs    {} distinct\n", header.programs);
  text += fmt::format("file        {} bytes, {} records: {}\n", header.file_bytes, header.records,
                      damaged == 0 ? "all checksums hold" : fmt::format("{} damaged", damaged));
  text += fmt::format("encoding    {}\n", rows.front().encoding);
  if (subject.word_bits == 0) {
    text += table_of(rows);
  } else {
    const std::vector<AtlasRow> in_code = rows_of(atlas, &AtlasEntry::three_way);
    const bool are_same = in_code == rows;
    if (!are_same) text += fmt::format("  AVX-512   {}\n", in_code.front().encoding);
    text += word_table_of(rows, are_same ? "" : "kernels");
    if (!are_same) text += word_table_of(in_code, "AVX-512");
  }
  AtlasPage page{std::move(text), 0};
  for (const AtlasRow& row : rows) page.damaged_patterns += row.damaged;
  return page;
}

}  // namespace xorloom::cli
