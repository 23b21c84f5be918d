#include "cli/choosing/tradeoffs.hpp"

#include <set>
#include <utility>

#include "codes/bits.hpp"
#include "codes/field/bitmatrix.hpp"
#include "equations/models/lost_sets.hpp"
#include "runtime/sets/encode_set.hpp"

namespace xorloom::cli {
namespace {

/// True if the chunks left after `promised_losses` losses hold no more cells than the data. Then
/// no larger set of losses can be rebuilt.
bool holds_no_more(const Code& code) {
  return (code.locations - code.promised_losses) * code.subchunks == code.data.size();
}

std::optional<double> survives_one_more(const Code& code) {
  if (holds_no_more(code)) return 0;
  const std::size_t losses = code.promised_losses + 1;
  const double sets = sets_of(code, losses);
  if (sets > kMostLargerSets || code.subchunks > 1) return std::nullopt;
  return 1 - static_cast<double>(sets_not_rebuilt(code, losses).size()) / sets;
}

double chunks_changed(const Code& code) {
  std::set<std::pair<std::size_t, std::size_t>> changes;  // (data location, redundant location)
  std::set<std::size_t> with_data;
  for (std::size_t d = 0; d < code.data.size(); ++d) {
    const std::size_t changed = code.location_of_cell(code.data[d]);
    with_data.insert(changed);
    for (std::size_t r = 0; r < code.redundant.size(); ++r) {
      const std::size_t location = code.location_of_cell(code.redundant[r]);
      if (location != changed && code.parity(r, d) != 0) changes.emplace(changed, location);
    }
  }
  return static_cast<double>(changes.size()) / static_cast<double>(with_data.size());
}

double cells_changed(const Code& code) {
  std::size_t ones = 0;
  std::size_t of = code.data.size();
  if (code.arrangement == Arrangement::kPacket) {
    ones = bitmatrix(code).weight();
    of *= code.field.w();
  } else {
    for (std::size_t r = 0; r < code.redundant.size(); ++r) {
      for (std::size_t d = 0; d < code.data.size(); ++d) ones += code.parity(r, d) != 0;
    }
  }
  return static_cast<double>(ones) / static_cast<double>(of);
}

/// Mean repair reads. A proof by trying all sets bounds reads as a theorem does, so it is put into
/// `proof`.
double repair_reads(const Code& code, const Tolerance& tolerance, bool whole_chunks) {
  if (!code.proof.empty()) return mean_repair_reads(code, whole_chunks, kUsualReadWork);
  Code proved = code;
  proved.proof = tolerance.reason;
  return mean_repair_reads(proved, whole_chunks, kUsualReadWork);
}

}  // namespace

Tradeoffs tradeoffs_of(const Code& code, const Tolerance& tolerance) {
  const double in_rows = repair_reads(code, tolerance, /*whole_chunks=*/false);
  const bool has_rows = usual_pieces(code) != Pieces{} || units_of_chunk(code) == 1;
  return {.survives = tolerance.losses,
          .sets_tried = tolerance.sets_tried,
          .survives_one_more = survives_one_more(code),
          .stored = static_cast<double>(code.num_cells()) / static_cast<double>(code.data.size()),
          .repair_reads = has_rows ? in_rows : repair_reads(code, tolerance, true),
          .row_reads = in_rows,
          .chunks_changed = chunks_changed(code),
          .cells_changed = cells_changed(code),
          .software = software_of(code)};
}

}  // namespace xorloom::cli
