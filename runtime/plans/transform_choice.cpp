#include "runtime/plans/transform_choice.hpp"

#include <algorithm>
#include <cstddef>

#include "equations/build/direct.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/transforms/transform_kernels.hpp"

namespace xorloom {
namespace {

/// Symbols of bytes have straight-line code for so few points, where there is any.
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

std::unique_ptr<const Computation> transform_computation(const Code& code, const LinearMap& map,
                                                         const PlanOptions& options) {
  const bool has_few_points = code.field.w() == 8 && code.transform_points <= kFewPoints;
  const bool needs_equations =
      options.execution.threads != 1 && runs_a_graph(options.execution.executor);
  if (has_few_points || needs_equations || options.engine == Engine::kCode) return nullptr;
  // Counting transforms takes no time to speak of, so each way is counted before any is made.
  constexpr std::size_t kUncounted = ~std::size_t{0};
  std::size_t fewest = kUncounted;
  const auto count = [&](std::size_t instructions) {
    fewest = std::min(fewest, instructions);
    return false;
  };
  static_cast<void>(TransformKernels::make(code, map, options.isa, count));
  static_cast<void>(TransformKernels::make_decoding(code, map, options.isa, count));
  if (fewest == kUncounted) return nullptr;
  // Making machine code in order to count it takes long. A term of it is a multiplication, and half
  // of an addition at least.
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
