#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace xorloom {

/// The general registers of a processor that are there for pointers.
struct PointerRegisters {
  std::vector<int> staying;  ///< each for one stream, where there are enough
  std::vector<int> held;     ///< otherwise: for streams in turn
  int index = 0;             ///< otherwise: how far the streams have moved
};

/// Which general registers hold the pointers of streams, access by access.
///
/// Where there is a register for each stream it keeps that pointer, which moves on after each turn.
/// Else a register holds how far the streams have moved, and pointers are read from the caller's
/// table as they are needed, in place of the one that is needed again last.
class StreamPointers {
 public:
  struct Access {
    int number;            ///< of the register
    bool is_to_be_loaded;  ///< from the table, before it is used
  };

  /// `accesses` are the streams that a turn touches, in order.
  StreamPointers(PointerRegisters registers, std::vector<std::uint32_t> accesses,
                 std::size_t streams);

  /// Whether pointers are read from the caller's table in each turn.
  bool has_table() const { return has_table_; }

  /// (register, stream), in this order: loaded before the first turn.
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
  std::vector<std::size_t> next_of_same_;  ///< by access, the next one of its stream
  std::size_t streams_;
  bool has_table_;
  std::vector<Register> held_;
  std::size_t access_ = 0;
};

}  // namespace xorloom
