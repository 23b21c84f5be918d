#include "runtime/engine/accepted_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/operands.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/word_kernels.hpp"
#include "runtime/kernels/word_kernel.hpp"
#include "runtime/machine/roomy_thread.hpp"

namespace xorloom {
namespace {

/// Numbers of inputs whose factors are all 1, are all above 1, and are mixed.
constexpr std::size_t kPlain = 2;
constexpr std::size_t kWithoutOnes = 3;
constexpr std::size_t kMixed = 2;
constexpr std::size_t kInputs = kPlain + kWithoutOnes + kMixed;

/// A code of `rows` rows with such factors, laid out like `like`.
Code code_of_kernels(const Code& like, const Field& field, std::size_t rows,
                     std::size_t inputs = kInputs) {
  Matrix parity(rows, inputs);
  const std::uint64_t others = field.size() - 2;  // than 0 and 1
  std::uint64_t next = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < inputs; ++i) {
      const std::size_t kind = i % kInputs;
      const bool is_one = kind < kPlain || (kind >= kPlain + kWithoutOnes && (i + r) % 2 == 0);
      next += 0x9e3779b97f4a7c15;
      parity(r, i) = is_one ? 1 : static_cast<Field::Symbol>(2 + (next >> 32U) % others);
    }
  }
  Code code = systematic_code("kernels", field, std::move(parity));
  code.spec = like.spec;
  code.arrangement = like.arrangement;
  code.packet_bytes = like.packet_bytes;
  code.plane_bytes = like.plane_bytes;
  return code;
}

void accept_word_kernel(const Code& like, Isa isa, std::size_t rows, bool is_of_program) {
  const Code code = code_of_kernels(like, like.field, rows);
  LinearMap map = encoding_map(code);
  if (is_of_program) return accept(code, map, WordKernels(code, direct_symbols(code, map), isa));
  map.coefficients(rows - 1, 0) = 0;
  accept(code, map, WordKernels(code, map, isa));
}

/// A program of a map in which a temporary is the first row, and the other rows read it.
Program by_a_temporary(const Code& code, const LinearMap& map) {
  Program program = direct_symbols(code, map);
  const Element temporary = program.first_temporary();
  const std::vector<Operand> first = program.equations.front().operands;
  for (Equation& equation : program.equations) {
    add_scaled(program.field, equation.operands, 1, first);
    add(equation.operands, {temporary, 1});
  }
  program.equations.insert(program.equations.begin(), {temporary, first});
  return program;
}

/// Accepts steps on chunks of two cells, with more rows than a step computes: dense rows; rows that
/// do not read all inputs, which makes several groups; and rows by a temporary.
void accept_steps(const Code& like, Isa isa) {
  constexpr std::size_t kCells = 2;
  constexpr std::size_t kData = 2;
  constexpr std::size_t kRedundant = kMaxWordRows / kCells + 1;
  Code code = code_of_kernels(like, like.field, kCells * kRedundant);
  Matrix parity(kCells * kRedundant, kCells * kData);
  for (std::size_t r = 0; r < parity.rows(); ++r) {
    std::ranges::copy(code.parity.row(r).last(parity.columns()), parity.row(r).begin());
  }
  code.parity = std::move(parity);
  code.k = kData;
  code.m = kRedundant;
  code.subchunks = kCells;
  code.locations = kData + kRedundant;
  code.data.clear();
  code.redundant.clear();
  for (Cell cell = 0; cell < code.num_cells(); ++cell) {
    (cell < kCells * kData ? code.data : code.redundant).push_back(cell);
  }
  const LinearMap dense = encoding_map(code);
  accept(code, dense, WordKernels(code, dense, isa));
  for (std::size_t r = 0; r < code.parity.rows(); ++r)
    code.parity(r, r % code.parity.columns()) = 0;
  const LinearMap sparse = encoding_map(code);
  accept(code, sparse, WordKernels(code, direct_symbols(code, sparse), isa));
  accept(code, dense, WordKernels(code, by_a_temporary(code, dense), isa));
}

/// Few symbols of 3 bits have few ones, and each row is a step. Steps of many wider symbols have 4
/// and 3 rows.
void accept_packets(const Code& like, Isa isa, std::uint32_t kernel) {
  const bool is_plain = kernel == kPlainPackets;
  const Code code = code_of_kernels(like, Field(is_plain ? 3 : 7), 2, (is_plain ? 1 : 4) * kInputs);
  const LinearMap map = encoding_map(code);
  accept_packet_kernel(code, map, PacketKernels(code, map, isa), kernel);
}

/// The kernels that are accepted, by key, shared by all threads. Never destroyed: threads may still
/// use it while the process ends.
struct Accepted {
  std::mutex mutex;
  std::map<std::string, std::uint32_t> kernels;
};
Accepted& accepted() {
  static Accepted* const all = new Accepted;
  return *all;
}

}  // namespace

void accept_packet_kernel(const Code& code, const LinearMap& map, const PacketKernels& kernels,
                          std::uint32_t kernel) {
  if ((kernels.facts().kernel_rows & kernel) == 0) fail(Status::kInternal, "no kernel {}", kernel);
  accept(code, map, kernels);
}

void accept_once(const std::string& key, std::uint32_t kernels,
                 const std::function<void(std::size_t)>& accept) {
  Accepted& all = accepted();
  const ForkGuard guard;  // a child would find the mutex locked for ever
  const std::lock_guard lock(all.mutex);
  std::uint32_t& known = all.kernels[key];
  for (std::uint32_t left = kernels & ~known; left != 0; left &= left - 1) {
    const auto kernel = static_cast<std::size_t>(std::countr_zero(left));
    accept(kernel);
    known |= std::uint32_t{1} << kernel;
  }
}

void accept_kernels(const Code& code, Isa isa, std::uint32_t rows) {
  const bool is_packets = code.arrangement == Arrangement::kPacket;
  const std::string key =
      fmt::format("{} {} {} {}", to_string(isa), code.packet_bytes, code.plane_bytes,
                  is_packets ? "packets" : field_text(code.field));
  accept_once(key, rows, [&](std::size_t row) {
    const std::uint32_t bit = std::uint32_t{1} << row;
    if (is_packets) return accept_packets(code, isa, bit);
    if (bit == kSeveralSteps) return accept_steps(code, isa);
    accept_word_kernel(code, isa, row % kRowBits + 1, row >= kRowBits);
  });
}

}  // namespace xorloom
