#include "runtime/plans/plan_explanation.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "gen/vector/machine_code.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/refused_code.hpp"
#include "runtime/engine/task_graph.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom {
namespace {

std::string why_no_code(const Code& code, const PlanOptions& options) {
  if (options.engine == Engine::kKernels) return "asked for";
  if (!vector_machine(options.isa)) {
    return fmt::format("no machine code is written for {}", to_string(options.isa));
  }
  if (code.arrangement == Arrangement::kWord) {
    if (!has_gfni(options.isa)) {
      return fmt::format("{} has no multiplication by matrices of bits", to_string(options.isa));
    }
    if (code.field.w() > 8) return fmt::format("symbols of {} bits exceed 8", code.field.w());
  } else if (code.packet_bytes > PacketJit::kWidestPacket) {
    return fmt::format("packets of {} bytes exceed {}", code.packet_bytes,
                       PacketJit::kWidestPacket);
  } else if (code.packet_bytes % 32 != 0) {
    return fmt::format("packets of {} bytes are not a multiple of 32", code.packet_bytes);
  }
  return fmt::format("the code would exceed {} bytes", kMostCodeBytes);
}

std::size_t chunks_of(const Code& code, const LinearMap& map) {
  std::set<std::size_t> locations;
  for (const Cell cell : map.inputs) locations.insert(code.location_of_cell(cell));
  for (const Cell cell : map.outputs) locations.insert(code.location_of_cell(cell));
  return locations.size();
}

/// A tile is some vectors of each cell, or of each row of it.
std::size_t data_bytes_of(const Code& code, const LinearMap& map, const TileCounts& tile) {
  if (map.outputs.empty()) return 0;
  return tile.vectors_written * tile.vector_bytes * code.data.size() / map.outputs.size();
}

/// The machine code's counts, if there is some.
const TileCounts* code_counts(const Computation& computation) {
  if (const PacketKernels* packets = computation.packets()) {
    return packets->code() != nullptr ? &packets->code()->counts() : nullptr;
  }
  const WordKernels& words = *computation.words();
  return words.code() != nullptr ? &words.code()->counts() : nullptr;
}

PlanExplanation explain_with(const Code& code, const LinearMap& map, const PlanOptions& options) {
  PlanExplanation explanation;
  explanation.chunks = chunks_of(code, map);
  const auto finish = [&](const Computation& computation, const TileCounts& kernels) {
    const TileCounts* counts = code_counts(computation);
    explanation.engine = counts != nullptr ? Engine::kCode : Engine::kKernels;
    explanation.tile = counts != nullptr ? *counts : kernels;
    if (counts == nullptr) explanation.why_kernels = why_no_code(code, options);
    explanation.data_bytes = data_bytes_of(code, map, explanation.tile);
    explanation.cost = group_for_cores(computation, 1).cost;
    return explanation;
  };
  if (code.arrangement == Arrangement::kWord) {
    const WordComputation words = word_computation(code, map, options);
    return finish(words.computation, kernel_counts(words.program, options.isa));
  }
  Program program = direct_program(code, map);
  explanation.direct_xors = xors(program);
  explanation.style = form_for(options.style, explanation.direct_xors);
  if (explanation.style == EquationForm::kIterative) {
    program = shared_program(program, options);
    explanation.shared_xors = xors(program);
  }
  return finish(Computation(code, program, options.isa, jit_options(options)),
                kernel_counts(program, options.isa));
}

}  // namespace

TileWork tile_work(const Code& code, const Program& program, const PlanOptions& options) {
  const auto computation = with_code_or_kernels(options, [&](const PlanOptions& how) {
    return Computation(code, program, how.isa, jit_options(how));
  });
  const TileCounts* made = code_counts(computation);
  TileWork work{made != nullptr ? *made : kernel_counts(program, options.isa), 0};
  const std::size_t data_elements = code.data.size() * (code.field.w() / program.field.w());
  if (program.outputs.empty()) return work;
  work.data_bytes = work.counts.vectors_written * work.counts.vector_bytes * data_elements /
                    program.outputs.size();
  return work;
}

PlanExplanation explanation_of(const Code& code, const LinearMap& map, const PlanOptions& options) {
  std::string refused;
  PlanExplanation explanation = with_code_or_kernels(
      options, [&](const PlanOptions& how) { return explain_with(code, map, how); }, &refused);
  if (!refused.empty())
    explanation.why_kernels = fmt::format("machine code was refused: {}", refused);
  return explanation;
}

}  // namespace xorloom
