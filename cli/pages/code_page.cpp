#include "cli/pages/code_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "cli/shell/code_title.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/cost.hpp"
#include "equations/search/optimize.hpp"
#include "gen/pictures/code_grids.hpp"
#include "runtime/store/best_equations.hpp"
#include "runtime/store/store.hpp"

namespace xorloom::cli {
namespace {

/// The most direct XORs for which iterative equations are searched: a fraction of a second.
constexpr std::size_t kMostXorsSearched = 8192;

/// XORs of the best iterative equations that the library or a quick search has.
std::size_t iterative_xors(const Code& code, const Program& direct) {
  Search search;
  search.effort = Effort::kQuick;
  const std::size_t searched = xors(optimize(direct, search));
  const auto kept = best_equations(Store(""), "", {&code, {}, direct, 0});
  return kept ? std::min(searched, xors(kept->file.program)) : searched;
}

void add_encoding(const Code& code, CodeCosts& costs) {
  if (code.arrangement == Arrangement::kPacket) {
    const BitMatrix bits = bitmatrix(code);
    const Program equations = direct_encoding(code);
    costs.redundant = bits.rows();
    costs.direct_xors = cost(equations).xors;
    if (costs.direct_xors > kMostXorsSearched) return;
    costs.iterative_xors = iterative_xors(code, equations);
    costs.is_least = *costs.iterative_xors <= lower_bound(bits);
    return;
  }
  costs.redundant = code.redundant.size();
  const auto add = [&](std::size_t, Field::Symbol factor) {
    ++costs.terms;
    costs.multiplications += factor > 1;
  };
  for (const CellSum& sum : code.sums) {
    for (const CellSum::Term& term : sum.terms) add(term.cell, term.factor);
  }
  // Not by sums_of_redundancy(), which would take several times the memory of a large matrix.
  if (!code.sums.empty()) return;
  for (std::size_t r = 0; r < code.parity.rows(); ++r) for_each_nonzero(code.parity, r, add);
}

void add_changes(const Code& code, CodeCosts& costs) {
  costs.fewest_changed = code.redundant.size();
  std::size_t sum = 0;
  for (std::size_t d = 0; d < code.data.size(); ++d) {
    std::size_t cells = 0;
    for (std::size_t r = 0; r < code.redundant.size(); ++r) cells += code.parity(r, d) != 0;
    costs.fewest_changed = std::min(costs.fewest_changed, cells);
    costs.most_changed = std::max(costs.most_changed, cells);
    sum += cells;
  }
  costs.mean_changed = static_cast<double>(sum) / static_cast<double>(code.data.size());
}

std::string layout(const Code& code) {
  const auto without_data = std::ranges::count(holds_data(code), false);
  std::string text = counted(code.locations, "location");
  if (without_data != 0) {
    text += fmt::format(", {} with redundancy only", without_data);
  }
  if (code.subchunks > 1) {
    text += fmt::format("; {} cells each, {} of the {} hold data", code.subchunks, code.data.size(),
                        code.num_cells());
  }
  return text;
}

std::string arrangement(const Code& code) {
  if (code.arrangement == Arrangement::kWord) {
    if (code.plane_bytes != 0) {
      return fmt::format("words of {} bits, {} low bytes before their {} high bytes",
                         code.field.w(), code.plane_bytes, code.plane_bytes);
    }
    return fmt::format("words of {} bits, one after the other", code.field.w());
  }
  if (code.field.w() == 1) return fmt::format("packets of {} bytes", code.packet_bytes);
  return fmt::format("packets of {} bytes, {} rows per cell", code.packet_bytes, code.field.w());
}

std::string survival(const Code& code, const Tolerance& tolerance) {
  if (tolerance.losses == 0) return "no loss for certain; --losses 1 lists those it does not";
  const std::string losses = losses_text(tolerance.losses);
  const std::string answer = tolerance.answer == Tolerance::Answer::kProved ? "any " + losses
                             : tolerance.answer == Tolerance::Answer::kRefuted
                                 ? "not every set of " + losses
                                 : "perhaps any " + losses;
  const std::size_t more = tolerance.losses + 1;
  const bool lists_more = tolerance.answer == Tolerance::Answer::kProved &&
                          more * code.subchunks <= code.redundant.size() &&
                          sets_of(code, more) <= static_cast<double>(kMostListed);
  const std::string list =
      fmt::format("; --losses {0} lists the sets of {0} that it does not survive, if any", more);
  return fmt::format("{}; {}{}", answer, tolerance.reason, lists_more ? list : "");
}

/// Number of redundant cells that depend on a data cell: minimum, maximum and mean.
std::string changes(const CodeCosts& costs) {
  if (costs.fewest_changed == costs.most_changed) {
    return fmt::format("changing a data cell changes {}", counted(costs.most_changed, "other"));
  }
  return fmt::format("changing a data cell changes {} to {} others, {:.2f} on average",
                     costs.fewest_changed, costs.most_changed, costs.mean_changed);
}

std::string xors_text(std::size_t xors, std::size_t bits) {
  return fmt::format("{:.2f} per packet", static_cast<double>(xors) / static_cast<double>(bits));
}

std::string encoding(const Code& code, const CodeCosts& costs) {
  if (code.arrangement == Arrangement::kWord) {
    return fmt::format("{}: {}, {} of them multiplications",
                       counted(costs.redundant, "redundant cell"), counted(costs.terms, "term"),
                       costs.multiplications);
  }
  std::string text =
      fmt::format("{}: {} direct, {}", counted(costs.redundant, "redundant packet"),
                  counted(costs.direct_xors, "XOR"), xors_text(costs.direct_xors, costs.redundant));
  if (costs.iterative_xors) {
    text += fmt::format("; {}{} iterative, {}", costs.is_least ? "" : "at most ",
                        *costs.iterative_xors, xors_text(*costs.iterative_xors, costs.redundant));
  }
  return text;
}

std::string mark_text(const GridMark& mark) {
  if (!mark.text.empty()) return mark.text;
  return mark.kind == GridMark::Kind::kData ? "." : "-";
}

std::string grid_text(const CodeGrid& grid) {
  const std::size_t columns = grid.rows.front().size();
  std::size_t name_width = 0;
  std::size_t cell_width = fmt::to_string(columns - 1).size();
  for (const std::string& name : grid.row_names) name_width = std::max(name_width, name.size());
  for (const auto& row : grid.rows) {
    for (const GridMark& mark : row) cell_width = std::max(cell_width, mark_text(mark).size());
  }
  std::string text = fmt::format("\n{}\n", wrapped(grid.title, 0));
  if (2 + name_width + columns * (cell_width + 1) + 1 > kColumns) {
    return text + "  too wide for a terminal: --format svg draws it\n";
  }
  text += fmt::format("  {:>{}} ", "", name_width);
  for (std::size_t c = 0; c < columns; ++c) text += fmt::format(" {:>{}}", c, cell_width);
  text += '\n';
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    text += fmt::format("  {:>{}} ", grid.row_names[r], name_width);
    for (const GridMark& mark : grid.rows[r]) {
      text += fmt::format(" {:>{}}", mark_text(mark), cell_width);
    }
    text += '\n';
  }
  return text;
}

std::string grids_text(const Code& code) try {
  const std::vector<CodeGrid> grids = grids_of(code);
  std::string text;
  for (const CodeGrid& grid : grids) text += grid_text(grid);
  const std::string legend =
      grids_legend(code, grids) + " Other cells: . holds data, - redundancy.";
  return text + fmt::format("\n{}\n", wrapped(legend, 0));
} catch (const Error& error) {
  return fmt::format("\n{}\n",
                     wrapped(fmt::format("No picture: {}.", in_program_words(error.what())), 0));
}

}  // namespace

CodeCosts costs_of(const Code& code) {
  CodeCosts costs;
  costs.stored = static_cast<double>(code.num_cells()) / static_cast<double>(code.data.size());
  add_encoding(code, costs);
  add_changes(code, costs);
  return costs;
}

std::string code_page(const Code& code, const Tolerance& tolerance) {
  std::string heading = short_spec(code);
  if (!code.file.empty()) {
    heading += fmt::format(": {} locations x {}, w = {}", code.locations,
                           counted(code.subchunks, "row"), code.field.w());
  }
  std::string text = wrapped(heading, 0) + "\n\n";
  const auto line = [&](const char* label, const std::string& content) {
    text += fmt::format("  {:<9} {}\n", label, wrapped(content, 12));
  };
  line("layout", layout(code));
  line("bytes", arrangement(code));
  line("survives", survival(code, tolerance));
  const CodeCosts costs = costs_of(code);
  line("stores", stored_text(costs.stored) + " bytes per byte of data");
  line("encoding", encoding(code, costs));
  line("update", changes(costs));
  return text + grids_text(code);
}

}  // namespace xorloom::cli
