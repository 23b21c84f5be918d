#include "runtime/stripes/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <vector>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/kernels/fingerprint_kernel.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/stripes/locate_errors.hpp"
#include "runtime/stripes/scratch_chunks.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kWordBytes = 8;
constexpr std::size_t kSliceWords = kSliceBytes / kWordBytes;
constexpr std::size_t kMostWordBits = 32;  ///< most bits of a symbol on words

/// Word `number` of the pseudorandom sequence for `key`.
///
/// Source: G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom number generators,
///         OOPSLA 2014 (SplitMix64).
std::uint64_t key_word(std::uint64_t key, std::uint64_t number) {
  std::uint64_t word = key + (number + 1) * 0x9e3779b97f4a7c15;
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
  word = (word ^ word >> 27) * 0x94d049bb133111eb;
  return word ^ word >> 31;
}

/// The remainder modulo x^64 + x^4 + x^3 + x + 1, which is irreducible.
std::uint64_t reduced(const PolynomialSum& sum) {
  const std::uint64_t high = sum.high ^ sum.high >> 60 ^ sum.high >> 61 ^ sum.high >> 63;
  return sum.low ^ high ^ high << 1 ^ high << 3 ^ high << 4;
}

/// Computes the fingerprint of one chunk. Precondition: `fingerprint` holds zeros.
class ChunkReader {
 public:
  /// Shape: most_words is at least the number of words of a row.
  ChunkReader(const Code& code, const FingerprintKernels& kernels, std::uint64_t key,
              std::size_t most_words, std::uint8_t* fingerprint)
      : code_(code), kernels_(kernels), fingerprint_(fingerprint), factor_(key_word(key, 0)) {
    const std::size_t words = std::min(keys_.size(), most_words);
    for (std::size_t i = 0; i < words; ++i) keys_[i] = key_word(key, i + 1);
  }

  void read_packets(const std::uint8_t* chunk, std::size_t bytes) {
    const std::size_t packet_words = code_.packet_bytes / kWordBytes;
    const std::size_t super_block = code_.rows() * code_.packet_bytes;
    const std::size_t row_words = bytes / super_block * packet_words;
    for (std::size_t begin = 0; begin < row_words; begin += kFingerprintBlockWords) {
      const std::size_t end = std::min(begin + kFingerprintBlockWords, row_words);
      for (std::size_t row = 0; row < code_.rows(); ++row) {
        PolynomialSum sum;
        for (std::size_t at = begin; at < end;) {
          const std::size_t in_packet = at % packet_words;
          const std::size_t run = std::min(packet_words - in_packet, end - at);
          const std::size_t runs = run == packet_words ? (end - at) / packet_words : 1;
          const std::uint8_t* const from = chunk + at / packet_words * super_block +
                                           row * code_.packet_bytes + in_packet * kWordBytes;
          kernels_.add_products({from, run, runs, super_block}, &keys_[at - begin], sum);
          at += run * runs;
        }
        end_block(row, begin != 0, sum);
      }
    }
  }

  void read_words(const std::uint8_t* chunk, std::size_t bytes) {
    const std::size_t subchunk_bytes = bytes / code_.subchunks;
    for (std::size_t i = 0; i < code_.subchunks; ++i) {
      read_subchunk(i, chunk + i * subchunk_bytes, subchunk_bytes);
    }
  }

 private:
  /// A slice is 512 symbols. Few slices at a time are cut into rows of bits, so that they stay in
  /// L1.
  void read_subchunk(std::size_t subchunk, const std::uint8_t* from, std::size_t bytes) {
    constexpr std::size_t kBlockSlices = kFingerprintBlockWords / kSliceWords;
    const std::size_t w = code_.field.w();
    const std::size_t slice_bytes = kSliceBytes * w;
    const std::size_t at_a_time = rows_.size() / slice_bytes;
    const std::size_t slices = bytes / slice_bytes + (bytes % slice_bytes != 0 ? 1 : 0);
    for (std::size_t first = 0; first < slices; first += kBlockSlices) {
      const std::size_t last = std::min(first + kBlockSlices, slices);
      std::array<PolynomialSum, kMostWordBits> sums{};
      for (std::size_t at = first; at < last; at += at_a_time) {
        const std::size_t count = std::min(at_a_time, last - at);
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t begin = (at + i) * slice_bytes;
          slice(&rows_[i * slice_bytes], from + begin, std::min(slice_bytes, bytes - begin));
        }
        for (std::size_t row = 0; row < w; ++row) {
          kernels_.add_products({&rows_[row * kSliceBytes], kSliceWords, count, slice_bytes},
                                &keys_[(at - first) * kSliceWords], sums[row]);
        }
      }
      for (std::size_t row = 0; row < w; ++row) {
        end_block(subchunk * w + row, first != 0, sums[row]);
      }
    }
  }

  /// Cuts a slice into rows of bits; zeros replace what is missing of a short one.
  void slice(std::uint8_t* rows, const std::uint8_t* from, std::size_t bytes) {
    const std::size_t w = code_.field.w();
    if (bytes < kSliceBytes * w) {
      fill_up(from, bytes);
      from = last_.data();
    }
    if (code_.plane_bytes == 0) return kernels_.slice(rows, from, kSliceBytes, w);
    for (std::size_t plane = 0; plane < w / 8; ++plane) {
      kernels_.slice(rows + plane * 8 * kSliceBytes, from + plane * kSliceBytes,
                     plane_block_bytes(code_), 8);
    }
  }

  void fill_up(const std::uint8_t* from, std::size_t bytes) {
    last_.fill(0);
    const std::size_t block = plane_block_bytes(code_);
    const std::size_t whole = block == 0 ? bytes : bytes / block * block;
    std::memcpy(last_.data(), from, whole);
    if (whole == bytes) return;
    const std::size_t planes = code_.field.w() / 8;
    const std::size_t plane_bytes = (bytes - whole) / planes;
    for (std::size_t i = 0; i < planes; ++i) {
      std::memcpy(&last_[whole + i * code_.plane_bytes], from + whole + i * plane_bytes,
                  plane_bytes);
    }
  }

  /// Sets the hash of `row` to g times itself plus `sum`; to `sum` for the first block.
  void end_block(std::size_t row, bool has_earlier, PolynomialSum& sum) {
    std::uint8_t* const hash = fingerprint_ + row * kWordBytes;
    if (has_earlier) kernels_.add_products({hash, 1, 1, 0}, &factor_, sum);
    const std::uint64_t word = reduced(sum);
    for (std::size_t i = 0; i < kWordBytes; ++i) hash[i] = static_cast<std::uint8_t>(word >> 8 * i);
  }

  const Code& code_;
  const FingerprintKernels& kernels_;
  std::uint8_t* fingerprint_;
  std::uint64_t factor_;                                    ///< g
  std::array<std::uint64_t, kFingerprintBlockWords> keys_;  ///< k
  std::array<std::uint8_t, 8192> rows_;                     ///< slices, cut into rows of bits
  std::array<std::uint8_t, kSliceBytes * kMostWordBits> last_;
};

/// Pseudorandom bytes, equal in every call.
template <std::size_t kBytes>
std::array<std::uint8_t, kBytes> some_bytes() {
  std::array<std::uint8_t, kBytes> bytes;
  std::uint64_t number = 0;
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(key_word(1, number++));
  return bytes;
}

bool multiplies_right(const FingerprintKernels& kernels) {
  constexpr std::size_t kStride = 136;
  const auto bytes = some_bytes<4 * kStride>();
  std::array<std::uint64_t, 48> keys;
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = key_word(2, i);
  for (const std::size_t run_words : {1U, 2U, 3U, 4U, 5U, 8U, 11U, 16U}) {
    for (const std::size_t runs : {1U, 3U}) {
      const WordRuns words{bytes.data() + run_words, run_words, runs, kStride};
      PolynomialSum sum{key_word(3, runs), key_word(4, runs)};
      PolynomialSum expected = sum;
      for (std::size_t i = 0; i < runs * run_words; ++i) {
        const std::uint8_t* const word = words.begin + i / run_words * kStride + i % run_words * 8;
        for (unsigned int bit = 0; bit < 64; ++bit) {
          if ((word[bit / 8] >> bit % 8 & 1) == 0) continue;
          expected.low ^= keys[i] << bit;
          if (bit != 0) expected.high ^= keys[i] >> (64 - bit);
        }
      }
      kernels.add_products(words, keys.data(), sum);
      if (sum != expected) return false;
    }
  }
  return true;
}

bool slices_right(const FingerprintKernels& kernels) {
  constexpr std::size_t kMostBytes = kSliceBytes * kMostWordBits;
  const auto bytes = some_bytes<2 * kMostBytes + 1>();
  for (const std::size_t w : {4U, 8U, 16U, 32U}) {
    for (const std::size_t stride : {kSliceBytes, 2 * kSliceBytes}) {
      std::array<std::uint8_t, kMostBytes + 1> rows{};
      std::array<std::uint8_t, kMostBytes + 1> expected{};
      for (std::size_t line = 0; line < w; ++line) {
        for (std::size_t bit = 0; bit < 8 * kSliceBytes; ++bit) {
          const unsigned int value = bytes[1 + line * stride + bit / 8] >> bit % 8 & 1U;
          const std::size_t to = bit / w * w + line;
          expected[bit % w * kSliceBytes + to / 8] |= static_cast<std::uint8_t>(value << to % 8);
        }
      }
      kernels.slice(rows.data(), bytes.data() + 1, stride, w);
      if (rows != expected) return false;
    }
  }
  return true;
}

/// True if the kernels of an instruction set compute what they should; found out once for each.
bool are_accepted(Isa isa) {
  enum : int { kUnknown, kRight, kWrong };
  static std::array<std::atomic<int>, 16> verdicts{};
  std::atomic<int>& verdict = verdicts[static_cast<std::size_t>(isa)];
  if (verdict == kUnknown) {
    const FingerprintKernels& kernels = fingerprint_kernels(isa);
    verdict = multiplies_right(kernels) && slices_right(kernels) ? kRight : kWrong;
  }
  return verdict == kRight;
}

/// Bytes of a chunk of 64 columns: a super-block in which each packet begins with the word of its
/// row, or 64 symbols of each sub-chunk.
std::size_t column_chunk_bytes(const Code& code) {
  return code.arrangement == Arrangement::kPacket ? chunk_multiple(code) : fingerprint_bytes(code);
}

/// Writes a fingerprint as a chunk of 64 columns, into zeros.
void write_columns(const Code& code, const std::uint8_t* fingerprint, std::uint8_t* chunk) {
  if (code.arrangement == Arrangement::kPacket) {
    for (std::size_t row = 0; row < code.rows(); ++row) {
      std::memcpy(chunk + row * code.packet_bytes, fingerprint + row * kWordBytes, kWordBytes);
    }
    return;
  }
  const std::size_t w = code.field.w();
  const bool is_in_planes = code.plane_bytes != 0;
  for (std::size_t row = 0; row < code.rows(); ++row) {
    std::uint8_t* const subchunk = chunk + row / w * w * kWordBytes;
    const std::size_t bit_of_symbol = row % w;
    for (std::size_t column = 0; column < 64; ++column) {
      const unsigned int value = fingerprint[row * kWordBytes + column / 8] >> column % 8 & 1U;
      const std::size_t bit = is_in_planes
                                  ? bit_of_symbol / 8 * 512 + column * 8 + bit_of_symbol % 8
                                  : column * w + bit_of_symbol;
      subchunk[bit / 8] |= static_cast<std::uint8_t>(value << bit % 8);
    }
  }
}

bool do_overlap(const std::uint8_t* a, std::size_t a_bytes, const std::uint8_t* b,
                std::size_t b_bytes) {
  const std::less<> less;
  return less(a, b + b_bytes) && less(b, a + a_bytes);
}

}  // namespace

std::size_t fingerprint_bytes(const Code& code) { return code.rows() * kWordBytes; }

Status fingerprint_chunk(const Code& code, Isa isa, const std::uint8_t* chunk,
                         std::size_t chunk_bytes, std::uint64_t key,
                         std::span<std::uint8_t> fingerprint) noexcept try {
  if (const Status status = check_chunk_bytes(code, chunk_bytes); status != Status::kOk) {
    return status;
  }
  const std::size_t bytes = fingerprint_bytes(code);
  if (fingerprint.size() != bytes) {
    return report(Status::kInvalidArgument, "the fingerprint has {}, and the code's have {}",
                  counted(fingerprint.size(), "byte"), bytes);
  }
  if (fingerprint.data() == nullptr) {
    return report(Status::kInvalidArgument, "the pointer to the fingerprint is null");
  }
  if (chunk == nullptr && chunk_bytes != 0) {
    return report(Status::kInvalidArgument, "the pointer to the chunk is null");
  }
  if (chunk_bytes != 0 && do_overlap(chunk, chunk_bytes, fingerprint.data(), bytes)) {
    return report(Status::kInvalidArgument, "the fingerprint overlaps the chunk");
  }
  if (!are_accepted(isa)) {
    return report(Status::kInternal, "the kernels for fingerprints on {} were not accepted",
                  to_string(isa));
  }
  std::ranges::fill(fingerprint, std::uint8_t{0});
  // A row of a chunk on words may end within a slice.
  const std::size_t most_words = chunk_bytes / kWordBytes / code.rows() + kSliceWords;
  ChunkReader reader(code, fingerprint_kernels(isa), key, most_words, fingerprint.data());
  if (code.arrangement == Arrangement::kPacket) {
    reader.read_packets(chunk, chunk_bytes);
  } else {
    reader.read_words(chunk, chunk_bytes);
  }
  return Status::kOk;
} catch (...) {
  return report_exception();
}

ErrorLocation check_fingerprints(const Code& code, const Plan& encoding,
                                 std::span<const std::size_t> lost,
                                 const std::uint8_t* const* fingerprints) {
  if (fingerprints == nullptr) {
    fail(Status::kInvalidArgument, "the array of pointers to fingerprints is null");
  }
  const auto is_lost = [&](std::size_t location) {
    return std::ranges::find(lost, location) != lost.end();
  };
  for (const auto* locations : {&encoding.reads(), &encoding.writes()}) {
    for (const std::size_t location : *locations) {
      if (fingerprints[location] != nullptr || is_lost(location)) continue;
      fail(Status::kInvalidArgument, "the pointer to fingerprint {} is null, and it is read",
           location);
    }
  }
  const std::size_t bytes = column_chunk_bytes(code);
  std::vector<std::uint8_t> memory(code.locations * bytes);
  std::vector<std::uint8_t*> chunks(code.locations);
  for (std::size_t i = 0; i < code.locations; ++i) {
    chunks[i] = memory.data() + i * bytes;
    if (fingerprints[i] != nullptr && !is_lost(i)) write_columns(code, fingerprints[i], chunks[i]);
  }
  return checked_errors(code, encoding, lost, chunks.data(), bytes);
}

}  // namespace xorloom
