#include "codes/code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "codes/spec.hpp"
#include "codes/text/counted.hpp"

namespace xorloom {

namespace {

/// Most bytes of a value in a name.
constexpr std::size_t kMostOfValue = 60;

/// "2+3+4": the points of a Cauchy code from `first` on.
std::string points_from(std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}{}", i == 0 ? "" : "+", first + i);
  return text;
}

/// True if a spec of `code` may leave out the key that has this value.
bool is_usual(const Code& code, std::string_view key, std::string_view value) {
  if (key == "packet_bytes") return true;
  if (key == "arrangement") return value == "word";
  if (key == "poly") return value == fmt::format("{:#x}", default_polynomial(code.w));
  if (key == "x") return value == points_from(0, code.m);
  return key == "y" && value == points_from(code.m, code.k);
}

}  // namespace

std::string Code::name() const {
  if (!file.empty()) return file;
  if (family == "file") {
    return fmt::format("a code file of {} locations x {}, w = {}", locations,
                       counted(subchunks, "row"), field.w());
  }
  if (spec.empty()) return fmt::format("{} of {} locations, w = {}", family, locations, field.w());
  const Spec all(spec);
  std::string text = all.family();
  char separator = ':';
  for (const auto& [key, value] : all.values()) {
    if (is_usual(*this, key, value)) continue;
    const bool is_long = value.size() > kMostOfValue;
    text +=
        fmt::format("{}{}={}{}", separator, key, value.substr(0, kMostOfValue), is_long ? "…" : "");
    separator = ',';
  }
  return text;
}

Role Code::role(Cell cell) const {
  return std::ranges::binary_search(redundant, cell) ? Role::kRedundant : Role::kData;
}

std::size_t plane_block_bytes(const Code& code) { return code.plane_bytes * code.field.w() / 8; }

std::size_t chunk_multiple(const Code& code) {
  if (code.arrangement == Arrangement::kPacket) return code.rows() * code.packet_bytes;
  if (code.plane_bytes != 0) return code.subchunks * plane_block_bytes(code);
  return code.subchunks * std::max<std::size_t>(1, code.field.w() / 8);
}

std::size_t stripe_multiple(const Code& code) {
  return code.plane_bytes != 0 ? code.field.w() / 8 : chunk_multiple(code);
}

std::vector<Element> elements_of(const Code& code, const std::vector<Cell>& cells) {
  const auto w = static_cast<Element>(code.field.w());
  std::vector<Element> elements;
  elements.reserve(cells.size() * w);
  for (const Cell cell : cells) {
    for (Element bit = 0; bit < w; ++bit) elements.push_back(cell * w + bit);
  }
  return elements;
}

Matrix generator(const Code& code) {
  const CellContents contents(code);
  Matrix result(code.num_cells(), code.data.size());
  for (Cell cell = 0; cell < code.num_cells(); ++cell) contents.add(result.row(cell), cell, 1);
  return result;
}

Matrix parity_checks(const Code& code) {
  Matrix checks(code.redundant.size(), code.num_cells());
  for (std::size_t row = 0; row < checks.rows(); ++row) {
    checks(row, code.redundant[row]) = 1;
    for (std::size_t column = 0; column < code.data.size(); ++column) {
      checks(row, code.data[column]) = code.parity(row, column);
    }
  }
  return checks;
}

std::vector<CellSum> sums_of_redundancy(const Code& code) {
  std::vector<CellSum> sums = code.sums;
  for (std::size_t r = 0; code.sums.empty() && r < code.redundant.size(); ++r) {
    CellSum& sum = sums.emplace_back(CellSum{code.redundant[r], {}});
    for (std::size_t d = 0; d < code.data.size(); ++d) {
      sum.terms.push_back({code.data[d], code.parity(r, d)});
    }
  }
  std::vector<CellSum> result;
  std::map<Cell, std::map<Cell, Field::Symbol>> written_out;  // by hidden cell
  for (const CellSum& sum : sums) {
    std::map<Cell, Field::Symbol> factors;
    for (const CellSum::Term& term : sum.terms) {
      if (term.cell < code.num_cells()) {
        factors[term.cell] ^= term.factor;
        continue;
      }
      for (const auto& [cell, factor] : written_out.at(term.cell)) {
        factors[cell] ^= code.field.multiply(term.factor, factor);
      }
    }
    if (sum.target >= code.num_cells()) {
      written_out[sum.target] = std::move(factors);
      continue;
    }
    CellSum& added = result.emplace_back(CellSum{sum.target, {}});
    for (const auto& [cell, factor] : factors) {
      if (factor != 0) added.terms.push_back({cell, factor});
    }
  }
  return result;
}

std::vector<bool> holds_data(const Code& code) {
  std::vector<bool> result(code.locations);
  for (const Cell cell : code.data) result[code.location_of_cell(cell)] = true;
  return result;
}

BitMatrix bitmatrix(const Code& code) { return expand(code.field, code.parity); }

Code systematic_code(std::string family, Field field, Matrix parity, std::string proof) {
  Code code;
  code.family = std::move(family);
  code.k = parity.columns();
  code.m = parity.rows();
  code.w = field.w();
  code.field = std::move(field);
  code.locations = code.k + code.m;
  for (std::size_t location = 0; location < code.locations; ++location) {
    auto& cells = location < code.k ? code.data : code.redundant;
    cells.push_back(static_cast<Cell>(location));
  }
  code.parity = std::move(parity);
  code.promised_losses = code.m;
  code.proof = std::move(proof);
  return code;
}

CellContents::CellContents(const Code& code) : code_(code), place_(code.num_cells()) {
  for (std::size_t c = 0; c < code.data.size(); ++c) place_[code.data[c]] = c;
  for (std::size_t r = 0; r < code.redundant.size(); ++r) {
    place_[code.redundant[r]] = code.data.size() + r;
  }
}

void CellContents::add(std::span<Field::Symbol> sum, Cell cell, Field::Symbol factor) const {
  if (factor == 0) return;
  const std::size_t place = place_[cell];
  if (place < code_.data.size()) {
    sum[place] ^= factor;
  } else {
    add_scaled(code_.field, sum, factor, code_.parity.row(place - code_.data.size()));
  }
}

}  // namespace xorloom
