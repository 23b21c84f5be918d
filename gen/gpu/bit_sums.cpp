#include "gen/gpu/bit_sums.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"
#include "gen/gpu/kernel_forms.hpp"
#include "gen/gpu/kernel_frame.hpp"

namespace xorloom {
namespace {

/// Words of registers for sums that grow side by side.
constexpr std::size_t kMostAccumulators = 96;
/// Registers for pointers, loaded values and what compilers need.
constexpr std::size_t kOtherRegisters = 28;

/// The outputs that are computed together, a range of them: whole cells.
std::vector<std::span<const Equation>> parts_of(const BitSums& sums) {
  const std::size_t most = std::max(kMostAccumulators * 4 / sums.vector_bytes, sums.planes);
  const std::span<const Equation> all(sums.program.equations);
  // Parts of about the same size.
  const std::size_t cells = all.size() / sums.planes;
  const std::size_t parts = (all.size() + most - 1) / most;
  std::vector<std::span<const Equation>> result;
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = cells * p / parts * sums.planes;
    const std::size_t last = cells * (p + 1) / parts * sums.planes;
    result.push_back(all.subspan(first, last - first));
  }
  return result;
}

void write_part(LineWriter& lines, const BitSums& sums, std::span<const Equation> part,
                KernelPrice& price) {
  std::map<Element, std::vector<Element>> readers;
  for (const Equation& equation : part) {
    for (const Element operand : equation.operands) readers[operand].push_back(equation.target);
    price.instructions += equation.operands.size() / 2;
  }
  std::set<Element> cells;
  std::size_t location = kNone;
  const std::size_t rows = sums.program.rows;
  for (const auto& [input, sums_of_input] : readers) {
    if (input / rows != location) lines.keep_order();
    location = input / rows;
    cells.insert(static_cast<Element>(input / sums.planes));
    lines.load(input);
    std::vector<LineWriter::Addition> additions;
    for (const Element sum : sums_of_input) additions.push_back({sum, {lines.name(input)}});
    lines.add(additions);
  }
  lines.keep_order();
  for (std::size_t first = 0; first < part.size(); first += sums.planes) {
    std::vector<std::string> values;
    for (const Equation& equation : part.subspan(first, sums.planes)) {
      values.push_back(equation.operands.empty() ? "0" : lines.name(equation.target));
    }
    lines.store_planes(part[first].target, values);
  }
  price.bytes += (cells.size() * sums.planes + part.size()) * sums.vector_bytes;
}

KernelDraft draft_of(const KernelJob& job, BitLines lines) {
  KernelDraft draft;
  draft.definitions = define_access(job.code);
  draft.place = place_of_vectors(job.code, job.vector_bytes);
  draft.lines = std::move(lines.text);
  draft.price = lines.price;
  draft.kernel.item_columns = draft.price.columns = job.vector_bytes;
  return draft;
}

}  // namespace

BitLines accumulator_lines(const BitSums& sums) {
  LineWriter lines({kKernelWords, sums.program, sums.chunks, sums.planes});
  BitLines result;
  std::size_t most = 0;
  const std::vector<std::span<const Equation>> parts = parts_of(sums);
  for (const std::span<const Equation> part : parts) {
    if (parts.size() > 1) lines.open_part();
    write_part(lines, sums, part, result.price);
    if (parts.size() > 1) lines.close_part();
    most = std::max(most, part.size());
  }
  const std::size_t words = sums.vector_bytes / 4;
  result.text = std::move(lines).text();
  result.price.instructions = result.price.instructions * words + 3 * sums.chunks.size();
  result.price.registers = (most + (sums.planes > 1 ? sums.planes : 0)) * words + kOtherRegisters;
  return result;
}

KernelDraft accumulator_kernel(const KernelJob& job) {
  return draft_of(job, accumulator_lines({job.equations, job.chunks, 1, job.vector_bytes}));
}

KernelDraft iterative_kernel(const KernelJob& job) {
  return draft_of(job, ordered_lines({job.equations, job.chunks, 1, job.vector_bytes}));
}

bool has_temporaries(const Program& program) {
  return std::ranges::any_of(program.equations, [&](const Equation& equation) {
    return equation.target >= program.first_temporary();
  });
}

Program with_shared_sums(const Program& program) {
  return has_temporaries(program) ? program : optimize(program, {.effort = Effort::kQuick});
}

Program without_temporaries(const Program& program) {
  const Matrix matrix = coefficients_of(program);
  Program direct = without_equations(program);
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    Equation equation{program.outputs[i], {}};
    for (std::size_t column = 0; column < program.inputs.size(); ++column) {
      if (matrix(i, column) == 0) continue;
      equation.operands.emplace_back(program.inputs[column], matrix(i, column));
    }
    std::ranges::sort(equation.operands);
    direct.equations.push_back(std::move(equation));
  }
  return direct;
}

}  // namespace xorloom
