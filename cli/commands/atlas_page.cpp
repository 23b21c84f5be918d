#include "cli/commands/atlas_page.hpp"

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

/// The XORs of the patterns of one number of losses.
struct Row {
  std::vector<std::size_t> xors;
  std::size_t not_rebuilt = 0;
  std::size_t damaged = 0;

  std::size_t patterns() const { return xors.size() + not_rebuilt + damaged; }
};

/// The XORs of the records of an atlas, each looked at once; none where it is damaged.
class RecordXors {
 public:
  explicit RecordXors(const Atlas& atlas) : atlas_(atlas) {}

  std::optional<std::size_t> of(std::uint32_t record) {
    const auto [place, is_new] = known_.try_emplace(record);
    if (!is_new) return place->second;
    try {
      place->second = xors(atlas_.program_of(record));
    } catch (const Error& error) {
      if (error.kind() != Status::kDamaged) throw;
    }
    return place->second;
  }

 private:
  const Atlas& atlas_;
  std::map<std::uint32_t, std::optional<std::size_t>> known_;
};

/// By number of losses.
std::vector<Row> rows_of(const Atlas& atlas) {
  const AtlasSubject& subject = atlas.header().subject;
  std::vector<Row> rows(subject.losses + std::size_t{1});
  RecordXors record_xors(atlas);
  for (std::uint64_t pattern = 0; pattern < num_patterns(subject); ++pattern) {
    Row& row = rows[pattern_at(subject.locations, pattern).size()];
    const std::optional<std::uint32_t> record = atlas.equations_at(pattern);
    const std::optional<std::size_t> sum = record ? record_xors.of(*record) : std::nullopt;
    if (!record) {
      ++row.not_rebuilt;
    } else if (sum) {
      row.xors.push_back(*sum);
    } else {
      ++row.damaged;
    }
  }
  for (Row& row : rows) std::ranges::sort(row.xors);
  return rows;
}

std::string xors_text(const Row& row) {
  if (row.xors.empty()) return fmt::format("{:>7} {:>7} {:>7}", "-", "-", "-");
  return fmt::format("{:>7} {:>7} {:>7}", row.xors.front(), row.xors[row.xors.size() / 2],
                     row.xors.back());
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
  const std::vector<Row> rows = rows_of(atlas);
  std::string text = fmt::format("atlas       {}\n", wrapped(printable(subject.spec), 12));
  text += fmt::format("effort      {}\n", effort_text(subject));
  text += fmt::format("patterns    {}, up to {} of {} locations lost\n", num_patterns(subject) - 1,
                      subject.losses, subject.locations);
  text += fmt::format("programs    {} distinct\n", header.programs);
  text += fmt::format("file        {} bytes, {} records: {}\n", header.file_bytes, header.records,
                      damaged == 0 ? "all checksums hold" : fmt::format("{} damaged", damaged));
  const Row& encoding = rows.front();
  text += fmt::format("encoding    {}\n", encoding.damaged != 0 ? "damaged"
                                          : encoding.xors.empty()
                                              ? "none"
                                              : fmt::format("{} XORs", encoding.xors.front()));
  text += "\nlost  patterns    XORs  median    most  not rebuilt\n";
  for (std::size_t lost = 1; lost < rows.size(); ++lost) {
    text += fmt::format("{:>4} {:>9} {} {:>12}\n", lost, rows[lost].patterns(),
                        xors_text(rows[lost]), rows[lost].not_rebuilt);
  }
  AtlasPage page{std::move(text), 0};
  for (const Row& row : rows) page.damaged_patterns += row.damaged;
  return page;
}

}  // namespace xorloom::cli
