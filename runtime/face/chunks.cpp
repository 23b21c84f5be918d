#include <fmt/format.h>

#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "codes/code.hpp"
#include "codes/text/error.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/gpu/device_set.hpp"
#include "runtime/plans/codec_access.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kPage = 4096;

/// Offset in its page of a chunk after that of the chunk before: nine cache lines. So chunks that
/// are read together use different sets of a cache.
constexpr std::size_t kShift = 9 * kLine;

/// Bytes from the beginning of a chunk to that of the next.
std::size_t pitch_of(std::size_t chunk_bytes) {
  const std::size_t lines = (chunk_bytes + kLine - 1) / kLine * kLine;
  if (chunk_bytes < kPage) return lines;
  return lines + (kPage + kShift - lines % kPage) % kPage;
}

/// `bytes` bytes: host memory from the executor's devices if they provide it, else ordinary memory.
std::shared_ptr<std::uint8_t> allocated(std::size_t bytes, Executor executor) {
  if (runs_on_devices(executor)) {
    if (auto memory = host_memory(executor, bytes)) return memory;
  }
  return {static_cast<std::uint8_t*>(::operator new (bytes, std::align_val_t{kLine})),
          [](std::uint8_t* memory) { ::operator delete (memory, std::align_val_t{kLine}); }};
}

}  // namespace

Chunks::Chunks(const Codec& codec, std::size_t chunk_bytes) : chunk_bytes_(chunk_bytes) {
  const std::size_t multiple = stripe_multiple(CodecAccess::code_of(codec));
  const std::size_t locations = codec.info().locations;
  if (chunk_bytes % multiple != 0) {
    fail(Status::kInvalidArgument,
         fmt::format("chunk_bytes = {} is not a multiple of {}", chunk_bytes, multiple));
  }
  const std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / locations - 2 * kPage;
  if (chunk_bytes > most) {
    fail(Status::kUnsupported, fmt::format("{} chunks of {} bytes are more than the {} bytes each "
                                           "that can be addressed",
                                           locations, chunk_bytes, most));
  }
  const std::size_t pitch = pitch_of(chunk_bytes);
  pointers_.reserve(locations);
  try {
    memory_ = allocated(locations * pitch + kLine, codec.info().executor);
  } catch (const std::bad_alloc&) {
    fail(Status::kUnsupported,
         fmt::format("no memory for {} chunks of {} bytes", locations, chunk_bytes));
  }
  for (std::size_t l = 0; l < locations; ++l) pointers_.push_back(memory_.get() + l * pitch);
}

Chunks::Chunks(Chunks&& other) noexcept
    : chunk_bytes_(std::exchange(other.chunk_bytes_, 0)),
      memory_(std::exchange(other.memory_, nullptr)),
      pointers_(std::exchange(other.pointers_, {})) {}

Chunks& Chunks::operator=(Chunks&& other) noexcept {
  std::swap(chunk_bytes_, other.chunk_bytes_);
  std::swap(memory_, other.memory_);
  std::swap(pointers_, other.pointers_);
  return *this;
}

Chunks::~Chunks() = default;

}  // namespace xorloom
