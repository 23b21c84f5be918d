#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/vector/machine_facts.hpp"

namespace xorloom {

/// Places of the vectors of a tile. A kernel walks through `streams`: each is a pointer that
/// advances by the same stride after a turn. A vector lies at a fixed distance from one of these
/// pointers.
///
///     stream 0   | input 0 | input 1 | …
///     stream 1   | input 8 | …
///     stream 2   | output 0 | …
struct TilePlaces {
  /// Target of a pointer in a chunk: the start of the chunk, or on words a sub-chunk.
  struct Stream {
    std::uint32_t location;
    std::uint32_t subchunk;
  };
  struct Place {
    std::uint32_t stream;
    std::uint32_t offset;  ///< bytes from the stream's pointer
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  std::vector<Stream> streams{};
  std::vector<Place> inputs{};   ///< by input of the tile
  std::vector<Place> outputs{};  ///< by output of the tile
};

/// Start of the cache line that contains `place`, or of the block of `bytes` bytes.
constexpr TilePlaces::Place line_of(TilePlaces::Place place, std::size_t bytes = kCacheLine) {
  return {place.stream, static_cast<std::uint32_t>(place.offset / bytes * bytes)};
}

/// Places of `copies` copies of a program on packets, which lie `copy_bytes` bytes apart. Streams
/// are the locations in use, ascending.
///
/// Shape: packet_bytes times rows is less than 2^31.
TilePlaces packet_places(const Program& program, std::size_t copies, std::size_t packet_bytes,
                         std::size_t copy_bytes);

/// Places of `copies` copies of a program on words, which lie `copy_bytes` bytes apart. Each cell
/// is a stream of its own, the inputs first, then the outputs.
TilePlaces word_places(const Program& program, std::size_t copies, std::size_t copy_bytes);

/// The locations that a program reads, ascending.
std::vector<std::size_t> locations_read(const Program& program);

/// The locations that a program reads or writes, ascending.
std::vector<std::size_t> locations_in_use(const Program& program);

/// The instructions of a tile for one core, in order, with their registers.
///
///   load      target <- memory
///   store     memory <- a
///   copy      target <- a
///   zero      target <- 0
///   xor       target <- a ^ (b or memory)
///   xor3      target <- target ^ a ^ (b or memory)
///   multiply  target <- coefficient · a
///
/// By tables a product takes two steps, so that the nibbles of a value serve several products:
///
///   split     nibbles <- a, or memory
///   product   target <- coefficient · nibbles
///   add       target <- target ^ coefficient · nibbles
struct InstructionSchedule {
  enum class Op : std::uint8_t {
    kLoad,
    kStore,
    kCopy,
    kZero,
    kXor,
    kXor3,
    kMultiply,
    kSplit,
    kProduct,
    kAddProduct
  };

  /// Memory operand of an instruction: a cell of the tile, or a slot in which a value waits for its
  /// next use.
  struct Memory {
    enum class Kind : std::uint8_t { kNowhere, kInput, kOutput, kSlot };
    Kind kind = Kind::kNowhere;
    std::uint32_t index = 0;
  };
  struct Instruction {
    Op op;
    std::uint8_t target = 0;
    std::uint8_t a = 0;
    std::uint8_t b = 0;
    Field::Symbol coefficient = 1;  ///< multiply, product, add
    Memory memory{};
  };
  std::vector<Instruction> instructions;
  std::size_t slots = 0;
  /// Start of each line that a kernel prefetches; nullopt: all lines of inputs, and lines of
  /// outputs if MachineCodeOptions say so.
  std::optional<std::vector<TilePlaces::Place>> prefetched{};
};

/// The place of an input or output that an instruction reads or writes.
inline TilePlaces::Place place_of(const TilePlaces& places, InstructionSchedule::Memory memory) {
  const bool is_input = memory.kind == InstructionSchedule::Memory::Kind::kInput;
  return (is_input ? places.inputs : places.outputs)[memory.index];
}

/// The cost of a schedule.
struct ScheduleCost {
  std::size_t instructions = 0;
  std::size_t loads = 0;        ///< including memory operands of other instructions
  std::size_t loads_alone = 0;  ///< loads that are instructions of their own
  std::size_t stores = 0;
  std::size_t copies = 0;    ///< register moves
  std::size_t products = 0;  ///< multiplications by matrices, or shuffles that look products up

  /// Instructions that compute.
  std::size_t operations() const { return instructions - loads_alone - stores - copies; }

  /// The work of a core. An XOR that reads memory is a load and an operation.
  std::size_t total(const InstructionWork& work) const {
    return operations() * work.operation + loads * work.load + stores * work.store +
           copies * work.copy;
  }
};

ScheduleCost cost(const InstructionSchedule& schedule, const MachineFacts& machine);

/// Assigns registers to values for equations in their given order: the values that are read again
/// soonest stay. Others are read from memory when needed: inputs from their cells, outputs as well
/// if `outputs_are_read_again` (their stores are not non-temporal), all other values from slots.
///
/// Source: L. A. Belady, A study of replacement algorithms for a virtual-storage computer, 1966.
InstructionSchedule assign_registers(const Program& tile, const MachineFacts& machine,
                                     bool outputs_are_read_again);

/// Total cost of a tile in its given order, with outputs that are read again.
std::size_t schedule_price(const Program& tile, const MachineFacts& machine);

/// Reads a schedule back into a program and proves that it computes the tile. Returns nullopt if it
/// does, else a sentence that says what differs.
std::optional<std::string> find_disagreement(const InstructionSchedule& schedule,
                                             const Program& tile, const MachineFacts& machine);

}  // namespace xorloom
