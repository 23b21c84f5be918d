#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#define XBYAK_NO_OP_NAMES
#include <xbyak/xbyak.h>

#include "codes/field/byte_maps.hpp"
#include "codes/text/error.hpp"
#include "gen/machines/machines.hpp"
#include "gen/machines/prefetched_lines.hpp"
#include "gen/machines/stream_pointers.hpp"
#include "gen/vector/held_matrices.hpp"

namespace xorloom {
namespace {

using Op = InstructionSchedule::Op;
using Kind = InstructionSchedule::Memory::Kind;

constexpr std::uint8_t kXorOfThree = 0x96;
constexpr int kShiftOfHalf = 5;  ///< half a line is 32 bytes

/// Instructions from one jump to the next. A core whose cache of decoded instructions misses goes
/// on decoding until a branch is taken. Without such branches a tile on Zen 3 then takes up to
/// twice as long. From 16 to 128 were measured to be equally fast.
constexpr std::size_t kInstructionsOfRun = 48;

// General registers by number: rdi, the caller's table; rsi, the index; one that is spare if the
// table is used.
constexpr int kTable = 7;
constexpr int kIndex = 6;
constexpr int kSpareBesideTable = 15;

/// All registers but rsp and rdi; the index and the spare one only if each stream has a register.
PointerRegisters x86_pointers() {
  return {{0, 1, 2, 3, 5, 8, 9, 10, 11, 12, 13, 14, kSpareBesideTable, kIndex},
          {0, 1, 2, 3, 5, 8, 9, 10, 11, 12, 13, 14},
          kIndex};
}

struct FreeBytes {
  void operator()(std::uint8_t* bytes) const { std::free(bytes); }
};
using Buffer = std::unique_ptr<std::uint8_t[], FreeBytes>;

/// The stack of a kernel, upwards from rsp:
///
///     slots | staged outputs | turns left | the caller's rsp
struct Frame {
  std::size_t staged;
  std::size_t turns_left;
  std::size_t old_rsp;
  std::size_t bytes;
};

class Emitter : private Xbyak::CodeGenerator {
 public:
  Emitter(std::uint8_t* buffer, std::size_t bytes, const TilePlaces& places,
          const InstructionSchedule& schedule, const MachineFacts& machine,
          const MachineCodeOptions& options)
      : Xbyak::CodeGenerator(bytes, buffer),
        places_(places),
        schedule_(schedule),
        vector_bytes_(machine.vector_bytes),
        has_tables_(!machine.has_matrix_products && !options.products.empty()),
        first_of_tables_(static_cast<int>(machine.registers - machine.table_registers)),
        options_(options),
        is_staged_(options.non_temporal && machine.vector_bytes < kCacheLine),
        staged_bytes_(options.turns_of_tile != 1 ? kCacheLine : machine.vector_bytes),
        prefetched_(places, schedule, options),
        pointers_(x86_pointers(), accesses(), places.streams.size()),
        held_(held_matrices(schedule, machine)) {
    const std::size_t staged = schedule.slots * vector_bytes_;
    const std::size_t end = staged + (is_staged_ ? places.outputs.size() * staged_bytes_ : 0);
    frame_ = {staged, end, end + 8, (end + 16 + kCacheLine - 1) / kCacheLine * kCacheLine};
  }

  std::size_t write() {
    Xbyak::Label done;
    Xbyak::Label turn;
    test(rsi, rsi);
    jz(done, T_NEAR);
    enter();
    align(kCacheLine);
    L(turn);
    pointers_.begin_turn();
    set_ahead();
    set_half();
    body();
    advance();
    dec(qword[rsp + frame_.turns_left]);
    jnz(turn, T_NEAR);
    leave();
    L(done);
    ret();
    align(kCacheLine);
    L(maps_);
    for (const auto& [coefficient, map] : options_.products) {
      for (std::size_t i = 0; i < map_bytes(); ++i) db(map[i % map.size()]);
    }
    align(kCacheLine);
    L(low_nibbles_);
    for (std::size_t i = 0; has_tables_ && i < vector_bytes_; ++i) db(0x0f);
    return getSize();
  }

 private:
  /// Bytes of a coefficient's map. AVX-512 broadcasts a matrix as it reads it; tables are always
  /// broadcast.
  std::size_t map_bytes() const {
    if (has_tables_) return kNibbleMapBytes;
    return vector_bytes_ == kCacheLine ? kBitMapBytes : vector_bytes_;
  }
  /// True if a turn computes half a line: vectors are no narrower.
  bool is_by_halves() const { return options_.turns_of_tile != 1; }
  /// A register without a pointer: that of the caller's table if streams keep their registers, else
  /// the spare one.
  int spare() const { return pointers_.has_table() ? kSpareBesideTable : kTable; }
  std::uint32_t stride() const { return static_cast<std::uint32_t>(options_.stride); }

  // Streams that the instructions of a turn touch, in order. The registers of pointers are planned
  // by them.

  bool touches_stream(InstructionSchedule::Memory memory) const {
    return memory.kind == Kind::kInput || (memory.kind == Kind::kOutput && !is_staged_);
  }

  /// Precondition: is_by_halves(). Sets the zero flag if the turn computes the first half of a
  ///               tile: an even number of turns is left then.
  void test_half() { test(byte[rsp + frame_.turns_left], 1); }

  /// In a kernel by halves that stages outputs, sets the spare register to the offset of the half
  /// that is staged.
  void set_half() {
    if (!is_by_halves() || !is_staged_) return;
    const Xbyak::Reg64 half(spare());
    mov(half, ptr[rsp + frame_.turns_left]);
    and_(half, 1);
    shl(half, kShiftOfHalf);
  }

  /// Moves the streams on: to the second halves, or to the next tile.
  void advance() {
    if (!is_by_halves()) {
      for (const int number : pointers_.advanced()) add(Xbyak::Reg64(number), stride());
      return;
    }
    const Xbyak::Reg64 step(spare());
    const auto half = static_cast<std::uint32_t>(vector_bytes_);
    Xbyak::Label is_set;
    mov(step, half);
    test_half();
    jz(is_set, T_SHORT);
    mov(step, stride() - half);
    L(is_set);
    for (const int number : pointers_.advanced()) add(Xbyak::Reg64(number), step);
  }

  std::vector<std::uint32_t> flushed() const {
    std::vector<std::uint32_t> outputs;
    if (!is_staged_) return outputs;
    for (std::uint32_t o = 0; o < places_.outputs.size(); ++o) outputs.push_back(o);
    std::ranges::sort(outputs, {}, [this](std::uint32_t o) { return places_.outputs[o]; });
    return outputs;
  }

  std::vector<std::uint32_t> accesses() const {
    std::vector<std::uint32_t> streams;
    for (std::size_t i = 0; i < schedule_.instructions.size(); ++i) {
      for (const PrefetchedLine line : prefetched_.before(i)) streams.push_back(line.place.stream);
      const InstructionSchedule::Memory memory = schedule_.instructions[i].memory;
      if (touches_stream(memory)) streams.push_back(place_of(places_, memory).stream);
    }
    for (const std::uint32_t output : flushed()) streams.push_back(places_.outputs[output].stream);
    return streams;
  }

  /// Sets the spare register to the distance at which outputs are prefetched, plus the index if
  /// pointers are read from the table. In the last turns the distance is 0: memory behind the
  /// outputs is often written by another thread, which would have to fetch it back.
  void set_ahead() {
    const Xbyak::Reg64 ahead(spare());
    Xbyak::Label is_set;
    if (options_.prefetch_bytes == 0 || options_.non_temporal) return;
    if (!options_.prefetches_outputs) return;
    const std::size_t tiles_ahead =
        (options_.prefetch_bytes + options_.stride - 1) / options_.stride;
    const std::size_t turns_ahead = tiles_ahead * (is_by_halves() ? 2 : 1);
    cmp(qword[rsp + frame_.turns_left], static_cast<std::uint32_t>(turns_ahead));
    if (pointers_.has_table()) {
      const Xbyak::Reg64 index(kIndex);
      mov(ahead, index);
      jbe(is_set);
      add(ahead, static_cast<std::uint32_t>(options_.prefetch_bytes));
    } else {
      mov(ahead, 0);
      jbe(is_set);
      mov(ahead, static_cast<std::uint32_t>(options_.prefetch_bytes));
    }
    L(is_set);
  }

  void enter() {
    for (const int number : kSavedRegisters) push(Xbyak::Reg64(number));
    mov(rax, rsp);
    sub(rsp, static_cast<std::uint32_t>(frame_.bytes));
    and_(rsp, ~static_cast<std::uint32_t>(kCacheLine - 1));
    mov(ptr[rsp + frame_.old_rsp], rax);
    if (is_by_halves()) add(rsi, rsi);
    mov(ptr[rsp + frame_.turns_left], rsi);
    if (pointers_.has_table()) xor_(Xbyak::Reg64(kIndex), Xbyak::Reg64(kIndex));
    for (const auto& [number, stream] : pointers_.loaded_once()) {
      mov(Xbyak::Reg64(number), ptr[rdi + 8 * stream]);
    }
    for (const auto& [coefficient, number] : held_.always) load_matrix(number, map_of(coefficient));
    if (has_tables_) load_mask();
  }

  void leave() {
    if (options_.non_temporal) sfence();
    vzeroupper();
    mov(rsp, ptr[rsp + frame_.old_rsp]);
    for (std::size_t i = kSavedRegisters.size(); i-- > 0;) pop(Xbyak::Reg64(kSavedRegisters[i]));
  }

  /// Returns the register with a stream's pointer.
  Xbyak::Reg64 pointer_of(std::uint32_t stream) {
    const StreamPointers::Access access = pointers_.next();
    const Xbyak::Reg64 pointer(access.number);
    if (access.is_to_be_loaded) mov(pointer, ptr[rdi + 8 * stream]);
    return pointer;
  }

  Xbyak::RegExp address_of(TilePlaces::Place place, std::size_t ahead = 0) {
    const Xbyak::Reg64 base = pointer_of(place.stream);
    const auto distance = static_cast<std::size_t>(place.offset) + ahead;
    if (pointers_.has_table()) return base + Xbyak::Reg64(kIndex) + distance;
    return base + distance;
  }

  void prefetch(const PrefetchedLine& line) {
    const std::size_t half = is_by_halves() ? vector_bytes_ : 0;
    if (!line.is_output) {
      const std::size_t ahead = line.is_ahead ? options_.prefetch_bytes : 0;
      prefetcht0(ptr[address_of(line.place, ahead + half)]);
      return;
    }
    const Xbyak::Reg64 base = pointer_of(line.place.stream);
    prefetcht0(ptr[base + Xbyak::Reg64(spare()) + (line.place.offset + half)]);
  }

  Xbyak::RegExp address_of(InstructionSchedule::Memory memory) {
    if (memory.kind == Kind::kSlot) return rsp + memory.index * vector_bytes_;
    if (is_staged_ && memory.kind == Kind::kOutput) {
      const std::size_t staged = staged_at(memory.index);
      if (is_by_halves()) return rsp + Xbyak::Reg64(spare()) + staged;
      return rsp + staged;
    }
    return address_of(place_of(places_, memory));
  }

  Xbyak::Xmm vector(int number) const {
    if (vector_bytes_ == kCacheLine) return Xbyak::Zmm(number);
    return Xbyak::Ymm(number);
  }

  void body() {
    for (std::size_t i = 0; i < schedule_.instructions.size(); ++i) {
      for (const PrefetchedLine line : prefetched_.before(i)) {
        prefetch(line);
      }
      write(schedule_.instructions[i]);
      if (i % kInstructionsOfRun == kInstructionsOfRun - 1) jump_on();
    }
    if (is_staged_) flush();
  }

  std::size_t staged_at(std::uint32_t output) const {
    return frame_.staged + output * staged_bytes_;
  }

  /// Stores staged outputs if the tile is complete. All registers of values are free then.
  void flush() {
    Xbyak::Label is_half;
    if (is_by_halves()) {
      test_half();
      jz(is_half, T_NEAR);
    }
    int number = 0;
    for (const std::uint32_t output : flushed()) {
      // By halves, pointers are at the second half.
      const Xbyak::RegExp end = address_of(places_.outputs[output]) + vector_bytes_;
      for (std::size_t at = 0; at < staged_bytes_; at += vector_bytes_) {
        vmovdqu(vector(number), ptr[rsp + (staged_at(output) + at)]);
        vmovntdq(ptr[end - (staged_bytes_ - at)], vector(number));
        number = (number + 1) % (has_tables_ ? first_of_tables_ : held_.first);
      }
    }
    L(is_half);
  }

  /// Writes a branch that is taken, to the next instruction.
  void jump_on() {
    Xbyak::Label next;
    jmp(next, T_SHORT);
    L(next);
  }

  void load(int number, InstructionSchedule::Memory memory) {
    const Xbyak::RegExp from = address_of(memory);
    if (vector_bytes_ == kCacheLine) {
      vmovdqu64(vector(number), ptr[from]);
    } else {
      vmovdqu(vector(number), ptr[from]);
    }
  }

  void store(int number, InstructionSchedule::Memory memory) {
    const Xbyak::RegExp to = address_of(memory);
    if (memory.kind == Kind::kOutput && options_.non_temporal && !is_staged_) {
      vmovntdq(ptr[to], vector(number));
    } else if (vector_bytes_ == kCacheLine) {
      vmovdqu64(ptr[to], vector(number));
    } else {
      vmovdqu(ptr[to], vector(number));
    }
  }

  void add_two(const Xbyak::Xmm& target, const Xbyak::Xmm& a, const Xbyak::Operand& b) {
    if (vector_bytes_ == kCacheLine) {
      vpxorq(target, a, b);
    } else {
      vpxor(target, a, b);
    }
  }

  void write(const InstructionSchedule::Instruction& in) {
    const Xbyak::Xmm target = vector(in.target);
    const bool has_memory = in.memory.kind != Kind::kNowhere;
    switch (in.op) {
      case Op::kLoad:
        return load(in.target, in.memory);
      case Op::kStore:
        return store(in.a, in.memory);
      case Op::kCopy:
        return vector_bytes_ == kCacheLine ? vmovdqa64(target, vector(in.a))
                                           : vmovdqa(target, vector(in.a));
      case Op::kZero:
        return add_two(target, target, target);
      case Op::kXor:
        if (has_memory) return add_two(target, vector(in.a), ptr[address_of(in.memory)]);
        return add_two(target, vector(in.a), vector(in.b));
      case Op::kXor3:
        if (has_memory) {
          return vpternlogq(target, vector(in.a), ptr[address_of(in.memory)], kXorOfThree);
        }
        return vpternlogq(target, vector(in.a), vector(in.b), kXorOfThree);
      case Op::kMultiply:
        return multiply(target, vector(in.a), in.coefficient);
      case Op::kSplit:
        if (!has_memory) return split(vector(in.a));
        load(high_nibbles(), in.memory);
        return split(vector(high_nibbles()));
      case Op::kProduct:
        look_up(target, map_of(in.coefficient), 0);
        look_up(vector(found()), map_of(in.coefficient), 1);
        return add_two(target, target, vector(found()));
      case Op::kAddProduct:
        return add_product(target, map_of(in.coefficient));
    }
  }

  Xbyak::RegRip map_of(Field::Symbol coefficient) const {
    const auto found = options_.products.find(coefficient);
    if (found == options_.products.end()) {
      fail(Status::kInternal, "there is no map of {}", coefficient);
    }
    const auto number = std::distance(options_.products.begin(), found);
    return rip + maps_ + static_cast<int>(number) * static_cast<int>(map_bytes());
  }

  void load_matrix(int number, const Xbyak::RegRip& matrix) {
    if (vector_bytes_ == kCacheLine) {
      vpbroadcastq(vector(number), ptr[matrix]);
    } else {
      vmovdqu(vector(number), ptr[matrix]);
    }
  }

  void multiply(const Xbyak::Xmm& target, const Xbyak::Xmm& a, Field::Symbol coefficient) {
    const HeldMatrices::Use use = held_.uses[products_written_++];
    if (use.is_loaded) load_matrix(use.number, map_of(coefficient));
    if (use.number != HeldMatrices::Use::kInMemory) {
      vgf2p8affineqb(target, a, vector(use.number), 0);
    } else if (vector_bytes_ == kCacheLine) {
      vgf2p8affineqb(target, a, ptr_b[map_of(coefficient)], 0);
    } else {
      vgf2p8affineqb(target, a, yword[map_of(coefficient)], 0);
    }
  }

  // Products by tables: a vector is split into nibbles, which choose from two tables of 16 bytes.

  int low_nibbles() const { return first_of_tables_; }
  int high_nibbles() const { return first_of_tables_ + 1; }
  int found() const { return first_of_tables_ + 2; }
  int mask() const { return first_of_tables_ + 3; }
  int found_too() const { return first_of_tables_ + 4; }

  void load_mask() {
    if (vector_bytes_ == kCacheLine) {
      vmovdqa64(vector(mask()), ptr[rip + low_nibbles_]);
    } else {
      vmovdqa(vector(mask()), ptr[rip + low_nibbles_]);
    }
  }

  void mask_nibbles(int number, const Xbyak::Xmm& from) {
    if (vector_bytes_ == kCacheLine) {
      vpandq(vector(number), from, vector(mask()));
    } else {
      vpand(vector(number), from, vector(mask()));
    }
  }

  void split(const Xbyak::Xmm& from) {
    mask_nibbles(low_nibbles(), from);
    vpsrlw(vector(high_nibbles()), from, 4);
    mask_nibbles(high_nibbles(), vector(high_nibbles()));
  }

  /// Looks nibbles up: the low ones in table 0, the high ones in table 1.
  void look_up(const Xbyak::Xmm& target, const Xbyak::RegRip& tables, int table) {
    const Xbyak::RegRip place = tables + table * static_cast<int>(kNibbleMapBytes / 2);
    if (vector_bytes_ == kCacheLine) {
      vbroadcasti32x4(Xbyak::Zmm(target.getIdx()), ptr[place]);
    } else {
      vbroadcasti128(Xbyak::Ymm(target.getIdx()), ptr[place]);
    }
    vpshufb(target, target, vector(table == 0 ? low_nibbles() : high_nibbles()));
  }

  void add_product(const Xbyak::Xmm& target, const Xbyak::RegRip& tables) {
    look_up(vector(found()), tables, 0);
    if (vector_bytes_ != kCacheLine) {
      add_two(target, target, vector(found()));
      look_up(vector(found()), tables, 1);
      return add_two(target, target, vector(found()));
    }
    look_up(vector(found_too()), tables, 1);
    vpternlogq(target, vector(found()), vector(found_too()), kXorOfThree);
  }

  static constexpr std::array kSavedRegisters = {3, 5, 12, 13, 14, 15};  // rbx rbp r12 … r15

  const TilePlaces& places_;
  const InstructionSchedule& schedule_;
  std::size_t vector_bytes_;
  bool has_tables_;
  int first_of_tables_;
  MachineCodeOptions options_;
  bool is_staged_;
  std::size_t staged_bytes_;  ///< staged bytes of an output
  PrefetchedLines prefetched_;
  StreamPointers pointers_;
  HeldMatrices held_;
  std::size_t products_written_ = 0;
  Frame frame_{};
  Xbyak::Label maps_;
  Xbyak::Label low_nibbles_;
};

}  // namespace

std::vector<std::uint8_t> x86_64_code(const TilePlaces& places, const InstructionSchedule& schedule,
                                      const MachineFacts& machine,
                                      const MachineCodeOptions& options) try {
  if (machine.vector_bytes != 32 && machine.vector_bytes != 64) {
    fail(Status::kInternal, "x86-64 has no vectors of {} bytes", machine.vector_bytes);
  }
  const Buffer buffer(
      static_cast<std::uint8_t*>(std::aligned_alloc(kCacheLine, options.most_bytes)));
  if (!buffer) throw std::bad_alloc();
  Emitter emitter(buffer.get(), options.most_bytes, places, schedule, machine, options);
  const std::size_t bytes = emitter.write();
  return {buffer.get(), buffer.get() + bytes};
} catch (const Xbyak::Error& error) {
  if (static_cast<int>(error) == Xbyak::ERR_CODE_IS_TOO_BIG) return {};
  fail(Status::kInternal, "machine code was not written: {}", error.what());
}

}  // namespace xorloom
