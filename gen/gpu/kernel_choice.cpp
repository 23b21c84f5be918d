#include "gen/gpu/kernel_choice.hpp"

#include <fmt/format.h>

#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "codes/field/bitmatrix.hpp"
#include "codes/text/error.hpp"
#include "gen/gpu/bit_planes.hpp"
#include "gen/gpu/bit_sums.hpp"
#include "gen/gpu/kernel_check.hpp"
#include "gen/gpu/packet_kernel.hpp"
#include "gen/gpu/table_kernel.hpp"
#include "gen/gpu/word_kernel.hpp"
#include "gen/source/source_names.hpp"

namespace xorloom {
namespace {

std::vector<std::size_t> locations_touched(const Program& program) {
  std::set<std::size_t> locations;
  for (const auto* elements : {&program.inputs, &program.outputs}) {
    for (const Element element : *elements) locations.insert(element / program.rows);
  }
  if (locations.size() > kMostKernelChunks) {
    fail(Status::kUnsupported, fmt::format("a kernel takes {} chunks at most, and these are {}",
                                           kMostKernelChunks, locations.size()));
  }
  return {locations.begin(), locations.end()};
}

void check_options(const KernelOptions& options) {
  if (options.vector_bytes && *options.vector_bytes != 4 && *options.vector_bytes != 8) {
    fail(Status::kInvalidArgument,
         fmt::format("vector_bytes = {} is not 4 or 8", *options.vector_bytes));
  }
  if (options.name) check_name(*options.name);
}

/// The elements of a program have to be what lies in the memory of its code.
void check_program_of(const Code& code, const Program& program) {
  if (code.arrangement == Arrangement::kPacket) return require_xors(program, "a kernel on packets");
  if (program.field == code.field) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} lays out words, and a kernel for them needs a program over its symbols",
                   code.name()));
}

bool is_for_packets(KernelForm form) {
  return form == KernelForm::kAccumulators || form == KernelForm::kIterative;
}

void check_form(const Code& code, KernelForm form) {
  const bool in_packets = code.arrangement == Arrangement::kPacket;
  if (is_for_packets(form) == in_packets) return;
  fail(Status::kUnsupported,
       fmt::format("{} lies in {}, which the form {} does not compute", code.name(),
                   in_packets ? "packets" : "words", form_name(form)));
}

/// Sums of the operands of all equations, where a vector is added once for each.
std::size_t additions(const Program& program, KernelForm form) {
  const bool is_direct = form != KernelForm::kIterative && form != KernelForm::kHorner;
  const Program direct = is_direct ? without_temporaries(program) : Program{};
  std::size_t number = 0;
  for (const Equation& equation : (is_direct ? direct : program).equations) {
    for (const Operand& operand : equation.operands) {
      number += form == KernelForm::kBitSliced ? weight(program.field, operand.coefficient)
                : form == KernelForm::kHorner
                    ? static_cast<std::size_t>(
                          std::popcount(program.field.polynomial_of(operand.coefficient)))
                    : 1;
    }
  }
  return number;
}

/// A draft after the first is taken if its price is at most this share of the price of the best one
/// before it: those that come first are shorter, and compile sooner.
constexpr double kWorthwhile = 0.85;

/// The equations that a form computes.
Program equations_for(const Program& program, KernelForm form) {
  switch (form) {
    case KernelForm::kAccumulators:
    case KernelForm::kTables:
      return without_temporaries(program);
    case KernelForm::kIterative:
      return with_shared_sums(program);
    case KernelForm::kHorner:
      return program;
    case KernelForm::kBitSliced:
      return bits_of(program);
  }
  return program;
}

KernelDraft draft_of(const Code& code, const Program& equations,
                     const std::vector<std::size_t>& chunks, KernelForm form,
                     const KernelOptions& options, std::size_t bytes) {
  switch (form) {
    case KernelForm::kAccumulators:
    case KernelForm::kIterative:
      return packet_kernel(code, equations, chunks, form, bytes);
    case KernelForm::kTables:
      return table_kernel(code, equations, chunks, options, bytes);
    case KernelForm::kHorner:
      return horner_kernel(code, equations, chunks, bytes);
    case KernelForm::kBitSliced:
      return plane_kernel(code, equations, chunks, bytes);
  }
  fail(Status::kInternal, "a form has no kernel");
}

/// The draft with the lowest price of those that the options leave open. Forms after the first are
/// tried where that waits for more than memory.
KernelDraft best_draft(const Code& code, const Program& program,
                       const std::vector<std::size_t>& chunks, const KernelOptions& options) {
  const std::vector<KernelForm> forms = options.form ? std::vector{*options.form} : forms_of(code);
  std::optional<KernelDraft> best;
  for (const KernelForm form : forms) {
    check_form(code, form);
    if (best && !best->price.is_work_bound()) break;
    if (const std::size_t number = additions(program, form); number > kMostKernelAdditions) {
      if (best || form != forms.back()) continue;
      fail(Status::kUnsupported, fmt::format("{} additions are more than the {} of a kernel",
                                             number, kMostKernelAdditions));
    }
    const Program equations = equations_for(program, form);
    for (const std::size_t bytes : {std::size_t{4}, std::size_t{8}}) {
      if (options.vector_bytes && *options.vector_bytes != bytes) continue;
      KernelDraft draft = draft_of(code, equations, chunks, form, options, bytes);
      draft.kernel.form = form;
      draft.kernel.vector_bytes = bytes;
      if (!best || draft.price.clocks() < kWorthwhile * best->price.clocks())
        best = std::move(draft);
    }
  }
  return std::move(*best);
}

/// Compares the lines of a draft with the program.
void check_draft(const Program& program, const std::vector<std::size_t>& chunks,
                 const KernelDraft& draft) {
  if (draft.kernel.form == KernelForm::kBitSliced) {
    check_kernel_lines(bits_of(program), chunks, program.field.w(), draft.lines);
  } else {
    check_kernel_lines(program, chunks, 1, draft.lines);
  }
}

}  // namespace

std::vector<KernelForm> forms_of(const Code& code) {
  if (code.arrangement == Arrangement::kPacket) {
    return {KernelForm::kAccumulators, KernelForm::kIterative};
  }
  const bool doubles = code.field.basis().empty() && code.plane_bytes == 0;
  return doubles ? std::vector{KernelForm::kHorner, KernelForm::kBitSliced}
                 : std::vector{KernelForm::kBitSliced};
}

KernelDraft choose_kernel(const Code& code, const NamedProgram& named,
                          const KernelOptions& options) {
  check_options(options);
  check_name(named.name);
  const Program& program = named.program;
  check_program_of(code, program);
  std::vector<std::size_t> chunks = locations_touched(program);
  KernelDraft draft = best_draft(code, program, chunks, options);
  check_draft(program, chunks, draft);
  draft.kernel.entry = fmt::format("{}_{}", file_prefix(code, options.name), named.name);
  draft.kernel.chunks = std::move(chunks);
  return draft;
}

}  // namespace xorloom
