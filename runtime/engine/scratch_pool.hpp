#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xorloom {

/// Buffers for intermediate results of a computation that many threads may run at once: each run
/// takes one. The first is there from the start, so that a thread alone allocates nothing. More are
/// made when they are needed, and kept. Where memory is short a run waits for the buffer of another.
class ScratchPool {
 public:
  /// Errors: throws std::bad_alloc.
  explicit ScratchPool(std::size_t bytes);
  ~ScratchPool();
  ScratchPool(const ScratchPool&) = delete;
  ScratchPool& operator=(const ScratchPool&) = delete;

  /// A buffer, aligned to 64 bytes, until the end of its life.
  class Buffer {
   public:
    explicit Buffer(const ScratchPool& pool) noexcept : pool_(pool), bytes_(pool.take()) {}
    ~Buffer() { pool_.give_back(bytes_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    std::uint8_t* bytes() const noexcept { return bytes_; }

   private:
    const ScratchPool& pool_;
    std::uint8_t* bytes_;
  };

  std::size_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr std::size_t kKept = 64;

  std::uint8_t* take() const noexcept;
  void give_back(std::uint8_t* buffer) const noexcept;

  std::size_t bytes_;
  mutable std::array<std::atomic<std::uint8_t*>, kKept> free_{};
};

}  // namespace xorloom
