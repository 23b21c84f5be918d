#include <asmjit/arm/a64assembler.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "codes/field/byte_maps.hpp"
#include "codes/text/error.hpp"
#include "gen/machines/machines.hpp"
#include "gen/machines/stream_pointers.hpp"
#include "gen/vector/held_matrices.hpp"

namespace xorloom {
namespace {

namespace a64 = asmjit::a64;
namespace arm = asmjit::arm;

using Op = InstructionSchedule::Op;
using Kind = InstructionSchedule::Memory::Kind;

// General registers: the caller's table, the turns left, where pointers are computed, the tables of
// products, and how far the streams have moved. x18 belongs to the system.
constexpr std::uint32_t kTable = 0;
constexpr std::uint32_t kTurnsLeft = 1;
constexpr std::uint32_t kIndex = 2;
constexpr std::uint32_t kScratch = 16;
constexpr std::uint32_t kTables = 17;

/// What a load or a store of 16 bytes can be away from a pointer, a multiple of 16.
constexpr std::uint32_t kFarthest = 4095 * 16;

/// Of additions: 12 bits, or 12 bits further up.
constexpr std::uint32_t kLowBits = 0xfff;

/// How much of a pointer's distance is added to it where a load cannot hold all of it.
constexpr std::uint32_t kAddedBits = ~std::uint32_t{0x7fff};

/// The registers that a callee keeps: the general ones, and the low halves of these vectors.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 5> kSavedPairs = {
    {{19, 20}, {21, 22}, {23, 24}, {25, 26}, {27, 28}}};
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 4> kSavedVectors = {
    {{8, 9}, {10, 11}, {12, 13}, {14, 15}}};

PointerRegisters arm_pointers() {
  PointerRegisters registers;
  for (int number = kIndex; number < static_cast<int>(kScratch); ++number) {
    registers.staying.push_back(number);
  }
  for (int number = 19; number <= 28; ++number) registers.staying.push_back(number);
  registers.held.assign(registers.staying.begin() + 1, registers.staying.end());
  registers.index = kIndex;
  return registers;
}

/// Turns what the assembler refuses into an error.
class Refusals : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error, const char* message, asmjit::BaseEmitter*) override {
    fail(Status::kInternal, fmt::format("machine code was not written: {}", message));
  }
};

/// Writes a kernel. Vectors have 16 bytes, and no instruction but loads and stores touches memory.
class ArmEmitter {
 public:
  ArmEmitter(const TilePlaces& places, const InstructionSchedule& schedule,
             const MachineFacts& machine, const MachineCodeOptions& options)
      : places_(places),
        schedule_(schedule),
        vector_bytes_(static_cast<std::uint32_t>(machine.vector_bytes)),
        has_three_way_xor_(machine.has_three_way_xor()),
        scratch_(static_cast<std::uint32_t>(machine.registers)),
        first_of_tables_(static_cast<std::uint32_t>(machine.registers - machine.table_registers)),
        options_(options),
        held_(held_matrices(schedule, machine)),
        pointers_(arm_pointers(), accesses(), places.streams) {
    code_.init(asmjit::Environment(asmjit::Arch::kAArch64));
    code_.setErrorHandler(&refusals_);
    code_.attach(&a_);
  }

  std::vector<std::uint8_t> write() {
    const asmjit::Label done = a_.newLabel();
    const asmjit::Label turn = a_.newLabel();
    maps_ = a_.newLabel();
    a_.cbz(x(kTurnsLeft), done);
    enter();
    a_.bind(turn);
    pointers_.begin_turn();
    if (loads_tables()) a_.adr(x(kTables), maps_);
    for (const InstructionSchedule::Instruction& in : schedule_.instructions) write(in);
    advance();
    a_.subs(x(kTurnsLeft), x(kTurnsLeft), 1);
    a_.b_ne(turn);
    leave();
    a_.bind(done);
    a_.ret(x(30));
    a_.align(asmjit::AlignMode::kData, kCacheLine);
    a_.bind(maps_);
    for (const Field::Symbol coefficient : loaded_) embed(coefficient);
    for (const auto& [coefficient, number] : held_.always) embed(coefficient);
    const asmjit::Section* text = code_.textSection();
    if (text->bufferSize() > options_.most_bytes) return {};
    return {text->data(), text->data() + text->bufferSize()};
  }

 private:
  static arm::GpX x(std::uint32_t number) { return a64::x(number); }
  static arm::GpX x(int number) { return a64::x(static_cast<std::uint32_t>(number)); }
  static a64::Vec v(std::uint32_t number) { return a64::VecV(number).b16(); }
  static a64::Vec q(std::uint32_t number) { return a64::VecV(number); }

  TilePlaces::Place place_of(InstructionSchedule::Memory memory) const {
    return memory.kind == Kind::kInput ? places_.inputs[memory.index]
                                       : places_.outputs[memory.index];
  }

  std::vector<std::uint32_t> accesses() const {
    std::vector<std::uint32_t> streams;
    for (const InstructionSchedule::Instruction& in : schedule_.instructions) {
      const Kind kind = in.memory.kind;
      if (kind == Kind::kInput || kind == Kind::kOutput) {
        streams.push_back(place_of(in.memory).stream);
      }
    }
    return streams;
  }

  /// target = from + bytes
  void add_bytes(const arm::GpX& target, const arm::GpX& from, std::uint32_t bytes) {
    a_.add(target, from, bytes & kLowBits);
    if (bytes > kLowBits) a_.add(target, target, bytes & ~kLowBits);
  }

  /// Slots, from the stack pointer upwards.
  std::uint32_t frame_bytes() const {
    return static_cast<std::uint32_t>(schedule_.slots) * vector_bytes_;
  }

  void enter() {
    for (const auto& [first, second] : kSavedPairs) {
      a_.stp(x(first), x(second), a64::ptr_pre(a64::sp, -16));
    }
    for (const auto& [first, second] : kSavedVectors) {
      a_.stp(a64::d(first), a64::d(second), a64::ptr_pre(a64::sp, -16));
    }
    if (const std::uint32_t bytes = frame_bytes(); bytes != 0) {
      a_.sub(a64::sp, a64::sp, bytes & kLowBits);
      if (bytes > kLowBits) a_.sub(a64::sp, a64::sp, bytes & ~kLowBits);
    }
    for (std::size_t turns = options_.turns_of_tile; turns > 1; turns /= 2) {
      a_.add(x(kTurnsLeft), x(kTurnsLeft), x(kTurnsLeft));
    }
    if (pointers_.has_table()) a_.mov(x(kIndex), 0);
    for (const auto& [number, stream] : pointers_.loaded_once()) load_pointer(number, stream);
    if (!held_.uses.empty()) a_.movi(v(mask()), 0x0f);
    if (held_.always.empty()) return;
    // Behind the tables that a turn loads.
    a_.adr(x(kTables), maps_);
    add_bytes(x(kTables), x(kTables), static_cast<std::uint32_t>(count_loads() * kNibbleMapBytes));
    for (const auto& [coefficient, number] : held_.always) {
      load_tables(static_cast<std::uint32_t>(number));
    }
  }

  void leave() {
    if (const std::uint32_t bytes = frame_bytes(); bytes != 0) {
      add_bytes(a64::sp, a64::sp, bytes);
    }
    for (std::size_t i = kSavedVectors.size(); i-- > 0;) {
      const auto& [first, second] = kSavedVectors[i];
      a_.ldp(a64::d(first), a64::d(second), a64::ptr_post(a64::sp, 16));
    }
    for (std::size_t i = kSavedPairs.size(); i-- > 0;) {
      const auto& [first, second] = kSavedPairs[i];
      a_.ldp(x(first), x(second), a64::ptr_post(a64::sp, 16));
    }
  }

  void load_pointer(int number, std::size_t stream) {
    a_.ldr(x(number), a64::ptr(x(kTable), static_cast<std::int32_t>(8 * stream)));
  }

  /// Moves the streams on: by a vector within a tile, else to the next tile.
  void advance() {
    const auto within = static_cast<std::uint32_t>(vector_bytes_);
    const auto stride = static_cast<std::uint32_t>(options_.stride);
    const auto turns = static_cast<std::uint32_t>(options_.turns_of_tile);
    const std::uint32_t to_next = stride - (turns - 1) * within;
    if (turns == 1 || to_next == within) {
      for (const int number : pointers_.advanced()) add_bytes(x(number), x(number), to_next);
      return;
    }
    // The last turn of a tile is the one where the turns left are one more than whole tiles.
    a_.sub(x(kScratch), x(kTurnsLeft), 1);
    a_.tst(x(kScratch), turns - 1);
    a_.mov(x(kTables), to_next);
    a_.mov(x(kScratch), within);
    a_.csel(x(kScratch), x(kTables), x(kScratch), arm::CondCode::kEQ);
    for (const int number : pointers_.advanced()) a_.add(x(number), x(number), x(kScratch));
  }

  arm::GpX pointer_of(std::uint32_t stream) {
    const StreamPointers::Access access = pointers_.next();
    if (access.is_to_be_loaded) {
      load_pointer(access.number, stream);
      a_.add(x(access.number), x(access.number), x(kIndex));
    }
    return x(access.number);
  }

  arm::Mem within_reach(const arm::GpX& pointer, std::uint32_t distance) {
    if (distance <= kFarthest) return a64::ptr(pointer, static_cast<std::int32_t>(distance));
    const std::uint32_t added = distance & kAddedBits;
    a_.add(x(kScratch), pointer, added);
    return a64::ptr(x(kScratch), static_cast<std::int32_t>(distance - added));
  }

  arm::Mem address_of(InstructionSchedule::Memory memory) {
    if (memory.kind == Kind::kSlot) return within_reach(a64::sp, memory.index * vector_bytes_);
    const TilePlaces::Place place = place_of(memory);
    return within_reach(pointer_of(place.stream), place.offset);
  }

  /// A vector register with an operand: its own, or the scratch one, loaded.
  a64::Vec operand(std::uint32_t number, InstructionSchedule::Memory memory) {
    if (memory.kind == Kind::kNowhere) return v(number);
    a_.ldr(q(scratch_), address_of(memory));
    return v(scratch_);
  }

  void add_two(std::uint32_t target, const a64::Vec& a, const a64::Vec& b) {
    a_.eor(v(target), a, b);
  }

  void write(const InstructionSchedule::Instruction& in) {
    switch (in.op) {
      case Op::kLoad:
        a_.ldr(q(in.target), address_of(in.memory));
        return;
      case Op::kStore:
        a_.str(q(in.a), address_of(in.memory));
        return;
      case Op::kCopy:
        a_.mov(v(in.target), v(in.a));
        return;
      case Op::kZero:
        a_.movi(v(in.target), 0);
        return;
      case Op::kXor:
        return add_two(in.target, v(in.a), operand(in.b, in.memory));
      case Op::kXor3:
        return add_three(in.target, v(in.a), operand(in.b, in.memory));
      case Op::kSplit:
        return split(in);
      case Op::kProduct:
        look_up(in.coefficient, in.target, found());
        return add_two(in.target, v(in.target), v(found()));
      case Op::kAddProduct:
        look_up(in.coefficient, found(), found_too());
        return add_three(in.target, v(found()), v(found_too()));
      case Op::kMultiply:
        fail(Status::kInternal, "no instruction of AArch64 multiplies by a matrix of bits");
    }
  }

  /// target ^= a ^ b
  void add_three(std::uint32_t target, const a64::Vec& a, const a64::Vec& b) {
    if (has_three_way_xor_) {
      a_.eor3(v(target), v(target), a, b);
      return;
    }
    add_two(target, v(target), a);
    add_two(target, v(target), b);
  }

  // Products by tables: a vector is split into nibbles, which choose from two tables of 16 bytes.
  // Tables lie in the order in which a turn loads them.

  std::uint32_t low_nibbles() const { return first_of_tables_; }
  std::uint32_t high_nibbles() const { return first_of_tables_ + 1; }
  std::uint32_t found() const { return first_of_tables_ + 2; }
  std::uint32_t found_too() const { return first_of_tables_ + 3; }
  std::uint32_t mask() const { return first_of_tables_ + 4; }
  std::uint32_t first_table(std::uint32_t pair) const { return first_of_tables_ + 5 + 2 * pair; }

  static bool is_loaded(const HeldMatrices::Use& use) {
    return use.is_loaded || use.number == HeldMatrices::Use::kInMemory;
  }
  std::size_t count_loads() const { return held_.loads(); }
  bool loads_tables() const { return count_loads() != 0; }

  void embed(Field::Symbol coefficient) {
    const auto found = options_.products.find(coefficient);
    if (found == options_.products.end()) {
      fail(Status::kInternal, fmt::format("there is no map of {}", coefficient));
    }
    a_.embed(found->second.data(), kNibbleMapBytes);
  }

  void load_pair(std::uint32_t low, std::uint32_t high) {
    a_.ldp(q(low), q(high), a64::ptr_post(x(kTables), static_cast<std::int32_t>(kNibbleMapBytes)));
  }
  void load_tables(std::uint32_t pair) { load_pair(first_table(pair), first_table(pair) + 1); }

  void split(const InstructionSchedule::Instruction& in) {
    std::uint32_t from = in.a;
    if (in.memory.kind != Kind::kNowhere) {
      from = high_nibbles();
      a_.ldr(q(from), address_of(in.memory));
    }
    a_.and_(v(low_nibbles()), v(from), v(mask()));
    a_.ushr(v(high_nibbles()), v(from), 4);
  }

  /// What the nibbles find in a coefficient's tables: low ones, high ones.
  void look_up(Field::Symbol coefficient, std::uint32_t low, std::uint32_t high) {
    const HeldMatrices::Use use = held_.uses[products_written_++];
    std::pair<std::uint32_t, std::uint32_t> tables{low, high};
    if (is_loaded(use)) loaded_.push_back(coefficient);
    if (use.number != HeldMatrices::Use::kInMemory) {
      const std::uint32_t first = first_table(static_cast<std::uint32_t>(use.number));
      tables = {first, first + 1};
    }
    if (is_loaded(use)) load_pair(tables.first, tables.second);
    a_.tbl(v(low), v(tables.first), v(low_nibbles()));
    a_.tbl(v(high), v(tables.second), v(high_nibbles()));
  }

  const TilePlaces& places_;
  const InstructionSchedule& schedule_;
  std::uint32_t vector_bytes_;
  bool has_three_way_xor_;
  std::uint32_t scratch_;  ///< the vector register behind those of the schedule
  std::uint32_t first_of_tables_;
  const MachineCodeOptions& options_;
  HeldMatrices held_;
  StreamPointers pointers_;
  std::size_t products_written_ = 0;
  std::vector<Field::Symbol> loaded_;  ///< the tables that a turn loads, in order
  Refusals refusals_;
  asmjit::CodeHolder code_;
  a64::Assembler a_;
  asmjit::Label maps_;
};

}  // namespace

std::vector<std::uint8_t> aarch64_code(const TilePlaces& places,
                                       const InstructionSchedule& schedule,
                                       const MachineFacts& machine,
                                       const MachineCodeOptions& options) {
  return ArmEmitter(places, schedule, machine, options).write();
}

}  // namespace xorloom
