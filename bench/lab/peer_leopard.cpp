#include <dlfcn.h>
#include <leopard.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "bench/lab/peers.hpp"
#include "cli/measuring/placed_stripe.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kMostChunks = 65536;
constexpr std::size_t kBytePoints = 256;  // larger codes have symbols of 16 bits
constexpr std::size_t kLeopardLine = 64;  // chunk sizes are multiples of this

/// Initialises Leopard on one thread, even if it was built with OpenMP. False: it does not run
/// here.
bool is_ready() {
  static const bool ready = [] {
    using SetThreads = void (*)(int);
    if (void* set_threads = ::dlsym(RTLD_DEFAULT, "omp_set_num_threads")) {
      reinterpret_cast<SetThreads>(set_threads)(1);
    }
    return leo_init() == Leopard_Success;
  }();
  return ready;
}

/// Leopard's work chunks beside the stripe. All ways share them, since only one runs at a time and
/// wide codes need more of them than the stripe has chunks.
class WorkChunks {
 public:
  void hold(std::size_t count, std::size_t chunk_bytes) {
    if (count <= count_ && chunk_bytes <= chunk_bytes_) return;
    count_ = std::max(count, count_);
    chunk_bytes_ = std::max(chunk_bytes, chunk_bytes_);
    chunks_ = std::make_unique<PlacedStripe>(count_, chunk_bytes_, Layout::kStaggered);
  }
  void* at(std::size_t i) const { return chunks_->pointers()[i]; }

 private:
  std::size_t count_ = 0;
  std::size_t chunk_bytes_ = 0;
  std::unique_ptr<PlacedStripe> chunks_;
};

/// The shared work chunks, which live as long as a way does.
std::shared_ptr<WorkChunks> work_chunks(std::size_t count, std::size_t chunk_bytes) {
  static std::weak_ptr<WorkChunks> shared;
  std::shared_ptr<WorkChunks> chunks = shared.lock();
  if (!chunks) shared = chunks = std::make_shared<WorkChunks>();
  chunks->hold(count, chunk_bytes);
  return chunks;
}

/// Arguments of a call of Leopard on a stripe: data first, then redundancy.
struct Call {
  Call(std::size_t num_data, std::size_t num_redundant, std::size_t num_work, std::size_t bytes)
      : k(static_cast<unsigned>(num_data)),
        m(static_cast<unsigned>(num_redundant)),
        chunk_bytes(bytes),
        data(num_data),
        redundancy(num_redundant),
        work(num_work),
        chunks(work_chunks(num_work, bytes)) {}

  void use_work_chunks() {
    for (std::size_t i = 0; i < work.size(); ++i) work[i] = chunks->at(i);
  }

  unsigned k;
  unsigned m;
  std::size_t chunk_bytes;
  std::vector<const void*> data;
  std::vector<const void*> redundancy;
  std::vector<void*> work;
  std::shared_ptr<WorkChunks> chunks;
};

std::function<void(std::uint8_t* const*)> encoding(std::size_t k, std::size_t m,
                                                   std::size_t chunk_bytes) {
  const std::size_t num_work =
      leo_encode_work_count(static_cast<unsigned>(k), static_cast<unsigned>(m));
  return [call = Call(k, m, num_work, chunk_bytes)](std::uint8_t* const* chunks) mutable {
    call.use_work_chunks();
    for (std::size_t i = 0; i < call.k; ++i) call.data[i] = chunks[i];
    for (std::size_t i = 0; i < call.m; ++i) call.work[i] = chunks[call.k + i];
    leo_encode(call.chunk_bytes, call.k, call.m, static_cast<unsigned>(call.work.size()),
               call.data.data(), call.work.data());
  };
}

/// Decodes data from the chunks that `map` reads.
std::function<void(std::uint8_t* const*)> decoding(std::size_t k, std::size_t m,
                                                   const LinearMap& map, std::size_t chunk_bytes) {
  const std::size_t num_work =
      leo_decode_work_count(static_cast<unsigned>(k), static_cast<unsigned>(m));
  return [call = Call(k, m, num_work, chunk_bytes), lost = map.outputs,
          read = map.inputs](std::uint8_t* const* chunks) mutable {
    call.use_work_chunks();
    std::ranges::fill(call.data, nullptr);
    std::ranges::fill(call.redundancy, nullptr);
    for (const std::size_t l : read) {
      (l < call.k ? call.data[l] : call.redundancy[l - call.k]) = chunks[l];
    }
    for (const std::size_t l : lost) call.work[l] = chunks[l];
    leo_decode(call.chunk_bytes, call.k, call.m, static_cast<unsigned>(call.work.size()),
               call.data.data(), call.redundancy.data(), call.work.data());
  };
}

bool is_known(const Code& code, std::size_t chunk_bytes) {
  return code.subchunks == 1 && code.locations == code.k + code.m && code.m <= code.k &&
         code.locations <= kMostChunks && chunk_bytes % kLeopardLine == 0 && is_ready();
}

bool is_on_bytes(const Code& code) { return std::bit_ceil(code.m) + code.k <= kBytePoints; }

bool gives_our_bytes(const Code& code) {
  return code.family == "leopard" && is_on_bytes(code) && code.arrangement == Arrangement::kWord;
}

/// Decodes with all surviving chunks.
std::optional<PeerDecoder> leopard_decoder(const Code& code, std::size_t chunk_bytes, Isa) {
  if (!is_known(code, chunk_bytes)) return std::nullopt;
  const std::size_t num_work =
      leo_decode_work_count(static_cast<unsigned>(code.k), static_cast<unsigned>(code.m));
  return PeerDecoder{gives_our_bytes(code),
                     [call = Call(code.k, code.m, num_work, chunk_bytes)](
                         std::uint8_t* const* chunks, std::span<const std::size_t> lost) mutable {
                       call.use_work_chunks();
                       for (std::size_t l = 0; l < call.k; ++l) call.data[l] = chunks[l];
                       for (std::size_t l = 0; l < call.m; ++l) {
                         call.redundancy[l] = chunks[call.k + l];
                       }
                       for (const std::size_t l : lost) {
                         call.data[l] = nullptr;
                         call.work[l] = chunks[l];
                       }
                       leo_decode(call.chunk_bytes, call.k, call.m,
                                  static_cast<unsigned>(call.work.size()), call.data.data(),
                                  call.redundancy.data(), call.work.data());
                     }};
}

std::vector<PeerWay> leopard_ways(const Code& code, const LinearMap& map, std::size_t chunk_bytes,
                                  Isa) {
  const std::size_t k = code.k;
  const std::size_t m = code.m;
  if (!is_known(code, chunk_bytes)) return {};
  const auto is_data = [k](Cell cell) { return cell < k; };
  const bool decodes = std::ranges::all_of(map.outputs, is_data);
  const bool encodes =
      std::ranges::none_of(map.outputs, is_data) && std::ranges::all_of(map.inputs, is_data);
  if (!decodes && !encodes) return {};
  return {{is_on_bytes(code) ? "symbols of 8 bits" : "symbols of 16 bits", gives_our_bytes(code),
           encodes ? encoding(k, m, chunk_bytes) : decoding(k, m, map, chunk_bytes)}};
}

}  // namespace

const Peer kLeopardPeer{"leopard",    "Leopard",
                        "",           "leo_encode and leo_decode of its own code",
                        leopard_ways, leopard_decoder};

}  // namespace xorloom::cli
