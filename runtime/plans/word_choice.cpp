#include "runtime/plans/word_choice.hpp"

#include <algorithm>
#include <cstddef>

#include "equations/ir/cost.hpp"
#include "equations/search/syndrome_programs.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/transforms/transform_kernels.hpp"

namespace xorloom {
namespace {

/// Up to this many points, transforms of 8-bit symbols are a program: see transform_program.
constexpr std::size_t kFewPoints = 8;

/// Rows of more terms than this exceed what machine code may take.
constexpr std::size_t kMostTermsOfCode = 4096;

/// Instructions of the rows of a map, as machine code if they have some. Almost all factors of the
/// codes that have transforms are other than 0 and 1.
std::size_t instructions_of_rows(const Code& code, const LinearMap& map,
                                 const PlanOptions& options) {
  const bool may_have_code = map.outputs.size() * map.inputs.size() <= kMostTermsOfCode;
  if (may_have_code && options.engine != Engine::kKernels) {
    const auto computation = make_computation(code, direct_symbols(code, map), options);
    if (computation->has_code()) {
      const TileCounts& counts = computation->counts();
      return counts.instructions * map.outputs.size() / counts.vectors_written;
    }
  }
  return dense_kernel_counts(code.field.w(), map.outputs.size(), map.inputs.size(), options.isa)
      .instructions;
}

}  // namespace

std::optional<SyndromeProgram> syndrome_program(const Code& code, const LinearMap& map) {
  if (code.field.w() > 8) return std::nullopt;
  std::optional<Program> program = transform_program(code, map);
  const bool is_transform = program.has_value();
  if (!is_transform) program = elimination_program(code, map);
  if (!program) return std::nullopt;
  const std::size_t of_rows = multiplications(direct_symbols(code, map));
  const std::size_t taken = multiplications(*program);
  if (!is_transform && 8 * taken > 7 * of_rows) return std::nullopt;
  return SyndromeProgram{*std::move(program), 4 * taken < 3 * of_rows};
}

std::unique_ptr<const Computation> transform_computation(const Code& code, const LinearMap& map,
                                                         const PlanOptions& options) {
  const bool has_few_points = code.field.w() == 8 && code.transform_points <= kFewPoints;
  const bool needs_equations =
      options.execution.threads != 1 && runs_a_graph(options.execution.executor);
  if (has_few_points || needs_equations || options.engine == Engine::kCode) return nullptr;
  // Counting instructions takes next to no time, so both kinds of transforms are counted before one
  // is made.
  constexpr std::size_t kUncounted = ~std::size_t{0};
  std::size_t fewest = kUncounted;
  const auto count = [&](std::size_t instructions) {
    fewest = std::min(fewest, instructions);
    return false;
  };
  static_cast<void>(TransformKernels::make(code, map, options.isa, count));
  static_cast<void>(TransformKernels::make_decoding(code, map, options.isa, count));
  if (fewest == kUncounted) return nullptr;
  // Making the machine code of rows to count it takes long. A term takes at least a multiplication
  // and half an addition.
  const std::size_t terms = map.outputs.size() * map.inputs.size();
  if (terms + terms / 2 < fewest) {
    fewest = std::min(fewest, instructions_of_rows(code, map, options));
  }
  const auto is_fewest = [&](std::size_t instructions) { return instructions <= fewest; };
  auto transforms = TransformKernels::make(code, map, options.isa, is_fewest);
  if (transforms) return transforms;
  return TransformKernels::make_decoding(code, map, options.isa, is_fewest);
}

}  // namespace xorloom
