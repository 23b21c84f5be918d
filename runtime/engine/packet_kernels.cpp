#include "runtime/engine/packet_kernels.hpp"

#include <algorithm>
#include <array>

#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/live_slots.hpp"
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

}  // namespace

PacketKernels::PacketKernels(const Code& code, const Program& program, Isa isa)
    : kernel_(kernels_of(isa).xor_lines),
      rows_(code.rows()),
      packet_bytes_(code.packet_bytes),
      counts_(kernel_counts(program, isa)) {
  add_steps(program);
  if (num_slots_ > kMaxLiveTemporaries) {
    fail(Status::kUnsupported, "{} temporaries are alive at once, more than the {} that fit {} KiB",
         num_slots_, kMaxLiveTemporaries, kMostTemporaryBytes >> 10);
  }
  choose_blocks(program.inputs.size() + program.outputs.size() + num_slots_);
}

PacketKernels::PacketKernels(const Code& code, const LinearMap& map, Isa isa)
    : kernel_(kernels_of(isa).xor_lines), rows_(code.rows()), packet_bytes_(code.packet_bytes) {
  const std::size_t w = code.field.w();
  const auto cell = [&](Cell of, std::size_t bit) {
    return PacketCell{static_cast<std::uint32_t>(of / code.subchunks),
                      static_cast<std::uint32_t>(of % code.subchunks * w + bit)};
  };
  std::vector<PacketCell> inputs;
  for (const Cell input : map.inputs) {
    for (std::size_t bit = 0; bit < w; ++bit) inputs.push_back(cell(input, bit));
  }
  reserve_rows(map.outputs.size() * w, inputs.size());
  std::vector<Field::Symbol> multiples(inputs.size());  // factor·x^bit, by input bit
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    auto product = multiples.begin();
    for (const Field::Symbol factor : map.coefficients.row(o)) {
      for (std::size_t bit = 0; bit < w; ++bit) {
        *product++ = code.field.multiply(factor, Field::Symbol{1} << bit);
      }
    }
    for (std::size_t row = 0; row < w; ++row) {
      add_row(inputs, cell(map.outputs[o], row),
              [&](std::size_t i) { return multiples[i] >> row & 1U; });
    }
  }
  choose_blocks(inputs.size() + steps_.size());
}

PacketKernels::PacketKernels(const PacketRows& matrix, std::size_t packet_bytes, Isa isa)
    : kernel_(kernels_of(isa).xor_lines), rows_(matrix.rows), packet_bytes_(packet_bytes) {
  const auto cell = [&](std::size_t packet) {
    return PacketCell{static_cast<std::uint32_t>(packet / rows_),
                      static_cast<std::uint32_t>(packet % rows_)};
  };
  std::vector<PacketCell> inputs(matrix.inputs * rows_);
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = cell(i);
  const std::size_t outputs = matrix.outputs * rows_;
  reserve_rows(outputs, inputs.size());
  for (std::size_t o = 0; o < outputs; ++o) {
    const int* const bits = matrix.bits + o * inputs.size();
    add_row(inputs, cell(inputs.size() + o), [&](std::size_t i) { return bits[i] != 0; });
  }
  choose_blocks(inputs.size() + outputs);
}

/// Reserves memory: about half of the bits of a row are ones.
void PacketKernels::reserve_rows(std::size_t rows, std::size_t inputs) {
  steps_.reserve(rows);
  cells_.reserve(rows * inputs / 2 + inputs);
}

/// Adds the step target = XOR of the inputs whose bit(i) is 1.
template <class Bit>
void PacketKernels::add_row(std::span<const PacketCell> inputs, PacketCell target, Bit bit) {
  std::array<PacketCell, 64> ones;
  PacketStep step{cells_.size(), 0, 0, 0, target, false};
  for (std::size_t first = 0; first < inputs.size(); first += ones.size()) {
    const std::size_t end = std::min(inputs.size(), first + ones.size());
    // Bits are as good as random, so inputs are selected without branches.
    std::size_t next = 0;
    for (std::size_t i = first; i < end; ++i) {
      ones[next] = inputs[i];
      next += static_cast<std::size_t>(bit(i));
    }
    cells_.insert(cells_.end(), ones.begin(), ones.begin() + static_cast<std::ptrdiff_t>(next));
  }
  step.num_cells = static_cast<std::uint32_t>(cells_.size() - step.first_cell);
  cost_ += std::max<std::size_t>(2, step.num_cells) - 1;
  steps_.push_back(step);
}

void PacketKernels::add_steps(const Program& program) {
  const auto rows = static_cast<Element>(rows_);
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
    PacketStep step{cells_.size(), slots_.size(), 0, 0, {}, temporary[target]};
    for (const Element operand : operands) {
      if (temporary[operand]) {
        ++step.num_temporaries;
        slots_.push_back(slot[operand]);
        // A target may take the slot of an operand: kernels read all operands of a line before they
        // write it.
        if (last_use[operand] == i) slots.release(slot[operand]);
      } else {
        cells_.push_back(cell(operand));
        ++step.num_cells;
      }
    }
    if (step.to_temporary) {
      slot[target] = slots.take();
      slots_.push_back(slot[target]);
      if (last_use[target] == kNone) slots.release(slot[target]);
    } else {
      step.target = cell(target);
    }
    cost_ += std::max<std::size_t>(1, xors(program.equations[i]));
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
}

LoopSizes PacketKernels::loop_sizes() const noexcept {
  constexpr std::size_t kPieces = kLineBytes + kWord;
  if (narrow_) return {packet_bytes_, kPieces, lines_};
  return {lines_ * line_bytes_, kPieces, 1};
}

/// Blocks stay as they are.
std::unique_ptr<const Computation> PacketKernels::with_packet_bytes(
    std::size_t packet_bytes) const {
  auto result = std::make_unique<PacketKernels>(*this);
  result->packet_bytes_ = packet_bytes;
  return result;
}

std::size_t PacketKernels::memory_bytes() const noexcept {
  return sizeof *this + steps_.size() * sizeof steps_[0] + cells_.size() * sizeof cells_[0] +
         slots_.size() * sizeof slots_[0] + temporaries_.memory_bytes();
}

/// Packet kernels only have ordinary stores.
void PacketKernels::run(std::uint8_t* const* chunks, std::size_t, std::size_t begin,
                        std::size_t end, Stores) const noexcept {
  temporaries_.lend([&](std::uint8_t* temporaries) { run_with(temporaries, chunks, begin, end); });
}

void PacketKernels::run_with(std::uint8_t* temporaries, std::uint8_t* const* chunks,
                             std::size_t begin, std::size_t end) const noexcept {
  PacketBlock block{};
  block.steps = steps_.data();
  block.num_steps = steps_.size();
  block.slots = slots_.data();
  block.chunks = chunks;
  block.temporaries = temporaries;
  block.cells = cells_.data();
  block.packet_bytes = packet_bytes_;
  const std::size_t super_block = rows_ * packet_bytes_;

  const auto execute = [&](std::size_t line_bytes) {
    block.slot_stride = block.lines * line_bytes;
    block.temporary_stride = line_bytes;
    (line_bytes == kLineBytes ? kernel_ : xor_words)(block);
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
