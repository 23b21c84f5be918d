#include "runtime/engine/packet_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/live_slots.hpp"
#include "runtime/engine/accepted_kernels.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kWord = 8;
constexpr std::size_t kMostTemporaryBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxLiveTemporaries = kMostTemporaryBytes / kWord;

/// Approximate bytes that a block touches, and bounds of its lines.
constexpr std::size_t kKernelBlockBytes = std::size_t{32} << 10;
constexpr std::size_t kMinLines = 4;
constexpr std::size_t kMaxLines = 64;

/// Packets of fewer bytes are narrow.
constexpr std::size_t kWidePacket = 256;

/// Packets that could be read in the time that a step of several rows takes besides reading.
constexpr std::size_t kCellsOfRows = 32;

/// The order of sets in Gray's code.
struct GrayCode {
  std::array<std::uint8_t, kPacketSets + 1> places{};  ///< by set: its place
  std::array<std::uint8_t, kPacketSets + 1> ones{};    ///< by place: rows of the set
};
constexpr GrayCode kGray = [] {
  GrayCode code;
  for (std::uint8_t place = 0; place <= kPacketSets; ++place) {
    const unsigned set = place ^ place >> 1U;
    code.places[set] = place;
    code.ones[place] = static_cast<std::uint8_t>(std::popcount(set));
  }
  return code;
}();

/// Steps for the rows of a location.
std::size_t steps_of(std::size_t rows) { return (rows + kPacketRows - 1) / kPacketRows; }

}  // namespace

PacketKernels::PacketKernels(std::size_t rows, std::size_t packet_bytes, Isa isa)
    : Computation({.rows = rows, .column_multiple = kWord, .kernel_rows = 0}),
      kernel_(kernels_of(isa).xor_lines),
      packet_bytes_(packet_bytes) {}

PacketKernels::PacketKernels(const Code& code, const Program& program, Isa isa)
    : PacketKernels(code.rows(), code.packet_bytes, isa) {
  facts_.counts = kernel_counts(program, isa);
  facts_.kernel_rows = kPlainPackets;
  add_steps(program);
  if (num_slots_ > kMaxLiveTemporaries) {
    fail(Status::kUnsupported, "{} temporaries are alive at once, more than the {} that fit {} KiB",
         num_slots_, kMaxLiveTemporaries, kMostTemporaryBytes >> 10);
  }
  choose_blocks(program.inputs.size() + program.outputs.size() + num_slots_);
}

PacketKernels::PacketKernels(const Code& code, const LinearMap& map, Isa isa)
    : PacketKernels(code.rows(), code.packet_bytes, isa) {
  const std::size_t w = code.field.w();
  const auto cell = [&](Cell of, std::size_t bit) {
    return PacketCell{static_cast<std::uint32_t>(of / code.subchunks),
                      static_cast<std::uint32_t>(of % code.subchunks * w + bit)};
  };
  std::vector<PacketCell> inputs;
  inputs.reserve(map.inputs.size() * w);
  for (const Cell input : map.inputs) {
    for (std::size_t bit = 0; bit < w; ++bit) inputs.push_back(cell(input, bit));
  }
  reserve_rows(map.outputs.size(), w, inputs.size());
  std::vector<Field::Symbol> multiples(inputs.size());  // factor·x^bit, by input bit
  const bool are_doubles = code.field.basis().empty();
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    auto product = multiples.begin();
    for (const Field::Symbol factor : map.coefficients.row(o)) {
      std::uint64_t doubled = factor;
      for (std::size_t bit = 0; bit < w; ++bit) {
        *product++ = are_doubles ? static_cast<Field::Symbol>(doubled)
                                 : code.field.multiply(factor, Field::Symbol{1} << bit);
        doubled = doubled << 1 ^ (doubled >> (w - 1)) * code.field.polynomial();
      }
    }
    add_rows(inputs, multiples, w, cell(map.outputs[o], 0));
  }
  choose_blocks(inputs.size() + map.outputs.size() * w);
  inputs_ = std::move(inputs);
}

PacketKernels::PacketKernels(const PacketRows& matrix, std::size_t packet_bytes, Isa isa)
    : PacketKernels(matrix.rows, packet_bytes, isa) {
  const std::size_t rows = matrix.rows;
  std::vector<PacketCell> inputs(matrix.inputs * rows);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs[i] = {static_cast<std::uint32_t>(i / rows), static_cast<std::uint32_t>(i % rows)};
  }
  reserve_rows(matrix.outputs, rows, inputs.size());
  std::vector<std::uint32_t> sets(inputs.size());
  const int* bits = matrix.bits;
  for (std::size_t o = 0; o < matrix.outputs; ++o) {
    std::ranges::fill(sets, 0);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::uint32_t& set : sets) set |= static_cast<std::uint32_t>(*bits++) << row;
    }
    add_rows(inputs, sets, rows, {static_cast<std::uint32_t>(matrix.inputs + o), 0});
  }
  choose_blocks(inputs.size() + matrix.outputs * rows);
  inputs_ = std::move(inputs);
}

/// Reserves memory for locations of `rows` rows over `inputs` packets.
void PacketKernels::reserve_rows(std::size_t locations, std::size_t rows, std::size_t inputs) {
  const std::size_t steps = locations * steps_of(rows);
  steps_.reserve(steps);
  cells_.reserve(steps * (inputs + kPacketSets));
  set_counts_.reserve(steps * kPacketSets);
}

/// Adds the `rows` rows of a location, from `target` on: each is the XOR of the inputs whose set
/// has its bit.
void PacketKernels::add_rows(std::span<const PacketCell> inputs,
                             std::span<const std::uint32_t> sets, std::size_t rows,
                             PacketCell target) {
  const std::size_t steps = steps_of(rows);
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t begin = step * rows / steps;
    add_step(inputs, sets, {begin, (step + 1) * rows / steps},
             {target.location, target.row + static_cast<std::uint32_t>(begin)});
  }
}

/// Adds a step that computes the rows `rows`. If they have few inputs in common, adds a step for
/// each row.
void PacketKernels::add_step(std::span<const PacketCell> inputs,
                             std::span<const std::uint32_t> sets, Rows rows, PacketCell target) {
  const std::uint32_t mask = (1U << (rows.end - rows.begin)) - 1;
  std::array<std::uint32_t, kPacketSets + 1> counts{};  // by the place of a set in Gray's code
  const auto place_of = [&](std::uint32_t set) { return kGray.places[set >> rows.begin & mask]; };
  for (const std::uint32_t set : sets) ++counts[place_of(set)];
  std::size_t ones = 0;
  for (std::size_t place = 1; place < counts.size(); ++place) {
    ones += std::size_t{counts[place]} * kGray.ones[place];
  }
  const std::size_t cells = inputs.size() - counts[0];
  if (ones < cells + kCellsOfRows) {
    for (; rows.begin != rows.end; ++rows.begin, ++target.row) {
      add_row(inputs, sets, rows.begin, target);
    }
    return;
  }
  steps_.push_back({cells_.size(), set_counts_.size(), 0, 0,
                    static_cast<std::uint32_t>(rows.end - rows.begin), target, false});
  set_counts_.insert(set_counts_.end(), counts.begin() + 1, counts.end());
  facts_.cost += cells + kPacketSets;
  facts_.kernel_rows |= kPacketRowSteps;
  // Inputs in no set come last, and are dropped.
  std::array<std::size_t, kPacketSets + 1> next{};
  std::size_t at = cells_.size();
  for (std::size_t place = 1; place < counts.size(); ++place) {
    next[place] = at;
    at += counts[place];
  }
  next[0] = at;
  cells_.resize(cells_.size() + inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) cells_[next[place_of(sets[i])]++] = inputs[i];
  cells_.resize(at);
}

/// Adds a step that computes row `row`.
void PacketKernels::add_row(std::span<const PacketCell> inputs, std::span<const std::uint32_t> sets,
                            std::size_t row, PacketCell target) {
  const std::size_t first = cells_.size();
  cells_.resize(first + inputs.size() + 1);
  // Bits are as good as random, so inputs are selected without branches.
  PacketCell* next = cells_.data() + first;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    *next = inputs[i];
    next += sets[i] >> row & 1U;
  }
  const auto count = static_cast<std::size_t>(next - cells_.data()) - first;
  cells_.resize(first + count);
  steps_.push_back({first, set_counts_.size(), 0, 0, 1, target, false});
  set_counts_.push_back(static_cast<std::uint32_t>(count));
  facts_.cost += std::max<std::size_t>(2, count) - 1;
  facts_.kernel_rows |= kPlainPackets;
}

void PacketKernels::add_steps(const Program& program) {
  const auto rows = static_cast<Element>(facts_.rows);
  const auto cell = [&](Element element) { return PacketCell{element / rows, element % rows}; };
  std::vector<bool> temporary(program.end_of_elements());  // by element: assigned, and no output
  std::vector<std::size_t> last_use(temporary.size(), kNone);
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    temporary[program.equations[i].target] = true;
    for (const Element operand : program.equations[i].operands) last_use[operand] = i;
  }
  for (const Element output : program.outputs) temporary[output] = false;
  std::vector<std::uint32_t> slot(temporary.size());
  LiveSlots slots;
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const auto& [target, operands] = program.equations[i];
    PacketStep step{cells_.size(), set_counts_.size(), slots_.size(), 0, 1, {}, temporary[target]};
    for (const Element operand : operands) {
      if (temporary[operand]) {
        ++step.num_temporaries;
        slots_.push_back(slot[operand]);
        // A target may take the slot of an operand: kernels read all operands of a line before they
        // write it.
        if (last_use[operand] == i) slots.release(slot[operand]);
      } else {
        cells_.push_back(cell(operand));
      }
    }
    set_counts_.push_back(static_cast<std::uint32_t>(cells_.size() - step.first_cell));
    if (step.to_temporary) {
      slot[target] = slots.take();
      slots_.push_back(slot[target]);
      if (last_use[target] == kNone) slots.release(slot[target]);
    } else {
      step.target = cell(target);
    }
    facts_.cost += std::max<std::size_t>(1, xors(program.equations[i]));
    steps_.push_back(step);
  }
  num_slots_ = slots.count();
}

void PacketKernels::choose_blocks(std::size_t elements_in_use) {
  const std::size_t fitting =
      kKernelBlockBytes / (kLineBytes * std::max<std::size_t>(1, elements_in_use));
  const std::size_t slots = std::max<std::size_t>(1, num_slots_);
  line_bytes_ = slots * kLineBytes <= kMostTemporaryBytes ? kLineBytes : kWord;
  lines_ = std::min(std::clamp(fitting, kMinLines, kMaxLines),
                    kMostTemporaryBytes / (slots * line_bytes_));
  temporaries_ = Temporaries(num_slots_ * lines_ * line_bytes_);
  narrow_ = packet_bytes_ < kWidePacket;
  constexpr std::size_t kPieces = kLineBytes + kWord;
  facts_.sizes = narrow_ ? LoopSizes{packet_bytes_, kPieces, lines_}
                         : LoopSizes{lines_ * line_bytes_, kPieces, 1};
}

/// Blocks stay as they are.
std::unique_ptr<const Computation> PacketKernels::with_packet_bytes(
    std::size_t packet_bytes) const {
  auto result = std::make_unique<PacketKernels>(*this);
  result->packet_bytes_ = packet_bytes;
  if (narrow_) result->facts_.sizes.block_bytes = packet_bytes;
  return result;
}

std::size_t PacketKernels::memory_bytes() const noexcept {
  return sizeof *this + steps_.size() * sizeof steps_[0] +
         (cells_.size() + inputs_.size()) * sizeof cells_[0] +
         set_counts_.size() * sizeof set_counts_[0] + slots_.size() * sizeof slots_[0] +
         temporaries_.memory_bytes();
}

/// Packet kernels only have ordinary stores.
void PacketKernels::run(std::uint8_t* const* chunks, std::size_t, std::size_t begin,
                        std::size_t end, Stores stores) const noexcept {
  temporaries_.lend([&](std::uint8_t* temporaries) {
    run_with(temporaries, chunks, {begin, end}, stores != Stores::kNear);
  });
}

/// Fetches inputs of the next block: an equal part of them before each step of this block.
void PacketKernels::fetch_next(const PacketBlock& block, std::size_t step) const noexcept {
  const std::size_t next = block.offset + block.lines * block.stride;
  const std::size_t end = (step + 1) * inputs_.size() / steps_.size();
  for (std::size_t i = step * inputs_.size() / steps_.size(); i < end; ++i) {
    const PacketCell& cell = inputs_[i];
    const auto place = reinterpret_cast<std::uintptr_t>(block.chunks[cell.location]) +
                       cell.row * block.packet_bytes + next;
    for (std::size_t line = 0; line < block.lines; ++line) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): may lie behind the chunk, and is not read
      __builtin_prefetch(reinterpret_cast<const void*>(place + line * block.stride));
    }
  }
}

void PacketKernels::run_with(std::uint8_t* temporaries, std::uint8_t* const* chunks,
                             ColumnRange range, bool fetches) const noexcept {
  const auto [begin, end] = range;
  PacketBlock block{};
  block.steps = steps_.data();
  block.num_steps = steps_.size();
  block.slots = slots_.data();
  block.chunks = chunks;
  block.temporaries = temporaries;
  block.cells = cells_.data();
  block.counts = set_counts_.data();
  block.packet_bytes = packet_bytes_;
  const std::size_t super_block = facts_.rows * packet_bytes_;

  const auto execute = [&](std::size_t line_bytes) {
    block.slot_stride = block.lines * line_bytes;
    block.temporary_stride = line_bytes;
    if (line_bytes != kLineBytes) return xor_words(block);
    if (!fetches || inputs_.empty()) return kernel_(block);
    block.num_steps = 1;
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      fetch_next(block, step);
      block.steps = &steps_[step];
      kernel_(block);
    }
    block.steps = steps_.data();
    block.num_steps = steps_.size();
  };

  std::size_t column = begin;
  while (column < end) {
    const std::size_t start = column / packet_bytes_ * super_block;
    const std::size_t in_packet = column % packet_bytes_;
    if (narrow_ && in_packet == 0 && end - column >= packet_bytes_) {
      block.lines = std::min(lines_, (end - column) / packet_bytes_);
      block.stride = super_block;
      for (std::size_t byte = 0; byte < packet_bytes_;) {
        const std::size_t piece = packet_bytes_ - byte >= line_bytes_ ? line_bytes_ : kWord;
        block.offset = start + byte;
        execute(piece);
        byte += piece;
      }
      column += block.lines * packet_bytes_;
    } else {
      const std::size_t width = std::min(packet_bytes_ - in_packet, end - column);
      const std::size_t piece = width >= line_bytes_ ? line_bytes_ : kWord;
      block.lines = std::min(lines_, width / piece);
      block.stride = piece;
      block.offset = start + in_packet;
      execute(piece);
      column += block.lines * piece;
    }
  }
}

}  // namespace xorloom
