#include "runtime/plans/transform_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "equations/build/direct.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/transforms/transform_kernels.hpp"

namespace xorloom {
namespace {

/// Symbols of bytes have straight-line code for so few points, where there is any.
constexpr std::size_t kFewPoints = 8;

/// Rows of so many terms are not made to be counted.
constexpr std::size_t kManyTerms = std::size_t{1} << 20;

/// Rows of more terms than this exceed what machine code may take.
constexpr std::size_t kMostTermsOfCode = 4096;

/// Instructions of the rows of a map, as machine code if they have some.
std::size_t instructions_of_rows(const Code& code, const LinearMap& map,
                                 const PlanOptions& options) {
  const Program rows = direct_symbols(code, map);
  const bool may_have_code = map.outputs.size() * map.inputs.size() <= kMostTermsOfCode;
  if (may_have_code && options.engine != Engine::kKernels) {
    const auto computation = make_computation(code, rows, options.isa, jit_options(options));
    if (computation->has_code()) {
      const TileCounts& counts = computation->counts();
      return counts.instructions * map.outputs.size() / counts.vectors_written;
    }
  }
  return kernel_counts(rows, options.isa).instructions;
}

}  // namespace

std::unique_ptr<const Computation> transform_computation(const Code& code, const LinearMap& map,
                                                         const PlanOptions& options) {
  const bool has_few_points = code.field.w() == 8 && code.transform_points <= kFewPoints;
  const bool needs_equations =
      options.execution.threads != 1 && runs_a_graph(options.execution.executor);
  if (has_few_points || needs_equations || options.engine == Engine::kCode) return nullptr;
  const bool are_many =
      map.outputs.size() > kManyTerms / std::max<std::size_t>(1, map.inputs.size());
  auto transforms = TransformKernels::make(code, map, options.isa, [&](std::size_t instructions) {
    return are_many || instructions < instructions_of_rows(code, map, options);
  });
  return transforms;
}

}  // namespace xorloom
