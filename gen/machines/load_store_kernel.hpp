#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/field/byte_maps.hpp"
#include "codes/text/error.hpp"
#include "gen/machines/stream_pointers.hpp"
#include "gen/vector/held_matrices.hpp"
#include "gen/vector/lower.hpp"

namespace xorloom {

/// An address: a distance from a pointer in a general register, or from the stack pointer.
struct MemoryPlace {
  static constexpr int kStack = -1;
  int base = kStack;
  std::uint32_t bytes = 0;
};

/// A kernel of a processor whose instructions compute on registers alone, and only load and store
/// touch memory. Products are looked up in tables.
///
/// The vector registers of a kernel, from the first on:
///
///     schedule's | nibbles: low, high | found products: 2 | pairs of tables | mask | scratch
///
/// `Instructions` encodes instructions of the processor, one after the other:
///
///   static PointerRegisters pointers()
///   enter(bytes)                 saves what a callee keeps, makes room on the stack
///   leave(bytes)                 undoes enter()
///   skip_all_if_no_turns(), end()  a jump to the end, and the return there
///   begin_loop(), end_loop()     counts a turn off, and goes back if more are left
///   multiply_turns(turns)        turns per tile, a power of two
///   load_pointer(number, stream), clear(number), add(number, other), add_bytes(number, bytes)
///   add_step(numbers, turns, within, to_next)  moves pointers on: within a tile, or to the next
///   load(vector, place), store(vector, place)
///   copy, zero, add_two(target, a, b), add_three(target, a, b): target ^= a ^ b
///   set_mask(mask), low_nibbles(target, from, mask), high_nibbles(target, from)
///   look_up(target, table, nibbles)  the target may be the table's register
///   point_to_tables(number)      points to pair `number` of tables behind the kernel
///   load_tables(low, high)       loads the next two tables
///   begin_tables(), embed(data, bytes), finish()
template <typename Instructions>
class LoadStoreKernel {
 public:
  LoadStoreKernel(const TilePlaces& places, const InstructionSchedule& schedule,
                  const MachineFacts& machine, const MachineCodeOptions& options)
      : places_(places),
        schedule_(schedule),
        vector_bytes_(static_cast<std::uint32_t>(machine.vector_bytes)),
        scratch_(static_cast<int>(machine.registers)),
        first_of_tables_(static_cast<int>(machine.registers - machine.table_registers)),
        options_(options),
        held_(held_matrices(schedule, machine)),
        pointers_(Instructions::pointers(), accesses(), places.streams.size()),
        out_(machine) {}

  std::vector<std::uint8_t> write() {
    const std::size_t frame = schedule_.slots * vector_bytes_;
    out_.skip_all_if_no_turns();
    out_.enter(frame);
    set_up();
    out_.begin_loop();
    pointers_.begin_turn();
    if (held_.loads() != 0) out_.point_to_tables(0);
    for (const InstructionSchedule::Instruction& in : schedule_.instructions) write(in);
    advance();
    out_.end_loop();
    out_.leave(frame);
    out_.end();
    out_.begin_tables();
    for (const Field::Symbol coefficient : loaded_) embed(coefficient);
    for (const auto& [coefficient, number] : held_.always) embed(coefficient);
    std::vector<std::uint8_t> code = out_.finish();
    if (code.size() > options_.most_bytes) code.clear();
    return code;
  }

 private:
  using Op = InstructionSchedule::Op;
  using Kind = InstructionSchedule::Memory::Kind;

  /// Streams that the instructions of a turn touch, in order.
  std::vector<std::uint32_t> accesses() const {
    std::vector<std::uint32_t> streams;
    for (const InstructionSchedule::Instruction& in : schedule_.instructions) {
      const Kind kind = in.memory.kind;
      if (kind == Kind::kInput || kind == Kind::kOutput) {
        streams.push_back(place_of(places_, in.memory).stream);
      }
    }
    return streams;
  }

  void set_up() {
    if (options_.turns_of_tile != 1) out_.multiply_turns(options_.turns_of_tile);
    if (pointers_.has_table()) out_.clear(Instructions::pointers().index);
    for (const auto& [number, stream] : pointers_.loaded_once()) out_.load_pointer(number, stream);
    if (!held_.uses.empty()) out_.set_mask(mask());
    if (held_.always.empty()) return;
    out_.point_to_tables(held_.loads());  // behind those that a turn loads
    for (const auto& [coefficient, pair] : held_.always) load_tables(pair);
  }

  void advance() {
    const auto turns = static_cast<std::uint32_t>(options_.turns_of_tile);
    const auto stride = static_cast<std::uint32_t>(options_.stride);
    const std::uint32_t to_next = stride - (turns - 1) * vector_bytes_;
    const std::vector<int> moved = pointers_.advanced();
    if (turns != 1 && to_next != vector_bytes_) {
      return out_.add_step(moved, turns, vector_bytes_, to_next);
    }
    for (const int number : moved) out_.add_bytes(number, to_next);
  }

  MemoryPlace address_of(InstructionSchedule::Memory memory) {
    if (memory.kind == Kind::kSlot) return {MemoryPlace::kStack, memory.index * vector_bytes_};
    const TilePlaces::Place place = place_of(places_, memory);
    const StreamPointers::Access access = pointers_.next();
    if (access.is_to_be_loaded) {
      out_.load_pointer(access.number, place.stream);
      out_.add(access.number, Instructions::pointers().index);
    }
    return {access.number, place.offset};
  }

  /// Returns the register of an operand: its own, or the scratch register, into which it is loaded.
  int operand(int number, InstructionSchedule::Memory memory) {
    if (memory.kind == Kind::kNowhere) return number;
    out_.load(scratch_, address_of(memory));
    return scratch_;
  }

  void write(const InstructionSchedule::Instruction& in) {
    switch (in.op) {
      case Op::kLoad:
        return out_.load(in.target, address_of(in.memory));
      case Op::kStore:
        return out_.store(in.a, address_of(in.memory));
      case Op::kCopy:
        return out_.copy(in.target, in.a);
      case Op::kZero:
        return out_.zero(in.target);
      case Op::kXor:
        return out_.add_two(in.target, in.a, operand(in.b, in.memory));
      case Op::kXor3:
        return out_.add_three(in.target, in.a, operand(in.b, in.memory));
      case Op::kSplit:
        return split(in);
      case Op::kProduct:
        look_up(in.coefficient, in.target, found());
        return out_.add_two(in.target, in.target, found());
      case Op::kAddProduct:
        look_up(in.coefficient, found(), found_too());
        return out_.add_three(in.target, found(), found_too());
      case Op::kMultiply:
        fail(Status::kInternal, "no instruction of this processor multiplies by a matrix of bits");
    }
  }

  // Products by tables: a vector is split into nibbles, which choose from two tables of 16 bytes.
  // Behind the kernel, tables lie in the order in which a turn loads them.

  int low_nibbles() const { return first_of_tables_; }
  int high_nibbles() const { return first_of_tables_ + 1; }
  int found() const { return first_of_tables_ + 2; }
  int found_too() const { return first_of_tables_ + 3; }
  int first_table(int pair) const { return first_of_tables_ + 4 + 2 * pair; }
  int mask() const { return scratch_ - 1; }
  void load_tables(int pair) { out_.load_tables(first_table(pair), first_table(pair) + 1); }

  void embed(Field::Symbol coefficient) {
    const auto tables = options_.products.find(coefficient);
    if (tables == options_.products.end()) {
      fail(Status::kInternal, "there are no tables of {}", coefficient);
    }
    out_.embed(tables->second.data(), kNibbleMapBytes);
  }

  void split(const InstructionSchedule::Instruction& in) {
    int from = in.a;
    if (in.memory.kind != Kind::kNowhere) {
      from = high_nibbles();
      out_.load(from, address_of(in.memory));
    }
    out_.low_nibbles(low_nibbles(), from, mask());
    out_.high_nibbles(high_nibbles(), from);
  }

  /// Looks nibbles up in a coefficient's tables: low ones into `low`, high ones into `high`.
  void look_up(Field::Symbol coefficient, int low, int high) {
    const HeldMatrices::Use use = held_.uses[products_written_++];
    const bool is_in_memory = use.number == HeldMatrices::Use::kInMemory;
    const int low_table = is_in_memory ? low : first_table(use.number);
    const int high_table = is_in_memory ? high : first_table(use.number) + 1;
    if (is_in_memory || use.is_loaded) {
      loaded_.push_back(coefficient);
      out_.load_tables(low_table, high_table);
    }
    out_.look_up(low, low_table, low_nibbles());
    out_.look_up(high, high_table, high_nibbles());
  }

  const TilePlaces& places_;
  const InstructionSchedule& schedule_;
  std::uint32_t vector_bytes_;
  int scratch_;  ///< the register after those of the machine
  int first_of_tables_;
  const MachineCodeOptions& options_;
  HeldMatrices held_;
  StreamPointers pointers_;
  Instructions out_;
  std::size_t products_written_ = 0;
  std::vector<Field::Symbol> loaded_;  ///< coefficients whose tables a turn loads, in order
};

}  // namespace xorloom
