#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/field/byte_maps.hpp"
#include "gen/machines/load_store_kernel.hpp"
#include "gen/machines/machines.hpp"

namespace xorloom {
namespace {

// General registers: zero, the return address, the stack pointer, a scratch register for addresses,
// the pointer to tables of products, the offset by which the streams have moved, the caller's table
// and the turns left. x3 and x4 belong to the system.
constexpr int kZero = 0;
constexpr int kReturn = 1;
constexpr int kStackPointer = 2;
constexpr int kScratch = 5;
constexpr int kTables = 6;
constexpr int kIndex = 7;
constexpr int kTable = 10;
constexpr int kTurnsLeft = 11;

/// Registers that a callee keeps, and their bytes on the stack.
constexpr std::array kSaved = {8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27};
constexpr std::int32_t kSavedBytes = 8 * kSaved.size();

/// The V extension 1.0 on RV64, with vectors of MachineFacts::vector_bytes.
///
/// Source: The RISC-V Instruction Set Manual, volume I: unprivileged architecture.
class Rvv {
 public:
  explicit Rvv(const MachineFacts& machine)
      : vector_bytes_(static_cast<std::int32_t>(machine.vector_bytes)) {}

  static PointerRegisters pointers() {
    PointerRegisters registers{{kIndex}, {12, 13, 14, 15, 16, 17, 28, 29, 30, 31}, kIndex};
    registers.held.insert(registers.held.end(), kSaved.begin(), kSaved.end());
    registers.staying.insert(registers.staying.end(), registers.held.begin(), registers.held.end());
    return registers;
  }

  void enter(std::size_t frame_bytes) {
    add_immediate(kStackPointer, kStackPointer, -kSavedBytes);
    for (std::size_t i = 0; i < kSaved.size(); ++i) {
      save(kSaved[i], static_cast<std::int32_t>(8 * i));
    }
    frame_bytes = (frame_bytes + 15) / 16 * 16;
    if (frame_bytes != 0) add_any(kStackPointer, -static_cast<std::int32_t>(frame_bytes));
    load_constant(kScratch, vector_bytes_);
    // vsetvli zero, scratch, e8, m1, ta, ma
    emit(kOperateOnVectors | 7U << 12 | first_source(kScratch) | 0xc0U << 20);
  }
  void leave(std::size_t frame_bytes) {
    frame_bytes = (frame_bytes + 15) / 16 * 16;
    if (frame_bytes != 0) add_any(kStackPointer, static_cast<std::int32_t>(frame_bytes));
    for (std::size_t i = 0; i < kSaved.size(); ++i) {
      load_register(kSaved[i], kStackPointer, static_cast<std::int32_t>(8 * i));
    }
    add_immediate(kStackPointer, kStackPointer, kSavedBytes);
  }

  /// A branch reaches 4 KiB, a jump 1 MiB: so a branch skips a jump past the kernel.
  void skip_all_if_no_turns() {
    emit(branch(1, kTurnsLeft, kZero, 8));  // bne
    jump_past_ = code_.size();
    emit(0);
  }
  void begin_loop() { turn_ = code_.size(); }
  void end_loop() {
    add_immediate(kTurnsLeft, kTurnsLeft, -1);
    emit(branch(0, kTurnsLeft, kZero, 8));  // beq
    emit(jump(distance(turn_)));
  }
  void end() {
    const std::int32_t past = distance(jump_past_);
    code_[jump_past_] = jump(-past);
    emit(0x67U | first_source(kReturn));  // jalr zero, 0(ra)
  }
  void multiply_turns(std::size_t turns) {
    for (; turns > 1; turns /= 2) add(kTurnsLeft, kTurnsLeft);
  }

  void load_pointer(int number, std::size_t stream) {
    const auto bytes = static_cast<std::int32_t>(8 * stream);
    if (bytes <= kFarthest) return load_register(number, kTable, bytes);
    const std::int32_t rest = add_upper(kTable, bytes);
    load_register(number, kScratch, rest);
  }
  void clear(int number) { add_immediate(number, kZero, 0); }
  void add(int number, int other) { add_registers(number, number, other); }
  void add_bytes(int number, std::uint32_t bytes) {
    add_any(number, static_cast<std::int32_t>(bytes));
  }
  void add_step(const std::vector<int>& numbers, std::uint32_t turns, std::uint32_t within,
                std::uint32_t to_next) {
    // In the last turn of a tile, the turns left less one are a multiple of `turns`.
    add_immediate(kTables, kTurnsLeft, -1);
    emit(0x13U | 7U << 12 | target(kTables) | first_source(kTables) | (turns - 1) << 20);  // andi
    load_constant(kScratch, static_cast<std::int32_t>(within));
    const std::size_t branch_at = code_.size();
    emit(0);
    load_constant(kScratch, static_cast<std::int32_t>(to_next));
    code_[branch_at] = branch(1, kTables, kZero, -distance(branch_at));
    for (const int number : numbers) add(number, kScratch);
  }

  void load(int vector, MemoryPlace place) { emit(0x02000007U | target(vector) | at(place)); }
  void store(int vector, MemoryPlace place) { emit(0x02000027U | target(vector) | at(place)); }
  void copy(int target, int from) { operate(0x17, kVectors, target, 0, from); }
  void zero(int target) { operate(0x17, kImmediate, target, 0, 0); }
  void add_two(int target, int a, int b) { operate(0x0b, kVectors, target, a, b); }
  void add_three(int target, int a, int b) {
    add_two(target, target, a);
    add_two(target, target, b);
  }

  void set_mask(int) {}  // an immediate holds it
  void low_nibbles(int target, int from, int) { operate(0x09, kImmediate, target, from, 0x0f); }
  void high_nibbles(int target, int from) { operate(0x28, kImmediate, target, from, 4); }
  /// The target of a gather may not be one of its sources: a table that would be overwritten is
  /// copied to kSpareVector.
  void look_up(int target, int table, int nibbles) {
    if (target == table) copy(kSpareVector, table);
    operate(0x0c, kVectors, target, target == table ? kSpareVector : table, nibbles);
  }
  void point_to_tables(std::size_t number) {
    uses_of_tables_.push_back({code_.size(), number});
    emit(0);
    emit(0);
  }
  void load_tables(int low, int high) {
    for (const int table : {low, high}) {
      emit(0x02000007U | target(table) | first_source(kTables));
      add_immediate(kTables, kTables, static_cast<std::int32_t>(kNibbleMapBytes / 2));
    }
  }

  void begin_tables() {
    while (code_.size() % (kCacheLine / 4) != 0) emit(0);
    for (const auto& [at_word, number] : uses_of_tables_) {
      const std::int32_t bytes =
          -distance(at_word) + static_cast<std::int32_t>(number * kNibbleMapBytes);
      const std::int32_t upper = (bytes + 0x800) & ~0xfff;
      code_[at_word] = 0x17U | target(kTables) | static_cast<std::uint32_t>(upper);  // auipc
      code_[at_word + 1] = immediate(0, kTables, kTables, bytes - upper);
    }
  }
  void embed(const std::uint8_t* data, std::size_t bytes) {
    tables_.insert(tables_.end(), data, data + bytes);
  }
  /// Vectors may be longer than tables, so zeros follow the last table.
  std::vector<std::uint8_t> finish() {
    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t word : code_) {
      for (int shift = 0; shift < 32; shift += 8) {
        bytes.push_back(static_cast<std::uint8_t>(word >> shift));
      }
    }
    bytes.insert(bytes.end(), tables_.begin(), tables_.end());
    bytes.resize(bytes.size() + static_cast<std::size_t>(vector_bytes_));
    return bytes;
  }

 private:
  static constexpr int kSpareVector = 30;
  static constexpr std::int32_t kFarthest = 2047;
  static constexpr std::uint32_t kOperateOnVectors = 0x57;
  static constexpr std::uint32_t kVectors = 0;
  static constexpr std::uint32_t kImmediate = 3;

  void emit(std::uint32_t word) { code_.push_back(word); }

  // Fields of instructions.
  static std::uint32_t target(int number) { return static_cast<std::uint32_t>(number) << 7; }
  static std::uint32_t first_source(int number) { return static_cast<std::uint32_t>(number) << 15; }
  static std::uint32_t second_source(int number) {
    return static_cast<std::uint32_t>(number) << 20;
  }
  /// Bits of a signed number: `count` from `low` on, moved to `to`.
  static std::uint32_t bits(std::int32_t number, int low, int count, int to) {
    return (static_cast<std::uint32_t>(number) >> low & ((1U << count) - 1)) << to;
  }

  static std::uint32_t immediate(std::uint32_t function, int to, int from, std::int32_t number) {
    return 0x13U | function << 12 | target(to) | first_source(from) | bits(number, 0, 12, 20);
  }
  static std::uint32_t branch(std::uint32_t function, int a, int b, std::int32_t bytes) {
    return 0x63U | function << 12 | first_source(a) | second_source(b) | bits(bytes, 12, 1, 31) |
           bits(bytes, 5, 6, 25) | bits(bytes, 1, 4, 8) | bits(bytes, 11, 1, 7);
  }
  static std::uint32_t jump(std::int32_t bytes) {
    return 0x6fU | bits(bytes, 20, 1, 31) | bits(bytes, 1, 10, 21) | bits(bytes, 11, 1, 20) |
           bits(bytes, 12, 8, 12);
  }
  void operate(std::uint32_t function, std::uint32_t form, int to, int a, int b) {
    emit(kOperateOnVectors | function << 26 | 1U << 25 | second_source(a) | first_source(b) |
         form << 12 | target(to));
  }

  /// Bytes from here to a word of the code; negative if the word is behind.
  std::int32_t distance(std::size_t word) const {
    return 4 * (static_cast<std::int32_t>(word) - static_cast<std::int32_t>(code_.size()));
  }

  void add_immediate(int to, int from, std::int32_t number) {
    emit(immediate(0, to, from, number));
  }
  void add_registers(int to, int a, int b) {
    emit(0x33U | target(to) | first_source(a) | second_source(b));
  }
  void load_register(int number, int base, std::int32_t bytes) {
    emit(0x3003U | target(number) | first_source(base) | bits(bytes, 0, 12, 20));
  }
  void save(int number, std::int32_t bytes) {
    emit(0x3023U | first_source(kStackPointer) | second_source(number) | bits(bytes, 5, 7, 25) |
         bits(bytes, 0, 5, 7));
  }
  void load_constant(int number, std::int32_t value) {
    const std::int32_t upper = (value + 0x800) & ~0xfff;
    if (upper == 0) return add_immediate(number, kZero, value);
    emit(0x37U | target(number) | static_cast<std::uint32_t>(upper));  // lui
    add_immediate(number, number, value - upper);
  }
  /// number += bytes
  void add_any(int number, std::int32_t bytes) {
    if (bytes >= -kFarthest && bytes <= kFarthest) return add_immediate(number, number, bytes);
    load_constant(kScratch, bytes);
    add(number, kScratch);
  }
  /// scratch = base + the upper bits of `bytes`. Returns the rest of the distance.
  std::int32_t add_upper(int base, std::int32_t bytes) {
    const std::int32_t upper = (bytes + 0x800) & ~0xfff;
    emit(0x37U | target(kScratch) | static_cast<std::uint32_t>(upper));
    add(kScratch, base);
    return bytes - upper;
  }

  /// Field of the register that holds the address of a place: vector loads and stores have no
  /// offset.
  std::uint32_t at(MemoryPlace place) {
    const int base = place.base == MemoryPlace::kStack ? kStackPointer : place.base;
    const auto bytes = static_cast<std::int32_t>(place.bytes);
    if (bytes == 0) return first_source(base);
    if (bytes <= kFarthest) {
      add_immediate(kScratch, base, bytes);
    } else if (const std::int32_t rest = add_upper(base, bytes); rest != 0) {
      add_immediate(kScratch, kScratch, rest);
    }
    return first_source(kScratch);
  }

  struct UseOfTables {
    std::size_t word;
    std::size_t number;
  };
  std::int32_t vector_bytes_;
  std::vector<std::uint32_t> code_;
  std::vector<std::uint8_t> tables_;
  std::vector<UseOfTables> uses_of_tables_;
  std::size_t jump_past_ = 0;
  std::size_t turn_ = 0;
};

}  // namespace

std::vector<std::uint8_t> riscv64_code(const TilePlaces& places,
                                       const InstructionSchedule& schedule,
                                       const MachineFacts& machine,
                                       const MachineCodeOptions& options) {
  return LoadStoreKernel<Rvv>(places, schedule, machine, options).write();
}

}  // namespace xorloom
