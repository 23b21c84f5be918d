#include "xorloom/progressive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/subspace.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "runtime/engine/accepted_kernels.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/short_block.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/stripes/add_sums.hpp"
#include "runtime/stripes/scratch_chunks.hpp"

namespace xorloom {
namespace {

void check_locations(const Code& code, std::span<const std::size_t> locations,
                     std::vector<bool>& is_named, const char* what) {
  for (const std::size_t location : locations) {
    if (location >= code.locations) {
      fail(Status::kInvalidArgument,
           fmt::format("{} location {} is not one of 0 to {}", what, location, code.locations - 1));
    }
    if (is_named[location]) {
      fail(Status::kInvalidArgument, fmt::format("location {} is named twice", location));
    }
    is_named[location] = true;
  }
}

}  // namespace

// The decoder holds the code as a tableau. Its columns are linearly independent chunks. Its rows
// are the wanted chunks and all other coming chunks:
//
//               column chunks
//               d1   d4   r0
//     wanted d0  .    .    .        row = sum + Σ factor · column, over the columns that have
//     row    r1  .    .    .              not come yet
//     row    r2  .    .    .
//
// When a column comes, its products are added to all sums. When a row comes, it is exchanged with a
// column that has not come: the row's equation is solved for the column, which becomes a row. So
// every arrival is one pass over all sums. The wanted sums are the chunks once their rows have no
// factor other than 0.
struct ProgressiveDecoder::Impl {
  Code code;
  Isa isa;
  std::size_t chunk_bytes;
  std::size_t num_wanted;
  std::vector<std::size_t> columns;  ///< locations
  std::vector<bool> has_come;        ///< by column
  std::vector<std::size_t> rows;     ///< locations, the wanted ones first
  Matrix factors;                    ///< rows x columns; 0 for columns that have come
  Matrix all;                        ///< the generator: each location from the data
  /// Each sum as a row of factors of the data. Every operation on sums is applied to these rows,
  /// too. At the end they are compared with the code, which proves the sums.
  Matrix proof;
  std::vector<bool> is_coming;  ///< by location
  std::unique_ptr<std::uint8_t[]> memory;
  std::uint32_t accepted_rows = 0;  ///< mask of accepted kernels, see accept_kernels
  bool is_done = false;

  Impl(const Code& of, const PlanOptions& options, std::span<const std::size_t> wanted,
       std::size_t bytes, std::span<const std::size_t> coming)
      : code(of), isa(options.isa), chunk_bytes(bytes), num_wanted(wanted.size()) {
    if (code.subchunks != 1) {
      fail(Status::kUnsupported,
           "a chunk of {} has {} cells, and chunks that arrive one by one are "
           "decoded if it has one",
           code.name(), code.subchunks);
    }
    check(check_chunk_bytes(code, chunk_bytes));
    std::vector<bool> is_named(code.locations);
    check_locations(code, wanted, is_named, "wanted");
    std::vector<std::size_t> sources(coming.begin(), coming.end());
    if (coming.empty()) {
      for (std::size_t l = 0; l < code.locations; ++l) {
        if (!is_named[l]) sources.push_back(l);
      }
    } else {
      check_locations(code, coming, is_named, "coming");
    }
    all = generator(code);
    rows.assign(wanted.begin(), wanted.end());
    is_coming.resize(code.locations);
    for (const std::size_t location : sources) is_coming[location] = true;
    choose_columns(sources);
    has_come.resize(columns.size());
    proof = Matrix(rows.size(), all.columns());
    check(check_adder());
    if (!rows.empty() && chunk_bytes > SIZE_MAX / rows.size()) throw std::bad_alloc();
    memory = std::make_unique<std::uint8_t[]>(rows.size() * chunk_bytes);
    finish_if_done();
  }

  /// Chooses columns among the sources, preferring the first. All other sources become rows.
  void choose_columns(const std::vector<std::size_t>& sources) {
    const std::size_t data = all.columns();
    Subspace known(code.field, data);
    // The factors of the data, and behind them those of the columns, which `known` keeps up to
    // date.
    const auto row_of = [&](std::size_t location) {
      Subspace::Vector row(data + sources.size());
      std::ranges::copy(all.row(location), row.begin());
      return row;
    };
    for (const std::size_t location : sources) {
      Subspace::Vector row = row_of(location);
      row[data + columns.size()] = 1;
      (known.add(std::move(row)) ? columns : rows).push_back(location);
    }
    factors = Matrix(rows.size(), columns.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Subspace::Vector row = known.reduced(row_of(rows[r]));
      const auto middle = row.begin() + static_cast<std::ptrdiff_t>(data);
      if (std::any_of(row.begin(), middle, [](Field::Symbol symbol) { return symbol != 0; })) {
        fail(Status::kDamaged, fmt::format("the coming chunks do not determine chunk {}", rows[r]));
      }
      std::copy_n(middle, columns.size(), factors.row(r).begin());
    }
  }

  std::uint8_t* sum(std::size_t row) const { return memory.get() + row * chunk_bytes; }

  bool is_zero(std::size_t row) const {
    return std::ranges::all_of(factors.row(row), [](Field::Symbol factor) { return factor == 0; });
  }

  /// True if one column is missing. After it only the wanted rows are needed.
  bool is_last() const { return std::ranges::count(has_come, false) == 1; }

  /// Kernels that multiply one input by a factor for each output. They are not accepted yet.
  ///
  /// Errors: throws std::bad_alloc, and what kernels_of_rows throws.
  std::unique_ptr<const Computation> products(const std::vector<Field::Symbol>& of_rows,
                                              std::size_t input,
                                              const std::vector<std::size_t>& outputs) const {
    LinearMap map;
    map.inputs = {static_cast<Cell>(input)};
    for (const std::size_t output : outputs) map.outputs.push_back(static_cast<Cell>(output));
    map.coefficients = Matrix(outputs.size(), 1);
    for (std::size_t i = 0; i < outputs.size(); ++i) map.coefficients(i, 0) = of_rows[i];
    return kernels_of_rows(code, map, isa);
  }

  /// Adds by[i] times `from` to the sum of row of[i], and by[i] times `symbols` to its proof. For
  /// row `set` (SIZE_MAX: none) the product replaces the sum and the proof.
  ///
  /// Only this function writes sums. It allocates all memory before the first write.
  void add_products(std::size_t input, std::uint8_t* from,
                    const std::vector<Field::Symbol>& symbols, const std::vector<std::size_t>& of,
                    const std::vector<Field::Symbol>& by, std::size_t set) {
    std::vector<std::size_t> outputs;
    for (const std::size_t row : of) outputs.push_back(rows[row]);
    const std::unique_ptr<const Computation> kernels = products(by, input, outputs);
    if (const std::uint32_t used = kernels->facts().kernel_rows; (used & ~accepted_rows) != 0) {
      accept_kernels(code, isa, used);
      accepted_rows |= used;
    }
    const ScratchChunks scratch(code, of.size(), chunk_bytes);
    std::vector<std::uint8_t*> pieces(code.locations);
    std::vector<std::size_t> used = outputs;
    used.push_back(input);
    const std::size_t last_bytes =
        chunk_bytes == 0 ? 0 : (chunk_bytes - 1) % scratch.piece_bytes() + 1;
    ShortBlock last(plane_block_bytes(code), last_bytes, code.locations, used);
    for (std::size_t i = 0; i < of.size(); ++i) pieces[outputs[i]] = scratch[i];
    for (std::size_t at = 0; at < chunk_bytes; at += scratch.piece_bytes()) {
      const std::size_t bytes = std::min(scratch.piece_bytes(), chunk_bytes - at);
      pieces[input] = from + at;
      const bool is_last_piece = at + bytes == chunk_bytes;
      const std::size_t whole = is_last_piece ? last.whole_bytes() : bytes;
      kernels->run(pieces.data(), whole, 0, kernels->columns(whole), Stores::kNear);
      if (is_last_piece) last.run(*kernels, pieces.data(), used, outputs);
      for (std::size_t i = 0; i < of.size(); ++i) {
        if (of[i] == set) {
          std::memcpy(sum(of[i]) + at, scratch[i], bytes);
        } else {
          add_to(sum(of[i]) + at, scratch[i], bytes);
        }
      }
    }
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (of[i] == set) std::ranges::fill(proof.row(of[i]), Field::Symbol{0});
      add_scaled(code.field, proof.row(of[i]), by[i], symbols);
    }
  }

  void add_column(std::size_t column, const std::uint8_t* chunk) {
    std::vector<std::size_t> of;
    std::vector<Field::Symbol> by;
    const std::size_t useful = is_last() ? num_wanted : rows.size();
    for (std::size_t r = 0; r < useful; ++r) {
      if (factors(r, column) == 0) continue;
      of.push_back(r);
      by.push_back(factors(r, column));
    }
    const auto symbols = all.row(columns[column]);
    auto* const from = const_cast<std::uint8_t*>(chunk);  // only read
    if (!of.empty()) {
      add_products(columns[column], from, {symbols.begin(), symbols.end()}, of, by, SIZE_MAX);
    }
    has_come[column] = true;
    for (std::size_t r = 0; r < rows.size(); ++r) factors(r, column) = 0;
  }

  /// Adds a row that came: exchanges it with a column that has not come.
  void add_row(std::size_t row, const std::uint8_t* chunk) {
    const Field& field = code.field;
    const auto pivot =
        std::ranges::find_if(factors.row(row), [](auto factor) { return factor != 0; });
    const auto column = static_cast<std::size_t>(pivot - factors.row(row).begin());
    const Field::Symbol inverse = field.invert(factors(row, column));
    std::vector<std::size_t> of;
    std::vector<Field::Symbol> by;
    const bool is_enough = is_last();
    for (std::size_t r = 0; r < (is_enough ? num_wanted : rows.size()); ++r) {
      if (r != row && factors(r, column) == 0) continue;
      of.push_back(r);
      by.push_back(r == row ? inverse : field.multiply(factors(r, column), inverse));
    }
    // The chunk minus its sum: what the missing columns contribute to the row.
    std::vector<Field::Symbol> symbols(all.row(rows[row]).begin(), all.row(rows[row]).end());
    add_scaled(field, symbols, 1, proof.row(row));
    std::vector<std::uint8_t> rest(chunk_bytes);
    if (chunk_bytes != 0) xorloom::add(rest.data(), chunk, sum(row), chunk_bytes);
    std::vector<Field::Symbol> solved(factors.row(row).begin(), factors.row(row).end());
    solved[column] = 0;
    scale_row(field, solved, inverse);
    const std::size_t came = rows[row];
    rows[row] = columns[column];
    if (!of.empty()) {
      try {
        add_products(came, rest.data(), symbols, of, by, row);
      } catch (...) {
        rows[row] = came;
        throw;
      }
    }
    columns[column] = came;
    has_come[column] = true;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r != row) add_scaled(field, factors.row(r), factors(r, column), solved);
      factors(r, column) = 0;
    }
    std::ranges::copy(solved, factors.row(row).begin());
  }

  /// Sets is_done if the wanted sums are complete.
  ///
  /// Errors: throws kInternal if the proof of a wanted sum differs from the code.
  void finish_if_done() {
    for (std::size_t r = 0; r < num_wanted; ++r) {
      if (!is_zero(r)) return;
    }
    for (std::size_t r = 0; r < num_wanted; ++r) {
      if (std::ranges::equal(proof.row(r), all.row(rows[r]))) continue;
      fail(Status::kInternal, fmt::format("the sum for chunk {} is not proved", rows[r]));
    }
    is_done = true;
  }

  void take(std::size_t location, const std::uint8_t* chunk) {
    const auto column = std::ranges::find(columns, location);
    if (column != columns.end()) {
      const auto c = static_cast<std::size_t>(column - columns.begin());
      if (has_come[c]) return;
      add_column(c, chunk);
    } else {
      const auto row = static_cast<std::size_t>(std::ranges::find(rows, location) - rows.begin());
      if (is_zero(row)) return;
      add_row(row, chunk);
    }
    finish_if_done();
  }
};

ProgressiveDecoder::ProgressiveDecoder(const Codec& codec, std::span<const std::size_t> wanted,
                                       std::size_t chunk_bytes,
                                       std::span<const std::size_t> coming) try
    : impl_(std::make_unique<Impl>(CodecAccess::code_of(codec), CodecAccess::options_of(codec),
                                   wanted, chunk_bytes, coming)) {
} catch (const std::bad_alloc&) {
  fail(Status::kUnsupported, "there is not enough memory");
}

ProgressiveDecoder::ProgressiveDecoder(ProgressiveDecoder&& other) noexcept = default;
ProgressiveDecoder& ProgressiveDecoder::operator=(ProgressiveDecoder&& other) noexcept = default;
ProgressiveDecoder::~ProgressiveDecoder() = default;

Status ProgressiveDecoder::add(std::size_t location, const std::uint8_t* chunk) noexcept try {
  if (location >= impl_->code.locations || !impl_->is_coming[location]) {
    return report(Status::kInvalidArgument, "location {} is not one of those that may come",
                  location);
  }
  if (chunk == nullptr) {
    return report(Status::kInvalidArgument, "the pointer to chunk {} is null", location);
  }
  if (!impl_->is_done) impl_->take(location, chunk);
  return Status::kOk;
} catch (...) {
  return report_exception();
}

bool ProgressiveDecoder::is_done() const noexcept { return impl_->is_done; }

const std::uint8_t* ProgressiveDecoder::chunk(std::size_t location) const noexcept {
  if (!impl_->is_done) return nullptr;
  const auto wanted = std::span(impl_->rows).first(impl_->num_wanted);
  const auto row = std::ranges::find(wanted, location);
  return row == wanted.end() ? nullptr : impl_->sum(static_cast<std::size_t>(row - wanted.begin()));
}

}  // namespace xorloom
