#include "runtime/engine/computation.hpp"

#include <fmt/format.h>

#include "equations/ir/cost.hpp"
#include "gen/vector/machine_code.hpp"
#include "runtime/engine/jit.hpp"

namespace xorloom {
namespace {

template <typename AsCode>
std::unique_ptr<const Computation> code_or_kernels(const Code& code, const Program& program,
                                                   Isa isa, const JitOptions& options) {
  using Kernels = typename AsCode::Kernels;
  auto tiles = AsCode::Tiles::make(code, program, isa, options);
  if (!tiles) return std::make_unique<const Kernels>(code, program, isa);
  return std::make_unique<const AsCode>(*std::move(tiles), Kernels(code, program, isa));
}

}  // namespace

std::unique_ptr<const Computation> make_computation(const Code& code, const Program& program,
                                                    Isa isa, const JitOptions& options) {
  return program.is_xor() ? code_or_kernels<PacketJit>(code, program, isa, options)
                          : code_or_kernels<WordJit>(code, program, isa, options);
}

std::string why_kernels(const Code& code, const Program& program, Isa isa,
                        const JitOptions& options) {
  const auto why = program.is_xor() ? PacketJit::Tiles::why_none(code, program, isa, options)
                                    : WordJit::Tiles::why_none(program, isa, options);
  if (why) return *why;
  if (!program.is_xor()) return fmt::format("the code would exceed {} bytes", kMostCodeBytes);
  if (xors(program) > kMostXorsOfParts) {
    return fmt::format("{} XORs exceed {}", xors(program), kMostXorsOfParts);
  }
  return fmt::format("the code would exceed {} bytes, and has no place to cut it", kMostCodeBytes);
}

}  // namespace xorloom
