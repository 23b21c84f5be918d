#include "runtime/word_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "codes/error.hpp"

namespace xorloom {
namespace {

struct Kernels {
  WordKernel any;
  WordKernel wide;
};

Kernels word_kernels(std::size_t w, Isa isa) {
  if (w == 32) return {combine_quads_portable, combine_quads_portable};
  if (w == 16) return {combine_pairs_portable, combine_pairs_portable};
  if (w != 8 && w != 4) {
    fail(Status::kUnsupported, fmt::format("w = {}, but words have 4, 8, 16 or 32 bits", w));
  }
  if (vector_bytes(isa) <= 16) return {combine_bytes_portable, combine_bytes_portable};
#if defined(__x86_64__)
  return {combine_bytes_portable,
          vector_bytes(isa) == 64 ? combine_bytes_avx512 : combine_bytes_avx2};
#else
  fail(Status::kUnsupported, fmt::format("this build has no kernels for {}", to_string(isa)));
#endif
}

/// The entry of a table: the coefficient times the unit that is 0 but for one nibble.
template <class Multiply>
std::uint32_t product(std::size_t w, Field::Symbol coefficient, std::size_t nibble,
                      std::uint32_t value, const Multiply& multiply) {
  if (w == 4) return multiply(coefficient, value) << (4 * nibble);
  return multiply(coefficient, value << (4 * nibble));
}

void store_unit(std::uint8_t* to, std::size_t unit_bytes, std::uint32_t unit) {
  const auto byte = static_cast<std::uint8_t>(unit);
  const auto pair = static_cast<std::uint16_t>(unit);
  if (unit_bytes == 1) std::memcpy(to, &byte, 1);
  if (unit_bytes == 2) std::memcpy(to, &pair, 2);
  if (unit_bytes == 4) std::memcpy(to, &unit, 4);
}

std::uint32_t load_unit(const std::uint8_t* from, std::size_t unit_bytes) {
  std::uint8_t byte = 0;
  std::uint16_t pair = 0;
  std::uint32_t quad = 0;
  if (unit_bytes == 1) std::memcpy(&byte, from, 1);
  if (unit_bytes == 2) std::memcpy(&pair, from, 2);
  if (unit_bytes == 4) std::memcpy(&quad, from, 4);
  return byte | pair | quad;
}

}  // namespace

WordProgram::WordProgram(const Code& code, const LinearMap& map, Isa isa)
    : w_(code.field.w()), subchunks_(code.subchunks) {
  const Kernels kernels = word_kernels(w_, isa);
  kernel_ = kernels.any;
  wide_kernel_ = kernels.wide;
  const auto alpha = static_cast<Cell>(code.subchunks);
  std::unordered_map<Field::Symbol, std::uint32_t> table_of;
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    const auto row = map.coefficients.row(o);
    Step step{terms_.size(), 0, 0, map.outputs[o] / alpha, map.outputs[o] % alpha};
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] != 1) continue;
      terms_.push_back({map.inputs[i] / alpha, map.inputs[i] % alpha, 0});
      ++step.num_plain;
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] < 2) continue;
      const auto next = static_cast<std::uint32_t>(coefficients_.size());
      const auto [entry, is_new] = table_of.try_emplace(row[i], next);
      if (is_new) add_table(code.field, row[i]);
      terms_.push_back({map.inputs[i] / alpha, map.inputs[i] % alpha, entry->second});
    }
    step.num_terms = terms_.size() - step.first_term;
    steps_.push_back(step);
  }
}

void WordProgram::add_table(const Field& field, Field::Symbol coefficient) {
  coefficients_.push_back(coefficient);
  const std::size_t units = table_bytes() / unit_bytes();
  tables_.resize(tables_.size() + table_bytes());
  std::uint8_t* table = tables_.data() + tables_.size() - table_bytes();
  for (std::size_t i = 0; i < units; ++i) {
    store_unit(table + i * unit_bytes(), unit_bytes(),
               product(w_, coefficient, i / 16, static_cast<std::uint32_t>(i % 16),
                       [&](auto a, auto b) { return field.multiply(a, b); }));
  }
}

std::size_t WordProgram::step_cost(std::size_t step) const noexcept {
  return std::max<std::size_t>(1, steps_[step].num_terms);
}

void WordProgram::run_steps(std::size_t first, std::size_t last, std::uint8_t* const* chunks,
                            std::size_t chunk_bytes, std::size_t begin,
                            std::size_t end) const noexcept {
  WordBlock block{};
  block.tables = tables_.data();
  block.chunks = chunks;
  block.subchunk_bytes = chunk_bytes / subchunks_;
  const auto combine = [&](std::size_t column, std::size_t bytes, WordKernel kernel) {
    block.column = column;
    block.bytes = bytes;
    for (std::size_t s = first; s < last; ++s) {
      const Step& step = steps_[s];
      block.terms = terms_.data() + step.first_term;
      block.num_plain = step.num_plain;
      block.num_terms = step.num_terms;
      block.target = chunks[step.location] + step.subchunk * block.subchunk_bytes + column;
      kernel(block);
    }
  };
  for (std::size_t column = begin; column < end;) {
    const std::size_t bytes = std::min(kBlockBytes, end - column);
    const std::size_t wide = bytes / 64 * 64;
    if (wide != 0) combine(column, wide, wide_kernel_);
    if (wide != bytes) combine(column + wide, bytes - wide, kernel_);
    column += bytes;
  }
}

std::optional<std::string> WordProgram::find_wrong_product(const Field& field) const {
  const std::size_t units = table_bytes() / unit_bytes();
  for (std::size_t t = 0; t < coefficients_.size(); ++t) {
    const std::uint8_t* table = tables_.data() + t * table_bytes();
    for (std::size_t i = 0; i < units; ++i) {
      const std::uint32_t entry = load_unit(table + i * unit_bytes(), unit_bytes());
      const std::uint32_t expected =
          product(w_, coefficients_[t], i / 16, static_cast<std::uint32_t>(i % 16),
                  [&](auto a, auto b) { return field.multiply_by_shifts(a, b); });
      if (entry != expected) {
        return fmt::format("the table of {:#x} has {:#x} at entry {}, not {:#x}", coefficients_[t],
                           entry, i, expected);
      }
    }
  }
  return std::nullopt;
}

}  // namespace xorloom
