#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/engine/computation.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// A computation while it runs over the columns of a stripe, in pieces. Each thread begins with
/// pieces of its own: the same in every call, so that a stripe that is used again is still in its
/// core's cache. Then it takes pieces that nobody has begun; one thread alone takes all.
///
///     0        cost_ahead   + width       + width      columns
///     | thread 0            | thread 1    | thread 2   |       work that is short: a piece each
///
/// A piece that has been begun stays with its thread: to fetch what lies in another core's cache
/// takes longer than to wait. Only long work has several pieces per thread, since a thread that is
/// held up costs more then.
///
/// What a thread needs to begin lies in one cache line: a line that goes from core to core takes as
/// long as some tiles.
class alignas(64) RangeRun {
 public:
  /// The thread that runs piece 0.
  enum class First {
    kAnyone,  ///< the first thread that takes it
    kCaller,  ///< the calling thread alone, by run_first: it takes nothing to begin
  };

  /// Shape:   threads is at least 1. cost_ahead is the work, cost × columns, that thread 0 does
  ///          more than the others, since it begins first.
  /// Buffers: as in Computation::run.
  RangeRun(const Computation& computation, std::uint8_t* const* chunks, std::size_t chunk_bytes,
           std::size_t threads, std::size_t cost_ahead, Stores stores,
           First first = First::kAnyone) noexcept;

  std::size_t pieces() const noexcept { return count_; }

  /// Runs piece 0. Shape: made with First::kCaller, and called once.
  void run_first() const noexcept { run_piece(0); }

  /// Works as thread number `thread` until every piece is taken. Any number of threads may be in
  /// it.
  void help(std::size_t thread) noexcept;

 private:
  static constexpr std::size_t kMostPieces = 256;
  static constexpr std::size_t kBits = 64;

  bool take(std::size_t piece, bool looks_first) noexcept;
  void run_piece(std::size_t piece) const noexcept;

  std::atomic<std::uint64_t> taken_{0};  ///< a bit for each of the first pieces
  const Computation& computation_;
  std::uint8_t* const* chunks_;
  std::size_t chunk_bytes_;
  std::size_t columns_;
  std::size_t ahead_ = 0;  ///< columns of piece 0, before its width
  std::size_t width_;
  std::uint16_t count_;
  std::uint16_t own_;  ///< pieces that belong to each thread
  Stores stores_;
  std::array<std::atomic<std::uint64_t>, kMostPieces / kBits - 1> more_taken_{};
};

/// Cost × columns from which on work is long: a quarter of a millisecond.
inline constexpr std::size_t kLongWork = std::size_t{64} << 20;

}  // namespace xorloom
