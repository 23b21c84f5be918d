#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace xorloom {

/// General registers of a processor that may hold pointers.
struct PointerRegisters {
  std::vector<int> staying;  ///< each for one stream, if there are enough
  std::vector<int> held;     ///< otherwise: shared by streams in turn
  int index = 0;             ///< otherwise: offset by which the streams have moved
};

/// Assigns general registers to the pointers of streams, access by access.
///
/// If there is a register for each stream, it keeps the stream's pointer, which moves on after each
/// turn. Otherwise a register holds the offset by which the streams have moved. Pointers are then
/// read from the caller's table as they are needed, each in place of the pointer whose next use is
/// last.
class StreamPointers {
 public:
  struct Access {
    int number;            ///< register number
    bool is_to_be_loaded;  ///< load it from the table before use
  };

  /// accesses: the streams that a turn touches, in order.
  StreamPointers(PointerRegisters registers, std::vector<std::uint32_t> accesses,
                 std::size_t streams);

  /// True if pointers are read from the caller's table in each turn.
  bool has_table() const { return has_table_; }

  /// Pairs of register and stream, loaded before the first turn in this order.
  std::vector<std::pair<int, std::size_t>> loaded_once() const;

  /// Registers that move on after a turn.
  std::vector<int> advanced() const;

  void begin_turn();
  Access next();

 private:
  struct Register {
    int number;
    std::uint32_t stream;
    std::size_t next_access;
  };
  PointerRegisters registers_;
  std::vector<std::uint32_t> accesses_;
  std::vector<std::size_t> next_of_same_;  ///< by access: the next access to its stream
  std::size_t streams_;
  bool has_table_;
  std::vector<Register> held_;
  std::size_t access_ = 0;
};

}  // namespace xorloom
