#include "runtime/engine/accepted_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "codes/families/family.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/packet_kernels.hpp"
#include "runtime/engine/word_kernels.hpp"

namespace xorloom {
namespace {

/// Inputs with factors of 1 alone, with others alone, and with both.
constexpr std::size_t kPlain = 2;
constexpr std::size_t kWithoutOnes = 3;
constexpr std::size_t kMixed = 2;
constexpr std::size_t kInputs = kPlain + kWithoutOnes + kMixed;

/// A code whose rows have these factors, laid out as another one.
Code code_of_kernels(const Code& like, const Field& field, std::size_t rows) {
  Matrix parity(rows, kInputs);
  const std::uint64_t others = field.size() - 2;  // than 0 and 1
  std::uint64_t next = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < kInputs; ++i) {
      const bool is_one = i < kPlain || (i >= kPlain + kWithoutOnes && (i + r) % 2 == 0);
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

void accept_word_kernel(const Code& like, Isa isa, std::size_t rows) {
  const Code code = code_of_kernels(like, like.field, rows);
  LinearMap map = encoding_map(code);
  accept(code, map, WordKernels(code, direct_symbols(code, map), isa));
  map.coefficients(rows - 1, 0) = 0;
  accept(code, map, WordKernels(code, map, isa));
}

void accept_packet_kernel(const Code& like, Isa isa) {
  const Code code = code_of_kernels(like, Field(3, default_polynomial(3)), 2);
  const LinearMap map = encoding_map(code);
  accept(code, map, PacketKernels(code, map, isa));
}

/// What tells kernels apart: instruction set, arrangement, bytes of packets and of planes, field.
using Key = std::tuple<Isa, Arrangement, std::size_t, std::size_t, std::string>;

Key key_of(const Code& code, Isa isa) {
  const bool is_packets = code.arrangement == Arrangement::kPacket;
  return {isa, code.arrangement, code.packet_bytes, code.plane_bytes,
          is_packets ? std::string() : field_text(code.field)};
}

/// Of all threads: by key, the rows whose kernels are accepted. It lives until the process ends,
/// whatever ends first.
struct Accepted {
  std::mutex mutex;
  std::map<Key, std::uint32_t> rows;
};
Accepted& accepted() {
  static Accepted* const all = new Accepted;
  return *all;
}

}  // namespace

void accept_kernels(const Code& code, Isa isa, std::uint32_t rows) {
  Accepted& all = accepted();
  const std::lock_guard lock(all.mutex);
  std::uint32_t& known = all.rows[key_of(code, isa)];
  for (std::uint32_t left = rows & ~known; left != 0; left &= left - 1) {
    const auto row = static_cast<std::size_t>(std::countr_zero(left));
    if (code.arrangement == Arrangement::kWord) {
      accept_word_kernel(code, isa, row + 1);
    } else {
      accept_packet_kernel(code, isa);
    }
    known |= std::uint32_t{1} << row;
  }
}

}  // namespace xorloom
