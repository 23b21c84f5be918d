#include "integrations/jerasure/matrix_products.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "integrations/jerasure/matrix_code.hpp"
#include "integrations/jerasure/recovery_rows.hpp"
#include "integrations/jerasure/regions.hpp"
#include "integrations/jerasure/statistics.hpp"
#include "runtime/engine/accepted_kernels.hpp"
#include "runtime/engine/packet_kernels.hpp"
#include "runtime/engine/word_products.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/machine/overlap.hpp"
#include "runtime/plans/hot_matrices.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom::jerasure {
namespace {

constexpr std::size_t kMostPlanBytes = std::size_t{32} << 20;

/// A call that multiplies fewer bytes does not look for a plan.
constexpr std::size_t kManyProducts = std::size_t{1} << 17;

using Chunks = std::vector<std::uint8_t*>;

/// Plans of all threads. They live until the process ends, whatever ends first.
HotMatrices& hot_matrices(bool is_words) {
  static auto* const of_words = new HotMatrices(kMostPlanBytes, 500'000);
  static auto* const of_packets = new HotMatrices(kMostPlanBytes, 10'000'000);
  return is_words ? *of_words : *of_packets;
}

/// A copy of a matrix, to recognise the same matrix in later calls.
class KeptMatrix {
 public:
  bool is(const MatrixView& matrix) const {
    return shape_ == shape_of(matrix) &&
           std::equal(entries_.begin(), entries_.end(), matrix.entries);
  }
  void keep(const MatrixView& matrix) {
    shape_ = {};  // stays so if memory runs out
    entries_.assign(matrix.entries, matrix.entries + matrix.size());
    operations_ = operations_of(matrix);
    shape_ = shape_of(matrix);
  }
  const Operations& operations() const { return operations_; }

 private:
  using Shape = std::array<std::size_t, 4>;
  static Shape shape_of(const MatrixView& matrix) {
    return {matrix.k, matrix.m, matrix.w, matrix.packet_bytes};
  }
  Shape shape_{};
  std::vector<int> entries_;
  Operations operations_;
};

/// State of a thread's last calls: most threads stay with a matrix and a set of losses.
struct Recent {
  KeptMatrix with_plan;
  std::optional<Plan> plan{};
  KeptMatrix with_kernels;
  std::unique_ptr<const PacketKernels> kernels{};
  KeptMatrix decoded;
  std::vector<std::size_t> lost{};
  RecoveryRows rows{};
  HotMatrices::Key key{};
  Chunks chunks{};  ///< pointers of a call
};
thread_local Recent recent;

Plan made_plan(const MatrixView& matrix) {
  const Code code = matrix_code(matrix);
  return make_plan(code, encoding_map(code), plan_options(Options{}));
}

/// Sets the key of a matrix. Entries of bits are packed, 32 to a number.
void set_key(HotMatrices::Key& key, const MatrixView& matrix) {
  key.clear();
  for (const std::size_t number : {matrix.k, matrix.m, matrix.w, matrix.packet_bytes}) {
    key.push_back(static_cast<std::uint32_t>(number));
  }
  const std::span entries(matrix.entries, matrix.size());
  if (matrix.packet_bytes == 0) {
    key.insert(key.end(), entries.begin(), entries.end());
    return;
  }
  constexpr std::size_t kBits = 32;
  for (std::size_t i = 0; i < entries.size(); i += kBits) {
    std::uint32_t bits = 0;
    for (std::size_t bit = 0; bit < std::min(kBits, entries.size() - i); ++bit) {
      bits |= static_cast<std::uint32_t>(entries[i + bit]) << bit;
    }
    key.push_back(bits);
  }
}

/// Errors: throws kInvalidArgument for entries that are no symbols.
void check_entries(const MatrixView& matrix) {
  const std::size_t bits = matrix.packet_bytes == 0 ? matrix.w : 1;
  std::uint32_t any = 0;
  for (std::size_t i = 0; i < matrix.size(); ++i)
    any |= static_cast<std::uint32_t>(matrix.entries[i]);
  if (bits >= 32 || any >> bits == 0) return;
  symbols_of(matrix.entries, 1, matrix.size(), std::uint64_t{1} << bits);  // says which
}

const Plan* plan_of(const MatrixView& matrix, std::size_t work) {
  if (recent.plan && recent.with_plan.is(matrix)) return &*recent.plan;
  check_entries(matrix);  // keys pack them
  set_key(recent.key, matrix);
  std::optional<Plan> plan = hot_matrices(matrix.packet_bytes == 0).find(recent.key, work, [&] {
    return made_plan(matrix);
  });
  if (!plan) return nullptr;
  recent.plan.reset();
  recent.with_plan.keep(matrix);
  recent.plan = std::move(plan);
  return &*recent.plan;
}

/// True if a sum lies over a chunk that is read.
///
/// Errors: throws kInvalidArgument if `bytes` does not fit the matrix, or if chunks overlap partly.
bool check_chunks(const MatrixView& matrix, const std::uint8_t* const* reads,
                  std::uint8_t* const* sums, std::size_t bytes) {
  const std::size_t multiple =
      matrix.packet_bytes == 0 ? matrix.w / 8 : matrix.w * matrix.packet_bytes;
  if (multiple == 0) fail(Status::kInvalidArgument, "w = {} is not 1 to 32", matrix.w);
  for (std::size_t j = 0; j < matrix.k; ++j) {
    if (reads[j] == nullptr) fail(Status::kInvalidArgument, "chunk {} that is read is null", j);
  }
  for (std::size_t i = 0; i < matrix.m; ++i) {
    if (sums[i] == nullptr) fail(Status::kInvalidArgument, "chunk {} of the sums is null", i);
  }
  if (bytes % multiple != 0) {
    fail(Status::kInvalidArgument, "chunk_bytes = {} is not a multiple of {}", bytes, multiple);
  }
  bool is_over = false;
  for (std::size_t i = 0; i < matrix.m; ++i) {
    for (std::size_t j = 0; j < matrix.k; ++j) {
      is_over = is_over || sums[i] == reads[j];
      if (sums[i] == reads[j] || !overlap(sums[i], reads[j], bytes)) continue;
      fail(Status::kInvalidArgument, "chunk {} of the sums overlaps chunk {} that is read", i, j);
    }
  }
  return is_over;
}

const WordProducts& products_of(std::size_t w, std::size_t rows) {
  const WordProducts* const products = default_products(w);
  if (products == nullptr || !products->is_accepted(rows)) {
    fail(Status::kInternal, "the kernels of products with w = {} were not accepted", w);
  }
  return *products;
}

/// Accepts the kernels for packets on this machine, once: narrow packets and wide ones, rows that
/// are computed one by one and together.
void accept_packets(Isa isa) {
  static std::once_flag accepting;
  std::call_once(accepting, [&] {
    constexpr std::size_t kRedundant = 2;
    constexpr std::size_t kBits = 5;
    for (const std::size_t data : {3UL, 13UL}) {
      std::vector<int> bits(data * kRedundant * kBits * kBits);
      for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = 0x9e3779b9U * (i + 1) >> 13 & 1U;
      const std::uint32_t kernel = data == 3 ? kPlainPackets : kPacketRowSteps;
      for (const std::size_t packet_bytes : {8UL, 136UL, 1024UL}) {
        const MatrixView view{data, kRedundant, kBits, packet_bytes, bits.data()};
        const Code code = matrix_code(view);
        accept_packet_kernel(
            code, encoding_map(code),
            PacketKernels({data, kRedundant, kBits, bits.data()}, packet_bytes, isa), kernel);
      }
    }
  });
}

void run_packets(const MatrixView& matrix, std::uint8_t* const* chunks, std::size_t bytes) {
  if (!recent.kernels || !recent.with_kernels.is(matrix)) {
    if (matrix.packet_bytes % 8 != 0 || matrix.w == 0 || matrix.w > 32) {
      static_cast<void>(matrix_code(matrix));  // throws
    }
    check_entries(matrix);
    static const Isa isa = choose_isa();
    accept_packets(isa);
    recent.kernels.reset();
    recent.with_kernels.keep(matrix);
    recent.kernels = std::make_unique<const PacketKernels>(
        PacketRows{matrix.k, matrix.m, matrix.w, matrix.entries}, matrix.packet_bytes, isa);
  }
  recent.kernels->run(chunks, bytes, 0, recent.kernels->columns(bytes), Stores::kOrdinary);
}

void run_words(const MatrixView& matrix, const std::uint8_t* const* reads,
               std::uint8_t* const* sums, std::size_t bytes) {
  check_entries(matrix);
  products_of(matrix.w, matrix.m)
      .run({matrix.m, matrix.k, bytes, reads, sums}, [&](std::size_t r, std::size_t c) {
        return static_cast<Field::Symbol>(matrix.entries[r * matrix.k + c]);
      });
}

std::uint8_t* const* chunks_of(const MatrixView& matrix, const std::uint8_t* const* reads,
                               std::uint8_t* const* sums) {
  recent.chunks.resize(matrix.k + matrix.m);
  for (std::size_t j = 0; j < matrix.k; ++j) {
    recent.chunks[j] = const_cast<std::uint8_t*>(reads[j]);  // never written to
  }
  std::copy_n(sums, matrix.m, recent.chunks.begin() + static_cast<std::ptrdiff_t>(matrix.k));
  return recent.chunks.data();
}

/// Errors: throws Error as encode() says.
void multiply(const MatrixView& matrix, const std::uint8_t* const* reads, std::uint8_t* const* sums,
              std::size_t bytes) {
  const bool is_words = matrix.packet_bytes == 0;
  if (is_words && matrix.w != 8 && matrix.w != 16 && matrix.w != 32) {
    static_cast<void>(matrix_code(matrix));  // throws
  }
  const bool is_over = check_chunks(matrix, reads, sums, bytes);
  if (bytes == 0) return;
  const std::size_t times = is_words ? bytes : bytes / matrix.w;
  if (is_over) {
    check_entries(matrix);
    multiply_in_order(matrix, reads, sums, bytes);
    return count_operations(operations_of(matrix), times);
  }
  const std::size_t products = bytes * matrix.k * matrix.m * (is_words ? 1 : matrix.w / 2 + 1);
  if (products >= kManyProducts) {
    const Plan* const plan = plan_of(matrix, products);
    if (plan != nullptr && plan->run(chunks_of(matrix, reads, sums), bytes) == Status::kOk) {
      return count_operations(recent.with_plan.operations(), times);
    }
  }
  if (is_words) {
    run_words(matrix, reads, sums, bytes);
    return count_operations(operations_of(matrix), times);
  }
  run_packets(matrix, chunks_of(matrix, reads, sums), bytes);
  count_operations(recent.with_kernels.operations(), times);
}

/// Leaves out the chunks that no row reads: callers need not have them.
void drop_unread(RecoveryRows& rows, std::size_t columns_of_chunk) {
  const std::size_t columns = rows.reads.size() * columns_of_chunk;
  const std::size_t num_rows = columns == 0 ? 0 : rows.entries.size() / columns;
  const auto of_chunk = [&](std::size_t row, std::size_t chunk) {
    return std::span(rows.entries)
        .subspan(row * columns + chunk * columns_of_chunk, columns_of_chunk);
  };
  std::vector<std::size_t> read;
  for (std::size_t chunk = 0; chunk < rows.reads.size(); ++chunk) {
    bool is_read = false;
    for (std::size_t row = 0; row < num_rows && !is_read; ++row) {
      is_read = std::ranges::any_of(of_chunk(row, chunk), [](int entry) { return entry != 0; });
    }
    if (is_read) read.push_back(chunk);
  }
  if (read.size() == rows.reads.size()) return;
  RecoveryRows left;
  for (const std::size_t chunk : read) left.reads.push_back(rows.reads[chunk]);
  for (std::size_t row = 0; row < num_rows; ++row) {
    for (const std::size_t chunk : read) {
      const auto entries = of_chunk(row, chunk);
      left.entries.insert(left.entries.end(), entries.begin(), entries.end());
    }
  }
  rows = std::move(left);
}

/// The rows that rebuild the lost locations. Each thread keeps the last ones.
///
/// Errors: throws kDamaged if the other chunks do not determine the lost ones.
const RecoveryRows& rows_of(const MatrixView& matrix, std::span<const std::size_t> lost) {
  if (std::ranges::equal(recent.lost, lost) && recent.decoded.is(matrix)) return recent.rows;
  check_entries(matrix);
  std::optional<RecoveryRows> rows = recovery_rows(matrix, lost);
  if (!rows) fail(Status::kDamaged, "the other chunks do not determine those that are lost");
  drop_unread(*rows, matrix.packet_bytes == 0 ? 1 : matrix.w);
  recent.lost.clear();
  recent.decoded.keep(matrix);
  recent.rows = std::move(*rows);
  recent.lost.assign(lost.begin(), lost.end());
  return recent.rows;
}

}  // namespace

bool encode(const MatrixView& matrix, const std::uint8_t* const* data,
            std::uint8_t* const* redundancy, std::size_t bytes) noexcept try {
  multiply(matrix, data, redundancy, bytes);
  return true;
} catch (...) {
  return report_exception() == Status::kOk;  // false; last_error() says why
}

bool decode(const MatrixView& matrix, std::span<const std::size_t> lost, std::uint8_t* const* data,
            std::uint8_t* const* redundancy, std::size_t bytes) noexcept try {
  const RecoveryRows& rows = rows_of(matrix, lost);
  const auto chunk = [&](std::size_t location) {
    return location < matrix.k ? data[location] : redundancy[location - matrix.k];
  };
  std::vector<const std::uint8_t*> reads;
  reads.reserve(rows.reads.size());
  for (const std::size_t location : rows.reads) reads.push_back(chunk(location));
  Chunks sums;
  sums.reserve(lost.size());
  for (const std::size_t location : lost) sums.push_back(chunk(location));
  multiply({reads.size(), sums.size(), matrix.w, matrix.packet_bytes, rows.entries.data()},
           reads.data(), sums.data(), bytes);
  return true;
} catch (...) {
  return report_exception() == Status::kOk;  // false; last_error() says why
}

bool multiply_region(std::size_t w, int factor, const std::uint8_t* from, std::uint8_t* to,
                     std::size_t bytes, bool adds) noexcept try {
  const auto symbol = static_cast<Field::Symbol>(factor);
  if ((w < 32 && symbol >> w != 0) || bytes % (w / 8) != 0) {
    fail(Status::kInvalidArgument, "{} bytes times {} are no symbols of w = {}", bytes, symbol, w);
  }
  products_of(w, 1).run({1, 1, bytes, &from, &to, adds},
                        [&](std::size_t, std::size_t) { return symbol; });
  return true;
} catch (...) {
  return report_exception() == Status::kOk;  // false; last_error() says why
}

}  // namespace xorloom::jerasure
