#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace xorloom {

/// Buffers for intermediate results of a computation that many threads may run at once: each run
/// takes a buffer. The first buffer is made with the pool, so a single thread allocates nothing.
/// More are made when they are needed, and kept. If memory is short, a run waits for the buffer of
/// another run.
class ScratchPool {
 public:
  /// Errors: throws std::bad_alloc.
  explicit ScratchPool(std::size_t bytes);
  ~ScratchPool();
  ScratchPool(const ScratchPool&) = delete;
  ScratchPool& operator=(const ScratchPool&) = delete;

  /// A buffer, aligned to 64 bytes, which returns to the pool when this object is destroyed.
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

/// Memory that kernels need while they run. A little is on the stack of the thread, which may have
/// 64 KiB in all. More is in a pool, which is made with the kernels.
class Temporaries {
 public:
  /// Errors: throws std::bad_alloc.
  explicit Temporaries(std::size_t bytes)
      : bytes_(bytes), pool_(bytes > kMost ? std::make_shared<ScratchPool>(bytes) : nullptr) {}

  /// Calls work with the memory, which is aligned to 64 bytes and has any content.
  template <typename Work>
  void lend(const Work& work) const noexcept {
    if (pool_ != nullptr) {
      const ScratchPool::Buffer buffer(*pool_);
      work(buffer.bytes());
    } else if (bytes_ <= kFew) {
      lend_stack<kFew>(work);
    } else {
      lend_stack<kMost>(work);
    }
  }

  /// Bytes on the heap while one thread runs.
  std::size_t memory_bytes() const noexcept { return pool_ != nullptr ? bytes_ : 0; }

 private:
  static constexpr std::size_t kFew = std::size_t{4} << 10;
  static constexpr std::size_t kMost = std::size_t{16} << 10;  ///< on the stack

  // Not inlined: the frame is no larger than it has to be.
  template <std::size_t kBytes, typename Work>
  [[gnu::noinline]] static void lend_stack(const Work& work) noexcept {
    alignas(64) std::array<std::uint8_t, kBytes> memory;
    work(memory.data());
  }

  std::size_t bytes_;
  std::shared_ptr<const ScratchPool> pool_;
};

}  // namespace xorloom
