#include "runtime/engine/codewords.hpp"

#include <algorithm>
#include <cstring>

#include "codes/text/error.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {
namespace {

constexpr std::uint8_t kJunk = 0x5a;

/// Long chunks repeat their first units: kPeriod, or kPeriodOfBlocks if symbols lie in planes.
constexpr std::size_t kPeriod = 251;
constexpr std::size_t kPeriodOfBlocks = 7;

/// For each symbol of a chunk, the drawn codewords that it sums, as a mask. The first `drawn` masks
/// are the single codewords.
std::vector<std::uint8_t> random_sums(std::size_t symbols, std::size_t drawn) {
  Random random(4);
  std::vector<std::uint8_t> sums(symbols);
  for (std::size_t s = 0; s < symbols; ++s) {
    sums[s] = static_cast<std::uint8_t>(s < drawn ? 1U << s : 1 + random.below((1U << drawn) - 1));
  }
  return sums;
}

}  // namespace

bool Codewords::can_check(const Code& code) {
  return code.arrangement == Arrangement::kWord && (code.field.w() == 8 || code.field.w() == 16) &&
         (code.subchunks == 1 || code.plane_bytes == 0);
}

bool Codewords::fits(const Code& code) { return can_check(code) && code.subchunks == 1; }

Codewords::Codewords(const Code& code)
    : code_(code),
      drawn_(kBits / code.field.w()),
      drawn_symbols_(code.num_cells() * drawn_),
      lines_((code.num_cells() + code.subchunks + 1) * kLine, kJunk) {
  draw();
  first_line_ = kLine - 1 - (reinterpret_cast<std::uintptr_t>(lines_.data()) + kLine - 1) % kLine;
  const std::vector<std::uint8_t> sums = random_sums(kLine * 8 / code.field.w(), drawn_);
  for (Cell cell = 0; cell < code.num_cells(); ++cell) write(cell, sums, line(cell));
}

/// Draws data at random, and computes redundancy by the matrix.
void Codewords::draw() {
  const Field& field = code_.field;
  Random random(3);
  std::vector<std::uint32_t> logarithms;
  for (const Cell cell : code_.data) {
    for (std::size_t d = 0; d < drawn_; ++d) {
      const auto symbol = 1 + random.below(static_cast<std::uint32_t>(field.size() - 1));
      drawn_symbols_[cell * drawn_ + d] = symbol;
      logarithms.push_back(field.logarithm(symbol));
    }
  }
  for (std::size_t r = 0; r < code_.redundant.size(); ++r) {
    Field::Symbol* const sums = drawn_symbols_.data() + code_.redundant[r] * drawn_;
    const std::span<const Field::Symbol> row = code_.parity.row(r);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0) continue;
      const std::uint32_t factor = field.logarithm(row[j]);
      for (std::size_t d = 0; d < drawn_; ++d) {
        sums[d] ^= field.exponential(factor + logarithms[j * drawn_ + d]);
      }
    }
  }
}

std::uint8_t* Codewords::line(Cell cell) const {
  return const_cast<std::uint8_t*>(lines_.data()) + first_line_ + cell * kLine;
}

void Codewords::write(Cell cell, const std::vector<std::uint8_t>& sums, std::uint8_t* chunk) const {
  std::vector<Field::Symbol> sum_of(std::size_t{1} << drawn_);
  for (std::size_t d = 0; d < drawn_; ++d) {
    const std::size_t bit = std::size_t{1} << d;
    for (std::size_t s = 0; s < bit; ++s) {
      sum_of[bit + s] = sum_of[s] ^ drawn_symbols_[cell * drawn_ + d];
    }
  }
  const auto low = [&](std::size_t s) { return static_cast<std::uint8_t>(sum_of[sums[s]]); };
  const auto high = [&](std::size_t s) { return static_cast<std::uint8_t>(sum_of[sums[s]] >> 8); };
  if (code_.field.w() == 8) {
    for (std::size_t s = 0; s < sums.size(); ++s) chunk[s] = low(s);
    return;
  }
  // Without planes the two bytes of a symbol are next to each other.
  const std::size_t plane = std::max<std::size_t>(1, code_.plane_bytes);
  for (std::size_t first = 0; first < sums.size(); first += plane) {
    for (std::size_t s = 0; s < plane; ++s) {
      chunk[2 * first + s] = low(first + s);
      chunk[2 * first + plane + s] = high(first + s);
    }
  }
}

void Codewords::check(const LinearMap& cells, const Computation& computation) const {
  const std::size_t subchunks = code_.subchunks;
  const std::size_t chunk_bytes = subchunks * kLine;
  std::vector<std::uint8_t*> chunks(code_.locations, line(code_.num_cells()));  // junk
  for (const Cell cell : cells.inputs) {
    const std::size_t location = cell / subchunks;
    chunks[location] = line(static_cast<Cell>(location * subchunks));
  }
  const std::vector<std::size_t> writes = locations_of(code_, cells.outputs);
  std::vector<std::uint8_t> written(writes.size() * chunk_bytes, kJunk);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    chunks[writes[i]] = written.data() + i * chunk_bytes;
  }
  const auto place = [&](Cell cell) { return chunks[cell / subchunks] + cell % subchunks * kLine; };
  for (const Cell cell : cells.inputs) {
    if (place(cell) != line(cell)) std::memcpy(place(cell), line(cell), kLine);
  }
  computation.run(chunks.data(), chunk_bytes, 0, computation.columns(chunk_bytes));
  for (const Cell cell : cells.outputs) {
    if (std::memcmp(place(cell), line(cell), kLine) == 0) continue;
    fail(Status::kInternal, "cell {} of codewords of {} comes out as another one", cell,
         code_.name());
  }
}

AcceptanceCase Codewords::test_case(const LinearMap& cells, std::size_t chunk_bytes) const {
  constexpr std::size_t kJunkRegion = 0;
  AcceptanceCase test_case{"codewords", Regions(1), {}, {}, chunk_bytes};
  test_case.before[kJunkRegion].resize(chunk_bytes, kJunk);
  test_case.chunks.resize(code_.locations, {kJunkRegion, 0});
  const std::size_t period = std::min(
      chunk_bytes, chunk_multiple(code_) * (code_.plane_bytes == 0 ? kPeriod : kPeriodOfBlocks));
  const std::vector<std::uint8_t> sums = random_sums(period * 8 / code_.field.w(), drawn_);
  const auto add = [&](Cell cell) {
    test_case.chunks[cell] = {test_case.before.size(), 0};
    std::uint8_t* const chunk = test_case.before.emplace_back(chunk_bytes).data();
    write(cell, sums, chunk);
    for (std::size_t done = period; done < chunk_bytes;) {  // doubled each time
      const std::size_t more = std::min(done, chunk_bytes - done);
      std::memcpy(chunk + done, chunk, more);
      done += more;
    }
  };
  for (const Cell cell : cells.inputs) add(cell);
  for (const Cell cell : cells.outputs) add(cell);
  test_case.after = test_case.before;
  for (const Cell cell : cells.outputs) {
    std::ranges::fill(test_case.before[test_case.chunks[cell].region], kJunk);
  }
  return test_case;
}

}  // namespace xorloom
