#include "cli/pages/atlas_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cli/document/figures.hpp"
#include "cli/shell/shards.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "runtime/atlas/loss_patterns.hpp"

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

/// Least, median and largest of `numbers`, which ascend; null if there are none.
Json spread(const std::vector<std::size_t>& numbers) {
  if (numbers.empty()) return {};
  return {{"least", numbers.front()},
          {"median", numbers[numbers.size() / 2]},
          {"most", numbers.back()}};
}

/// The costs that `rows` hold. `engine`: which programs they are of; "": of all.
Json costs_of(const std::vector<AtlasRow>& rows, const char* engine) {
  Json losses = Json::array();
  for (std::size_t lost = 1; lost < rows.size(); ++lost) {
    losses.push_back({{"lost", lost},
                      {"patterns", rows[lost].patterns()},
                      {"xors", spread(rows[lost].xors)},
                      {"multiplications", spread(rows[lost].multiplications)},
                      {"not_rebuilt", rows[lost].not_rebuilt},
                      {"damaged", rows[lost].damaged}});
  }
  return {{"engine", engine}, {"encoding", rows.front().encoding}, {"losses", std::move(losses)}};
}

FigureGroup spread_group(const char* name, const std::string& key) {
  return {name,
          {{"least", key + ".least", in_full},
           {"median", key + ".median", in_full},
           {"most", key + ".most", in_full}}};
}

/// A block of rows for each of `costs`.
Table table_of(const Json& costs, bool has_multiplications) {
  std::vector<FigureGroup> groups{{"", {{"patterns", "patterns", in_full}}},
                                  spread_group("XORs", "xors")};
  if (has_multiplications) groups.push_back(spread_group("multiplications", "multiplications"));
  groups.push_back({"not", {{"rebuilt", "not_rebuilt", in_full}}});
  const bool is_damaged = std::ranges::any_of(
      costs[0]["losses"], [](const Json& row) { return row["damaged"].whole() != 0; });
  if (is_damaged) groups.push_back({"", {{"damaged", "damaged", in_full}}});
  Table table{column_groups(groups), {}, "lost"};
  for (const Json& each : costs) {
    table.blocks.push_back({each["engine"].text(), {}});
    for (const Json& row : each["losses"]) {
      table.blocks.back().rows.push_back(record_row(row, in_full(row["lost"]), groups));
    }
  }
  return table;
}

}  // namespace

std::string effort_text(const AtlasSubject& subject) {
  const std::string tries =
      subject.effort == Effort::kMax ? counted(subject.steps, "try", "tries") + ", " : "";
  return fmt::format("{}, {}seed {}", to_string(subject.effort), tries, subject.seed);
}

std::string add_atlas(Document& document, const Atlas& atlas) {
  const AtlasHeader& header = atlas.header();
  const AtlasSubject& subject = header.subject;
  const std::string path = printable(atlas.path().string());
  const std::size_t damaged = atlas.num_damaged();
  const std::vector<AtlasRow> rows = rows_of(atlas, &AtlasEntry::equations);
  std::vector<AtlasRow> in_code = rows;
  if (subject.word_bits != 0) in_code = rows_of(atlas, &AtlasEntry::three_way);
  const bool are_same = in_code == rows;
  Json costs = Json::array({costs_of(rows, are_same ? "" : "kernels")});
  if (!are_same) costs.push_back(costs_of(in_code, "AVX-512"));

  Facts facts{
      {{"atlas", printable(subject.spec)},
       {"effort", effort_text(subject)},
       {"patterns", fmt::format("{}, up to {} of {} locations lost", num_patterns(subject) - 1,
                                subject.losses, subject.locations)},
       {"programs", fmt::format("{} distinct", header.programs)},
       {"file",
        fmt::format("{}, {}: {}", counted(header.file_bytes, "byte"),
                    counted(header.records, "record"),
                    damaged == 0 ? "all checksums hold" : fmt::format("{} damaged", damaged))},
       {"encoding", rows.front().encoding}}};
  if (!are_same) facts.add("  AVX-512", in_code.front().encoding);
  document.add(std::move(facts));
  document.add(table_of(costs, subject.word_bits != 0));
  Json search{{"effort", to_string(subject.effort)}, {"seed", subject.seed}};
  if (subject.effort == Effort::kMax) search["steps"] = subject.steps;
  document.data["atlases"].push_back({{"path", path},
                                      {"code", subject.spec},
                                      {"search", std::move(search)},
                                      {"locations", subject.locations},
                                      {"most_lost", subject.losses},
                                      {"patterns", num_patterns(subject) - 1},
                                      {"programs", header.programs},
                                      {"file_bytes", header.file_bytes},
                                      {"records", header.records},
                                      {"damaged_records", damaged},
                                      {"costs", std::move(costs)}});

  if (damaged != 0) {
    return fmt::format(
        "{} of {} of {} {} when needed", damaged, counted(header.records, "record"), path,
        damaged == 1 ? "is damaged; codecs recompile it" : "are damaged; codecs recompile them");
  }
  std::size_t damaged_patterns = 0;
  for (const AtlasRow& row : rows) damaged_patterns += row.damaged;
  if (damaged_patterns == 0) return "";
  return fmt::format(
      "{} of {} no equations, though its checksums hold; codecs recompile {} when needed",
      counted(damaged_patterns, "pattern"), path + (damaged_patterns == 1 ? " has" : " have"),
      damaged_patterns == 1 ? "it" : "them");
}

}  // namespace xorloom::cli
