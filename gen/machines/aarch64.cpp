#include <asmjit/arm/a64assembler.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "codes/field/byte_maps.hpp"
#include "codes/text/error.hpp"
#include "gen/machines/load_store_kernel.hpp"
#include "gen/machines/machines.hpp"

namespace xorloom {
namespace {

namespace a64 = asmjit::a64;
namespace arm = asmjit::arm;

// General registers: the caller's table, the turns left, the offset by which the streams have
// moved, a scratch register for addresses, and the pointer to tables of products. x18 belongs to
// the system.
constexpr int kTable = 0;
constexpr int kTurnsLeft = 1;
constexpr int kIndex = 2;
constexpr int kScratch = 16;
constexpr int kTables = 17;

/// Greatest distance from a pointer at which 16 bytes can be loaded, and the bits of a longer
/// distance that are added to the pointer.
constexpr std::uint32_t kFarthest = 4095 * 16;
constexpr std::uint32_t kAddedBits = ~std::uint32_t{0x7fff};

/// Immediate of an addition: these 12 bits, or 12 bits further up.
constexpr std::uint32_t kLowBits = 0xfff;

/// The registers that a callee keeps: general ones, and the low halves of these vectors.
constexpr std::array<std::pair<int, int>, 5> kSavedPairs = {
    {{19, 20}, {21, 22}, {23, 24}, {25, 26}, {27, 28}}};
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 4> kSavedVectors = {
    {{8, 9}, {10, 11}, {12, 13}, {14, 15}}};

/// Turns errors of the assembler into an Error.
class Refusals : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error, const char* message, asmjit::BaseEmitter*) override {
    fail(Status::kInternal, "machine code was not written: {}", message);
  }
};

/// NEON, with XORs of three vectors by SHA3.
class Neon {
 public:
  explicit Neon(const MachineFacts& machine) : has_three_way_xor_(machine.has_three_way_xor()) {
    code_.init(asmjit::Environment(asmjit::Arch::kAArch64));
    code_.setErrorHandler(&refusals_);
    code_.attach(&a_);
    done_ = a_.newLabel();
    turn_ = a_.newLabel();
    tables_ = a_.newLabel();
  }

  static PointerRegisters pointers() {
    PointerRegisters registers;
    for (int number = kIndex; number < kScratch; ++number) registers.staying.push_back(number);
    for (int number = 19; number <= 28; ++number) registers.staying.push_back(number);
    registers.held.assign(registers.staying.begin() + 1, registers.staying.end());
    registers.index = kIndex;
    return registers;
  }

  void enter(std::size_t frame_bytes) {
    for (const auto& [first, second] : kSavedPairs) {
      a_.stp(x(first), x(second), a64::ptr_pre(a64::sp, -16));
    }
    for (const auto& [first, second] : kSavedVectors) {
      a_.stp(a64::VecD(first), a64::VecD(second), a64::ptr_pre(a64::sp, -16));
    }
    const auto bytes = static_cast<std::uint32_t>(frame_bytes);
    if (bytes != 0) a_.sub(a64::sp, a64::sp, bytes & kLowBits);
    if (bytes > kLowBits) a_.sub(a64::sp, a64::sp, bytes & ~kLowBits);
  }
  void leave(std::size_t frame_bytes) {
    if (frame_bytes != 0) add_to(a64::sp, static_cast<std::uint32_t>(frame_bytes));
    for (std::size_t i = kSavedVectors.size(); i-- > 0;) {
      const auto& [first, second] = kSavedVectors[i];
      a_.ldp(a64::VecD(first), a64::VecD(second), a64::ptr_post(a64::sp, 16));
    }
    for (std::size_t i = kSavedPairs.size(); i-- > 0;) {
      const auto& [first, second] = kSavedPairs[i];
      a_.ldp(x(first), x(second), a64::ptr_post(a64::sp, 16));
    }
  }

  void skip_all_if_no_turns() { a_.cbz(x(kTurnsLeft), done_); }
  void begin_loop() { a_.bind(turn_); }
  void end_loop() {
    a_.subs(x(kTurnsLeft), x(kTurnsLeft), 1);
    a_.b_ne(turn_);
  }
  void end() {
    a_.bind(done_);
    a_.ret(x(30));
  }
  void multiply_turns(std::size_t turns) {
    for (; turns > 1; turns /= 2) a_.add(x(kTurnsLeft), x(kTurnsLeft), x(kTurnsLeft));
  }

  void load_pointer(int number, std::size_t stream) {
    a_.ldr(x(number), a64::ptr(x(kTable), static_cast<std::int32_t>(8 * stream)));
  }
  void clear(int number) { a_.mov(x(number), 0); }
  void add(int number, int other) { a_.add(x(number), x(number), x(other)); }
  void add_bytes(int number, std::uint32_t bytes) { add_to(x(number), bytes); }
  void add_step(const std::vector<int>& numbers, std::uint32_t turns, std::uint32_t within,
                std::uint32_t to_next) {
    // In the last turn of a tile, the turns left less one are a multiple of `turns`.
    a_.sub(x(kScratch), x(kTurnsLeft), 1);
    a_.tst(x(kScratch), turns - 1);
    a_.mov(x(kTables), to_next);
    a_.mov(x(kScratch), within);
    a_.csel(x(kScratch), x(kTables), x(kScratch), arm::CondCode::kEQ);
    for (const int number : numbers) add(number, kScratch);
  }

  void load(int vector, MemoryPlace place) { a_.ldr(q(vector), within_reach(place)); }
  void store(int vector, MemoryPlace place) { a_.str(q(vector), within_reach(place)); }
  void copy(int target, int from) { a_.mov(v(target), v(from)); }
  void zero(int target) { a_.movi(v(target), 0); }
  void add_two(int target, int a, int b) { a_.eor(v(target), v(a), v(b)); }
  void add_three(int target, int a, int b) {
    if (has_three_way_xor_) {
      a_.eor3(v(target), v(target), v(a), v(b));
      return;
    }
    add_two(target, target, a);
    add_two(target, target, b);
  }

  void set_mask(int mask) { a_.movi(v(mask), 0x0f); }
  void low_nibbles(int target, int from, int mask) { a_.and_(v(target), v(from), v(mask)); }
  void high_nibbles(int target, int from) { a_.ushr(v(target), v(from), 4); }
  void look_up(int target, int table, int nibbles) { a_.tbl(v(target), v(table), v(nibbles)); }
  void point_to_tables(std::size_t number) {
    a_.adr(x(kTables), tables_);
    if (number != 0) add_bytes(kTables, static_cast<std::uint32_t>(number * kNibbleMapBytes));
  }
  void load_tables(int low, int high) {
    a_.ldp(q(low), q(high), a64::ptr_post(x(kTables), static_cast<std::int32_t>(kNibbleMapBytes)));
  }

  void begin_tables() {
    a_.align(asmjit::AlignMode::kData, kCacheLine);
    a_.bind(tables_);
  }
  void embed(const std::uint8_t* data, std::size_t bytes) { a_.embed(data, bytes); }
  std::vector<std::uint8_t> finish() {
    const asmjit::Section* text = code_.textSection();
    return {text->data(), text->data() + text->bufferSize()};
  }

 private:
  static arm::GpX x(int number) { return a64::x(static_cast<std::uint32_t>(number)); }
  static arm::VecV q(int number) { return arm::VecV(static_cast<std::uint32_t>(number)); }
  static arm::Vec v(int number) { return q(number).b16(); }

  void add_to(const arm::GpX& pointer, std::uint32_t bytes) {
    a_.add(pointer, pointer, bytes & kLowBits);
    if (bytes > kLowBits) a_.add(pointer, pointer, bytes & ~kLowBits);
  }

  arm::Mem within_reach(MemoryPlace place) {
    const arm::GpX pointer = place.base == MemoryPlace::kStack ? a64::sp : x(place.base);
    if (place.bytes <= kFarthest) return a64::ptr(pointer, static_cast<std::int32_t>(place.bytes));
    const std::uint32_t added = place.bytes & kAddedBits;
    a_.add(x(kScratch), pointer, added);
    return a64::ptr(x(kScratch), static_cast<std::int32_t>(place.bytes - added));
  }

  bool has_three_way_xor_;
  Refusals refusals_;
  asmjit::CodeHolder code_;
  a64::Assembler a_;
  asmjit::Label done_;
  asmjit::Label turn_;
  asmjit::Label tables_;
};

}  // namespace

std::vector<std::uint8_t> aarch64_code(const TilePlaces& places,
                                       const InstructionSchedule& schedule,
                                       const MachineFacts& machine,
                                       const MachineCodeOptions& options) {
  if (machine.vector_bytes != 16) {
    fail(Status::kInternal, "AArch64 has no vectors of {} bytes", machine.vector_bytes);
  }
  return LoadStoreKernel<Neon>(places, schedule, machine, options).write();
}

}  // namespace xorloom
