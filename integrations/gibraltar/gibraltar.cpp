#include "integrations/gibraltar/gibraltar.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "xorloom/xorloom.hpp"

namespace {

/// The most buffers of a code: its points are symbols of GF(2^8).
constexpr std::size_t kMostBuffers = 256;

constexpr std::size_t kLine = 64;

struct Context : gib_context_t {
  Context(int k, int redundant, xorloom::Codec prepared)
      : gib_context_t{k, redundant}, codec(std::move(prepared)) {}
  std::size_t k() const { return static_cast<std::size_t>(n); }
  std::size_t buffers() const { return static_cast<std::size_t>(n + m); }

  xorloom::Codec codec;
};

const Context& context_of(gib_context gc) { return static_cast<const Context&>(*gc); }

/// Returns the result of `function`, or Gibraltar's number for an exception. No exception leaves.
template <typename Function>
int answer(const Function& function) noexcept {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return GIB_OOM;
  } catch (...) {
    return GIB_ERR;
  }
}

int answer_of(xorloom::Status status) { return status == xorloom::Status::kOk ? GIB_SUC : GIB_ERR; }

xorloom::Codec codec_on(const std::string& spec, xorloom::Executor executor) {
  xorloom::Options options;
  options.executor = executor;
  return xorloom::Codec(spec, options);
}

/// A codec on the executor that XORLOOM_EXECUTOR names. Default: CUDA if there is a device, else
/// kAuto.
xorloom::Codec codec_of(const std::string& spec) {
  const char* const name = std::getenv("XORLOOM_EXECUTOR");
  if (name != nullptr && *name != '\0') return codec_on(spec, xorloom::parse_executor(name));
  try {
    return codec_on(spec, xorloom::Executor::kCuda);
  } catch (const xorloom::Error& error) {
    if (error.kind() != xorloom::Status::kUnsupported) throw;
    return codec_on(spec, xorloom::Executor::kAuto);
  }
}

using Chunks = std::array<std::uint8_t*, kMostBuffers>;

/// Whether buffers of a call can be read and written, as far as can be told.
bool are_buffers(const void* buffers, int buf_size, int work_size, gib_context gc) {
  return buffers != nullptr && gc != nullptr && work_size >= 0 && work_size <= buf_size;
}

std::uint8_t* buffer_at(void* buffers, int buf_size, std::size_t place) {
  return static_cast<std::uint8_t*>(buffers) + place * static_cast<std::size_t>(buf_size);
}

/// Whether the first `count` numbers are those of different buffers.
bool are_different(std::span<const int> ids, const Context& context) {
  std::array<bool, kMostBuffers> is_named{};
  return std::ranges::all_of(ids, [&](int id) {
    return id >= 0 && id < context.n + context.m &&
           !std::exchange(is_named[static_cast<std::size_t>(id)], true);
  });
}

/// Memory that devices reach without a copy in between. It outlives contexts.
class DeviceMemory {
 public:
  struct Buffers {
    void* first;
    int distance;
  };

  /// nullopt if no device codes, or if there is no such memory.
  std::optional<Buffers> allocate(const xorloom::Codec& codec, int buf_size) try {
    if (codec.info().devices.empty()) return std::nullopt;
    xorloom::Chunks chunks(codec, codec.round_up(static_cast<std::size_t>(buf_size)));
    std::uint8_t* const first = chunks.data()[0];
    const std::ptrdiff_t distance = chunks.data()[1] - first;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      if (chunks.data()[i] != first + static_cast<std::ptrdiff_t>(i) * distance)
        return std::nullopt;
    }
    if (distance < buf_size || distance > INT_MAX) return std::nullopt;
    const std::lock_guard lock(mutex_);
    kept_.emplace(first, std::move(chunks));
    return Buffers{first, static_cast<int>(distance)};
  } catch (const xorloom::Error&) {
    return std::nullopt;
  }

  /// False if it is other memory.
  bool free(const void* buffers) {
    const std::lock_guard lock(mutex_);
    return kept_.erase(buffers) != 0;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, xorloom::Chunks> kept_;
};

DeviceMemory& device_memory() {
  static DeviceMemory* const all = new DeviceMemory;
  return *all;
}

/// Distance between buffers in bytes: an odd number of cache lines, so that buffers that are read
/// together use different cache sets. For whole pages, three lines more are faster than one more.
std::size_t distance_of(int buf_size) {
  constexpr std::size_t kLinesOfPage = 64;
  const auto bytes = static_cast<std::size_t>(buf_size);
  std::size_t lines = (bytes + kLine - 1) / kLine;
  lines = lines % kLinesOfPage == 0 ? lines + 3 : lines | 1U;
  return lines * kLine > INT_MAX ? bytes : lines * kLine;
}

}  // namespace

int gib_init(int k, int m, gib_context* gc) {
  if (gc == nullptr) return GIB_ERR;
  *gc = nullptr;
  constexpr int kMost = kMostBuffers;
  if (k < 1 || m < 1 || k > kMost || m > kMost - k) return GIB_ERR;
  return answer([&] {
    const std::string spec =
        "rs:k=" + std::to_string(k) + ",m=" + std::to_string(m) + ",matrix=vandermonde";
    *gc = std::make_unique<Context>(k, m, codec_of(spec)).release();
    return GIB_SUC;
  });
}

int gib_destroy(gib_context gc) {
  if (gc == nullptr) return GIB_ERR;
  delete static_cast<Context*>(gc);
  return GIB_SUC;
}

int gib_alloc(void** buffers, int buf_size, int* ld, gib_context gc) {
  if (buffers == nullptr) return GIB_ERR;
  *buffers = nullptr;
  if (gc == nullptr || buf_size < 0) return GIB_ERR;
  return answer([&] {
    const Context& context = context_of(gc);
    if (const auto memory = device_memory().allocate(context.codec, buf_size)) {
      *buffers = memory->first;
      if (ld != nullptr) *ld = memory->distance;
      return GIB_SUC;
    }
    const std::size_t distance = distance_of(buf_size);
    const std::size_t lines = distance * context.buffers() / kLine + 1;
    *buffers = std::aligned_alloc(kLine, lines * kLine);
    if (*buffers == nullptr) return GIB_OOM;
    if (ld != nullptr) *ld = static_cast<int>(distance);
    return GIB_SUC;
  });
}

int gib_free(void* buffers, gib_context gc) {
  if (gc == nullptr) return GIB_ERR;
  if (!device_memory().free(buffers)) std::free(buffers);
  return GIB_SUC;
}

int gib_generate(void* buffers, int buf_size, gib_context gc) {
  return gib_generate_nc(buffers, buf_size, buf_size, gc);
}

int gib_recover(void* buffers, int buf_size, int* buf_ids, int recover_last, gib_context gc) {
  return gib_recover_nc(buffers, buf_size, buf_size, buf_ids, recover_last, gc);
}

int gib_generate_nc(void* buffers, int buf_size, int work_size, gib_context gc) {
  if (!are_buffers(buffers, buf_size, work_size, gc)) return GIB_ERR;
  const Context& context = context_of(gc);
  Chunks chunks{};
  for (std::size_t i = 0; i < context.buffers(); ++i) chunks[i] = buffer_at(buffers, buf_size, i);
  return answer_of(context.codec.encode(chunks.data(), static_cast<std::size_t>(work_size)));
}

int gib_recover_nc(void* buffers, int buf_size, int work_size, int* buf_ids, int recover_last,
                   gib_context gc) {
  if (!are_buffers(buffers, buf_size, work_size, gc)) return GIB_ERR;
  const Context& context = context_of(gc);
  if (buf_ids == nullptr || recover_last < 0 || recover_last > context.m) return GIB_ERR;
  const std::span<const int> ids(buf_ids, context.k() + static_cast<std::size_t>(recover_last));
  if (!are_different(ids, context)) return GIB_ERR;
  if (recover_last == 0) return GIB_SUC;
  return answer([&] {
    // Whatever is not intact is lost, so that nothing else is read.
    Chunks chunks{};
    std::vector<bool> is_intact(context.buffers());
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto id = static_cast<std::size_t>(ids[i]);
      chunks[id] = buffer_at(buffers, buf_size, i);
      if (i < context.k()) {
        is_intact[id] = true;
      } else {
        wanted.push_back(id);
      }
    }
    std::vector<std::size_t> lost;
    for (std::size_t id = 0; id < context.buffers(); ++id) {
      if (!is_intact[id]) lost.push_back(id);
    }
    return answer_of(
        context.codec.decode(chunks.data(), lost, wanted, static_cast<std::size_t>(work_size)));
  });
}
