#include "gen/pictures/code_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "gen/pictures/drawing.hpp"

namespace xorloom {
namespace {

using Sums = std::vector<const CellSum*>;

GridMark blank(const Code& code, Cell cell) {
  const bool is_data = code.role(cell) == Role::kData;
  return {is_data ? GridMark::Kind::kData : GridMark::Kind::kRedundant, "", 0};
}

std::string factor_text(const Code& code, Field::Symbol factor) {
  return code.field.w() == 1 ? "1" : fmt::format("{:x}", factor);
}

/// Grid of a code whose locations have one cell: a row for each sum.
CodeGrid matrix_grid(const Code& code, const std::vector<CellSum>& sums) {
  CodeGrid grid{"one row per redundant chunk: the factor of each chunk in its sum", {}, {}};
  for (std::size_t s = 0; s < sums.size(); ++s) {
    grid.row_names.push_back(fmt::format("{}", sums[s].target));
    auto& row = grid.rows.emplace_back();
    for (Cell cell = 0; cell < code.num_cells(); ++cell) row.push_back(blank(code, cell));
    for (const CellSum::Term& term : sums[s].terms) {
      row[term.cell] = {GridMark::Kind::kTerm, factor_text(code, term.factor), s};
    }
    row[sums[s].target] = {GridMark::Kind::kTarget, "=", s};
  }
  return grid;
}

std::vector<std::vector<GridMark>> blank_rows(const Code& code) {
  std::vector<std::vector<GridMark>> rows(code.subchunks);
  for (std::size_t r = 0; r < code.subchunks; ++r) {
    for (std::size_t location = 0; location < code.locations; ++location) {
      rows[r].push_back(blank(code, static_cast<Cell>(location * code.subchunks + r)));
    }
  }
  return rows;
}

/// By cell: the number of sums that have it as a term.
std::map<Cell, std::size_t> uses_of(const Sums& sums) {
  std::map<Cell, std::size_t> uses;
  for (const CellSum* sum : sums) {
    for (const CellSum::Term& term : sum->terms) ++uses[term.cell];
  }
  return uses;
}

/// Grid of the array of cells. It has letters if each cell is in at most two of the sums, or in
/// all.
CodeGrid array_grid(const Code& code, std::string title, Sums sums) {
  std::map<Cell, std::size_t> uses = uses_of(sums);
  const auto is_plain = [&](const auto& use) {
    return use.second <= 2 || use.second == sums.size();
  };
  const bool has_letters =
      code.field.w() == 1 && sums.size() <= kMostLetters && std::ranges::all_of(uses, is_plain);
  if (!has_letters && sums.size() > 1) {
    title += fmt::format(", one of {} sums", sums.size());
    sums.erase(sums.begin() + 1, sums.end());
    uses = uses_of(sums);
  }
  CodeGrid grid{std::move(title), {}, blank_rows(code)};
  for (std::size_t r = 0; r < code.subchunks; ++r) grid.row_names.push_back(fmt::format("{}", r));
  const auto mark_of = [&](Cell cell) -> GridMark& {
    return grid.rows[cell % code.subchunks][cell / code.subchunks];
  };
  for (std::size_t s = 0; s < sums.size(); ++s) {
    for (const CellSum::Term& term : sums[s]->terms) {
      GridMark& mark = mark_of(term.cell);
      if (mark.text.empty()) mark = {GridMark::Kind::kTerm, "", s};
      if (code.field.w() > 1) {
        mark.text = factor_text(code, term.factor);
      } else if (uses[term.cell] <= 2) {
        mark.text += sum_letter(s);
      } else {
        mark = {GridMark::Kind::kTermOfAll, "all", 0};
      }
    }
  }
  for (std::size_t s = 0; s < sums.size(); ++s) {
    // The target may be a term of other sums: BC=A is in B and C.
    GridMark& mark = mark_of(sums[s]->target);
    mark = {GridMark::Kind::kTarget, mark.text + "=" + sum_letter(s), s};
  }
  return grid;
}

}  // namespace

std::string grids_legend(const Code& code, const std::vector<CodeGrid>& grids) {
  std::string times = code.field.w() == 1 ? "" : ", each times that number (hexadecimal)";
  if (!code.field.basis().empty()) times += ", with symbols in a basis of their own";
  if (code.subchunks == 1) {
    return fmt::format("Columns are chunks; = is the sum of the chunks with a {} in its row{}.",
                       code.field.w() == 1 ? "1" : "number", times);
  }
  if (code.field.w() > 1) {
    return fmt::format("Columns are chunks; =A is the sum of the cells with a number{}.", times);
  }
  const auto is_of_all = [](const GridMark& mark) {
    return mark.kind == GridMark::Kind::kTermOfAll;
  };
  const bool has_all = std::ranges::any_of(grids, [&](const CodeGrid& grid) {
    return std::ranges::any_of(
        grid.rows, [&](const auto& row) { return std::ranges::any_of(row, is_of_all); });
  });
  return fmt::format("Columns are chunks; =A is the sum of the cells marked A.{}",
                     has_all ? " Cells marked all are in every sum." : "");
}

std::string sum_letter(std::size_t number) {
  return std::string(1, static_cast<char>(number < 26 ? 'A' + number : 'a' + number - 26));
}

std::vector<CodeGrid> grids_of(const Code& code) {
  check_most("locations", code.locations, kMostGridColumns);
  check_most("rows", code.subchunks, kMostGridRows);
  const std::vector<CellSum> sums = sums_of_redundancy(code);
  if (code.subchunks == 1) return {matrix_grid(code, sums)};

  const std::vector<bool> has_data = holds_data(code);
  // Redundant rows of locations that hold data come first, then redundant locations.
  std::map<std::pair<bool, std::size_t>, Sums> groups;
  for (const CellSum& sum : sums) {
    const std::size_t location = code.location_of_cell(sum.target);
    const bool is_whole = !has_data[location];
    groups[{is_whole, is_whole ? location : sum.target % code.subchunks}].push_back(&sum);
  }
  std::vector<CodeGrid> grids;
  for (const auto& [key, members] : groups) {
    if (grids.size() == kMostGrids) {
      grids.back().title += fmt::format(" ({} more are not shown)", groups.size() - kMostGrids);
      break;
    }
    const auto& [is_whole, number] = key;
    grids.push_back(
        array_grid(code, fmt::format("{} {}", is_whole ? "chunk" : "row", number), members));
  }
  return grids;
}

}  // namespace xorloom
