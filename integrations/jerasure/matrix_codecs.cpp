#include "integrations/jerasure/matrix_codecs.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "integrations/jerasure/matrix_code.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/codec_access.hpp"

namespace xorloom::jerasure {
namespace {

constexpr std::size_t kMostCodecs = 256;
constexpr std::size_t kMostPlanBytes = std::size_t{4} << 20;  ///< of a codec's plans that decode

/// A matrix: k, m, w and packet_bytes, then the entries.
using Key = std::vector<int>;

bool is_of(const Key& key, const MatrixView& matrix) {
  return key.size() == 4 + matrix.size() && key[0] == static_cast<int>(matrix.k) &&
         key[1] == static_cast<int>(matrix.m) && key[2] == static_cast<int>(matrix.w) &&
         key[3] == static_cast<int>(matrix.packet_bytes) &&
         std::equal(key.begin() + 4, key.end(), matrix.entries);
}

Key key_of(const MatrixView& matrix) {
  Key key{static_cast<int>(matrix.k), static_cast<int>(matrix.m), static_cast<int>(matrix.w),
          static_cast<int>(matrix.packet_bytes)};
  key.insert(key.end(), matrix.entries, matrix.entries + matrix.size());
  return key;
}

struct Hash {
  std::size_t operator()(const Key& key) const noexcept {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const int number : key) hash = (hash ^ static_cast<unsigned int>(number)) * 0x100000001b3;
    return static_cast<std::size_t>(hash);
  }
};

/// The codecs of all threads. They live until the process ends, whatever ends first.
struct Codecs {
  std::mutex mutex;
  std::unordered_map<Key, std::shared_ptr<const Codec>, Hash> kept;
};
Codecs& codecs() {
  static Codecs* const all = new Codecs;
  return *all;
}

/// What a thread used last.
struct Recent {
  Key key;
  std::shared_ptr<const Codec> codec;
  std::vector<std::uint8_t*> chunks{};  ///< of a call
};
thread_local Recent recent;

std::uint8_t* const* chunks_of(const MatrixView& matrix, const std::uint8_t* const* data,
                               std::uint8_t* const* redundancy) {
  recent.chunks.resize(matrix.k + matrix.m);
  for (std::size_t j = 0; j < matrix.k; ++j) {
    recent.chunks[j] =
        const_cast<std::uint8_t*>(data[j]);  // a plan only reads what it does not write
  }
  std::copy_n(redundancy, matrix.m, recent.chunks.begin() + static_cast<std::ptrdiff_t>(matrix.k));
  return recent.chunks.data();
}

}  // namespace

std::shared_ptr<const Codec> codec_of(const MatrixView& matrix) {
  if (recent.codec && is_of(recent.key, matrix)) return recent.codec;
  Key key = key_of(matrix);
  Codecs& all = codecs();
  std::shared_ptr<const Codec> codec;
  {
    const std::lock_guard lock(all.mutex);
    if (const auto found = all.kept.find(key); found != all.kept.end()) codec = found->second;
  }
  if (!codec) {
    Options options;
    options.plan_cache_bytes = kMostPlanBytes;
    codec = std::make_shared<const Codec>(CodecAccess::codec_of(matrix_code(matrix), options));
    const std::lock_guard lock(all.mutex);
    if (all.kept.size() >= kMostCodecs) all.kept.clear();
    all.kept.insert_or_assign(key, codec);
  }
  recent.key = std::move(key);
  recent.codec = codec;
  return codec;
}

bool encode(const MatrixView& matrix, const std::uint8_t* const* data,
            std::uint8_t* const* redundancy, std::size_t bytes) noexcept try {
  return codec_of(matrix)->encode(chunks_of(matrix, data, redundancy), bytes) == Status::kOk;
} catch (...) {
  return report_exception() == Status::kOk;  // it is not; last_error() says why
}

bool decode(const MatrixView& matrix, std::span<const std::size_t> lost, std::uint8_t* const* data,
            std::uint8_t* const* redundancy, std::size_t bytes) noexcept try {
  return codec_of(matrix)->decode(chunks_of(matrix, data, redundancy), lost, bytes) == Status::kOk;
} catch (...) {
  return report_exception() == Status::kOk;  // it is not; last_error() says why
}

}  // namespace xorloom::jerasure
