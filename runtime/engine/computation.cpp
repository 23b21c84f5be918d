#include "runtime/engine/computation.hpp"

#include <fmt/format.h>

#include "equations/ir/cost.hpp"
#include "gen/vector/machine_code.hpp"
#include "runtime/engine/packet_kernels.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/engine/word_kernels.hpp"

namespace xorloom {
std::unique_ptr<const Computation> make_kernels(const Code& code, const Program& program, Isa isa) {
  if (program.is_xor()) return std::make_unique<const PacketKernels>(code, program, isa);
  return std::make_unique<const WordKernels>(code, program, isa);
}

std::unique_ptr<const Computation> make_computation(const Code& code, const Program& program,
                                                    const PlanOptions& options,
                                                    const Program* order, bool has_near) {
  if (auto made = ProgramCode::make(code, program, options, order, has_near)) return made;
  return make_kernels(code, program, options.isa);
}

std::string why_kernels(const Code& code, const Program& program, const PlanOptions& options) {
  if (const auto why = ProgramCode::why_none(code, program, options)) return *why;
  if (!program.is_xor()) return fmt::format("the code would exceed {} bytes", kMostCodeBytes);
  if (xors(program) > kMostXorsOfParts) {
    return fmt::format("{} XORs exceed {}", xors(program), kMostXorsOfParts);
  }
  return fmt::format("the code would exceed {} bytes, and has no place to cut it", kMostCodeBytes);
}

}  // namespace xorloom
